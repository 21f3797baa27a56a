#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the same kernels with this library's headers and with CuTe's, in turn, in one run.

    run.py --cute FOLDER [--utilities FOLDER] [--tutorials FOLDER] [--json FILE] [--programs FOLDER] [--build-only] [--only TEXT]

--cute is CuTe's include folder, which the variable COSMATI_CUTE may name instead. Without it, or without a GPU, the exit status
is 77. The programs of bench/cute/programs/ are compiled for both libraries. --tutorials adds CuTe's own SIMT and Ampere
tutorials, unchanged, through the headers in compat/. --utilities is the include folder of the tutorials' clock when CuTe's
headers are used. --programs keeps the executables in a folder, or takes those that exist there, so that another machine may
build them (--build-only). This repository has nothing of CuTe's.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ["-std=c++20", "-arch=sm_90a", "-O3", "-DNDEBUG", "--expt-relaxed-constexpr", "-w"]
TUTORIALS = {"sgemm_1": ("NT", "TN"), "sgemm_2": ("NT", "TN"), "sgemm_sm70": ("NT", "TN"), "sgemm_sm80": ("TN",)}
SIZES = ("5120", "5120", "4096")
RUNS = 3


def nvcc() -> str:
    found = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if not found:
        sys.exit("bench/cute: no nvcc: install CUDA's toolkit, or give --programs with executables built elsewhere")
    return found


def executable(source: pathlib.Path, ours: bool, options, folder: pathlib.Path) -> pathlib.Path:
    """The path of the program, which is compiled if it does not exist."""
    path = folder / f"{source.stem}.{'cosmati' if ours else 'cute'}"
    if path.exists():
        return path
    tutorial = source.stem in TUTORIALS
    include = ["-I", str(ROOT / "include")] if ours else ["-I", options.cute]
    if tutorial and ours:
        include = ["-I", str(ROOT / "compat")]
    if tutorial and options.utilities and not ours:
        include += ["-I", options.utilities]
    subprocess.run([nvcc(), *FLAGS, *include, *([] if ours else ["-DBENCH_CUTE"]), "-o", str(path), str(source)], check=True)
    return path


def microseconds(program: pathlib.Path, order: str | None) -> float:
    """The time of one run. The programs check their own results; a wrong result gives an exit status other than 0."""
    arguments = [*SIZES, *order] if order else []
    out = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=True).stdout
    if order:
        return float(re.search(r"CUTE_GEMM:.*\(([\d.]+)\)ms", out)[1]) * 1000
    told = json.loads(out.splitlines()[-1])
    if not told["right"]:
        sys.exit(f"bench/cute: {program.name} computed a wrong result")
    return told["us"]


def machine_code(program: pathlib.Path) -> str:
    """The number of registers, as nvcc states it. The listing gives instructions by kind, `.reuse` and the place of the loads."""
    cuobjdump = shutil.which("cuobjdump", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if not cuobjdump:
        return ""
    listing = subprocess.run([cuobjdump, "-sass", str(program)], capture_output=True, text=True, check=True).stdout
    resources = subprocess.run([cuobjdump, "-res-usage", str(program)], capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);", listing)
    kinds = collections.Counter(name.split(".")[0] for name, _ in lines)
    reuse = sum(rest.count(".reuse") for _, rest in lines)
    registers = "/".join(re.findall(r"REG:(\d+)", resources))
    return f"registers {registers}, .reuse {reuse}, " + ", ".join(f"{k} {n}" for k, n in kinds.most_common(8))


def device() -> dict:
    name = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]
    return {"name": name, "architecture": "sm_90a"}


def measure(name: str, order: str | None, pair: list[pathlib.Path], where: dict) -> dict:
    times = [[], []]
    for _ in range(RUNS):
        for side, program in enumerate(pair):
            times[side].append(microseconds(program, order))
    ours, theirs = (statistics.median(t) for t in times)
    print(f"{name + ' ' + (order or ''):24} {ours:10.2f} us {theirs:10.2f} us  CuTe's time over ours {theirs / ours:.3f}", flush=True)
    parameters = {"order": order, "sizes": " x ".join(SIZES)} if order else {}
    return {
        "schema": 1, "work": {"name": f"cute/{name}", "parameters": parameters}, "device": where,
        "figure": {"value": ours, "unit": "us"}, "peer": {"name": "the same program with CuTe's headers", "figure": {"value": theirs, "unit": "us"}},
        "ratio": ours / theirs, "kernels": [f"{name}<{order}>" if order else name], "repetitions": RUNS,
        "spread": (max(times[0]) - min(times[0])) / ours,
        "notes": f"here: {machine_code(pair[0])}; CuTe: {machine_code(pair[1])}",
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/cute/run.py", description=__doc__.splitlines()[0])
    parser.add_argument("--cute", default=os.environ.get("COSMATI_CUTE"))
    parser.add_argument("--utilities", default=os.environ.get("COSMATI_CUTE_UTILITIES"))
    parser.add_argument("--tutorials", default=os.environ.get("COSMATI_CUTE_TUTORIALS"))
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, help="accepted for ./benchmark; each program has its own number of runs")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name has it")
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    if not options.cute and not options.programs:
        print("bench/cute: skipped: give --cute FOLDER, CuTe's include folder")
        return 77
    if not options.build_only and not shutil.which("nvidia-smi"):
        print("bench/cute: skipped: no GPU here")
        return 77
    sources = sorted((HERE / "programs").glob("*.cu"))
    if options.tutorials:
        sources += [pathlib.Path(options.tutorials) / f"{name}.cu" for name in TUTORIALS]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.programs or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not options.tutorials and (folder / "sgemm_1.cute").exists():
            sources += [pathlib.Path(f"{name}.cu") for name in TUTORIALS]
        results = []
        for source in sources:
            if options.only not in source.stem:
                continue
            pair = [executable(source, ours, options, folder) for ours in (True, False)]
            if options.build_only:
                continue
            where = device()
            for order in TUTORIALS.get(source.stem, (None,)):
                results.append(measure(source.stem, order, pair, where))
    if options.json and results:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
