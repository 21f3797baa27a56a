#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs correct kernels and their mutants on the simulated device.

    run.py [--only TEXT...] [--part I/N] [--seeds 0,1,7] [--folder FOLDER] [--results FILE.json] [--jobs N] [--verbose]

Every program of originals/ and legal/ must be right and clean with each seed. The first hazard that is reported for a mutant of
mutants.toml must have the right kind and the right line. A mutant runs like its original otherwise; its results do not matter.
A mutant with `wrong_result` is a program that PTX allows and that computes something else: its result must be wrong.

The library's header is compiled once. A program with its mutants is one translation unit, each in a namespace of its own, so
that they share what they instantiate. A mutant that leaves an array's bounds is compiled alone, because another mutant's arrays
would lie beside its own.

COSMATI_CXX names the compiler (g++), COSMATI_SIM the simulated device's library, COSMATI_INCLUDE the headers.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from suite import HERE, Mistake, Variant, variants

ROOT = HERE.parents[1]
CXX = os.environ.get("COSMATI_CXX", "g++")
SIM = os.environ.get("COSMATI_SIM", str(ROOT / "build/src/sim/libcosmati_sim.a"))
INCLUDE = os.environ.get("COSMATI_INCLUDE", str(ROOT / "include"))
WRAPPED = "memcpy memmove memset printf puts putchar vprintf __assert_fail __cxa_throw".split()
FLAGS = ["-std=c++20", "-O1", *(["-g1"] if "clang" in CXX else ["-g", "-fno-var-tracking"]), "-Wall", "-Wextra", "-fsanitize=thread", "-fsanitize=alignment,bounds"]
FLAGS += [
    "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-compound-read-before-write=1"] if "clang" in CXX else [
    "-Wno-unknown-pragmas", "--param", "tsan-distinguish-volatile=1",
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"]
HEADER, MAIN = "#include <cosmati/cosmati.hpp>", "int main() {"
LINK = ["-Wl," + ",".join(f"--wrap={name}" for name in WRAPPED), SIM, "-lboost_context", "-lpthread"]


@dataclasses.dataclass
class Outcome:
    status: int  # of the program; 124 when it was stopped
    hazards: list[dict]
    said: str
    unseen: bool


def said_by(command: list[str]) -> tuple[bool, str]:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def precompile(folder: pathlib.Path) -> list[str]:
    """The flags with which programs find the compiled header of the library; none if that does not work."""
    there = folder / "precompiled/cosmati"
    there.mkdir(parents=True, exist_ok=True)
    clang = "clang" in CXX
    result = there / ("cosmati.pch" if clang else "cosmati.hpp.gch")
    good, _ = said_by([CXX, *FLAGS, "-w", f"-I{INCLUDE}", "-x", "c++-header",
                       f"{INCLUDE}/cosmati/cosmati.hpp", "-o", str(result)])
    if not good:
        return []
    return ["-include-pch", str(result)] if clang else [f"-I{there.parent}"]


def units(chosen: list[Variant]) -> list[list[Variant]]:
    """The groups of programs that are compiled together, those that take longest first."""
    together: dict[pathlib.Path, list[Variant]] = {}
    alone = []
    for v in chosen:
        if v.mutant is not None and "out_of_bounds" in v.mutant["kinds"]:
            alone.append([v])
        else:
            together.setdefault(v.path, []).append(v)
    return sorted(together.values(), key=len, reverse=True) + alone


def build(unit: list[Variant], folder: pathlib.Path, precompiled: list[str]) -> str:
    """Makes the program of the unit, which runs the variant that its argument counts. @return the compiler's output if it fails, or if
    it warns of an original"""
    text, cases = "\n".join(unit[0].includes) + "\n", ""
    for i, v in enumerate(unit):
        if v.text.count(HEADER) != 1 or v.text.count(MAIN) != 1 or v.text.count("#include") != len(v.includes):
            return f"{v.name} is to have one {HEADER}, other headers of the library only, and one {MAIN}"
        body = v.body.replace(MAIN, "int main_of_program() {")
        text += f'namespace program_{i} {{\n#line 1 "{folder / v.name}.cpp"\n{body}}}\n'
        cases += f"    case {i}: return program_{i}::main_of_program();\n"
    text += f"int main(int, char** words) {{\n  switch (atoi(words[1])) {{\n{cases}  }}\n  return 99;\n}}\n"
    program = folder / unit[0].name
    source = folder / f"{unit[0].name}.unit.cpp"
    source.write_text(text)
    good, said = said_by([CXX, *precompiled, *FLAGS, f"-I{INCLUDE}", "-c", str(source), "-o", f"{program}.o"])
    # A mutant may leave something unused; an original must not.
    if not good or any(f"{v.name}.cpp:" in line and "warning:" in line
                       for v in unit if v.mutant is None for line in said.splitlines()):
        return said[:2000]
    good, said = said_by([CXX, f"{program}.o", *LINK, "-o", str(program)])
    return "" if good else said[:2000]


def run(v: Variant, command: list[str], folder: pathlib.Path, seed: int) -> Outcome:
    report = folder / f"{v.name}.{seed}.json"
    report.unlink(missing_ok=True)
    environment = {**os.environ, "COSMATI_SIM_SEED": str(seed), "COSMATI_SIM_REPORT": str(report)}
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                              timeout=60)
        status, said = done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as problem:
        status, said = 124, (problem.stdout or b"").decode(errors="replace")
    hazards: list[dict] = []
    unseen = False
    text = report.read_text() if report.exists() else ""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):  # one value, or one a launch
        if text[at].isspace():
            at += 1
            continue
        part, at = decoder.raw_decode(text, at)
        hazards += part.get("hazards", [])
        unseen |= bool(part.get("unseen")) or part.get("seen") is False
        if part.get("failed"):
            said += str(part["failed"])
    return Outcome(status, hazards, said, unseen or not text)


