#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the hardware counts for kernels with what the simulated device counts.

    run.py [--json FILE] [--build FOLDER] [--simulated FILE] [--csv FILE]     on a machine with a GPU: counts and compares
    run.py --check PROGRAM        on any machine: compares PROGRAM's counts with the newest file of results/counters

A kernel is one of cases.hpp, or a whole copy of copies.hpp, whose name is KERNEL/WHAT. Bank conflicts of whole copies are not
compared, because the hardware's counter also counts warps that wait for others.

Nsight Compute runs bin/bench_counters. The simulated device's counts come from bin/bench_counters_sim of a host build, or
from FOLDER/counters.simulated, which that program printed elsewhere. The table has a row for each kernel and counter, and
goes to bench/results/counters/. The exit status is 1 if a counter differs, and 77 without Nsight Compute.

--check skips kernels that the newest file does not have, and prints their number. It is an error if PROGRAM does not count a
kernel of the file. It is an error if a counter differs, unless it differed in the same way in the file.
"""
import argparse
import csv
import datetime
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "results" / "counters"

INSTRUCTIONS = {
    "global_load": "smsp__sass_inst_executed_op_global_ld.sum",
    "global_store": "smsp__sass_inst_executed_op_global_st.sum",
    "shared_load": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_store": "smsp__sass_inst_executed_op_shared_st.sum",
    "ldmatrix": "smsp__inst_executed_op_ldsm.sum",
    "cp_async": "smsp__sass_inst_executed_op_ldgsts.sum",
    "bulk_load": "sm__sass_inst_executed_op_tma_ld.sum",
    "bulk_store": "sm__sass_inst_executed_op_tma_st.sum",
}
PER_OPCODE = "sass__inst_executed_per_opcode"  # the only counter that shows stmatrix, as STSM
WAVEFRONTS = {
    "shared_load": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "ldmatrix": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
    "cp_async": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
}
# The hardware counts the sources of cp.async as loads.
REQUESTS = {
    "load_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ("global_load", "cp_async"), "requests"),
    "load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", ("global_load", "cp_async"), "sectors"),
    "store_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", ("global_store",), "requests"),
    "store_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ("global_store",), "sectors"),
    "bulk_load_sectors": ("l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", ("bulk_load",), "sectors"),
    "bulk_store_sectors": ("l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", ("bulk_store",), "sectors"),
}
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
FIELDS = ("instructions", "requests", "sectors", "wavefronts", "bank_conflicts")


def is_whole_copy(kernel: str) -> bool:
    return "/" in kernel


def simulated(text: str) -> dict[str, dict[str, int]]:
    """For each kernel, the simulated counters under the names of the table."""
    kernels = {}
    for line in text.splitlines():
        name, *parts = line.split(",")
        of = {}
        for part in parts:
            kind, *numbers = part.split(":")
            of[kind] = dict(zip(FIELDS, map(int, numbers)))

        def count(kind: str, field: str) -> int:
            return of.get(kind, {}).get(field, 0)

        table = {f"{kind}_instructions": count(kind, "instructions") for kind in (*INSTRUCTIONS, "stmatrix")}
        table |= {f"{kind}_wavefronts": count(kind, "wavefronts") for kind in WAVEFRONTS}
        table |= {name: sum(count(kind, field) for kind in kinds) for name, (_, kinds, field) in REQUESTS.items()}
        if not is_whole_copy(name):
            table["shared_bank_conflicts"] = sum(part["bank_conflicts"] for part in of.values())
        kernels[name] = table
    return kernels


def number(text: str) -> int:
    return int(float(text.replace(",", ""))) if text else 0


def hardware(text: str, names: list[str]) -> dict[str, dict[str, int]]:
    """The same from Nsight Compute's CSV, whose rows are the launches in order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["Kernel Name"]]
    if len(rows) != len(names):
        sys.exit(f"counters: {len(names)} kernels, but Nsight Compute tells of {len(rows)}:\n{text[:2000]}")
    kernels = {}
    for name, row in zip(names, rows):
        table = {f"{kind}_instructions": number(row[metric]) for kind, metric in INSTRUCTIONS.items()}
        opcodes = dict(part.strip().split(": ") for part in row.get(PER_OPCODE, "").partition("(")[2].rstrip(")").split(";") if ": " in part)
        if opcodes:
            table["stmatrix_instructions"] = sum(number(v) for k, v in opcodes.items() if k.startswith("STSM"))
        table |= {f"{kind}_wavefronts": number(row[metric]) for kind, metric in WAVEFRONTS.items()}
        table |= {name: number(row[metric]) for name, (metric, _, _) in REQUESTS.items()}
        if not is_whole_copy(name):
            table["shared_bank_conflicts"] = number(row[CONFLICTS])
        kernels[name] = table
    return kernels


