#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts single test cases:  summary.py BUILD JUNIT, or summary.py --unittest LOG

JUNIT is the file that `ctest --output-junit` wrote for the build folder BUILD. A CTest test that is a GoogleTest
executable counts as its cases (BUILD/results/NAME.json). A test that prints unittest's summary, or a line
`counts: N passed, N failed, N skipped`, counts as that says. Any other test counts as one. Prints `passed failed skipped`,
and the names of failed cases on standard error. With --unittest, LOG is the output of one program.
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

COUNTS = re.compile(r"^counts: (\d+) passed, (\d+) failed, (\d+) skipped$", re.M)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in", re.M)
UNITTEST_END = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$", re.M)


def count_gtest(path: pathlib.Path) -> tuple[list[str], int, int]:
    """The names of failed cases, and the numbers of passed and skipped cases."""
    failed, passed, skipped = [], 0, 0
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                failed.append(f"{suite['name']}.{case['name']}")
            elif case.get("status") == "NOTRUN" or case.get("result") == "SKIPPED":
                skipped += 1
            else:
                passed += 1
    return failed, passed, skipped


def count_text(text: str) -> tuple[int, int, int] | None:
    counts = COUNTS.findall(text)
    if counts:
        return tuple(int(n) for n in counts[-1])
    ran, end = UNITTEST_RAN.findall(text), UNITTEST_END.findall(text)
    if ran and end:
        parts = dict(re.findall(r"([a-z ]+)=(\d+)", end[-1]))
        parts = {name.strip(): int(number) for name, number in parts.items()}
        bad = parts.get("failures", 0) + parts.get("errors", 0) + parts.get("unexpected successes", 0)
        skipped = parts.get("skipped", 0)
        return max(int(ran[-1]) - bad - skipped, 0), bad, skipped
    return None


def count(build: pathlib.Path, junit: pathlib.Path) -> tuple[int, list[str], int]:
    passed, failed, skipped = 0, [], 0
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        name = case.get("name")
        good = case.get("status") == "run" and case.find("failure") is None
        told = case.find("skipped")
        if not good and told is not None and "SKIP" in told.get("message", ""):
            skipped += 1
            continue
        results = build / "results" / f"{name}.json"
        text = case.findtext("system-out") or ""
        if results.exists():
            names, p, s = count_gtest(results)
            names = [f"{name}: {n}" for n in names]
            if good and p + s == 0:
                s = 1  # all cases of the file need another compiler: shown, not hidden
        else:
            p, bad, s = count_text(text) or ((1, 0, 0) if good else (0, 1, 0))
            names = [name] * bad
        if not good and not names:
            names = [f"{name}: ended badly"]  # every case passed but the program failed, for example by a leak
        passed, skipped = passed + p, skipped + s
        failed += names
    return passed, failed, skipped


def main() -> int:
    if sys.argv[1] == "--unittest":
        print(*(count_text(pathlib.Path(sys.argv[2]).read_text()) or (0, 1, 0)))
        return 0
    passed, failed, skipped = count(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    for name, times in collections.Counter(failed).items():
        print(f"failed: {name}" + (f" ({times} cases)" if times > 1 else ""), file=sys.stderr)
    print(passed, len(failed), skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main())
