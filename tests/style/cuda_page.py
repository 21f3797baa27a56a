#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the tables of docs/cuda-files.md against the tests and the headers.

    cuda_page.py           the table of functions is what the tests call, and the absent names are declared nowhere
    cuda_page.py --write   writes the table of functions

A name of the table is declared by a header of include/cosmati/cuda and called by a file of tests/cuda_files. The names of the
section "What is not there" stand in no header.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/cuda-files.md"
BEGIN, END = "<!-- functions: made by tests/style/cuda_page.py --write -->", "<!-- functions end -->"
NAME = re.compile(r"\b((?:cuda|cu|nvtx|cublas|curand)[A-Z]\w+)\s*\(")
THRUST = re.compile(r"\bthrust::(\w+)")

# The header of a name, and the row of the table.
ROWS = {
    "memory.hpp": "memory and copies",
    "copy3d.hpp": "memory and copies",
    "array.hpp": "arrays, textures and surfaces",
    "pool.hpp": "pools of memory",
    "stream.hpp": "streams and events",
    "graph.hpp": "graphs",
    "graph_nodes.hpp": "graphs",
    "launch.hpp": "launches",
    "function.hpp": "kernels and occupancy",
    "cluster_occupancy.hpp": "kernels and occupancy",
    "device.hpp": "devices",
    "error.hpp": "errors",
    "driver.hpp": "driver interface",
    "entry_point.hpp": "driver interface",
    "nvtx.hpp": "profilers (nothing happens)",
    "cublas.hpp": "cuBLAS",
    "cublas_lt.hpp": "cuBLASLt",
    "curand_host.hpp": "cuRAND's arrays",
}


def declared() -> dict[str, str]:
    """The header of each function."""
    found = {}
    for header in ROWS:
        text = (ROOT / "include/cosmati/cuda" / header).read_text()
        names = re.findall(r"COSMATI_CUDA_API_\([^,]+,\s*(\w+)", text) + re.findall(r"^(?:inline )?[\w:]+ (\w+)\(", text, re.MULTILINE)
        # cuBLAS's families: `cublas##letter##axpy` of letters S and D, `cublasI##lower##amax`.
        names += re.findall(r"COSMATI_CUBLAS_(?:V2_)?\(\s*(\w+)", text)
        for family in re.findall(r"COSMATI_CUBLAS_(?:V2_)?\(\s*(cublas\w*##\w+##\w+)", text):
            names += [re.sub(r"##\w+##", letter if "##letter##" in family else letter.lower(), family) for letter in "SDH"]
        # cuBLASLt's descriptions, each with the same three functions.
        for family in re.findall(r"COSMATI_CUBLAS_LT_ATTRIBUTES_\(\s*(cublasLt\w+)", text):
            names += [family + word for word in ("Destroy", "SetAttribute", "GetAttribute")]
        for name in names:
            if re.match(r"(cuda|cu|nvtx|cublas|curand)[A-Z]", name):
                found.setdefault(name, header)
    return found


def called() -> set[str]:
    text = "\n".join(f.read_text() for f in sorted((ROOT / "tests/cuda_files").rglob("*.cu")))
    return set(NAME.findall(text)), set(THRUST.findall(text))


def table() -> str:
    headers = declared()
    runtime, thrust = called()
    rows: dict[str, list[str]] = {}
    for name in sorted(runtime & set(headers)):
        rows.setdefault(ROWS[headers[name]], []).append(name)
    lines = ["| subject | functions that the tests call |", "|---|---|"]
    for subject in dict.fromkeys(ROWS.values()):
        if subject in rows:
            lines.append(f"| {subject} | {', '.join(f'`{n}`' for n in rows[subject])} |")
    lines.append(f"| Thrust | {', '.join(f'`{n}`' for n in sorted(thrust))} |")
    return "\n".join(lines)


def problems() -> list[str]:
    text = PAGE.read_text()
    found = []
    if BEGIN not in text or END not in text:
        return [f"docs/cuda-files.md: the marks of the table are absent"]
    if text.split(BEGIN)[1].split(END)[0].strip() != table():
        found.append("docs/cuda-files.md: the table differs from the tests; run tests/style/cuda_page.py --write")
    absent = text.split("## What is not there")[1].split("\n## ")[0]
    headers = "\n".join(h.read_text() for h in sorted((ROOT / "include/cosmati/cuda").rglob("*.hpp")))
    for name in re.findall(r"`((?:cuda|cu|tex|surf)\w+)`", absent):
        if re.search(rf"\b{name}\b", headers):
            found.append(f"docs/cuda-files.md: {name} stands under 'What is not there', and a header declares it")
    return found


def main() -> int:
    if "--write" in sys.argv[1:]:
        text = PAGE.read_text()
        PAGE.write_text(text.split(BEGIN)[0] + BEGIN + "\n" + table() + "\n" + END + text.split(END)[1])
        return 0
    for problem in (found := problems()):
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
