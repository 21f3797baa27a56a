#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts tensor copies and warpgroup matrix instructions, one a launch, by Nsight Compute.

    run.py --csv FOLDER [--build FOLDER]        on a machine with a GPU
    run.py --check PROGRAM                      on any machine: compares the simulated device's counts with those tables

Nsight Compute runs bin/bench_async_counters. The folder gets boxes.csv and wgmma.csv, a row for each launch: the case, and its
counters. Those of bench/results/counters begin with the device's name; the tests compare the model with them. The exit status is
77 without Nsight Compute, and without --csv, so that `./benchmark`, which keeps one figure for each work, passes by.
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


PRODUCT = [
    "smsp__inst_executed_pipe_tensor_op_gmma.sum",
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum",
]


def number(text: str) -> int:
    return int(float(text.replace(",", ""))) if text else 0


def counted(profiler: str, program: pathlib.Path, what: str, metrics: list[str]) -> list[tuple[dict, dict]]:
    """Each case that the program lists, with Nsight Compute's row of its launch."""
    listed = subprocess.run([program, what, "--list"], capture_output=True, text=True, check=True).stdout
    cases = list(csv.DictReader(io.StringIO(listed)))
    command = [profiler, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics), str(program), what]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"async_counters: Nsight Compute failed with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["Kernel Name"]]
    if len(rows) != len(cases):
        sys.exit(f"async_counters: {len(cases)} launches, but Nsight Compute tells of {len(rows)}")
    return list(zip(cases, rows))


def simulated(program: str, what: str) -> list[tuple[dict, list[int]]]:
    """Each case of the program for the simulated device, with its five counts."""
    listed = subprocess.run([program, what, "--list"], capture_output=True, text=True, check=True).stdout
    told = subprocess.run([program, what], capture_output=True, text=True, check=True).stdout
    cases, counts = list(csv.DictReader(io.StringIO(listed))), [[int(n) for n in line.split(",")] for line in told.splitlines()]
    if len(cases) != len(counts):
        sys.exit(f"async_counters: {program} lists {len(cases)} {what} and counts {len(counts)}")
    return list(zip(cases, counts))


def check(program: str) -> int:
    """Requests of loads are an upper limit over an edge, and where L2 fetches 256 bytes of its own accord."""
    results = ROOT / "bench" / "results" / "counters"
    wrong = equal = 0
    for what, table in (("boxes", "h100_boxes.csv"), ("products", "h200_wgmma.csv")):
        measured = list(csv.DictReader((results / table).open()))
        ours = [(case, counts) for case, counts in simulated(program, what) if what == "products" or case["does"] in WAYS]
        if len(measured) != len(ours):
            sys.exit(f"async_counters: {table} has {len(measured)} launches, {program} {len(ours)}")
        for row, (case, (instructions, sectors, requests, wavefronts, conflicts)) in zip(measured, ours):
            if any(row[name] != value for name, value in case.items()):
                sys.exit(f"async_counters: {table} and {program} have other cases: {row} and {case}")
            if what == "products":
                same = [int(row[n]) for n in ("instructions", "wavefronts", "bank_conflicts")] == [instructions, wavefronts, conflicts]
            else:
                same = (int(row["instructions"]), int(row["sectors"])) == (instructions, sectors)
                same = same and (requests >= int(row["l2_requests"]) or row["promotion"] == "3")
            equal += same
            if not same:
                wrong += 1
                print(f"{table}: {row}: the simulated device counts {instructions} instructions, {sectors} sectors, {requests} requests, {wavefronts} wavefronts, {conflicts} conflicts")
    print(f"{equal} launches count what the hardware counted")
    return 1 if wrong else 0


def write(path: pathlib.Path, names: list[str], rows: list[list]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    print(f"{path}: {len(rows)} launches")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="not used: the counts are tables")
    parser.add_argument("--minutes", type=float, help="not used: every launch runs once")
    parser.add_argument("--build", metavar="FOLDER", default=os.environ.get("COSMATI_BUILD", "build-cuda"))
    parser.add_argument("--csv", metavar="FOLDER")
    parser.add_argument("--check", metavar="PROGRAM")
    options = parser.parse_args()
    if options.check:
        return check(options.check)
    program, profiler = ROOT / options.build / "bin" / "bench_async_counters", shutil.which("ncu")
    if options.csv is None or profiler is None or not program.exists():
        print(f"async_counters: needs --csv FOLDER, Nsight Compute (ncu) and {program}")
        return 77
    folder = pathlib.Path(options.csv)
    boxes = counted(profiler, program, "boxes", sorted({metric for does in WAYS for metric in counters_of(does)}))
    moved = [(case, row) for case, row in boxes if case["does"] in WAYS]
    table = [[*case.values(), *(number(row[metric]) for metric in counters_of(case["does"]))] for case, row in moved]
    write(folder / "boxes.csv", [*boxes[0][0], "instructions", "sectors", "l2_requests", "l2_sectors"], table)
    products = counted(profiler, program, "products", PRODUCT)
    table = [[*case.values(), *(number(row[metric]) for metric in PRODUCT)] for case, row in products]
    write(folder / "wgmma.csv", [*products[0][0], "instructions", "wavefronts", "bank_conflicts"], table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
