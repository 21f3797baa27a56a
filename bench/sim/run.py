#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast the simulated device is, with its checks and without.

    run.py [--json FILE] [--minutes N] [--repetitions N] [--check] [--program FILE] [--off NAME=VALUE]

Runs bin/bench_sim of the host build (`cmake --preset host && cmake --build build --target bench_sim`), the cases in turn.
A barrier, a copy, an ldmatrix and an mma are timed on one core, as processor time. The transpose is timed on two cores, as
elapsed time. The peer of each case is its limit. Without checks, the peer is the time with checks; the mma has no such case,
because its work is the same. --off names the environment variable that turns checks off; --off '' leaves these times out.

With --check the exit status is 1 if the least time of a case is above its limit. It is 1 as well if a time without checks is
above a third of the time with checks.
Times with and without checks are taken in turn. If a comparison fails, rounds are added until it holds or --minutes have
passed, because other work on the machine only lengthens a time. Exit status 77 means that bench_sim is not built.
"""
import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import host  # noqa: E402

# Limit in seconds; cores; kernel.
CASES = {
    "barrier_256": (10e-6, 1, "barriers"),  # __syncthreads of 256 threads
    "copy_warp_16": (1e-6, 1, "copies"),  # copy() of 512 bytes by 32 lanes, global to shared: a load and a store
    "ldmatrix_x4": (2e-6, 1, "matrices"),  # ldmatrix of four matrices by a warp
    "mma_16x8x16_f16": (5e-6, 1, "products"),  # a product of matrices by a warp, float sums
    "transpose_1024": (0.5, 2, "transpose"),  # of 1024 x 1024 floats in tiles of 32 x 32 through shared memory
}


def once(program: str, case: str, extra: dict[str, str]) -> float:
    """The time in seconds. Raises RuntimeError if the program fails."""
    _, cores, _ = CASES[case]
    done = subprocess.run([program, case, "1"], capture_output=True, text=True,
                          env={**os.environ, "COSMATI_THREADS": str(cores), **extra})
    if done.returncode != 0:
        raise RuntimeError(f"{case}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    processor, clock = map(float, done.stdout.split())
    return processor if cores == 1 else clock


def result(name: str, case: str, times: list[float], peer: str, peer_seconds: float, device: dict) -> dict:
    figure, beside = statistics.median(times), peer_seconds
    unit = "s" if CASES[case][0] >= 0.01 else "us"
    factor = 1 if unit == "s" else 1e6
    return {
        "schema": 1,
        "work": {"name": f"sim/{name}", "parameters": {"cores": CASES[case][1]}},
        "device": device,
        "figure": {"value": round(figure * factor, 6), "unit": unit},
        "peer": {"name": peer, "figure": {"value": round(beside * factor, 6), "unit": unit}},
        "ratio": round(figure / beside, 4),
        "kernels": [CASES[case][2]],
        "repetitions": len(times),
        "spread": host.spread(times),
        "notes": f"{'Time of the processor' if CASES[case][1] == 1 else 'Time of the clock'}; load average "
                 f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the end.",
    }


def above_limits(times: dict[tuple[str, str], list[float]]) -> list[str]:
    """One sentence for each case that is slower than it may be, by least times."""
    told = []
    for (case, mode), taken in times.items():
        limit, checked = CASES[case][0], min(times[case, ""])
        if not mode and checked > limit:
            told.append(f"{case}: takes {checked:.3g} s, the limit is {limit:g} s (least of {len(taken)})")
        if mode and 3 * min(taken) > checked:
            told.append(f"{case}: without checks {checked / min(taken):.2f} times faster than with them, 3 is the least")
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--minutes", type=float, default=10, metavar="N", help="start no round after that (10)")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="rounds (5)")
    parser.add_argument("--check", action="store_true", help="exit status 1 where a time is above its limit, or above a third of the one with checks")
    parser.add_argument("--program", metavar="FILE", default=str(ROOT / "build/bin/bench_sim"), help="(build/bin/bench_sim)")
    parser.add_argument("--off", metavar="NAME=VALUE", default="COSMATI_SIM_CHECKS=0",
                        help="the variable that turns the checks off (COSMATI_SIM_CHECKS=0)")
    options = parser.parse_args()
    if not os.access(options.program, os.X_OK):
        print(f"skipped: no {options.program}: cmake --preset host && cmake --build build --target bench_sim")
        return 77
    modes = {"": {}}
    if options.off:
        name, _, value = options.off.partition("=")
        modes["_unchecked"] = {name: value}
    times = {(case, mode): [] for case in CASES for mode in modes if not (mode and case.startswith("mma"))}
    end = time.monotonic() + 60 * options.minutes
    try:
        for round_ in itertools.count():
            wanted = round_ < max(options.repetitions, 3) or (options.check and above_limits(times))
            if not wanted or (round_ >= 3 and time.monotonic() > end):
                break
            for (case, mode), taken in times.items():
                taken.append(once(options.program, case, modes[mode]))
    except RuntimeError as problem:
        print(problem)
        return 1
    told, above = [], above_limits(times)
    device = host.device(subprocess.run([options.program, "compiler"], capture_output=True, text=True, check=True).stdout.strip())
    for (case, mode), taken in times.items():
        limit = CASES[case][0]
        checked = statistics.median(times[case, ""])
        told.append(result(case + mode, case, taken, "with checks" if mode else "limit", checked if mode else limit, device))
        figure, peer = told[-1]["figure"], told[-1]["peer"]["figure"]
        print(f"  {case + mode:25} {figure['value']:9.3f} {figure['unit']:2} (least {min(taken):.3g} s),"
              f" {told[-1]['peer']['name']} {peer['value']:g} {peer['unit']}, ratio {told[-1]['ratio']:.2f}")
        if mode:
            print(f"  {'':25} without checks {min(times[case, '']) / min(taken):.2f} times faster than with them, "
                  f"{limit / min(taken):.1f} times faster than the limit (least times)")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(told, indent=2) + "\n")
    if options.check:
        for sentence in above:
            print(sentence)
        return 1 if above else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
