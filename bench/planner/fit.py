# SPDX-License-Identifier: Apache-2.0
"""Fits the planner's corrections: trees that say which of the plans that the model predicts nearly as fast is fastest.

fit.py [--folds N] [--header FILE] FEATURES

FEATURES is what features.cpp wrote. With `--folds` it judges trees of the rest of the problems by each N-th of them;
else it fits all of them and writes the header. Needs numpy and lightgbm.
"""
import argparse
import os
import pathlib

os.environ.setdefault("OMP_NUM_THREADS", "1")
import lightgbm  # noqa: E402
import numpy  # noqa: E402

GROUPS = ["direct", "transpose", "runs", "windows", "sectors"]
# Trees of a group, leaves of each, plans of a leaf at least, rate; the last choose among the groups' best.
SHAPES = [(56, 32, 25, 0.14), None, (32, 16, 25, 0.14), (56, 32, 25, 0.14), (48, 24, 25, 0.14), (100, 12, 40, 0.08)]
SCALE = 20  # of a tree's values in the logarithm of time
PLACES = 96  # of a group, as predicted, that are looked at: plan_pool::most
WITHIN = 1.4  # times the group's best, likewise: correction_reach
# How near the best a plan is, as grades, and what these are worth.
NEAR = [0.01, 0.03, 0.05, 0.08, 0.12, 0.2, 0.35]
WORTH = [0, 1, 2, 4, 8, 16, 30, 40]


class Sample:
    """All measured plans, one after the other, those of a problem together."""

    def __init__(self, path):
        self.work, problem, group, place, predicted, took, often, values = [], [], [], [], [], [], [], []
        with open(path) as file:
            self.names = file.readline().split()
            for line in file:
                fields = line.rstrip("\n").split("|")
                if fields[0] == "problem":
                    self.work.append(fields[1])
                    continue
                times = [float(t) for t in fields[3].split(",")]
                problem.append(len(self.work) - 1)
                group.append(int(fields[0]))
                place.append(int(fields[1]))
                predicted.append(float(fields[2]))
                took.append(numpy.median(times))
                often.append(len(times))
                values.append(numpy.fromstring(fields[4], dtype=numpy.int16, sep=" "))
        self.problem, self.group, self.place = map(numpy.array, (problem, group, place))
        self.predicted, self.took, self.often = map(numpy.array, (predicted, took, often))
        self.values = numpy.array(values)
        self.work = numpy.array(self.work)
        count = len(self.work)
        key = self.problem * len(GROUPS) + self.group
        # The best of those that ran often, as the best of those that ran once is partly the luckiest.
        most = numpy.zeros(count)
        numpy.maximum.at(most, self.problem, self.often)
        sure = self.often >= numpy.minimum(4, most)[self.problem]
        self.best = least_of(self.problem[sure], self.took[sure], count)
        self.behind_best = numpy.log(self.took / self.best[self.problem])
        self.behind_group = numpy.log(self.took / least_of(key, self.took, count * len(GROUPS))[key])
        self.said_behind_group = numpy.log(self.predicted / least_of(key, self.predicted, count * len(GROUPS))[key])
        self.said_behind = numpy.log(self.predicted / least_of(self.problem, self.predicted, count)[self.problem])
        self.seen = (self.said_behind_group < numpy.log(WITHIN)) & (self.place < PLACES)


def least_of(key, value, count):
    least = numpy.full(count, numpy.inf)
    numpy.minimum.at(least, key, value)
    return least


def trees(sample, rows, behind, said, shape):
    """LambdaMART: trees that put the plans of a problem in order, begun from the model's own."""
    count, leaves, least, rate = shape
    grade = len(NEAR) - numpy.digitize(behind[rows], NEAR)
    _, sizes = numpy.unique(sample.problem[rows], return_counts=True)
    data = lightgbm.Dataset(sample.values[rows].astype(numpy.float32), grade, group=sizes, init_score=-SCALE * said[rows])
    return lightgbm.train(
        {
            "objective": "lambdarank", "lambdarank_truncation_level": 20, "label_gain": WORTH, "learning_rate": rate,
            "num_leaves": leaves, "min_data_in_leaf": least, "feature_fraction": 0.4, "bagging_fraction": 0.6,
            "bagging_freq": 1, "max_bin": 63, "force_col_wise": True, "verbose": -1, "num_threads": 1, "seed": 1,
        },
        data, count)


def fit_groups(sample, learn):
    """Trees of each group from the problems `learn`, and every plan's logarithm of time behind its group's best."""
    forest, score = [], sample.said_behind_group.copy()
    for group, shape in enumerate(SHAPES[:-1]):
        mine = sample.seen & (sample.group == group)
        forest.append(None)
        if shape is None:
            continue
        # Problems where the group is far from the best say little about its best.
        near = least_of(sample.problem[mine], sample.behind_best[mine], len(sample.work))[sample.problem] < numpy.log(1.6)
        rows = numpy.flatnonzero(mine & learn[sample.problem] & near)
        forest[-1] = trees(sample, rows, sample.behind_group, sample.said_behind_group, shape)
        every = numpy.flatnonzero(mine)
        score[every] -= forest[-1].predict(sample.values[every].astype(numpy.float32)) / SCALE
    return forest, score


def unseen(sample, folds):
    """The same, each problem by trees that have not seen it; and the fold of each problem."""
    fold = numpy.random.default_rng(1).integers(0, folds, len(sample.work))
    score = numpy.zeros(len(sample.took))
    for k in range(folds):
        mine = fold[sample.problem] == k
        score[mine] = fit_groups(sample, fold != k)[1][mine]
    return score, fold


