#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the hardware counts for shared memory in matrix products with what the simulated device counts.

    run.py [--json FILE] [--build FOLDER] [--simulated FILE] [--csv FILE] [--counted FILE]     on a machine with a GPU
    run.py --check PROGRAM        on any machine: PROGRAM (of the simulated device) counts no bank conflict except those of
                                  cp.async, and counts the same as the table

Nsight Compute runs bin/bench_gemm_counters: `gemm_mma` of every type and `gemm_simt`, with every layout of A and B, on whole
tiles and over the edges. The simulated device's counts come from bin/bench_gemm_counters_sim of a host build, or from FILE,
which that program printed elsewhere. --counted takes a CSV that Nsight Compute printed elsewhere. The table has a row for each
launch and counter, and goes to bench/results/gemm_counters/. The exit status is 1 if hardware and simulated device differ
where bench/results/gemm_counters/README.md promises that they agree, or if the simulated device counts a conflict. It is 77
without Nsight Compute.
"""
import argparse
import csv
import datetime
import gzip
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "results" / "gemm_counters"

spec = importlib.util.spec_from_file_location("counters", ROOT / "bench" / "counters" / "run.py")
counters = importlib.util.module_from_spec(spec)
spec.loader.exec_module(counters)

KINDS = ("ldmatrix", "shared_load", "shared_store", "cp_async")


def simulated(text: str) -> dict[str, dict[str, int]]:
    """For each launch, the counters under the names of the table. To the hardware's counter, stmatrix is a shared store."""
    launches = {}
    for line in text.splitlines():
        name, *parts = line.split(",")
        of = {kind: dict(zip(counters.FIELDS, map(int, numbers))) for kind, *numbers in (part.split(":") for part in parts)}
        table = {f"{kind}_{field}": of.get(kind, {}).get(field, 0) for kind in KINDS for field in ("instructions", "wavefronts")}
        # The wavefronts of cp.async include the passes that the lines of its source cause.
        table["bank_conflicts"] = sum(part["bank_conflicts"] for kind, part in of.items() if kind != "cp_async")
        launches[name] = table
    return launches


def newest() -> dict[str, dict[str, dict[str, int]]]:
    """The newest table: launch, counter, "simulated" or "hardware". It is empty if there is none."""
    table: dict[str, dict[str, dict[str, int]]] = {}
    for path in sorted(RESULTS.glob("[0-9]*.csv.gz"))[-1:]:
        with gzip.open(path, "rt", newline="") as file:
            for row in csv.DictReader(file):
                table.setdefault(row["launch"], {})[row["counter"]] = {k: int(row[k]) for k in ("simulated", "hardware")}
    return table


