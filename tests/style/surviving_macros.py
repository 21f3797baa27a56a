#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a program is left with exactly the macros of surviving_macros.txt, which has a reason for each.

    surviving_macros.py COMPILER [ROOT]     COMPILER is g++ or clang++, or a path to one

`COMPILER -dM -E` preprocesses all headers, with and without the instrumentation of the simulated device. A macro survives
if it is defined after them, was not defined before, and is defined by a line of the headers. It must have the prefix
COSMATI_, or be a word of CUDA's, and stand in the list. Each macro of the list must survive in one of the two runs.
Exit status 77 (skipped) if there is no such compiler.
"""
import pathlib
import re
import shutil
import subprocess
import sys

MOST = 19  # of the library's own
OF_CUDA = re.compile(r"__[a-z_]+__$")
INSTRUMENTED = "-fsanitize=thread"


def listed(root: pathlib.Path) -> dict[str, str]:
    """Lines `NAME: reason`."""
    reasons = {}
    for line in (root / "tests/style/surviving_macros.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(":")
            reasons[name.strip()] = reason.strip()
    return reasons


def macros(compiler: str, options: list[str], text: str) -> set[str]:
    done = subprocess.run([compiler, "-std=c++20", "-dM", "-E", "-x", "c++", *options, "-"], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return {re.split(r"[ (]", line)[1] for line in done.stdout.splitlines()}


def survivors(compiler: str, root: pathlib.Path, options: list[str]) -> set[str]:
    include = root / "include"
    headers = sorted(h for h in include.rglob("cosmati/**/*.hpp") if "core/macro" not in str(h))
    defined = {m for h in headers for m in re.findall(r"^\s*#\s*define\s+(\w+)", h.read_text(), re.MULTILINE)}
    text = "".join(f"#include <{h.relative_to(include)}>\n" for h in headers)
    behind = macros(compiler, [f"-I{include}", *options], text) - macros(compiler, options, "")
    prefixed = {m for m in behind if m.startswith(("COSMATI", "cosmati"))}
    return behind & defined | prefixed


def problems_of(found: set[str], reasons: dict[str, str]) -> list[str]:
    problems = [f"{name} survives; undefine it, or give a reason in tests/style/surviving_macros.txt" for name in sorted(found - set(reasons))]
    problems += [f"{name} is listed in tests/style/surviving_macros.txt and does not survive" for name in sorted(set(reasons) - found)]
    problems += [f"{name} has no reason in tests/style/surviving_macros.txt" for name, reason in reasons.items() if not reason]
    for name in sorted(found):
        if not name.startswith("COSMATI_") and not OF_CUDA.match(name) and name not in reasons:
            problems.append(f"{name} has neither the prefix COSMATI_ nor is a word of CUDA's")
    own = [name for name in found if name.startswith("COSMATI_")]
    if len(own) > MOST:
        problems.append(f"{len(own)} macros of the library survive, {MOST} at most: {' '.join(sorted(own))}")
    return problems


def main() -> int:
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    compiler = shutil.which(sys.argv[1])
    if compiler is None:
        print(f"skipped: there is no {sys.argv[1]}")
        return 77
    reasons = listed(root)
    plain = survivors(compiler, root, [])
    found = plain | survivors(compiler, root, [INSTRUMENTED])
    if "clang" in sys.argv[1]:  # clang instruments these itself
        reasons = {name: reason for name, reason in reasons.items() if not name.startswith("__builtin_")}
    problems = problems_of(found, reasons)
    problems += [f"{name} is redefined without {INSTRUMENTED}" for name in sorted(plain) if name.startswith("__builtin_")]
    for problem in problems:
        print(problem)
    print(f"{sys.argv[1]}: {len(found)} macros survive, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
