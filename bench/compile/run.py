#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what nvcc takes to compile programs that use the library, and compares it with an empty kernel.

    run.py [--json FILE] [--minutes N] [--repetitions N] [--check] [--include FOLDER] [CASE...]

Each case is a translation unit: bench/compile/CASE.cu, or layouts_300, which is written to a temporary folder (`--print
layouts_300` shows it). The command is `nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -Iinclude -c`. The script
measures the user time of nvcc and all its children, and the largest memory that one of these processes held. It compiles an
empty kernel before each case, so that both see the same load. Figures are medians over the repetitions.

--check compares with the limits below. If a limit is broken, it says so, and the exit status is 1. A machine's load lengthens
the times. A case above its limit is therefore repeated, up to 9 times in all, and judged by the smaller of two estimates. One
is the ratio of the medians. The other is the ratio of the least times of the case and of as many empty kernels. Exit status
77 means that there is no nvcc.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench"))
import host  # noqa: E402

FLAGS = ["-O3", "-std=c++20", "-gencode", "arch=compute_90a,code=sm_90a"]
EMPTY = "empty"
MOST_REPETITIONS = 9


@dataclasses.dataclass(frozen=True)
class Limit:
    ratio: float  # user time, as a multiple of the empty kernel's
    memory: float | None = None  # bytes


LIMITS = {
    "header": Limit(3.5),
    "cute_layout": Limit(2, 0.35e9),  # CuTe's own headers: 6
    "cute_tensor": Limit(3, 0.35e9),
    "copy_header": Limit(3.5),
    "copy_call": Limit(12),
    "one_kernel": Limit(5),
    "eight_kernels": Limit(8),
    "layouts_300": Limit(8, 0.6e9),
    "gemm_mma": Limit(14, 0.7e9),
    "gemm_hopper": Limit(16, 0.8e9),
    "gemm_hopper_call": Limit(18, 0.8e9),
}


@dataclasses.dataclass
class Cost:
    """The measurements of one translation unit, one number for each repetition."""

    seconds: list[float] = dataclasses.field(default_factory=list)
    memory: list[int] = dataclasses.field(default_factory=list)  # bytes
    beside: list[float] = dataclasses.field(default_factory=list)  # seconds of the empty kernel just before


