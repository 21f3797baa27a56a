# SPDX-License-Identifier: Apache-2.0
"""Fits the planner's corrections: trees that put a route's plans in order, and trees that say what its first one takes.

fit.py [--folds N] [--header FILE] FEATURES

FEATURES is what features.cpp wrote. With `--folds` it judges trees of the rest of the problems by each N-th of them;
else it fits all of them and writes the header. Needs numpy and lightgbm, and some minutes.
"""
import argparse
import concurrent.futures
import os
import pathlib

os.environ.setdefault("OMP_NUM_THREADS", "1")
import lightgbm  # noqa: E402
import numpy  # noqa: E402
from collect import launches  # noqa: E402

GROUPS = ["direct", "transpose", "runs", "windows", "sectors", "once"]
# Trees of a group, leaves of each (200 at most: text_of has two digits for a tree), rate: those that order its plans, and those that say what they take.
ORDER = [(450, 127, 0.076), None, (200, 64, 0.08), (450, 199, 0.09), (300, 64, 0.08), (450, 127, 0.076)]
TIME = [(880, 127, 0.057), (480, 64, 0.065), (640, 64, 0.057), (880, 199, 0.07), (640, 64, 0.057), (880, 127, 0.057)]
FOR_ALL = 20  # trees of a group's order that are asked about all plans that are looked at
FINALISTS = 32  # of which these are the best, about which the others are asked
TIMED = 8  # of which these are the best, which are put in order by what they are said to take, too: half of its logarithm
LEAST = 25  # plans of a leaf
SCALE = 20  # of a tree's values in the logarithm of time
LARGEST = 0.5  # a leaf's part of the logarithm of time: more is a few plans by chance
PLACES = 256  # of a group, as predicted, to learn from
LOOKED_AT = numpy.array([192, 64, 64, 112, 64, 64])  # of them when one is chosen: plan_pool::most_of
WITHIN = numpy.array([1.4, 1.4, 1.4, 1.4, 1.4, 3])  # times the group's best, by the costs
ALONE = numpy.array([False, False, False, False, False, True])  # trees begin with nothing, not with the costs' order
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
                count, median = launches(fields[3])
                problem.append(len(self.work) - 1)
                group.append(int(fields[0]))
                place.append(int(fields[1]))
                predicted.append(float(fields[2]))
                took.append(median)
                often.append(count)
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
        self.seen = (self.said_behind_group < numpy.log(WITHIN)[self.group]) & (self.place < PLACES)


def least_of(key, value, count):
    least = numpy.full(count, numpy.inf)
    numpy.minimum.at(least, key, value)
    return least


def boosted(sample, rows, target, options, shape):
    count, leaves, rate = shape
    data = lightgbm.Dataset(sample.values[rows].astype(numpy.float32), target, **options.pop("data"))
    return lightgbm.train(
        {
            "learning_rate": rate, "num_leaves": leaves, "min_data_in_leaf": LEAST, "feature_fraction": 0.4,
            "bagging_fraction": 0.6, "bagging_freq": 1, "max_bin": 63, "force_col_wise": True, "verbose": -1,
            "num_threads": 1, "seed": 1, **options,
        },
        data, count)


def fit_order(sample, group, learn):
    """LambdaMART: trees that put the group's plans of a problem in order, begun from the model's own or from none."""
    mine = sample.seen & (sample.group == group)
    # Problems where the group is far from the best say little about its best.
    near = least_of(sample.problem[mine], sample.behind_best[mine], len(sample.work))[sample.problem] < numpy.log(1.6)
    rows = numpy.flatnonzero(mine & learn[sample.problem] & near)
    grade = len(NEAR) - numpy.digitize(sample.behind_group[rows], NEAR)
    _, sizes = numpy.unique(sample.problem[rows], return_counts=True)
    options = {
        "data": {"group": sizes, "init_score": -SCALE * (not ALONE[group]) * sample.said_behind_group[rows]},
        "objective": "lambdarank", "lambdarank_truncation_level": 20, "label_gain": WORTH,
    }
    return boosted(sample, rows, grade, options, ORDER[group])


