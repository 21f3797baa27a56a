#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layer test: headers include only lower layers, in one spelling, and stay short.

    layers.py [ROOT]        ROOT is the repository (default: two folders up)

Rules, for every header under include/cosmati/:
  * its folder is a layer of the table below;
  * it includes only its own layer and the ones the table lets it see;
  * an include of the library is spelled <cosmati/layer/file.hpp>;
  * it opens with the SPDX line and `#pragma once`;
  * after `#pragma once` it includes core/macros_begin.hpp, and its last line includes core/macros_end.hpp. This pair
    protects a header from the program's macros. The two files, their includes, and other files of macros are exceptions;
  * it has at most 400 lines, or stands in tests/style/long_headers.txt with a reason.
Rules for every header under compat/, the layer above all others:
  * it opens with the SPDX line and `#pragma once`; the first include is <cute/config.hpp>, which names the namespace;
  * it includes the library, compat/ itself and the standard library, in angle brackets; no thrust, no cuda/std;
  * a header whose contents are still missing has an #error instead.
The library includes no header of compat/.
A header directly in include/cosmati/ is an umbrella: <cosmati/tensor.hpp> is as high as layer `tensor`,
<cosmati/cosmati.hpp> is above everything. Umbrellas are for users; no layer includes one.
"""
import pathlib
import re
import sys

LEVEL = {
    "core": 0,
    "number": 0,
    "host": 0,
    "layout": 1,
    "tensor": 2,
    "atom": 3,
    "arch": 4,
    "tiled": 5,
    "algorithm": 6,
    "pipeline": 7,
    "runtime": 7,
    "cuda": 8,
    "tma": 8,
    "kernel": 9,
}
BESIDE = {  # layers at the side, and what each may see except itself
    "analysis": {"core", "number", "layout", "tensor", "atom", "tiled"},
    "render": {"core", "host", "number", "layout", "tensor", "atom", "tiled", "analysis"},
    "interop": {"core", "number", "layout", "tensor"},
}
LIMIT = 400
COMPAT = ("cute", "cutlass")  # folders of compat/
END_OF_COMPILATION = ("cosmati/this_is_the_end_of_the_compilation_see_the_error_above",)  # absent on purpose
BEGIN, END = (f"#include <cosmati/core/macros_{which}.hpp>" for which in ("begin", "end"))
OF_MACROS = re.compile(r"core/macros?_(begin|end|aside|back|letters|letters_aside|letters_back)\.hpp$|atom/macros_gmma_(sparse_)?(begin|end)\.hpp$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def may_see(layer: str) -> set[str]:
    if layer in BESIDE:
        return BESIDE[layer] | {layer}
    if layer in ("number", "host"):  # on the floor of `core`, which knows neither number formats nor files
        return {"core", layer}
    return {other for other, level in LEVEL.items() if level < LEVEL[layer]} | {layer}


def long_headers(root: pathlib.Path) -> dict[str, str]:
    """Lines `path: reason`."""
    listed = root / "tests/style/long_headers.txt"
    reasons = {}
    if listed.exists():
        for line in listed.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                path, _, reason = line.partition(":")
                reasons[path.strip()] = reason.strip()
    return reasons


def problems_of_frame(name: str, lines: list[str]) -> list[str]:
    """Faults of a header's `#pragma once`, and of the includes that protect it from the program's macros."""
    if OF_MACROS.search(name):
        return []
    if "#pragma once" not in lines:
        return [f"{name}: no #pragma once"]
    behind = lines[lines.index("#pragma once") + 1 :]
    problems = []
    if not behind or behind[0] != BEGIN:
        problems.append(f"{name}: write {BEGIN} in the line behind #pragma once")
    if lines[-1] != END:
        problems.append(f"{name}: write {END} as the last line")
    return problems


def circles(root: pathlib.Path) -> list[str]:
    """Headers that include each other, or a header that includes another which leads back to it."""
    base = root / "include"
    includes = {
        f"cosmati/{h.relative_to(base / 'cosmati')}": [m[2] for m in map(INCLUDE.match, h.read_text().splitlines()) if m]
        for h in sorted((base / "cosmati").rglob("*.hpp"))
    }
    problems, done = [], set()

    def visit(header: str, way: list[str]):
        if header in way:
            problems.append(f"{' -> '.join(way[way.index(header) :] + [header])}: headers include each other; move what both need")
        elif header not in done:
            for target in includes.get(header, []):
                visit(target, [*way, header])
            done.add(header)

    for header in includes:
        visit(header, [])
    return problems


def check(root: pathlib.Path) -> tuple[list[str], int]:
    problems = []
    base = root / "include/cosmati"
    allowed = long_headers(root)
    headers = sorted(base.rglob("*.hpp"))
    for header in headers:
        inside = header.relative_to(base)
        name = str(header.relative_to(root))
        umbrella = len(inside.parts) == 1
        layer = inside.stem if umbrella else inside.parts[0]
        if not umbrella and layer not in LEVEL and layer not in BESIDE:
            problems.append(f"{name}: `{layer}` is no layer; see the table in tests/style/layers.py")
            continue
        sees = may_see(layer) if layer in LEVEL or layer in BESIDE else None  # None: the umbrella over all layers
        text = header.read_text()
        lines = text.splitlines()
        if not lines or lines[0] != "// SPDX-License-Identifier: Apache-2.0":
            problems.append(f"{name}:1: the first line is not the SPDX line")
        problems += problems_of_frame(name, lines)
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            bracket, target = match.groups()
            if bracket == '"':
                problems.append(f'{name}:{number}: write <cosmati/...> instead of "{target}"')
                continue
            parts = target.split("/")
            if parts[0] in COMPAT:
                problems.append(f"{name}:{number}: <{target}> forwards to the library; the library does not include it")
            if parts[0] != "cosmati":
                continue
            if len(parts) == 2 and not umbrella:
                problems.append(f"{name}:{number}: <{target}> is an umbrella, for users; include what is used")
            elif len(parts) > 2 and sees is not None and parts[1] not in sees:
                problems.append(f"{name}:{number}: layer {layer} does not see {parts[1]} (<{target}> points up)")
            if not (root / "include" / target).exists():
                problems.append(f"{name}:{number}: <{target}> does not exist")
        if len(lines) > LIMIT and not allowed.get(name):
            problems.append(
                f"{name}: {len(lines)} lines, {LIMIT} at most: split it, or give a reason in tests/style/long_headers.txt"
            )
    for name in allowed:
        if not (root / name).exists():
            problems.append(f"tests/style/long_headers.txt: {name} does not exist")
    return problems + circles(root), len(headers)


def compat_problems(root: pathlib.Path) -> tuple[list[str], int]:
    """Faults of the headers of compat/."""
    problems = []
    headers = sorted(h for folder in COMPAT for h in (root / "compat" / folder).rglob("*.h*"))
    for header in headers:
        name = str(header.relative_to(root))
        lines = header.read_text().splitlines()
        if not lines or lines[0] != "// SPDX-License-Identifier: Apache-2.0":
            problems.append(f"{name}:1: the first line is not the SPDX line")
        if "#pragma once" not in lines:
            problems.append(f"{name}: no #pragma once")
        found = [(number, *m.groups()) for number, line in enumerate(lines, 1) if (m := INCLUDE.match(line))]
        if not found and any(line.startswith("#error") for line in lines):
            continue
        if name != "compat/cute/config.hpp" and (not found or found[0][2] != "cute/config.hpp"):
            problems.append(f"{name}: the first include is not <cute/config.hpp>, which names the namespace")
        for number, bracket, target in found:
            first = target.split("/")[0]
            if bracket == '"':
                problems.append(f'{name}:{number}: write <...> instead of "{target}"')
            elif first in ("thrust", "cuda", "cub"):
                problems.append(f"{name}:{number}: <{target}> is not ours to include: it costs every user seconds")
            elif first in COMPAT and not (root / "compat" / target).exists():
                problems.append(f"{name}:{number}: <{target}> does not exist")
            elif first == "cosmati" and not (root / "include" / target).exists() and target not in END_OF_COMPILATION:
                problems.append(f"{name}:{number}: <{target}> does not exist")
    return problems, len(headers)


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    problems, count = check(root)
    of_compat, count_of_compat = compat_problems(root)
    problems += of_compat
    count += count_of_compat
    for problem in problems:
        print(problem)
    print(f"{count} headers, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
