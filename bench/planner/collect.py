#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts together what `bench_tensors --sample` measured in several runs, as the planner's times*.txt.xz have it.

collect.py SAMPLE... OUT.xz

A plan's launches become their number and their median, "3*151.4"; plans that take more than three times as long as
the best of their problem are left out. (Without those beyond 1.5 times trees choose such plans.)
"""
import lzma
import pathlib
import statistics
import sys

REACH = 3


def lines_of(sample):
    with (lzma.open if sample.endswith(".xz") else open)(sample, "rt") as file:
        yield from (line.rstrip("\n") for line in file)


def launches(times):
    """How many, and their median: of "151.4,151.6,150.9" or of "3*151.4"."""
    if "*" in times:
        count, median = times.split("*")
        return int(count), float(median)
    list_of = [float(t) for t in times.split(",")]
    return len(list_of), statistics.median(list_of)


def written(problem, plans):
    best = min(median for _, (_, median) in plans)
    yield problem
    for key, (count, median) in plans:
        if median > REACH * best:
            continue
        near = median < 500 and median < 1.1 * best
        time = f"{median:.1f}" if near else f"{median:.0f}"
        yield f"{key}|{count}*{time}" if count > 1 else f"{key}|{time}"


def main():
    if len(sys.argv) < 3 or not sys.argv[-1].endswith(".xz"):
        sys.exit(__doc__.strip())
    *samples, out = sys.argv[1:]
    text, problem, plans, problems = [], None, [], 0
    for sample in samples:
        for line in [*lines_of(sample), "problem|"]:
            if not line.startswith("problem|"):
                key, times = line.rsplit("|", 1)
                plans.append((key, launches(times)))
                continue
            if plans:
                text += written(problem, plans)
                problems += 1
            problem, plans = line, []
    packed = lzma.compress(("\n".join(text) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME)
    part = pathlib.Path(out + ".part")  # so that there is never half of a file
    part.write_bytes(packed)
    part.replace(out)
    print(f"{problems} problems, {len(text) - problems} plans, {len(packed)} bytes")


if __name__ == "__main__":
    main()
