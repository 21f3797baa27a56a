#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws pictures of ordinary inputs with `cosmati draw`, `cosmati report` and `cosmati sim`. tests/cli/pictures.py compares them.

    scripts/ordinary_pictures.py [FOLDER]    writes them into FOLDER, by default docs/pictures"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati"))
HALVES = ["--atom", "UniversalCopy<uint128_t>", "--thr", "(16,8):(8,1)"]
MMA = ["--mma", "SM80_16x8x16_F32F16F16F32_TN"]
STAGE = ["--atom", "SM75_U32x4_LDSM_N", "--type", "half", *MMA, "--atom-layout", "(2,2,1)", "--permutation", "(32,32,16)", "--operand", "A"]
DRAWN = {  # name -> arguments of `cosmati draw`
    "copy-half": [*HALVES, "--type", "half", "--val", "(1,8)"],
    "copy-float": ["--atom", "UniversalCopy<uint128_t>", "--type", "float", "--thr", "(16,8)", "--val", "(4,1)"],
    "tile-16x64": ["--atom", "UniversalCopy<uint128_t>", "--type", "float", "--thr", "(16,16):(16,1)", "--val", "(1,4)"],
    "swizzle": ["Sw<3,3,3> o 0 o (8,64):(64,1)"],
    "mma-16x8x16": MMA,
    "mma-2x1": ["--mma", "SM80_16x8x8_F32F16F16F32_TN", "--atom-layout", "(2,1,1)"],
    "ldmatrix": ["--atom", "SM75_U32x4_LDSM_N", "--type", "half", *MMA, "--operand", "A"],
    "divide": ["logical_divide((4,(2,4)):(2,(1,8)), (2,4))"],
    "product": ["blocked_product((2,2):(2,1), (3,4):(4,1))"],
}
BANKS = {  # name -> arguments of `cosmati report`, whose picture of banks is taken
    "banks-992": ["--atom", "UniversalCopy<float>", "--type", "float", "--thr", "(32,8)", "--src", "(32,32):(32,1)", "--space", "shared"],
    "banks-swizzled": ["--atom", "UniversalCopy<float>", "--type", "float", "--thr", "(32,8)", "--src", "Sw<5,0,5> o 0 o (32,32):(32,1)",
                       "--space", "shared"],
    "ldmatrix-banks": [*STAGE, "--src", "Sw<3,3,3> o 0 o (32,64):(64,1)", "--space", "shared"],
}

# name -> (example, the main function in place of its own) of programs on the simulated device, whose first time line is taken.
RUNS = {"ring": ("examples/11_cp_async_pipeline.cpp", "int main() { return run<3>(32, 224) ? 0 : 1; }")}


def run(*arguments: str) -> str:
    done = subprocess.run([BIN, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise SystemExit(f"cosmati {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def smaller(svg: str) -> str:
    """The same picture, half as large: the cells of a colour are one path, and what a page can point at has no marks."""
    def together(cells: re.Match) -> str:
        places = {}  # of the boxes of each colour
        for kind, x, y, width, height in re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>', cells[1]):
            places.setdefault(kind, []).append(f"M{x} {y}h{width}v{height}h-{width}z")
        paths = "".join(f'<path class="{kind}" d="{"".join(boxes)}"/>\n' for kind, boxes in places.items())
        return '<g class="c">\n' + paths + "".join(re.findall("<text.*?</text>\n?", re.sub("</?g[^>]*>", "", cells[1]))) + "</g>"

    svg = re.sub(r'<g class="c">\n((?:<g[^>]*><rect[^>]*/>(?:<text[^>]*>[^<]*</text>)*</g>\n)*)</g>', together, svg)
    return svg.replace(".c rect{", ".c path{", 1)


def drawn(name: str) -> str:
    """The picture of that name, as SVG."""
    if name in DRAWN:
        return run("draw", *DRAWN[name], "--format", "svg")
    with tempfile.TemporaryDirectory() as folder:
        if name in RUNS:
            example, main_function = RUNS[name]
            program, page = pathlib.Path(folder) / "program.cpp", pathlib.Path(folder) / "report.html"
            program.write_text((ROOT / example).read_text().partition("int main()")[0] + main_function + "\n")
            run("sim", str(program), "--quiet", "--report", str(page))
            pictures = re.findall(r"<svg.*?</svg>\n", page.read_text(), re.DOTALL)
            return next(p for p in pictures if "<title>time line" in p)
        run("report", "--out", folder, *BANKS[name])
        page = (pathlib.Path(folder) / "report.html").read_text()
    pictures = re.findall(r"<svg.*?</svg>\n", page, re.DOTALL)
    return next(p for p in pictures if "banks of shared memory" in p)


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name in [*DRAWN, *BANKS, *RUNS]:
        (folder / f"{name}.svg").write_text(smaller(drawn(name)))


if __name__ == "__main__":
    main()
