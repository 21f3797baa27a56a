#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks docs/how-a-copy-works.md against the code that it follows.

    copy_page.py [--update] [ROOT]      ROOT is the repository (default: two folders up)

  * each link names a file that exists, and each `#heading` a heading of that document;
  * a table's row `| [file](path) | lines | ... |` has the file's number of lines, and the sentence below has their sum;
  * each function that a row names in backticks with parentheses is defined in the row's file;
  * the table lists every header of include/cosmati/algorithm/copy/, those of check/ too;
  * the instructions of the block ```ptx stand in nvcc's output for examples/01_through_shared.cpp, in that order. Names of
    registers do not count. Without nvcc this is not checked.

The page's code is compared with the headers by tests/style/snippets.py (`<!-- file: path -->`). --update writes the numbers of
lines. Exit status 1 if something is wrong.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "docs/how-a-copy-works.md"
PROGRAM = "examples/01_through_shared.cpp"
COPY = "include/cosmati/algorithm/copy"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ROW = re.compile(r"^\| \[[^\]]*\]\(\.\./([^)]+)\) \| (\d+) \|(.*)\|$")
TOTAL = re.compile(r"(\d+) lines in (\d+) files")
FUNCTION = re.compile(r"`(\w+)(?:<[^`]*>)?\([^`]*\)`")


def lines_of(path: pathlib.Path) -> int:
    return len(path.read_text().splitlines())


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def broken_links(root: pathlib.Path, text: str) -> list[str]:
    problems = []
    for target in LINK.findall(text):
        if "://" in target:
            continue
        name, _, heading = target.partition("#")
        path = (root / PAGE).parent / name if name else root / PAGE
        if not path.exists():
            problems.append(f"{PAGE}: the link {target} leads to no file")
        elif heading and heading not in {anchor(h) for h in re.findall(r"^#+ (.*)$", path.read_text(), re.M)}:
            problems.append(f"{PAGE}: {path.name} has no heading #{heading}")
    return problems


def wrong_rows(root: pathlib.Path, text: str) -> list[str]:
    problems, listed, total = [], set(), 0
    for line in text.splitlines():
        if not (row := ROW.match(line)):
            continue
        name, said, rest = row[1], int(row[2]), row[3]
        if not (root / name).exists():
            continue  # a broken link
        listed.add(name)
        total += said
        found = lines_of(root / name)
        if said != found:
            problems.append(f"{PAGE}: {name} has {found} lines, not {said}; tests/style/copy_page.py --update writes the number")
        code = (root / name).read_text()
        problems += [f"{PAGE}: {name} defines no {function}" for function in FUNCTION.findall(rest)
                     if not re.search(rf"^[^/\n]*\b{function}\(", code, re.M)]
    problems += [f"{PAGE}: the table lacks {header}"
                 for header in sorted(str(p.relative_to(root)) for p in (root / COPY).rglob("*.hpp")) if header not in listed]
    for said, files in TOTAL.findall(text):
        if (int(said), int(files)) != (total, len(listed)):
            problems.append(f"{PAGE}: {said} lines in {files} files are {total} lines in {len(listed)} files")
    return problems


def instructions(ptx: str) -> list[str]:
    """The names of instructions, without predicates, operands and registers."""
    found = (re.match(r"\s*(?:@!?%\w+\s+)?([a-z][\w.:]+)\s", line) for line in ptx.splitlines())
    return [m[1] for m in found if m]


def missing_instructions(root: pathlib.Path, text: str) -> list[str]:
    wanted = [i for block in re.findall(r"^```ptx\n(.*?)^```", text, re.M | re.S) for i in instructions(block)]
    if not wanted:
        return [f"{PAGE}: no block ```ptx"]
    compiler = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not compiler:
        return []
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "program.ptx")
        subprocess.run([compiler, "-std=c++20", "-O3", "-arch=sm_90a", "-Iinclude", "-x", "cu", "-ptx", PROGRAM, "-o", out],
                       cwd=root, check=True)
        made = iter(instructions(out.read_text()))
    for instruction in wanted:
        if instruction not in made:
            return [f"{PAGE}: {instruction} is not in the PTX of {PROGRAM}, or not behind the instructions above it"]
    return []


def updated(root: pathlib.Path, text: str) -> str:
    """The text with the files' numbers of lines."""
    lines, total, files = text.splitlines(keepends=True), 0, 0
    for i, line in enumerate(lines):
        row = ROW.match(line.rstrip("\n"))
        if row and (root / row[1]).exists():
            found = lines_of(root / row[1])
            lines[i] = line.replace(f"| {row[2]} |", f"| {found} |", 1)
            total, files = total + found, files + 1
    return TOTAL.sub(f"{total} lines in {files} files", "".join(lines))


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    page = root / PAGE
    if "--update" in sys.argv:
        page.write_text(updated(root, page.read_text()))
    text = page.read_text()
    problems = broken_links(root, text) + wrong_rows(root, text) + missing_instructions(root, text)
    for problem in problems:
        print(problem)
    print(f"{PAGE}: {len(LINK.findall(text))} links, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
