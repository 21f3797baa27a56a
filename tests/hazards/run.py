#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Correct kernels and their mutants on the simulated device.

    run.py [--only TEXT...] [--seeds 0,1,7] [--folder FOLDER] [--results FILE.json] [--jobs N] [--verbose]

Every program of originals/ and legal/ must be right and clean with each seed; every mutant of mutants.toml must be
reported with the right kind at the right line, as its first hazard. A mutant runs as its original does otherwise: what
it computes does not matter.

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
WRAPPED = "memcpy memmove memset printf puts putchar vprintf __assert_fail".split()
FLAGS = ["-std=c++20", "-O1", "-g1", "-Wall", "-Wextra", "-fsanitize=thread", "-fsanitize=alignment,bounds"]
FLAGS += ["-mllvm", "-tsan-distinguish-volatile=1"] if "clang" in CXX else [
    "-Wno-unknown-pragmas", "--param", "tsan-distinguish-volatile=1",
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"]
LINK = ["-Wl," + ",".join(f"--wrap={name}" for name in WRAPPED), SIM, "-lboost_context", "-lpthread", "-lfmt"]


@dataclasses.dataclass
class Outcome:
    status: int  # of the program; 124 when it was stopped
    hazards: list[dict]
    said: str
    unseen: bool


def build(v: Variant, folder: pathlib.Path) -> str:
    """What the compiler says when it fails. Nothing is done when the program is there already."""
    source, program = folder / f"{v.name}.cpp", folder / v.name
    if not source.exists() or source.read_text() != v.text:
        source.write_text(v.text)
    # A mutant may leave something unused; an original must not.
    strict = ["-Werror"] if v.mutant is None else ["-w"]
    ccache = ["ccache"] if shutil.which("ccache") else []
    compile_it = [*ccache, CXX, *FLAGS, *strict, f"-I{INCLUDE}", "-c", str(source), "-o", f"{program}.o"]
    for command in (compile_it, [CXX, f"{program}.o", *LINK, "-o", str(program)]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return done.stdout[:2000]
    return ""


def run(v: Variant, folder: pathlib.Path, seed: int) -> Outcome:
    report = folder / f"{v.name}.{seed}.json"
    report.unlink(missing_ok=True)
    environment = {**os.environ, "COSMATI_SIM_SEED": str(seed), "COSMATI_SIM_REPORT": str(report)}
    try:
        done = subprocess.run([str(folder / v.name)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
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
    """Whether the hazard is the one that the mutant has."""
    m = v.mutant or {}
    lines = [h.get("line")] + ([h["other_line"]] if h.get("other_line") else [])
    files = [h.get("file")] + ([h["other_file"]] if h.get("other_line") else [])
    return (h["kind"] in m["kinds"] and (h.get("severity") == "review") == bool(m.get("review"))
            and all(line in v.at for line in lines)
            and all(pathlib.Path(f or "").name == f"{v.name}.cpp" for f in files))


def judge(v: Variant, outcomes: dict[int, Outcome]) -> list[str]:
    """What is not as it must be."""
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
    seeds = [int(s) for s in options.seeds.split(",")]
    began = time.monotonic()
    wrong: dict[str, list[str]] = {}
    outcomes: dict[str, dict[int, Outcome]] = {}
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)

        def all_of(v: Variant) -> None:
            if said := build(v, folder):
                wrong[v.name] = ["does not compile:\n" + said]
                return
            outcomes[v.name] = {seed: run(v, folder, seed) for seed in seeds}
            if problems := judge(v, outcomes[v.name]):
                wrong[v.name] = problems

        list(pool.map(all_of, chosen))
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
