#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the results of `bench_tensors --only calls`:  calls_summary.py FILE

FILE is the array that bench/tensors/run.py wrote, with PyTorch's results. The script writes bench/results/tensors/DATE-DEVICE-calls.csv, a
line for each call, and one result for each group of calls: the transposes of a type, and the relayouts of one size. A
group's figures are geometric means, its host times are medians in microseconds. The commit is in the variable COSMATI_COMMIT.
"""
import csv
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import sys

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results" / "tensors"
PARAMETERS = ("extents", "order", "from", "to", "us", "host_us", "alone_us", "first_host_us")
HEAD = ("call", *PARAMETERS, "of_contiguous", "pytorch_us", "pytorch_host_us", "times_pytorch")


def mean(numbers) -> float:
    """The geometric mean."""
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def group_of(call: str) -> str:
    if found := re.match(r"transpose_(\w+?)_\d+_kib$", call):
        return f"transposes_{found[1]}"
    part = re.search(r"_by_(4|16)$", call)
    return f"relayouts_by_{part[1]}" if part else "relayouts"


def summary(name: str, pairs: list[tuple[dict, dict]], at: dict) -> dict:
    """The result of one group. Each pair is a call beside the contiguous copy, and the same call beside PyTorch."""
    ours, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    median = lambda results, key: round(statistics.median(float(r["work"]["parameters"][key]) for r in results), 2)  # noqa: E731
    return {
        **theirs[0],
        **at,
        "work": {"name": f"tensors/calls_{name}", "parameters": {
            "calls": len(pairs), "least_ratio": round(min(r["ratio"] for r in theirs), 3), "host_us": median(ours, "host_us"),
            "pytorch_host_us": median(theirs, "pytorch_host_us"), "first_host_us": median(ours, "first_host_us")}},
        "figure": {"value": mean(r["figure"]["value"] for r in theirs), "unit": "GB/s"},
        "peer": {"name": theirs[0]["peer"]["name"],
                 "figure": {"value": mean(r["peer"]["figure"]["value"] for r in theirs), "unit": "GB/s"}},
        "ratio": mean(r["ratio"] for r in theirs),
        "spread": max(r["spread"] for r in theirs),
        "kernels": ["cosmati::copy_tensor"],
        "notes": "end to end: 50 calls in a row and a wait, a fiftieth of it; geometric means of the group",
    }


def main() -> int:
    if len(sys.argv) != 2 or "COSMATI_COMMIT" not in os.environ:
        print(__doc__, file=sys.stderr)
        return 2
    commit = os.environ["COSMATI_COMMIT"]
    results = json.loads(pathlib.Path(sys.argv[1]).read_text())
    name_of = lambda r: r["work"]["name"].removeprefix("tensors/call_").removesuffix("_beside_pytorch")  # noqa: E731
    beside = {name_of(r): r for r in results if r["work"]["name"].endswith("_beside_pytorch")}
    groups: dict[str, list[tuple[dict, dict]]] = {}
    lines = []
    for result in results:
        call = name_of(result)
        if result is beside.get(call) or not result["work"]["name"].startswith("tensors/call_"):
            continue
        other = beside[call]
        groups.setdefault(group_of(call), []).append((result, other))
        own, torch = result["work"]["parameters"], other["work"]["parameters"]
        lines.append([call, *(own[k] for k in PARAMETERS), round(result["ratio"], 4), torch["pytorch_us"], torch["pytorch_host_us"],
                      round(other["ratio"], 4)])
    first = results[0]
    device = re.sub(r"\W+", "_", first["device"]["name"].removeprefix("NVIDIA "))
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    stem = f"{now[:10]}-{device}"
    with (RESULTS / f"{stem}-calls.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *lines])
    for name, pairs in groups.items():
        (RESULTS / f"{stem}-calls_{name}.json").write_text(json.dumps(summary(name, pairs, {"date": now, "commit": commit}), separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