def short(h: dict) -> str:
    other = f" and {h['other_line']}" if h.get("other_line") else ""
    kind = h["kind"] + (" (review)" if h.get("severity") == "review" else "")
    return f"{kind} at line {h.get('line')}{other} of {pathlib.Path(h.get('file') or '?').name}"


def fits(v: Variant, h: dict) -> bool:
    """Whether the hazard is the one of the mutant."""
    m = v.mutant or {}
    lines = [h.get("line")] + ([h["other_line"]] if h.get("other_line") else [])
    files = [h.get("file")] + ([h["other_file"]] if h.get("other_line") else [])
    return (h["kind"] in m["kinds"] and (h.get("severity") == "review") == bool(m.get("review"))
            and all(line in v.at for line in lines)
            and all(pathlib.Path(f or "").name == f"{v.name}.cpp" for f in files))


def judge(v: Variant, outcomes: dict[int, Outcome]) -> list[str]:
    """The differences from what must be."""
    wrong = []
    for seed, o in outcomes.items():
        where = f"seed {seed}"
        if o.status == 124:
            wrong.append(f"{where}: still running after 60 s")
        elif v.mutant is None:
            if o.hazards:
                wrong.append(f"{where}: is correct, but: {'; '.join(short(h) for h in o.hazards[:3])}")
            elif o.unseen:
                wrong.append(f"{where}: incomplete, or no report")
            if o.status != 0:
                wrong.append(f"{where}: status {o.status}: {o.said[:300]}")
        elif v.only_wrong:
            if o.hazards or o.unseen or o.status != 1:
                wrong.append(f"{where}: expected a wrong result and no hazard; status {o.status}, "
                             f"{'; '.join(short(h) for h in o.hazards[:3]) or 'no hazard'} {o.said[:300]}")
        elif not o.hazards:
            wrong.append(f"{where}: nothing reported; status {o.status} {o.said[:300]}")
        elif not fits(v, o.hazards[0]):
            # Reviews may precede the error that matters.
            serious = [h for h in o.hazards if h.get("severity") != "review"] if not v.mutant.get("review") else []
            if not (serious and fits(v, serious[0])):
                lines = ", ".join(f"{line} {text}" for line, text in v.at.items())
                wrong.append(f"{where}: expected {'/'.join(v.mutant['kinds'])} at {lines}; got "
                             f"{'; '.join(short(h) for h in o.hazards[:3])}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Correct kernels and their mutants on the simulated device")
    parser.add_argument("--only", nargs="*", default=[], help="programs whose name holds one of these texts")
    parser.add_argument("--part", default="0/1", metavar="I/N", help="every N-th program from the I-th on (0/1), with its mutants")
    parser.add_argument("--seeds", default="0,1,7")
    parser.add_argument("--folder", type=pathlib.Path, help="for the programs; kept (default: a temporary one)")
    parser.add_argument("--results", type=pathlib.Path, help="written: what each program's first hazard is")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="print the first hazard's message of each mutant")
    options = parser.parse_args()
    if not pathlib.Path(SIM).exists() or not shutil.which(CXX):
        print(f"skipped: no {SIM} or no {CXX}")
        return 77
    try:
        chosen = [v for v in variants() if not options.only or any(text in v.name for text in options.only)]
    except Mistake as problem:
        print(problem)
        return 1
    first, step = map(int, options.part.split("/"))
    paths = sorted({v.path for v in chosen})[first::step]
    chosen = [v for v in chosen if v.path in paths]
    seeds = [int(s) for s in options.seeds.split(",")]
    began = time.monotonic()
    wrong: dict[str, list[str]] = {}
    outcomes: dict[str, dict[int, Outcome]] = {}
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)

        precompiled = precompile(folder)

        def all_of(unit: list[Variant]) -> None:
            if said := build(unit, folder, precompiled):
                wrong.update({v.name: ["does not compile without warnings:\n" + said] for v in unit})
                return
            for i, v in enumerate(unit):
                command = [str(folder / unit[0].name), str(i)]
                outcomes[v.name] = {seed: run(v, command, folder, seed) for seed in seeds}
                if problems := judge(v, outcomes[v.name]):
                    wrong[v.name] = problems

        list(pool.map(all_of, units(chosen)))
    for v in chosen:
        if options.verbose and v.name in outcomes:
            first = next((h for o in outcomes[v.name].values() for h in o.hazards), None)
            print(f"{v.name}: {first['kind'] + ': ' + first['message'] if first else 'clean'}")
        for problem in wrong.get(v.name, []):
            print(f"{v.name}: {problem}")
    if options.results:
        options.results.write_text(json.dumps({
            name: [{"seed": seed, "status": o.status, "hazards": o.hazards[:3]} for seed, o in of_seeds.items()]
            for name, of_seeds in sorted(outcomes.items())}, indent=1) + "\n")
    mutants = [v for v in chosen if v.mutant is not None]
    faults = collections.Counter(v.mutant["fault"] for v in mutants if v.mutant)
    print(f"{len(chosen) - len(mutants)} correct programs, {len(mutants)} mutants of {len(faults)} kinds of fault, "
          f"{len(seeds)} seeds, {time.monotonic() - began:.0f} s: {len(wrong)} not as they must be")
    print(f"counts: {len(chosen) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    if most := [f"{fault} ({n})" for fault, n in faults.items() if n > 8]:
        print("more than 8 mutants of one fault: " + ", ".join(most))
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