def fit_time(sample, group, learn):
    """Trees for the logarithm of what the group's plans take beyond what is predicted, above all the best ones."""
    behind_group, behind_best = sample.behind_group, sample.behind_best
    mine = sample.seen & (sample.group == group) & (behind_group < 0.3) & (behind_best < 1)
    rows = numpy.flatnonzero(mine & learn[sample.problem])
    # A plan that ran once may seem faster than the best of those that ran often.
    weight = 1 / (0.05 + behind_group[rows]) / (0.1 + numpy.maximum(0, behind_best[rows]))
    options = {"data": {"weight": weight}, "objective": "huber", "alpha": 0.3}
    return boosted(sample, rows, numpy.log(sample.took[rows] / sample.predicted[rows]), options, TIME[group])


def fit(sample, learn):
    """Both kinds of trees of each group, from the problems `learn`."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        order = [shape and threads.submit(fit_order, sample, g, learn) for g, shape in enumerate(ORDER)]
        time = [threads.submit(fit_time, sample, g, learn) for g in range(len(GROUPS))]
        return [one and one.result() for one in order], [one.result() for one in time]


def are_finalists(sample, rows, score):
    """Of plans of one group: whether each is among its problem's best of those that are looked at."""
    score = numpy.where(sample.place[rows] < LOOKED_AT[sample.group[rows]], score, numpy.inf)
    in_order = numpy.lexsort((score, sample.problem[rows]))
    problem = sample.problem[rows][in_order]
    begin = numpy.searchsorted(problem, problem)
    finalists = numpy.empty(len(rows), bool)
    finalists[in_order] = numpy.arange(len(rows)) - begin < FINALISTS
    return finalists


def corrected(sample, forests, problems):
    """Of the plans of these problems: how far behind its group's best one is, and the logarithm of its time."""
    order, time = forests
    behind, took = sample.said_behind_group * ~ALONE[sample.group], numpy.full(len(sample.took), numpy.inf)
    for group in range(len(GROUPS)):
        rows = numpy.flatnonzero(sample.seen & (sample.group == group) & problems[sample.problem])
        values = sample.values[rows].astype(numpy.float32)
        if order[group] is not None:
            first = behind[rows] - order[group].predict(values, num_threads=1, num_iteration=FOR_ALL) / SCALE
            behind[rows] -= order[group].predict(values, num_threads=1) / SCALE
            behind[rows[~are_finalists(sample, rows, first)]] = numpy.inf
        took[rows] = numpy.log(sample.predicted[rows]) + time[group].predict(values, num_threads=1)
    return behind, took


def leaders(sample, behind, took):
    """The best of each group of each problem: by how far it is behind, of the first ones half by its time."""
    key = sample.problem.astype(numpy.int64) * len(GROUPS) + sample.group
    seen = numpy.flatnonzero(sample.seen & (sample.place < LOOKED_AT[sample.group]) & numpy.isfinite(behind + took))

    def in_order(rows, score):
        order = rows[numpy.lexsort((score, key[rows]))]
        return order, numpy.arange(len(order)) - numpy.searchsorted(key[order], key[order])

    order, place = in_order(seen, behind[seen])
    timed = order[place < TIMED]
    order, place = in_order(timed, behind[timed] + took[timed] / 2)
    return order[place == 0]


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
    fold = numpy.random.default_rng(1).integers(0, folds, len(sample.work))
    behind, took = numpy.zeros(len(sample.took)), numpy.full(len(sample.took), numpy.inf)
    for k in range(folds):
        of_fold = corrected(sample, fit(sample, fold != k), fold == k)
        mine = fold[sample.problem] == k
        behind[mine], took[mine] = of_fold[0][mine], of_fold[1][mine]
    leader = leaders(sample, behind, took)
    chosen, at_best = numpy.full(len(took), numpy.inf), numpy.full(len(took), numpy.inf)
    chosen[leader], at_best[leader] = took[leader], sample.took[leader]
    others = ("permute_rank", "transpose", "pitched_1", "pitched_4096")
    random = numpy.all([numpy.char.find(sample.work, other) < 0 for other in others], axis=0)
    kinds = {
        "random": random,
        "rank 5": sample.work == "tensors/permute_rank5",
        "rank 6": sample.work == "tensors/permute_rank6",
        "transposes": numpy.char.find(sample.work, "transpose") >= 0,
    }
    for name, problems in kinds.items():
        say(name + ", the model", sample, sample.predicted, problems)
        say(name + ", corrected", sample, chosen, problems)
        say(name + ", with the route chosen right", sample, at_best, problems)


