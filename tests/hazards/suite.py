# SPDX-License-Identifier: Apache-2.0
"""The correct kernels of this folder and their mutants, as texts. run.py (the simulated device) and gpu.py use them."""
from __future__ import annotations

import dataclasses
import pathlib
import re
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("out_of_bounds misaligned race uninitialized missing_wait missing_commit missing_barrier missing_proxy_fence "
         "mbarrier deadlock divergence wrong_space invalid_argument").split()


INCLUDE_LINE = re.compile(r"^#include <cosmati/[\w/]+\.hpp>$", re.M)


class Mistake(Exception):
    """An entry of mutants.toml that does not fit the originals."""


def only_line(lines: list[str], text: str, where: str) -> int:
    """The index of the one line that holds the text."""
    found = [i for i, line in enumerate(lines) if text in line]
    if len(found) != 1:
        raise Mistake(f"{where}: {len(found)} lines hold {text!r}, it must be one")
    return found[0]


@dataclasses.dataclass
class Variant:
    """One program: an original, a legal pattern, or a mutant of an original or pattern."""
    name: str  # "03_transpose_padded" or "03_transpose_padded.no_barrier"
    path: pathlib.Path  # of the original
    lines: list[str]
    mutant: dict | None = None
    changed: int = 0  # the line that was changed or moved, counted from 1
    at: dict[int, str] = dataclasses.field(default_factory=dict)  # the lines a report may name, from 1
    folder: str = "originals"

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def includes(self) -> list[str]:
        """The lines that include the library's headers."""
        return INCLUDE_LINE.findall(self.text)

    @property
    def body(self) -> str:
        """The text with empty lines in the place of its includes."""
        return INCLUDE_LINE.sub("", self.text)

    @property
    def only_wrong(self) -> bool:
        """Whether nothing but the result tells that the mutant is wrong."""
        return self.mutant is not None and bool(self.mutant.get("wrong_result"))


def mutate(original: Variant, m: dict) -> Variant:
    name = f"{m['of']}.{m['name']}"
    lines = list(original.lines)
    i = only_line(lines, m["line"], name)
    changed = i
    if m.get("drop"):
        # The line stays, empty: the others keep their numbers. A comment shows which it was.
        lines[i] = "  // left out: " + lines[i].strip()
    elif "write" in m:
        old, new = m["write"]
        if lines[i].count(old) != 1:
            raise Mistake(f"{name}: {old!r} stands {lines[i].count(old)} times in {lines[i].strip()!r}, it must be once")
        lines[i] = lines[i].replace(old, new)
    elif "below" in m:
        j = only_line(lines, m["below"], name)
        moved = lines.pop(i)
        changed = j if j > i else j + 1
        lines.insert(changed, moved)
    else:
        raise Mistake(f"{name}: says neither drop, write nor below")
    if m.get("wrong_result"):
        m = {**m, "kinds": [], "at": []}
    unknown = [k for k in m["kinds"] if k not in KINDS]
    if unknown or not (m["kinds"] or m.get("wrong_result")):
        raise Mistake(f"{name}: kinds {m['kinds']}")
    at = {only_line(lines, text, name) + 1: text for text in m["at"]}
    return Variant(name, original.path, lines, m, changed + 1, at)


def variants() -> list[Variant]:
    """Originals and patterns by name, each followed by its mutants."""
    table = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]
    names = [f"{m['of']}.{m['name']}" for m in table]
    if len(set(names)) != len(names):
        raise Mistake(f"names that occur twice: {sorted(n for n in set(names) if names.count(n) > 1)}")
    result = []
    for folder in ("originals", "legal"):
        for path in sorted((HERE / folder).glob("*.cpp")):
            original = Variant(path.stem, path, path.read_text().splitlines(), folder=folder)
            result += [original] + [mutate(original, m) for m in table if m["of"] == path.stem]
    known = {v.name for v in result}
    if lost := [n for n in names if n not in known]:
        raise Mistake(f"mutants of no original: {lost}")
    return result
