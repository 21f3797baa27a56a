#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs correct kernels and their mutants on a GPU, under compute-sanitizer's four tools.

    gpu.py --build FOLDER      compiles all of them with nvcc for sm_90a: one program, FOLDER/gpu_hazards. Needs no GPU.
    gpu.py FOLDER [--csv FILE] [--jobs 8] [--seconds 20] [--only TEXT...] [--correct]

The second form runs each kernel by itself and under memcheck, racecheck, initcheck and synccheck, and writes FILE
(FOLDER/sanitizer.csv.gz): name, tool, verdict, detail. The verdicts of a tool are `clean`, `reports` (it says that something is
wrong), `hangs` (stopped after --seconds) and `crashes` (the program fails, and the tool says nothing). The verdicts of the tool
`plain` are `right`, `wrong` (the result is wrong), `hangs` and `crashes`. The exit status is 1 if an original is not right and clean.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("plain", "memcheck", "racecheck", "initcheck", "synccheck")
REGISTERED_HEADER = "#include \"registered.hpp\"\n"
REGISTERED = """#pragma once
struct registered {
  char const* name;
  int (*run)();
  registered* next;
  static registered*& first() {
    static registered* list = nullptr;
    return list;
  }
  registered(char const* n, int (*r)()) : name(n), run(r), next(first()) { first() = this; }
};
"""
MAIN = r"""#include <cstdio>
#include <cstring>
#include <exception>
#include "registered.hpp"
int main(int count, char** words) {
  for (registered* r = registered::first(); r != nullptr; r = r->next) {
    if (count < 2) std::puts(r->name);
    if (count < 2 || std::strcmp(words[1], r->name) != 0) continue;
    try {
      return r->run() == 0 ? 0 : 1;
    } catch (std::exception const& e) {
      std::fprintf(stderr, "error: %s\n", e.what());
      return 2;
    }
  }
  return count < 2 ? 0 : 3;
}
"""


def sources(chosen: list) -> dict[str, str]:
    """One file for each original, with it and its mutants, each in a namespace of its own."""
    files: dict[str, str] = {}
    for v in chosen:
        name = "v_" + re.sub(r"\W", "_", v.name)
        body = v.body.replace("int main() {", "int run() {")
        part = f"namespace {name} {{\n#line 1 \"{v.name}.cpp\"\n{body}registered const entry{{\"{v.name}\", run}};\n}}\n"
        files[v.path.stem] = files.get(v.path.stem, "\n".join([*v.includes, REGISTERED_HEADER])) + part
    return {**files, "main": MAIN}