# Characters that stand for themselves in a string: from '#' to '[', and from ']' to '~'.
DIGIT, BASE, LEAF = 35, 57, "~"


def digits(number, count):
    """A number in characters from '#' to '[', the highest digit first."""
    text = ""
    for _ in range(count):
        text = chr(DIGIT + number % BASE) + text
        number //= BASE
    assert number == 0
    return text


def text_of(forest, unit):
    """A string. Leaves times `unit` are the logarithm of a factor of time. Of each tree how many characters it has, in two digits; then its nodes in preorder: a feature's
    character, in two digits how many characters on the branch for larger values begins, in three the threshold; or '~' and in three digits the value. Thresholds and values
    are 32768 less than said."""

    def walk(node):
        if "leaf_value" in node:
            # Leaves in units of 1/4096 of the logarithm of time.
            return LEAF + digits(32768 + round(max(-LARGEST, min(LARGEST, node["leaf_value"] * unit)) * 4096), 3)
        left, right, feature = walk(node["left_child"]), walk(node["right_child"]), node["split_feature"]
        # <= a number between integers is <= the lower one.
        threshold = max(-32768, int(numpy.floor(node["threshold"])))
        return chr(DIGIT + feature + (feature >= BASE)) + digits(6 + len(left), 2) + digits(32768 + threshold, 3) + left + right

    trees = [walk(tree["tree_structure"]) for tree in forest.dump_model()["tree_info"]]
    return "".join(digits(2 + len(tree), 2) + tree for tree in trees)


def write_header(forests, names, path):
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "/// @file",
        "/// The trees of the planner's corrections. Written by bench/planner/fit.py: do not edit.",
        "#pragma once",
        "",
        "#include <cosmati/core/config.hpp>",
        "",
        "namespace COSMATI_NAMESPACE::detail {",
        "",
        "/// Features that there were when these were fitted.",
        f"inline constexpr int plan_tree_features = {len(names)};",
        "/// How many times the best of its group a plan may take by the costs alone to be looked at.",
        f"inline constexpr double plan_tree_reach[] = {{{', '.join(f'{x:g}' for x in WITHIN)}}};",
        "/// How many trees of a group's order are asked about all plans, and about how many of them the others are.",
        f"inline constexpr int plan_trees_for_all = {FOR_ALL}, plan_finalists = {FINALISTS};",
        "/// How many of these are put in order by what they are said to take, too.",
        f"inline constexpr int plan_timed = {TIMED};",
        "/// Whether the trees alone put a group's plans in order: the costs rank them wrongly.",
        f"inline constexpr bool plan_trees_alone[] = {{{', '.join(str(bool(x)).lower() for x in ALONE)}}};",
        "",
    ]
    order, time = forests
    for group, name in enumerate(GROUPS):
        tables = [("time", time[group], 1, f"What plans of the route `{name}` take beyond what is predicted.")]
        if order[group] is not None:
            tables.insert(0, ("order", order[group], -1 / SCALE, f"How far plans of the route `{name}` are behind its best."))
        for kind, forest, unit, what in tables:
            text = text_of(forest, unit)
            lines.append(f"/// {what}")
            lines.append(f"inline constexpr char plan_{kind}_trees_{name}[] =")
            # "??" begins a trigraph, of which compilers warn.
            lines += ['    "' + text[k:k + 108].replace("??", '?""?') + '"' for k in range(0, len(text), 108)]
            lines[-1] += ";"
            lines.append("")
            print(f"{kind} of {name}: {len(text)} characters")
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
    write_header(fit(sample, numpy.full(len(sample.work), True)), sample.names, options.header)


if __name__ == "__main__":
    main()
