#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the GPU programs plain and under compute-sanitizer:  gpu_checks.py FOLDER [--logs FOLDER] [--seconds N]

FOLDER holds programs named gpu_*. Each runs by itself, then under memcheck, racecheck, initcheck and synccheck. A program passes
under a tool if its own tests pass and the tool reports no error. "-" means that it makes no call of the GPU. Tests named host_*
run only plain. The script prints a table, and the end of the output of each failure.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

TOOLS = {
    "plain": [],
    "memcheck": ["--leak-check", "full", "--report-api-errors", "no"],  # some calls fail on purpose
    "racecheck": [],
    "initcheck": [],
    "synccheck": [],
}


def known_reports(tool: str) -> str:
    """GoogleTest's filter without the tests of correct code that the tool reports; "" if there are none."""
    lines = (pathlib.Path(__file__).parent / "device/known_reports.txt").read_text().splitlines()
    return "".join(":" + line.split()[1] for line in lines if line.startswith(tool + " "))


def run(program: pathlib.Path, tool: str, seconds: int) -> tuple[str, str, float]:
    """The entry of the table, the output, and the time."""
    command, environment = [str(program)], dict(os.environ)
    if tool != "plain":
        command = ["compute-sanitizer", "--tool", tool, *TOOLS[tool], "--error-exitcode", "9", *command]
        environment["GTEST_FILTER"] = "-host_*" + known_reports(tool)
    began = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired as problem:
        return "time out", (problem.stdout or b"").decode(errors="replace"), seconds
    text = done.stdout.decode(errors="replace")
    tests = re.search(r"\[  PASSED  \] (\d+)", text)
    what = f"{tests[1]} tests" if tests else "ok"
    if skipped := re.search(r"\[  SKIPPED \] (\d+)", text):
        what += f", {skipped[1]} skipped"
    if "terminated before first instrumented API call" in text:
        what = "-"  # a program that never calls the GPU
    elif tool != "plain" and "COMPUTE-SANITIZER" not in text:
        what = "FAILED: no tool"
    elif done.returncode != 0:
        found = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", text)
        what = f"FAILED: {found[1] if found else 'status ' + str(done.returncode)}"
    return what, text, time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description="GPU programs, plain and under compute-sanitizer")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--logs", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=150, help="for each run")
    parser.add_argument("--jobs", type=int, default=6)
    options = parser.parse_args()
    os.environ["PATH"] += os.pathsep + "/usr/local/cuda/bin"
    programs = sorted(p for p in options.folder.iterdir() if p.name.startswith("gpu_") and os.access(p, os.X_OK))
    tools = [t for t in TOOLS if t == "plain" or shutil.which("compute-sanitizer")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {(p.name, t): pool.submit(run, p, t, options.seconds) for t in tools for p in programs}
    failed = 0
    print(f"{'program':32}" + "".join(f"{t:26}" for t in tools))
    for program in programs:
        line = f"{program.name:32}"
        for tool in tools:
            what, _, seconds = runs[program.name, tool].result()
            failed += what.startswith("FAILED") or what == "time out"
            line += f"{what + f' ({seconds:.1f} s)':26}"
        print(line)
    for (name, tool), future in runs.items():
        what, text, _ = future.result()
        if options.logs:
            options.logs.mkdir(parents=True, exist_ok=True)
            (options.logs / f"{name}.{tool}.log").write_text(text)
        if what.startswith("FAILED") or what == "time out":
            print(f"-- {name} {tool}: {what}\n" + text[-1500:])
    print(f"counts: {len(runs) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