def write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build(folder: pathlib.Path, chosen: list, jobs: int) -> int:
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    parts = folder.with_name(folder.name + "_parts")  # beside it: FOLDER holds only what the GPU needs
    parts.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    write(parts / "registered.hpp", REGISTERED)
    flags = ["-std=c++20", "-arch=sm_90a", "-lineinfo", "-w", "-O3", f"-I{ROOT / 'include'}", f"-I{parts}"]

    def compile_one(item: tuple[str, str]) -> str:
        stem, text = item
        source, target = parts / f"{stem}.cu", parts / f"{stem}.o"
        write(source, text)
        newest = max(p.stat().st_mtime for p in [source, *(ROOT / "include").rglob("*.hpp")])
        if target.exists() and target.stat().st_mtime > newest:
            return ""
        done = subprocess.run([nvcc, *flags, "-c", str(source), "-o", str(target)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return f"{stem}: {done.stdout[:1500]}" if done.returncode else ""

    files = sources(chosen)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        wrong = [said for said in pool.map(compile_one, files.items()) if said]
    if wrong:
        print("\n".join(wrong))
        return 1
    program = folder / "gpu_hazards"
    objects = [str(parts / f"{stem}.o") for stem in files]
    subprocess.run([nvcc, "-arch=sm_90a", *objects, "-cudart", "static", "-o", str(program)], check=True)
    subprocess.run(["strip", str(program)], check=True)
    (folder / "programs.json").write_text(json.dumps({v.name: "mutant" if v.mutant else v.folder for v in chosen}, indent=0) + "\n")
    print(f"{program}: {program.stat().st_size / 1e6:.1f} MB, {len(chosen)} programs in it")
    return 0


def run(program: pathlib.Path, name: str, tool: str, seconds: int) -> tuple[str, str]:
    command = [str(program), name]
    if tool != "plain":
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "--print-limit", "3", *command]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        hangs = False
    except subprocess.TimeoutExpired:
        hangs = True
        os.killpg(process.pid, signal.SIGKILL)  # its own session: the tool and what it runs
        output, _ = process.communicate()
    text = output.decode(errors="replace")
    if tool == "plain":
        status = process.returncode
        verdict = "hangs" if hangs else "right" if status == 0 else "wrong" if status == 1 else "crashes"
        return verdict, text.strip().replace("\n", " ")[:200]
    found = [int(n) for n in re.findall(r"ERROR SUMMARY: (\d+) error", text)]
    found += [int(n) for n in re.findall(r"RACECHECK SUMMARY: (\d+) hazard", text)]
    lines = [line.removeprefix("=========").strip() for line in text.splitlines() if line.startswith("=========")]
    said = [line for line in lines if line and "COMPUTE-SANITIZER" not in line and "SUMMARY" not in line]
    # Errors of API calls alone are what the program notices itself.
    serious = [line for line in said if not line.startswith(("Program hit", "Saved host", "Host Frame", "Target application"))]
    if "COMPUTE-SANITIZER" not in text:
        return "no tool", text[:200]
    if sum(found) > 0 and serious:
        return "reports", serious[0][:200]
    if hangs:
        return "hangs", said[0][:200] if said else ""
    if process.returncode not in (0, 1):
        return "crashes", (said[0] if said else text.strip())[:200]
    return "clean", ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Kernels and mutants on a GPU under compute-sanitizer")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--correct", action="store_true", help="run the correct kernels, and no mutant")
    options = parser.parse_args()
    def is_chosen(name: str) -> bool:
        return not options.only or any(text in name for text in options.only)

    if options.build:
        from suite import variants  # needs Python 3.11; the machine with the GPU need not have it
        return build(options.folder, [v for v in variants() if is_chosen(v.name)], options.jobs or os.cpu_count() or 2)
    os.environ["PATH"] += os.pathsep + "/usr/local/cuda/bin"
    program = (options.folder / "gpu_hazards").resolve()
    program.chmod(0o755)
    what = json.loads((options.folder / "programs.json").read_text())
    names = [name for name in what if is_chosen(name) and not (options.correct and what[name] == "mutant")]
    originals = {name for name in names if what[name] == "originals"}
    mutants = [name for name in names if what[name] == "mutant"]
    path = options.csv or options.folder / "sanitizer.csv.gz"
    results: dict[tuple[str, str], tuple[str, str]] = {}
    with gzip.open(path, "wt", newline="") as out, concurrent.futures.ThreadPoolExecutor(options.jobs or 8) as pool:
        writer = csv.writer(out)
        writer.writerow(["name", "tool", "verdict", "detail"])
        runs = {pool.submit(run, program, n, t, options.seconds): (n, t) for n in names for t in TOOLS}
        for future in concurrent.futures.as_completed(runs):  # written at once: what is cut off leaves what it has
            results[runs[future]] = future.result()
            writer.writerow([*runs[future], *future.result()])
            out.flush()
    wrong = [(n, t, *results[n, t]) for n in names for t in TOOLS
             if n in originals and results[n, t][0] not in ("right", "clean")]
    for row in wrong:
        print("a correct kernel: " + ", ".join(row))
    for n in names:  # a tool may object to these, but they are right
        if what[n] == "legal" and (said := [f"{t} {results[n, t][0]}" for t in TOOLS if results[n, t][0] not in ("right", "clean")]):
            print(f"a pattern of legal/: {n}: {', '.join(said)}")
    missed = [n for n in mutants if all(results[n, t][0] != "reports" for t in TOOLS[1:])]
    silent = [n for n in missed if results[n, "plain"][0] == "right"]
    print(f"{len(originals)} correct programs, {len(wrong)} runs of them not right or not clean; of {len(mutants)} "
          f"mutants {len(missed)} are reported by no tool, {len(silent)} of which give the right result too; {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
