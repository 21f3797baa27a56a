#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the names of CuTe that programs use. Each is in compat/ or said to be absent, and docs/cute.md says which.

    names.py [COMPILER]          compiles a use of every name; COMPILER is g++, clang++ or a path to one (default: g++)
    names.py --write             writes docs/cute.md from names.csv, and from projects.csv what public programs needed

names.csv has a line for each name: its kind (name of the namespace `cute`, a namespace in it, macro, member), CuTe's header, the
state (same, better, absent), for a member an expression, and the difference. The use of an absent name must not compile, so
that the table changes when the name is added. Every other name needs a test or program that uses it, which the table names.
Exit status 77 (skipped) if there is no such compiler.
"""
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCUMENT = ROOT / "docs/cute.md"
STATES = ("same", "better", "absent")
TESTS = ("tests/compat/*.cpp", "bench/cute/programs/*.cu", "tests/unit/*/*.cpp", "tests/unit/*/*/*.cpp", "tests/sim/*.cpp", "tests/device/*.cpp",
         "tests/device/copy/*.cpp", "tests/property/*.cpp", "tests/compile_fail/*.cpp", "examples/*.cpp")
MEMBERS = """
auto tiled_copy = make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, Layout<_4>{}, Layout<_1>{});
auto thr_copy = tiled_copy.get_slice(0);
auto thr_mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_2, _2>>{}).get_slice(0);
float memory[16];
auto tensor = make_tensor(&memory[0], Shape<_4, _4>{});
auto fragment = make_fragment_like(thr_copy.partition_D(make_tensor(&memory[0], Layout<_16>{})));
"""


def read() -> list[dict[str, str]]:
    with (HERE / "names.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def use_of(row: dict[str, str]) -> str:
    if row["kind"] == "macro":
        return f"#if !defined({row['name']})\n#error \"{row['name']}\"\n#endif"
    if row["kind"] == "member" and row["shown"]:
        expression = row["shown"]
        if "(tensor)" in expression and "thr_copy" in expression:
            expression = expression.replace("(tensor)", "(make_tensor(&memory[0], Layout<_16>{}))")
        return f"inline void use_{row['name']}() {{\n{MEMBERS}\n(void)({expression}); (void)fragment; (void)tensor; (void)thr_mma;\n}}"
    if row["kind"] == "namespace":
        return f"namespace names {{ namespace {row['name']} = cute::{row['name']}; }}"
    return f"namespace names {{ using cute::{row['name']}; }}"


def program(rows: list[dict[str, str]], headers: list[str]) -> str:
    includes = "".join(f"#include <cute/{header}>\n" for header in headers)
    return f"{includes}using namespace cute;\n" + "\n".join(f"#line 1 \"{row['name']}\"\n{use_of(row)}" for row in rows)


def errors_by_name(compiler: str, rows: list[dict[str, str]], headers: list[str]) -> tuple[set[str], str]:
    """The names whose use the compiler refuses, and its whole output."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "names.cpp"
        source.write_text(program(rows, headers))
        limit = ["-ferror-limit=0"] if "clang" in compiler else ["-fmax-errors=0"]
        command = [compiler, "-std=c++20", "-fsyntax-only", "-w", *limit, f"-I{ROOT / 'compat'}", str(source)]
        said = subprocess.run(command, capture_output=True, text=True).stderr
    names = {row["name"] for row in rows}
    return {m[1] for m in re.finditer(r"^(\w+):\d+(?::\d+)?: (?:fatal )?error", said, re.MULTILINE) if m[1] in names}, said


def tests_that_are_named(wanted: set[str]) -> dict[str, str]:
    """The file that the document names for each name, where that file still uses the name, so that a new test does not make the document stale."""
    text = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    named = {m[1]: m[2] for m in re.finditer(r"^\| `(\w+)` \|.*\| `([^`|]+)` \|$", text, re.MULTILINE)}
    return {name: path for name, path in named.items()
            if name in wanted and (ROOT / path).exists() and re.search(rf"\b{name}\b", (ROOT / path).read_text())}


def tests_by_name(rows: list[dict[str, str]]) -> dict[str, str]:
    """A file that uses each name: the one that the document names if it still does, else the first."""
    wanted = {row["name"] for row in rows if row["state"] != "absent"}
    shown = tests_that_are_named(wanted)
    for pattern in TESTS:
        for path in sorted(ROOT.glob(pattern)):
            for word in set(re.findall(r"\w+", path.read_text())) & wanted:
                shown.setdefault(word, str(path.relative_to(ROOT)))
    return shown


