#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulated device is at most 2 times slower than its recorded speed.

bin/bench_sim times fixed kernels and a reference loop of the host, as processor time of one core. The rule is about their
ratio, because it depends little on the machine: RECORDED has it for each kernel. Rounds take all in turn; the least times
count, because other work only lengthens a time. Rounds are added while a ratio is above its limit.

A kernel that is now faster lowers its record here; one that does more work on purpose raises it, and the commit says why.
Exit status 77 means that bench_sim is not built.
"""
import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = os.environ.get("BENCH_SIM", str(pathlib.Path(__file__).parents[2] / "build/bin/bench_sim"))
REFERENCE = "reference"
# Steps of the reference loop in the time of one barrier of 256 threads, copy, ldmatrix, mma, and transpose.
RECORDED = {
    "barrier_256": 905,
    "copy_warp_16": 298,
    "ldmatrix_x4": 232,
    "mma_16x8x16_f16": 857,
    "transpose_1024": 96.8e6,
}
LIMIT = 2  # other processors have other ratios
ROUNDS, MOST_ROUNDS = 3, 12


def processor_seconds(case: str) -> float:
    done = subprocess.run([PROGRAM, case, "1"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "COSMATI_THREADS": "1"})
    if done.returncode != 0:
        raise RuntimeError(f"{case}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return float(done.stdout.split()[0])


def slowdowns(times: dict) -> dict:
    """For each kernel its ratio to the reference loop, over the recorded ratio."""
    return {case: min(times[case]) / min(times[REFERENCE]) / recorded for case, recorded in RECORDED.items()}


class Rule(unittest.TestCase):
    def test_a_slowdown_is_seen(self):
        times = {case: [2e-9 * steps, 9e-9 * steps] for case, steps in RECORDED.items()}
        times[REFERENCE] = [5e-9, 2e-9]
        self.assertLess(max(slowdowns(times).values()), 1.01)
        times["copy_warp_16"] = [2.05 * t for t in times["copy_warp_16"]]
        self.assertEqual([case for case, slower in slowdowns(times).items() if slower > LIMIT], ["copy_warp_16"])


class Speed(unittest.TestCase):
    def test_no_kernel_is_slower_than_recorded(self):
        times = {case: [] for case in (REFERENCE, *RECORDED)}
        for done in range(1, MOST_ROUNDS + 1):
            for case, taken in times.items():
                taken.append(processor_seconds(case))
            if done >= ROUNDS and max(slowdowns(times).values()) <= LIMIT:
                break
        found = slowdowns(times)
        for case, slower in found.items():
            print(f"{case}: {min(times[case]) / min(times[REFERENCE]):.4g} steps of the reference loop, {slower:.2f} of the record", file=sys.stderr)
        for case, slower in found.items():
            with self.subTest(case):
                self.assertLessEqual(slower, LIMIT, f"{case} is {slower:.2f} times slower than recorded")


if __name__ == "__main__":
    if not os.access(PROGRAM, os.X_OK):
        print(f"skipped: no {PROGRAM}")
        sys.exit(77)
    unittest.main()