def check(program: str) -> int:
    ours = simulated(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    told = [f"{launch}: {of['bank_conflicts']} bank conflicts" for launch, of in ours.items() if of["bank_conflicts"] != 0]
    table = newest()
    if table and table.keys() != ours.keys():
        told.append(f"{len(ours)} launches, the table has {len(table)}: {sorted(table.keys() ^ ours.keys())[:4]} ...")
    for launch in table.keys() & ours.keys():
        told += [f"{launch}: {counter} {ours[launch][counter]}, in the table {of['simulated']}"
                 for counter, of in table[launch].items() if counter in ours[launch] and ours[launch][counter] != of["simulated"]]
    print("\n".join(told) if told else f"{len(ours)} launches without a bank conflict, counted as in the table")
    return 1 if told else 0


INSTRUCTIONS = {kind: counters.INSTRUCTIONS[kind] for kind in KINDS}
WAVEFRONTS = {kind: counters.WAVEFRONTS[kind] for kind in KINDS}
# The counts of the source page, for all instructions together. They exclude warps that wait for each other.
SOURCE = ("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal")


def number(text: str) -> int:
    return counters.number(text.partition("(")[0].strip())


def hardware(text: str, names: list[str]) -> dict[str, dict[str, int]]:
    """The same from Nsight Compute's CSV, whose rows are the launches in order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["Kernel Name"]]
    if len(rows) != len(names):
        sys.exit(f"gemm_counters: {len(names)} launches, but Nsight Compute tells of {len(rows)}:\n{text[:2000]}")
    launches = {}
    for name, row in zip(names, rows):
        table = {}
        for kind in KINDS:
            table[f"{kind}_instructions"] = number(row[INSTRUCTIONS[kind]])
            table[f"{kind}_wavefronts"] = number(row[WAVEFRONTS[kind]])
        table["bank_conflicts"] = number(row[SOURCE[0]]) - number(row[SOURCE[1]])
        table["conflict_counter"] = number(row[counters.CONFLICTS])
        launches[name] = table
    return launches


def differences(ours: dict, theirs: dict) -> list[str]:
    """The broken promises of results/gemm_counters/README.md."""
    told = []
    for launch, of in ours.items():
        if of["bank_conflicts"] != 0:
            told.append(f"{launch}: {of['bank_conflicts']} bank conflicts simulated")
        for kind in ("ldmatrix", "shared_load", "shared_store"):
            for field in ("instructions", "wavefronts"):
                mine, real = of[f"{kind}_{field}"], theirs[launch][f"{kind}_{field}"]
                if real > mine or (real < mine and kind == "ldmatrix"):
                    told.append(f"{launch}: {kind}_{field} {mine} simulated, {real} by the hardware")
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--build", metavar="FOLDER", default=os.environ.get("COSMATI_BUILD", "build-cuda"))
    parser.add_argument("--simulated", metavar="FILE")
    parser.add_argument("--counted", metavar="FILE")
    parser.add_argument("--device", metavar="NAME", default="GPU", help="of --counted")
    parser.add_argument("--csv", metavar="FILE", help="where the table goes, instead of bench/results/gemm_counters/")
    parser.add_argument("--minutes", type=float, help="not used: every kernel runs once")
    parser.add_argument("--check", metavar="PROGRAM")
    options = parser.parse_args()
    if options.check:
        return check(options.check)

    build = ROOT / options.build
    program, beside = build / "bin" / "bench_gemm_counters", build / "bin" / "bench_gemm_counters_sim"
    profiler = shutil.which("ncu")
    if not options.counted and (profiler is None or not program.exists()):
        print(f"gemm_counters: needs Nsight Compute (ncu) and {program}")
        return 77
    if options.simulated:
        ours = simulated(pathlib.Path(options.simulated).read_text())
    elif beside.exists():
        ours = simulated(subprocess.run([beside], capture_output=True, text=True, check=True).stdout)
    else:
        sys.exit(f"gemm_counters: {beside} is not there; --simulated takes what it printed elsewhere")
    names, gpu = list(ours), options.device
    if options.counted:
        text = pathlib.Path(options.counted).read_text()
    else:
        metrics = [*INSTRUCTIONS.values(), *WAVEFRONTS.values(), *SOURCE, counters.CONFLICTS]
        command = [profiler, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics), str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"gemm_counters: Nsight Compute failed with status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        text = done.stdout
        device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
        gpu = device.stdout.splitlines()[0].strip() if device.returncode == 0 else gpu
    theirs = hardware(text, names)

    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    path = pathlib.Path(options.csv) if options.csv else RESULTS / f"{date}-{gpu.removeprefix('NVIDIA ').replace(' ', '_')}.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["launch", "counter", "simulated", "hardware"])
        for launch in names:
            for counter, value in theirs[launch].items():
                writer.writerow([launch, counter, ours[launch].get(counter, 0), value])
    told = differences(ours, theirs)
    different = {line.partition(":")[0] for line in told}
    equal = len(names) - len(different)
    print("\n".join(told) + f"\n{equal} of {len(names)} launches have no conflict of loads and stores on either device")
    if options.json and equal > 0:
        result = {
            "schema": 1,
            "work": {"name": "gemm_counters/launches", "parameters": {"counters": sum(map(len, theirs.values()))}},
            "device": {"name": gpu, "architecture": "sm_90a"},
            "figure": {"value": equal, "unit": "count"},
            "peer": {"name": "launches counted by Nsight Compute", "figure": {"value": len(names), "unit": "count"}},
            "ratio": round(equal / len(names), 4),
            "kernels": ["gemm_mma_kernel", "gemm_simt_kernel"],
            "repetitions": 1,
            "spread": 0,
            "notes": "Figure: the launches whose loads and stores of shared memory, ldmatrix and stmatrix take as many wavefronts on the hardware as without a bank conflict. The table: " + path.name,
        }
        pathlib.Path(options.json).write_text(json.dumps([result], indent=2) + "\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
