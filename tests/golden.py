#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden tests of the command:  golden.py [--update] [NAME...]

tests/golden/NAME.cmd holds the command's arguments, quoted as for a shell; lines that start with # are comments.
tests/golden/NAME.in, if there, is its standard input. What it writes (standard output, then standard error, then the
exit status when that is not 0) equals tests/golden/NAME.out, byte for byte. --update writes the .out files: read the
difference before it is committed. COSMATI_BIN names the executable (default: build/bin/cosmati).
"""
import difflib
import os
import pathlib
import shlex
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent / "golden"


def output_of(binary: str, case: pathlib.Path) -> str:
    lines = [line for line in case.read_text().splitlines() if not line.startswith("#")]
    given = case.with_suffix(".in")
    done = subprocess.run(
        [binary, *shlex.split(" ".join(lines))],
        input=given.read_bytes() if given.exists() else b"",
        capture_output=True,
        cwd=FOLDER,
        env={**os.environ, "LC_ALL": "C", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    status = f"exit status {done.returncode}\n" if done.returncode else ""
    return done.stdout.decode() + done.stderr.decode() + status


def main() -> int:
    names = [a for a in sys.argv[1:] if a != "--update"]
    update = "--update" in sys.argv
    default = pathlib.Path(__file__).parents[1] / "build/bin/cosmati"
    binary = os.path.abspath(os.environ.get("COSMATI_BIN", default))
    passed = failed = 0
    for case in sorted(FOLDER.glob("*.cmd")):
        if names and case.stem not in names:
            continue
        golden = case.with_suffix(".out")
        wanted = golden.read_text() if golden.exists() else ""
        found = output_of(binary, case)
        if found == wanted:
            passed += 1
        elif update:
            golden.write_text(found)
            print(f"written: tests/golden/{golden.name}")
            passed += 1
        else:
            failed += 1
            print(f"{case.stem}: cosmati {case.read_text().strip()}")
            sys.stdout.writelines(
                line if line.endswith("\n") else line + "\n"
                for line in difflib.unified_diff(
                    wanted.splitlines(True), found.splitlines(True), "wanted", "found", n=2
                )
            )
    print(f"counts: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
