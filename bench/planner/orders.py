#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how much faster plans by tiles are in another order of their tiles, by what an H200 took.

orders.py FILE...

FILE (orders_1.txt.xz, orders_2.txt.xz) has a line a problem, as times.txt.xz does, and one a plan: its key, what it was
said to take, and for each order its modes, as digits, with the median, the least and the most of three launches, in
microseconds. The first is the one that the plan had, in orders_2 the target's.
"""
import json
import sys

from collect import lines_of


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    for path in sys.argv[1:]:
        gains = {}
        for line in lines_of(path):
            if line.startswith("problem|"):
                continue
            key, _, *orders = line.split("|")
            medians = [float(order.split(":")[1].split(",")[0]) for order in orders]
            if len(medians) > 1:
                gains.setdefault(json.loads(key)[0], []).append(medians[0] / min(medians))
        for route, all_of_it in gains.items():
            all_of_it.sort()
            of_100, of_1000 = (all_of_it[-1 - len(all_of_it) // n] for n in (100, 1000))
            print(f"{path}: {route}, {len(all_of_it)} plans: the fastest order gains {of_100:.3f} in one of 100, "
                  f"{of_1000:.2f} in one of 1000, {all_of_it[-1]:.2f} at most")


if __name__ == "__main__":
    main()