def differences(ours: dict, theirs: dict) -> list[str]:
    told = [f"{kernel}: {'not counted' if kernel not in ours else 'not measured'}" for kernel in ours.keys() ^ theirs.keys()]
    for kernel in ours.keys() & theirs.keys():
        for counter, value in theirs[kernel].items():
            if counter not in ours[kernel]:
                told.append(f"{kernel}: {counter} is not counted")
            elif ours[kernel][counter] != value:
                told.append(f"{kernel}: {counter} {ours[kernel][counter]} simulated, {value} by the hardware")
    return sorted(told)


def newest() -> pathlib.Path:
    found = sorted(RESULTS.glob("[0-9]*.csv.gz"))
    if not found:
        sys.exit("counters: there is no table in " + str(RESULTS.relative_to(ROOT)))
    return found[-1]


def check(program: str) -> int:
    ours = simulated(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    theirs: dict[str, dict[str, int]] = {}
    known = set()  # counters that differed when they were measured may stay as they were, or become equal
    with gzip.open(newest(), "rt", newline="") as file:
        for row in csv.DictReader(file):
            theirs.setdefault(row["kernel"], {})[row["counter"]] = int(row["hardware"])
            still = ours.get(row["kernel"], {}).get(row["counter"]) == int(row["simulated"])
            if row["simulated"] != row["hardware"] and still:
                known.add(row["kernel"])
                theirs[row["kernel"]][row["counter"]] = int(row["simulated"])
    measured = {kernel: table for kernel, table in ours.items() if kernel in theirs}
    told = differences(measured, theirs)
    if told:
        print("\n".join(told))
    else:
        print(f"{len(measured) - len(known)} kernels count what the hardware counted ({newest().name})")
    if known:
        print(f"{len(known)} differ as they did when they were measured: {', '.join(sorted(known))}")
    if len(measured) < len(ours):
        print(f"{len(ours) - len(measured)} kernels have no measured row yet")
    return 1 if told else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--build", metavar="FOLDER", default=os.environ.get("COSMATI_BUILD", "build-cuda"))
    parser.add_argument("--simulated", metavar="FILE")
    parser.add_argument("--csv", metavar="FILE", help="where the table goes, instead of bench/results/counters/")
    parser.add_argument("--minutes", type=float, help="not used: every kernel runs once")
    parser.add_argument("--check", metavar="PROGRAM")
    options = parser.parse_args()
    if options.check:
        return check(options.check)

    build = ROOT / options.build
    program, beside = build / "bin" / "bench_counters", build / "bin" / "bench_counters_sim"
    profiler = shutil.which("ncu")
    if profiler is None or not program.exists():
        print(f"counters: needs Nsight Compute (ncu) and {program}")
        return 77
    told = pathlib.Path(options.simulated) if options.simulated else build / "counters.simulated"
    if not options.simulated and beside.exists():
        ours = simulated(subprocess.run([beside], capture_output=True, text=True, check=True).stdout)
    elif told.exists():
        ours = simulated(told.read_text())
    else:
        sys.exit(f"counters: neither {beside} nor {told} is there")
    names = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    metrics = [*INSTRUCTIONS.values(), PER_OPCODE, *WAVEFRONTS.values(), *(metric for metric, _, _ in REQUESTS.values()), CONFLICTS]
    command = [profiler, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
               "--print-metric-instances", "details", "--metrics", ",".join(metrics), str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"counters: Nsight Compute failed with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    theirs = hardware(done.stdout, names)

    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    gpu = device.stdout.splitlines()[0].strip() if device.returncode == 0 else "GPU"
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    path = pathlib.Path(options.csv) if options.csv else RESULTS / f"{date}-{gpu.removeprefix('NVIDIA ').replace(' ', '_')}.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "counter", "simulated", "hardware"])
        for kernel in names:
            for counter, value in theirs[kernel].items():
                writer.writerow([kernel, counter, ours[kernel][counter], value])
    told = differences(ours, theirs)
    different = {line.partition(":")[0] for line in told}
    print("\n".join(told) + f"\n{len(names) - len(different)} of {len(names)} kernels are equal")
    if options.json and len(different) < len(names):
        result = {
            "schema": 1,
            "work": {"name": "counters/kernels", "parameters": {"counters": sum(map(len, theirs.values()))}},
            "device": {"name": gpu, "architecture": "sm_90a"},
            "figure": {"value": len(names) - len(different), "unit": "count"},
            "peer": {"name": "kernels counted by Nsight Compute", "figure": {"value": len(names), "unit": "count"}},
            "ratio": round((len(names) - len(different)) / len(names), 4),
            "kernels": names,
            "repetitions": 1,
            "spread": 0,
            "notes": "Figure: the kernels of which every counter of the simulated device equals the hardware's. The table: " + path.name,
        }
        pathlib.Path(options.json).write_text(json.dumps([result], indent=2) + "\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
