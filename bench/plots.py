#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws bandwidth against size as SVG, from bench/results/tensors: each curve with its peer's.

    plots.py [FOLDER]    writes FOLDER/bandwidth.svg (by default in docs/pictures)
    plots.py --check     exit status 1 if the picture is not the one that the results give

Needs matplotlib. The same results give the same bytes.
"""
import io
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def newest(folder: pathlib.Path) -> dict[str, dict]:
    """The newest result of each piece of work."""
    found: dict[str, dict] = {}
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text())
        name = result["work"]["name"]
        if name not in found or found[name]["date"] <= result["date"]:
            found[name] = result
    return found


def smaller(svg: bytes) -> bytes:
    """The same picture to hundredths of a point, without indentation, lists of fonts, and what changes nothing."""
    svg = re.sub(rb"[ \t]*\n[ \t]*", b"\n", svg)
    svg = re.sub(rb"font-family: [^;\"]*sans-serif", b"font-family: sans-serif", svg)
    svg = re.sub(rb' transform="rotate\(-0 [^"]*"|; stroke-linejoin: miter|(?<=<g) id="[^"]*"|(?<=[0-9zL])\n(?=[0-9zL"])', b"", svg)
    svg = re.sub(rb'style="[^"]*"', lambda style: style[0].replace(b": ", b":").replace(b"; ", b";"), svg)
    return re.sub(rb"\d+\.\d{3,}", lambda number: b"%g" % round(float(number[0]), 2), svg)


def draw(results: dict[str, dict]) -> bytes:
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "cosmati", "svg.fonttype": "none", "font.size": 9})
    figure, (curve, bars) = pyplot.subplots(1, 2, figsize=(10, 4.2), gridspec_kw={"width_ratios": [1, 1.2]})

    points = sorted((int(match[1]), r) for name, r in results.items() if (match := re.fullmatch(r"tensors/contiguous_(\d+)_mib", name)))
    sizes = [mib for mib, _ in points]
    curve.plot(sizes, [r["figure"]["value"] for _, r in points], marker="o", label="copy_contiguous")
    curve.plot(sizes, [r["peer"]["figure"]["value"] for _, r in points], marker="x", linestyle="--", label="cudaMemcpyAsync")
    curve.set_xscale("log", base=2)
    curve.set_xticks(sizes, [str(mib) for mib in sizes])
    curve.set_xlabel("MiB copied")
    curve.set_ylabel("GB/s read and written")
    curve.set_ylim(bottom=0)
    curve.set_title("contiguous copy")
    curve.legend(loc="lower right")
    curve.grid(alpha=0.3)

    works = [(name.removeprefix("tensors/"), r) for name, r in sorted(results.items())
             if re.match(r"tensors/(pitched|transpose|convert|gather)", name) and "_beside_" not in name]
    rows = range(len(works))
    bars.barh([k - 0.2 for k in rows], [r["figure"]["value"] for _, r in works], 0.38, label="copy_tensor, gather_rows")
    bars.barh([k + 0.2 for k in rows], [r["peer"]["figure"]["value"] for _, r in works], 0.38, alpha=0.5,
              label="a contiguous copy of as many bytes")
    bars.set_yticks(list(rows), [name.replace("_", " ") for name, _ in works])
    bars.invert_yaxis()
    bars.set_xlabel("GB/s read and written")
    bars.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncol=2, frameon=False, fontsize=8)
    device = points[0][1]["device"]["name"] if points else ""
    figure.suptitle(device)
    figure.tight_layout()
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return smaller(out.getvalue())


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--check"]
    path = (pathlib.Path(words[0]) if words else ROOT / "docs" / "pictures") / "bandwidth.svg"
    try:
        picture = draw(newest(ROOT / "bench" / "results" / "tensors"))
    except ImportError:
        print("plots.py: matplotlib is needed: apt install python3-matplotlib", file=sys.stderr)
        return 77
    if "--check" in sys.argv:
        return 0 if path.exists() and path.read_bytes() == picture else 1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