def layouts(number: int) -> str:
    """A program with so many static layouts of different shapes. Each is divided (by a layout or by mode) and composed."""
    lines = ["#include <cosmati/cosmati.hpp>", "", "using namespace cosmati;", "", "__global__ void kernel(int* out) {"]
    for k in range(number):
        m, n = 16 * (1 + k % 20), 8 * (1 + k // 20)
        divided = ("logical_divide(layout, Layout<Shape<_4, _2>, Stride<_1, _8>>{})" if k % 2 == 0 else
                   "zipped_divide(layout, Shape<_16, _8>{})")
        lines += [
            "  {",
            f"    Layout<Shape<Int<{m}>, Shape<Int<{n}>, _2>>, Stride<_2, Stride<Int<{2 * m}>, _1>>> const layout;",
            f"    auto const divided = {divided};",
            "    auto const composed = composition(layout, Layout<Shape<_4, _2>, Stride<_2, _8>>{});",
            f"    out[{2 * k}] = size(divided);",
            f"    out[{2 * k + 1}] = size(composed);",
            "  }",
        ]
    return "\n".join([*lines, "}", ""])


def source(case: str, folder: pathlib.Path) -> pathlib.Path:
    """The file of a case. A generated file is written to the folder."""
    written = HERE / f"{case}.cu"
    if written.exists():
        return written
    path = folder / f"{case}.cu"
    if not path.exists():
        path.write_text(layouts(int(case.removeprefix("layouts_"))))
    return path


def compile_one(nvcc: str, include: pathlib.Path, path: pathlib.Path, folder: pathlib.Path) -> tuple[float, int]:
    """The user seconds, and the bytes of the largest process. Raises RuntimeError with the compiler's output."""
    environment = {k: v for k, v in os.environ.items() if not re.match(r"NVCC_(PREPEND|APPEND)_FLAGS$", k)}
    log = folder / "log"
    with log.open("wb") as out:
        folders = [f"-I{include.parent / 'compat'}"] if path.stem.startswith("cute_") else []
        process = subprocess.Popen([nvcc, *FLAGS, *folders, f"-I{include}", "-c", str(path), "-o", str(folder / "object.o")],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment)
        # The usage of nvcc includes that of the children it waited for, with the memory of the largest one.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{path.name} does not compile:\n{log.read_text(errors='replace')[:3000]}")
    return usage.ru_utime, usage.ru_maxrss * 1024


def ratio(case: str, costs: dict[str, Cost]) -> float:
    """The ratio of the medians, which a result states."""
    return statistics.median(costs[case].seconds) / statistics.median(costs[EMPTY].seconds)


def judged(case: str, costs: dict[str, Cost]) -> float:
    return min(ratio(case, costs), min(costs[case].seconds) / min(costs[case].beside))


def worth_repeating(case: str, costs: dict[str, Cost]) -> bool:
    """Whether the machine's load may explain a time above the limit. Memory does not depend on the load."""
    return judged(case, costs) > LIMITS[case].ratio


def measure(cases: list[str], repetitions: int, end: float, measure_one, again=None) -> dict[str, Cost]:
    """Measures every case after an empty kernel, round after round, until time.monotonic() is `end`, but at least 3 times.

    `again(case, costs)` says whether a case needs more rounds than were asked for.
    """
    costs = {case: Cost() for case in (EMPTY, *cases)}
    measure_one(EMPTY)  # loads the compiler from the disk
    rounds, left = 0, list(cases)
    while left:
        for case in left:
            for unit in (EMPTY, case):
                seconds, memory = measure_one(unit)
                costs[unit].seconds.append(seconds)
                costs[unit].memory.append(memory)
            costs[case].beside.append(costs[EMPTY].seconds[-1])
        rounds += 1
        if rounds >= 3 and time.monotonic() > end:
            break
        if rounds >= repetitions:
            left = [case for case in cases if again and rounds < MOST_REPETITIONS and again(case, costs)]
    return costs


def broken(case: str, costs: dict[str, Cost]) -> list[str]:
    """One sentence for each limit that the case breaks."""
    limit, cost, sentences = LIMITS[case], costs[case], []
    if (times := judged(case, costs)) > limit.ratio:
        sentences.append(f"{case}: takes {times:.2f} times the empty kernel's user time, the limit is {limit.ratio:g} "
                         f"({len(cost.seconds)} repetitions: medians {statistics.median(cost.seconds):.2f} s and "
                         f"{statistics.median(costs[EMPTY].seconds):.2f} s, least {min(cost.seconds):.2f} s and {min(cost.beside):.2f} s)")
    if limit.memory and (memory := statistics.median(cost.memory)) > limit.memory:
        sentences.append(f"{case}: takes {memory / 1e9:.3f} GB of memory, the limit is {limit.memory / 1e9:g} GB")
    return sentences


def toolkit(nvcc: str) -> str:
    text = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return "nvcc " + re.search(r"release ([\d.]+)", text)[1]


def results(costs: dict[str, Cost], device: dict, load: float) -> list[dict]:
    """Two results for each case: compile/CASE in seconds and compile/CASE_memory in bytes."""
    told = []
    for case in (c for c in costs if c != EMPTY):
        limit = LIMITS[case]
        for name, unit, of, bound in ((case, "s", lambda c: c.seconds, {"limit_ratio": limit.ratio}),
                                      (f"{case}_memory", "bytes", lambda c: c.memory,
                                       {"limit_bytes": limit.memory} if limit.memory else {})):
            figure, peer = (statistics.median(of(costs[c])) for c in (case, EMPTY))
            told.append({
                "schema": 1,
                "work": {"name": f"compile/{name}", "parameters": {"flags": " ".join(FLAGS), **bound}},
                "device": device,
                "figure": {"value": round(figure, 6), "unit": unit},
                "peer": {"name": "empty kernel", "figure": {"value": round(peer, 6), "unit": unit}},
                "ratio": round(figure / peer, 4),
                "kernels": [],
                "repetitions": len(of(costs[case])),
                "spread": host.spread(of(costs[case])),
                "notes": f"User time and largest process of nvcc and its children; load average {load:.1f} on "
                         f"{os.cpu_count()} processors at the end.",
            })
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"which of {', '.join(LIMITS)}; all without")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--minutes", type=float, default=10, metavar="N", help="start no round after that (10)")
    parser.add_argument("--repetitions", type=int, metavar="N", help="rounds (5; with --check 3, more near a limit)")
    parser.add_argument("--check", action="store_true", help="exit status 1 where a limit is broken")
    parser.add_argument("--include", metavar="FOLDER", default=str(ROOT / "include"), help="of the library to measure")
    parser.add_argument("--print", metavar="CASE", help="print a case's program and stop")
    options = parser.parse_args()
    for case in [*options.cases, *([options.print] if options.print else [])]:
        if case not in LIMITS:
            parser.error(f"no case {case}; there are: {', '.join(LIMITS)}")
    if options.repetitions is not None and options.repetitions < 3:
        parser.error("a median needs 3 repetitions or more")
    nvcc = shutil.which("nvcc", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.print:
            print(source(options.print, folder).read_text(), end="")
            return 0
        if nvcc is None:
            print("skipped: no nvcc")
            return 77
        try:
            costs = measure(options.cases or list(LIMITS), options.repetitions or (3 if options.check else 5),
                            time.monotonic() + 60 * options.minutes,
                            lambda unit: compile_one(nvcc, pathlib.Path(options.include), source(unit, folder), folder),
                            worth_repeating if options.check else None)
        except RuntimeError as problem:
            print(problem)
            return 1
    for case, cost in costs.items():
        limit = LIMITS.get(case)
        print(f"  {case:15} {statistics.median(cost.seconds):6.2f} s (least {min(cost.seconds):.2f})"
              f" {ratio(case, costs):6.2f}x" + (f" (judged {judged(case, costs):.2f}, limit {limit.ratio:g})" if limit else "")
              + f" {statistics.median(cost.memory) / 1e9:6.3f} GB"
              + (f" (limit {limit.memory / 1e9:g})" if limit and limit.memory else "")
              + f", {len(cost.seconds)} times", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results(costs, host.device(toolkit(nvcc)), os.getloadavg()[0]), indent=2) + "\n")
    if options.check:
        cases = [case for case in costs if case != EMPTY]
        problems = {case: broken(case, costs) for case in cases}
        for sentence in sum(problems.values(), []):
            print(sentence)
        failed = sum(map(bool, problems.values()))
        print(f"counts: {len(cases) - failed} passed, {failed} failed, 0 skipped")
        return 1 if failed else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
