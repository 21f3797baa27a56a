#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a header has a test of the same stem, or stands in tested_elsewhere.txt with its other test.

    stems.py [ROOT]      ROOT is the repository (default: two folders up)
    stems.py --missing   lists the headers without a test of the same stem

The test of FOLDER/STEM.hpp is tests/unit/FOLDER/STEM.cpp, or a STEM.cpp that includes <cosmati/FOLDER/STEM.hpp> by name
in one of the folders ELSEWHERE of tests. The test of cuda/STEM.hpp is tests/cuda_files/STEM.cu, or a .cu of that folder
that includes a header of compat/cuda which forwards to it. The tests that the list names exist, no header of the list has a test of its own,
and at least AT_LEAST percent of the headers have one. No file of the tests has more than MOST_LINES lines.
"""
import fnmatch
import pathlib
import re
import sys

AT_LEAST = 80
ELSEWHERE = ("cuda_code", "device", "planner", "property", "sim")  # tests that run, or compare machine code
MOST_LINES = 600
OF_MACROS = re.compile(r"core/macros?_\w+\.hpp$")


def headers_of(root: pathlib.Path) -> list[str]:
    base = root / "include/cosmati"
    return sorted(n for n in (str(h.relative_to(base)) for h in base.rglob("*.hpp")) if not OF_MACROS.search(n))


def listed(root: pathlib.Path) -> dict[str, str]:
    """Lines `path or pattern: reason`."""
    reasons = {}
    for line in (root / "tests/style/tested_elsewhere.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            path, _, reason = line.partition(":")
            reasons[path.strip()] = reason.strip()
    return reasons


def tested_headers(root: pathlib.Path, headers: list[str]) -> set[str]:
    """Those with a test of the same stem."""
    unit = {str(t.relative_to(root / "tests/unit").with_suffix(".hpp")) for t in (root / "tests/unit").rglob("*.cpp")}
    tested = set(headers) & unit
    cuda_files = {t.stem for t in (root / "tests/cuda_files").rglob("*.cu")}
    tested |= {h for h in headers if h.startswith("cuda/") and pathlib.PurePath(h).stem in cuda_files}
    elsewhere = [t for folder in ELSEWHERE for t in (root / "tests" / folder).rglob("*.cpp")]
    for test in elsewhere:
        named = {h for h in headers if pathlib.PurePath(h).stem == test.stem}
        tested |= named & set(re.findall(r"#include <cosmati/([\w/]+\.hpp)>", test.read_text()))
    return tested | set(headers) & tested_by_cuda_files(root)


def tested_by_cuda_files(root: pathlib.Path) -> set[str]:
    tested = set()
    for test in (root / "tests/cuda_files").glob("*.cu"):
        tested.add(f"cuda/{test.stem}.hpp")
        for name in re.findall(r"#include <([\w/.]+)>", test.read_text()):
            forwards = root / "compat/cuda" / name
            if forwards.is_file():
                tested |= set(re.findall(r"#include <cosmati/(cuda/[\w/]+\.hpp)>", forwards.read_text()))
    return tested


def check(root: pathlib.Path) -> tuple[list[str], list[str], int]:
    """Problems, headers without a test of the same stem, and the number of headers."""
    headers, reasons = headers_of(root), listed(root)
    tested = tested_headers(root, headers)
    missing = [h for h in headers if h not in tested]
    problems = []
    for header in missing:
        if not any(fnmatch.fnmatch(header, pattern) for pattern in reasons):
            test = pathlib.PurePath(header).with_suffix(".cpp")
            problems.append(f"include/cosmati/{header}: it has no test of the same stem; write tests/unit/{test}, or name its test in tests/style/tested_elsewhere.txt")
    for pattern, reason in reasons.items():
        if not any(fnmatch.fnmatch(header, pattern) for header in missing):
            problems.append(f"tests/style/tested_elsewhere.txt: no header without a test is {pattern}")
        if not reason:
            problems.append(f"tests/style/tested_elsewhere.txt: {pattern} has no reason")
        for test in re.findall(r"\btests/[\w/]+(?:\.cpp)?", reason):
            if not (root / test).exists():
                problems.append(f"tests/style/tested_elsewhere.txt: {pattern}: {test} does not exist")
    share = 100 * (len(headers) - len(missing)) / len(headers) if headers else 0
    if share < AT_LEAST:
        problems.append(f"{share:.1f} % of the headers have a test of the same stem, at least {AT_LEAST} % are wanted")
    for test in sorted((root / "tests").rglob("*.[ch]pp")):
        lines = len(test.read_text().splitlines())
        if lines > MOST_LINES:
            problems.append(f"{test.relative_to(root)}: {lines} lines, {MOST_LINES} at most: split it by what it tests")
    return problems, missing, len(headers)


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--missing"]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    problems, missing, count = check(root)
    if "--missing" in sys.argv:
        print("\n".join(missing))
        return 0
    for problem in problems:
        print(problem)
    print(f"{count} headers, {count - len(missing)} with a test of the same stem, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
