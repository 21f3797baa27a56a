#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of mutants into docs/hazards.md:  table.py [--results hazards.json] [--check]

The table has three sources: mutants.toml; the file that `run.py --results` wrote, with the kind and the line that the simulated
device reported; and sanitizer.csv.gz in this folder, which gpu.py wrote on a GPU. The last has the tools that report the mutant,
and what the mutant does without a tool. Without --results the kinds and lines of the document stay. --check only says whether
the document has the right mutants.
"""
from __future__ import annotations

import argparse
import csv
import gzip
import json
import pathlib
import re
import sys

from suite import HERE, Variant, variants

DOCUMENT = HERE.parents[1] / "docs/hazards.md"
BEGIN, END = "<!-- evidence: begin -->", "<!-- evidence: end -->"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


def change_of(v: Variant) -> str:
    m = v.mutant or {}
    original = v.path.read_text().splitlines()
    line = next(text for text in original if m["line"] in text)
    code = re.sub(r"\s*//.*", "", line).strip().replace("|", "\\|")
    if m.get("drop"):
        return f"without `{code}`"
    if "write" in m:
        return f"`{m['write'][0]}` -> `{m['write'][1]}`"
    below = re.sub(r"\s*//.*", "", next(text for text in original if m["below"] in text)).strip()
    return f"`{code}` below `{below}`"


def main() -> int:
    parser = argparse.ArgumentParser(description="The table of mutants in docs/hazards.md")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = DOCUMENT.read_text()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    every = variants()
    mutants = [v for v in every if v.mutant]
    originals = [v for v in every if not v.mutant and v.folder == "originals"]
    if options.check:
        shown = set(re.findall(r"^\| `([\w.]+)` ", old, re.M))
        lost = [v.name for v in mutants if v.name not in shown] + sorted(shown - {v.name for v in mutants})
        print(f"docs/hazards.md lacks, or has too many: {', '.join(lost)}; run tests/hazards/table.py" if lost else
              f"{len(mutants)} mutants stand in docs/hazards.md")
        return 1 if lost else 0
    results = json.loads(options.results.read_text()) if options.results else {}
    gpu: dict[str, dict[str, str]] = {}
    path = HERE / "sanitizer.csv.gz"
    if path.exists():
        for row in csv.DictReader(gzip.open(path, "rt", newline="")):
            if row["name"] != "name":
                gpu.setdefault(row["name"], {})[row["tool"]] = row["verdict"]

    def reported(v: Variant) -> tuple[str, str]:
        if v.only_wrong:
            return "wrong result", ""
        found = [h for r in results.get(v.name, []) for h in r["hazards"][:1]]
        if not found:
            for line in old.splitlines():
                cells = [c.strip() for c in line.strip("|").split("|")]
                if line.startswith(f"| `{v.name}` |") and len(cells) >= 5:
                    return cells[-4], cells[-3]
            return "", ""
        h = found[0]
        kind = h["kind"] + (" (review)" if h.get("severity") == "review" else "")
        return kind, str(h.get("line") or "") + (f", {h['other_line']}" if h.get("other_line") else "")

    def of_gpu(v: Variant) -> tuple[str, str]:
        verdicts = gpu.get(v.name)
        if not verdicts:
            return "", ""
        tools = [t for t in TOOLS if verdicts.get(t) == "reports"]
        return verdicts.get("plain", ""), ", ".join(tools) or "**missed**"

    out = []
    measured = [v for v in mutants if v.name in gpu]
    if measured:
        missed = [v for v in measured if of_gpu(v)[1] == "**missed**"]
        silent = [v for v in missed if of_gpu(v)[0] == "right"]
        sound = [v for v in originals if v.name in gpu and all(
            verdict in ("right", "clean") for verdict in gpu[v.name].values())]
        out += [f"On an H200, {len(sound)} of {len([v for v in originals if v.name in gpu])} correct kernels are right, and "
                f"clean under all four tools. Of {len(measured)} mutants, compute-sanitizer reports "
                f"{len(measured) - len(missed)} by one tool or more, and misses {len(missed)}. Of the missed mutants, {len(silent)} "
                "give the right result. A tool that hangs with its kernel has not reported it.", ""]
        out += ["| kind (the first, if several fit) | mutants | reported by compute-sanitizer | right results without a tool |",
                "|---|---|---|---|"]
        of_kind: dict[str, list[Variant]] = {}
        for v in measured:
            m = v.mutant or {}
            of_kind.setdefault("wrong result" if v.only_wrong else m["kinds"][0] + (" (review)" if m.get("review") else ""), []).append(v)
        for kind, some in sorted(of_kind.items()):
            tools = [f"{n} {t}" for t in TOOLS if (n := sum(gpu[v.name].get(t) == "reports" for v in some))]
            found = sum(of_gpu(v)[1] != "**missed**" for v in some)
            right = sum(of_gpu(v)[0] == "right" for v in some)
            out.append(f"| {kind} | {len(some)} | {found}{' (' + ', '.join(tools) + ')' if tools else ''} | {right} |")
        out.append("")
    of = {v.mutant["of"] for v in mutants}
    apart = sorted(of - {v.name for v in originals})
    out += [f"{len(mutants)} mutants of {len(of)} kernels. The originals {', '.join(apart)} stand in `legal/`: they are correct too, but a tool "
            "takes them for wrong. Lines are those that the report names, in the mutant.", ""]
    out += ["| mutant | the change | reported | lines | on the H200 | compute-sanitizer |", "|---|---|---|---|---|---|"]
    for v in mutants:
        kind, lines = reported(v)
        out.append(f"| `{v.name}` | {change_of(v)} | {kind} | {lines} | {' | '.join(of_gpu(v))} |".replace("||", "| |"))
    DOCUMENT.write_text(head + BEGIN + "\n" + "\n".join(out) + "\n" + END + tail)
    print(f"{len(mutants)} mutants, {len(measured)} of them measured on a GPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
