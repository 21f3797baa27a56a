#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts tensor copies and warpgroup matrix instructions, one a launch, by Nsight Compute.

    run.py [--build FOLDER] [--csv FOLDER]        on a machine with a GPU

Nsight Compute runs bin/bench_async_counters. FOLDER (default: bench/results/counters) gets boxes.csv, a row for each launch that
moves a box: the case, and its counters. The tests compare the model with the file of bench/results/counters. The exit status is 77
without Nsight Compute.
"""
import argparse
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

L2 = "lts__t_{}_srcunit_tex_op_{}.sum"
# Of each way: its instructions, its sectors, and the operation by which L2 counts it.
WAYS = {
    "load": ("ld", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", "read"),
    "multicast": ("ld", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", "read"),
    "store": ("st", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", "write"),
    "add": ("red", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum", "red"),
}


def counters_of(does: str) -> list[str]:
    kind, sectors, operation = WAYS[does]
    return [f"sm__sass_inst_executed_op_tma_{kind}.sum", sectors, L2.format("requests", operation), L2.format("sectors", operation)]


def number(text: str) -> int:
    return int(float(text.replace(",", ""))) if text else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="not used: the counts are a table")
    parser.add_argument("--minutes", type=float, help="not used: every launch runs once")
    parser.add_argument("--build", metavar="FOLDER", default=os.environ.get("COSMATI_BUILD", "build-cuda"))
    parser.add_argument("--csv", metavar="FOLDER", default=str(ROOT / "bench" / "results" / "counters"))
    options = parser.parse_args()
    program, profiler = ROOT / options.build / "bin" / "bench_async_counters", shutil.which("ncu")
    if profiler is None or not program.exists():
        print(f"async_counters: needs Nsight Compute (ncu) and {program}")
        return 77
    listed = subprocess.run([program, "boxes", "--list"], capture_output=True, text=True, check=True).stdout
    cases = list(csv.DictReader(io.StringIO(listed)))
    metrics = sorted({metric for does in WAYS for metric in counters_of(does)})
    command = [profiler, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics), str(program), "boxes"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"async_counters: Nsight Compute failed with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["Kernel Name"]]
    if len(rows) != len(cases):
        sys.exit(f"async_counters: {len(cases)} launches, but Nsight Compute tells of {len(rows)}")
    path = pathlib.Path(options.csv) / "boxes.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*cases[0], "instructions", "sectors", "l2_requests", "l2_sectors"])
        for case, row in zip(cases, rows):
            if case["does"] in WAYS:
                writer.writerow([*case.values(), *(number(row[metric]) for metric in counters_of(case["does"]))])
    print(f"{path}: {len(cases)} launches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