def fit_between(sample, leader, learn):
    """Trees that choose among the groups' best, and these plans' logarithm of time."""
    forest = trees(sample, leader[learn[sample.problem[leader]]], sample.behind_best, sample.said_behind, SHAPES[-1])
    between = numpy.full(len(sample.took), numpy.inf)
    between[leader] = sample.said_behind[leader] - forest.predict(sample.values[leader].astype(numpy.float32)) / SCALE
    return forest, between


def leaders(sample, score):
    """The best of each group of each problem, by its corrected time."""
    seen = numpy.flatnonzero(sample.seen)
    key = sample.problem[seen] * len(GROUPS) + sample.group[seen]
    order = seen[numpy.lexsort((score[seen], key))]
    _, first = numpy.unique(sample.problem[order] * len(GROUPS) + sample.group[order], return_index=True)
    return order[first]


def say(name, sample, score, problems):
    rows = numpy.flatnonzero(problems[sample.problem])
    order = rows[numpy.lexsort((score[rows], sample.problem[rows]))]
    _, first = numpy.unique(sample.problem[order], return_index=True)
    chosen = order[first]
    rate = numpy.minimum(1, numpy.exp(-sample.behind_best[chosen]))
    print(f"{name}: {len(rate)} problems, within 5 % {numpy.mean(rate >= 0.95):.3f}, within 10 % {numpy.mean(rate >= 0.9):.3f}, "
          f"below 0.8 {numpy.sum(rate < 0.8)}, worst {rate.min():.3f}, mean {rate.mean():.4f}", flush=True)


def judge(sample, folds):
    """Each problem by trees that have not seen it."""
    group, fold = unseen(sample, folds)
    leader = leaders(sample, group)
    between = numpy.full(len(sample.took), numpy.inf)
    for k in range(folds):
        mine = fold[sample.problem] == k
        between[mine] = fit_between(sample, leader, fold != k)[1][mine]
    kinds = {
        "random": numpy.char.find(sample.work, "permute_rank") < 0,
        "rank 5": sample.work == "tensors/permute_rank5",
        "rank 6": sample.work == "tensors/permute_rank6",
    }
    for name, problems in kinds.items():
        say(name + ", the model", sample, sample.predicted, problems)
        say(name + ", corrected", sample, between, problems)
    for number, name in enumerate(GROUPS):
        mine = (sample.group == number) & sample.seen
        near = least_of(sample.problem[mine], sample.behind_best[mine], len(sample.work)) < numpy.log(1.1)
        for what, by in (("the model", sample.predicted), ("corrected", group)):
            rows = numpy.flatnonzero(mine & near[sample.problem])
            order = rows[numpy.lexsort((by[rows], sample.problem[rows]))]
            _, first = numpy.unique(sample.problem[order], return_index=True)
            print(f"{name} among itself, {what}: {len(first)}, within 5 % {numpy.mean(sample.behind_group[order[first]] < 0.0513):.3f}")


def words_of(forest):
    """How many words a tree has, then its nodes in preorder, a word each: feature, how far the other branch is,
    threshold; or 255, 0, value."""
    words = []

    def walk(node):
        if "leaf_value" in node:
            # Leaves in units of 1/4096 of the logarithm of time.
            value = round(-node["leaf_value"] / SCALE * 4096)
            words.append(0xff << 24 | (max(-32768, min(32767, value)) & 0xffff))
            return
        at = len(words)
        words.append(0)
        walk(node["left_child"])
        skip = len(words) - at
        walk(node["right_child"])
        # <= a number between integers is <= the lower one.
        threshold = int(numpy.floor(node["threshold"]))
        words[at] = node["split_feature"] << 24 | skip << 16 | (max(-32768, threshold) & 0xffff)

    for tree in forest.dump_model()["tree_info"] if forest is not None else []:
        start = len(words)
        words.append(0)
        walk(tree["tree_structure"])
        words[start] = len(words) - start
    return words


def write_header(forest, names, path):
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "/// @file",
        "/// The trees of the planner's corrections. Written by bench/planner/fit.py: do not edit.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "#include <cosmati/core/config.hpp>",
        "",
        "namespace COSMATI_NAMESPACE::detail {",
        "",
        "/// Features that there were when these were fitted.",
        f"inline constexpr int plan_tree_features = {len(names)};",
        "",
    ]
    for name, one in zip(GROUPS + ["between"], forest):
        words = words_of(one)
        if not words:
            continue
        what = "Of the best plans of all routes" if name == "between" else f"Of plans of the route `{name}`"
        lines.append(f"/// {what}.")
        lines.append(f"inline constexpr std::uint32_t plan_trees_{name}[] = {{")
        for k in range(0, len(words), 10):
            lines.append("    " + ", ".join(f"0x{w:x}" for w in words[k:k + 10]) + ",")
        lines[-1] = lines[-1].rstrip(",") + "};"
        lines.append("")
        print(f"{name}: {len(words)} words")
    lines.append("}  // namespace COSMATI_NAMESPACE::detail")
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("features")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--header", default="include/cosmati/kernel/copy/plan_trees.hpp")
    options = parser.parse_args()
    sample = Sample(options.features)
    if options.folds > 0:
        judge(sample, options.folds)
        return
    everything = numpy.full(len(sample.work), True)
    forest, _ = fit_groups(sample, everything)
    # Among plans that trees chose of problems that they know, these would learn to trust them too much.
    between, _ = fit_between(sample, leaders(sample, unseen(sample, 4)[0]), everything)
    write_header([*forest, between], sample.names, options.header)


if __name__ == "__main__":
    main()
