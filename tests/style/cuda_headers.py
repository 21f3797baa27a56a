#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the table of CUDA's headers in the documents, and checks that each header has a test.

    cuda_headers.py [--write] [ROOT]      ROOT is the repository (default: two folders up)

A header of compat/cuda forwards to one of include/cosmati/cuda, whose first sentence says what there is. A test is a .cu
file of tests/cuda_files that includes the header by CUDA's name. Headers that forward to one header share a row. Those of
cuda/std share one, too, and those of a library's folder share a row and its tests. The table is in the file of docs that
has the lines BEGIN and END. --write writes it.
"""
import pathlib
import re
import sys

LIBRARIES = {"cub": "warps, blocks and devices", "nvtx3": "marks for a profiler", "thrust": "vectors and algorithms"}
BEGIN, END = "<!-- cuda headers: tests/style/cuda_headers.py writes this table -->", "<!-- end of cuda headers -->"
FORWARD = re.compile(r"#include <cosmati/(cuda/[\w/]+\.hpp)>")


def headers_of(root: pathlib.Path) -> dict[str, str]:
    """The headers by CUDA's names, each with the header that it forwards to."""
    base = root / "compat/cuda"
    found = {}
    for path in sorted(p for p in base.rglob("*") if p.is_file()):
        forward = FORWARD.search(path.read_text())
        found[str(path.relative_to(base))] = forward.group(1) if forward else ""
    return found


def tests_of(root: pathlib.Path) -> dict[str, list[str]]:
    tests: dict[str, list[str]] = {}
    for test in sorted((root / "tests/cuda_files").glob("*.cu*")):
        for name in re.findall(r"#include <([\w/.]+)>", test.read_text()):
            tests.setdefault(name, []).append(test.name)
    return tests


def what_it_provides(root: pathlib.Path, forward: str) -> str:
    """The first sentence of the file's comment, without its beginning `What CUDA's cuda_fp8.h provides:`."""
    comment = []
    for line in (root / "include/cosmati" / forward).read_text().split("/// @file\n", 1)[1].splitlines():
        if not line.startswith("/// "):
            break
        comment.append(line[4:])
    sentence = re.split(r"\.(?: |$)", " ".join(comment).replace(".h ", "\0"), maxsplit=1)[0].replace("\0", ".h ")
    return re.sub(r"^What CUDA's .*?(?:provides?|adds)[^:]*: ", "", sentence)


def table(root: pathlib.Path) -> tuple[str, list[str]]:
    """The table, and the headers without a test."""
    tests, rows, missing = tests_of(root), {}, []
    for name, forward in headers_of(root).items():
        folder = name.split("/")[0]
        if name not in tests and folder not in LIBRARIES:
            missing.append(name)
        key = "cuda/standard.hpp" if name.startswith("cuda/std/") else folder if folder in LIBRARIES else forward
        rows.setdefault(key, []).append(name)
    lines = ["| headers | there is | tests in `tests/cuda_files` |", "|---|---|---|"]
    for key, names in sorted(rows.items(), key=lambda row: row[1][0]):
        of_row = sorted({t for n in names for t in tests.get(n, [])}, key=lambda t: (t != key[5:-4] + ".cu", t))
        shown, provides = [f"`{n}`" for n in names], LIBRARIES.get(key) or (what_it_provides(root, key) if key else "")
        if key == "cuda/standard.hpp":
            shown = ["`cuda/std/` " + ", ".join(f"`{n[9:]}`" for n in names)]
        elif key in LIBRARIES:
            shown = [f"{len(names)} headers of `{key}/`"]
        more = f" and {len(of_row) - 3} more" if len(of_row) > 3 else ""
        lines.append(f"| {', '.join(shown)} | {provides} | {', '.join(f'`{t}`' for t in of_row[:3])}{more} |")
        if not of_row and key in LIBRARIES:
            missing.append(names[0])
    return "\n".join(lines), missing


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    documents = [d for d in sorted((root / "docs").glob("*.md")) if BEGIN in d.read_text()]
    if len(documents) != 1 or documents[0].read_text().count(END) != 1:
        print(f"docs: the lines `{BEGIN}` and `{END}` stand once each, in one file, around the table")
        return 1
    document, text = documents[0], documents[0].read_text()
    rows, missing = table(root)
    before, rest = text.split(BEGIN)
    wanted = f"{before}{BEGIN}\n{rows}\n{END}{rest.split(END)[1]}"
    for name in missing:
        print(f"compat/cuda/{name}: no file of tests/cuda_files includes <{name}>")
    if "--write" in sys.argv:
        document.write_text(wanted)
    elif wanted != text:
        print(f"docs/{document.name}: the table of CUDA's headers is old; run tests/style/cuda_headers.py --write")
        return 1
    print(f"{len(headers_of(root))} headers, {len(missing)} without a test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