def document(rows: list[dict[str, str]]) -> str:
    shown = tests_by_name(rows)
    counts = {state: sum(row["state"] == state for row in rows) for state in STATES}
    lines = [
        "# CuTe's names",
        "",
        f"The {len(rows)} names of CuTe that its tutorials and tests use, through the folder `compat/` ([coming-from-cute.md](coming-from-cute.md)). "
        f"{counts['same']} are there with the same meaning, {counts['better']} are there and refuse or do right what CuTe lets pass, {counts['absent']} are absent. "
        "`tests/compat/names.py --write` makes this page from `tests/compat/names.csv`; the test `compat_names` compiles a use of each name.",
        "",
        "| name | CuTe's header | state | what differs | shown by |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        note = row["note"].replace("|", "\\|").replace("<cute/util/print_latex.hpp>", "`<cute/util/print_latex.hpp>`")
        test = f"`{shown[row['name']]}`" if row["name"] in shown else ""
        lines.append(f"| `{row['name']}` | `cute/{row['header']}` | {row['state']} | {note} | {test} |")
    return "\n".join(lines + projects()) + "\n"


def projects() -> list[str]:
    """The section on other people's programs, from projects.csv."""
    with (HERE / "projects.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    lines = [
        "",
        "## Public programs",
        "",
        "Kernels of public projects that use CuTe below Hopper, compiled by nvcc 13.0 with `-I compat` and `--expt-relaxed-constexpr`, as the projects ask for. "
        "PyTorch's headers were stood in for. What a program needed is in `compat/` now, where the outcome is that it compiles.",
        "",
        "| project | file | commit | what it is | outcome | what it needed |",
        "|---|---|---|---|---|---|",
    ]
    lines += [f"| {row['repository']} | `{row['path']}` | `{row['commit']}` | {row['what it is']} | {row['outcome']} | {row['what it needed']} |" for row in found]
    return lines


def problems_of(rows: list[dict[str, str]], compiler: str) -> list[str]:
    problems = [f"names.csv: {row['name']}: state `{row['state']}` is none of {', '.join(STATES)}" for row in rows if row["state"] not in STATES]
    problems += [f"names.csv: {row['name']}: say what is better" for row in rows if row["state"] == "better" and not row["note"]]
    problems += [f"names.csv: {row['name']}: say why it is absent" for row in rows if row["state"] == "absent" and not row["note"]]
    problems += [f"{row['name']}: compat/cute/{row['header']} is not there" for row in rows if not (ROOT / "compat/cute" / row["header"]).exists()]
    there = [row for row in rows if row["state"] != "absent"]
    absent = [row for row in rows if row["state"] == "absent" and row["kind"] in ("name", "namespace")]
    usable = [h for h in sorted({row["header"] for row in rows}) if "#error" not in (ROOT / "compat/cute" / h).read_text() or h == "config.hpp"]
    refused, said = errors_by_name(compiler, there, ["tensor.hpp", *usable])
    problems += [f"{name}: names.csv says that it is there, and {compiler} does not find it" for name in sorted(refused)]
    if not refused and "error" in said:
        problems.append(said[:2000])
    still, _ = errors_by_name(compiler, absent, ["tensor.hpp", *usable])
    problems += [f"{row['name']}: it is there now: change its state in names.csv" for row in absent if row["name"] not in still]
    shown = tests_by_name(rows)
    problems += [f"{row['name']}: no test and no program uses it" for row in there if row["name"] not in shown]
    if not DOCUMENT.exists() or DOCUMENT.read_text() != document(rows):
        problems.append("docs/cute.md is not what names.csv says: tests/compat/names.py --write")
    return problems


def main() -> int:
    rows = read()
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(document(rows))
        return 0
    compiler = sys.argv[1] if len(sys.argv) > 1 else "g++"
    if shutil.which(compiler) is None:
        print(f"skipped: no {compiler}")
        return 77
    problems = problems_of(rows, compiler)
    for problem in problems:
        print(problem)
    print(f"counts: {len(rows) - len(problems)} passed, {len(problems)} failed, 0 skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
