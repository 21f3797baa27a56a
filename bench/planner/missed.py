#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the problems of a sample of which the planner chose badly.

missed.py [--below RATIO] SAMPLE...

SAMPLE is what `bench_tensors --sample` wrote, of which a problem's first plan is the planner's first choice (but for
each 50th, of which all plans ran). Prints the lines of the problems where that has less than RATIO (0.85) of the best
plan's rate, for `bench_tensors --sample --like`; how many there are goes to the standard error.
"""
import argparse
import sys

from collect import launches, lines_of

IN_ORDER_OF_COSTS = 50  # each such problem


def rates_of(sample):
    """Of each problem its line, and the first plan's rate beside the best one's of those that ran most often."""
    problem, plans, number = None, [], 0
    for line in [*lines_of(sample), "problem|"]:
        if not line.startswith("problem|"):
            plans.append(launches(line.rsplit("|", 1)[1]))
            continue
        if plans and number % IN_ORDER_OF_COSTS != IN_ORDER_OF_COSTS - 1:
            most = max(count for count, _ in plans)
            best = min(median for count, median in plans if count >= min(4, most))
            yield problem, best / plans[0][1]
        number += problem is not None
        problem, plans = line, []


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--below", type=float, default=0.85, metavar="RATIO")
    options.add_argument("samples", nargs="+", metavar="SAMPLE")
    chosen = options.parse_args()
    rates = [one for sample in chosen.samples for one in rates_of(sample)]
    for problem, rate in rates:
        if rate < chosen.below:
            print(problem)
    below = [sum(rate < limit for _, rate in rates) for limit in (0.95, chosen.below, 0.8)]
    count = f"{len(rates)} problems: {below[0]} below 0.95, {below[1]} below {chosen.below}, {below[2]} below 0.8"
    print(count, file=sys.stderr)


if __name__ == "__main__":
    main()
