#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the format of every C++ file, or writes it:  format.py [--fix] [ROOT]

It uses clang-format 14, which Debian 12 has, because other versions format differently. Exit status 77 (skipped) without it.
"""
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("include", "compat", "src", "tests", "examples", "bench", "python", "web")


def find_tool() -> str | None:
    for name in ("clang-format-14", "clang-format"):
        tool = shutil.which(name)
        if tool:
            version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
            if re.search(r"version 14\.", version):
                return tool
    return None


def sources(root: pathlib.Path) -> list[str]:
    found = []
    for folder in FOLDERS:
        for pattern in ("*.hpp", "*.h", "*.cpp", "*.cu"):
            found += (str(p) for p in (root / folder).rglob(pattern) if "build" not in p.relative_to(root).parts[:-1])
    return sorted(found)


def main() -> int:
    arguments = sys.argv[1:]
    fix = "--fix" in arguments
    rest = [a for a in arguments if a != "--fix"]
    root = pathlib.Path(rest[0] if rest else pathlib.Path(__file__).parents[2]).resolve()
    tool = find_tool()
    if tool is None:
        print("skipped: no clang-format 14")
        return 77
    files = sources(root)
    if not files:
        print("no sources")
        return 1
    if fix:
        return subprocess.run([tool, "-i", *files]).returncode
    done = subprocess.run([tool, "--dry-run", "--Werror", *files], capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    for path in wrong:
        print(f"{pathlib.Path(path).relative_to(root)}: not formatted (tests/style/format.py --fix writes it)")
    if done.returncode and not wrong:
        print(done.stderr)
    print(f"{len(files)} files, {len(wrong)} not formatted")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
