#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The golden pictures (tests/golden/render, written by unit_render) are documents: SVG and HTML that is well-formed and keeps
to what viewers know, LaTeX and Typst that compile where pdflatex and typst are there (`./test docs` gets typst), text in columns."""
import html.parser
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

BIN = os.environ.get("COSMATI_BIN")
FOLDER = pathlib.Path(__file__).parents[1] / "golden/render"
NAMES = {"layout", "swizzled", "tensor", "tv", "copy_atom", "tiled_copy", "mma_atom", "tiled_mma", "banks", "sectors"}
SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(\.\d+)?")
# What an element may hold, and which of it is a number. Enough of SVG 1.1 for everything that is drawn.
COMMON = {"class", "transform", "fill-opacity", "data-t", "data-v"}
ELEMENTS = {
    "svg": ({"width", "height", "viewBox", "role"}, {"title", "style", "rect", "text", "g", "line", "circle", "polygon", "path"}),
    "g": (set(), {"title", "rect", "text", "g", "line", "circle", "polygon"}),
    "rect": ({"x", "y", "width", "height"}, set()),
    "line": ({"x1", "y1", "x2", "y2"}, set()),
    "circle": ({"cx", "cy", "r"}, set()),
    "polygon": ({"points"}, set()),
    "path": ({"d"}, set()),
    "text": ({"x", "y", "{http://www.w3.org/XML/1998/namespace}space"}, set()),
    "title": (set(), set()),
    "style": (set(), set()),
}
NEEDED = {"rect": {"width", "height"}, "text": {"x", "y"}, "line": {"x1", "y1", "x2", "y2"}, "circle": {"cx", "cy", "r"}}
NUMBERS = {"x", "y", "width", "height", "x1", "y1", "x2", "y2", "cx", "cy", "r", "fill-opacity", "data-t", "data-v"}
VOID = {"meta", "link", "br", "hr", "img"}


def problems_of(root: xml.Element) -> list[str]:
    """What is wrong with an `<svg>`."""
    found = []
    _, _, width, height = (float(n) for n in root.get("viewBox", "0 0 0 0").split())

    def look(element: xml.Element, moved: bool) -> None:
        name = element.tag.removeprefix(SVG)
        if name == element.tag or name not in ELEMENTS:
            found.append(f"{element.tag} is not drawn")
            return
        attributes, children = ELEMENTS[name]
        for key, value in element.attrib.items():
            if key not in attributes | COMMON:
                found.append(f"{name} has no {key}")
            if key in NUMBERS and not NUMBER.fullmatch(value):
                found.append(f"{name} {key}={value}: no number")
        for key in NEEDED.get(name, set()) - set(element.attrib):
            found.append(f"{name} without {key}")
        if name in ("rect", "text") and not moved and not found:
            right = float(element.get("x", 0)) + float(element.get("width", 0))
            below = float(element.get("y", 0)) + float(element.get("height", 0))
            if not (0 <= right <= width and 0 <= below <= height):
                found.append(f"{name} at {right},{below} outside of {width}x{height}")
        for child in element:
            if child.tag.removeprefix(SVG) not in children:
                found.append(f"{child.tag} inside {name}")
            look(child, moved or "transform" in element.attrib)

    look(root, False)
    for style in root.iter(SVG + "style"):
        if re.search(r"@import|url\(|<", style.text or ""):
            found.append("the style leads elsewhere")
        if (style.text or "").count("{") != (style.text or "").count("}"):
            found.append("the style's braces do not match")
    return found


class Balanced(html.parser.HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.open, self.problems, self.references = [], [], []
        self.feed(text)
        self.problems += [f"<{t}> is not closed" for t in self.open]

    def handle_starttag(self, tag, attributes):
        self.references += [v for k, v in attributes if k in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.references += [v for k, v in attributes if k in ("src", "href")]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")


def latex_runs(test: unittest.TestCase, paths: list, folder: str) -> dict:
    """name -> exit status and output of pdflatex."""
    if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", "standalone.cls", "tikz.sty"], capture_output=True).returncode:
        test.skipTest("needs pdflatex, standalone and tikz")
    running = {
        path.name: subprocess.Popen(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", path], cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, text=True, errors="replace")
        for path in paths
    }
    said = {name: process.communicate(timeout=120)[0] for name, process in running.items()}
    return {name: (running[name].returncode, text) for name, text in said.items()}


def typst_compiler(test: unittest.TestCase):
    """path -> bytes of the PDF; what is wrong is an exception."""
    if importlib.util.find_spec("typst"):
        import typst

        return lambda path: len(typst.compile(str(path)))
    if not shutil.which("typst"):
        test.skipTest("needs typst: the program, or Python's package of that name")

    def run(path):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.pdf"
            done = subprocess.run(["typst", "compile", path, out], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            return out.stat().st_size

    return run


class Pictures(unittest.TestCase):
    def files(self, suffix: str) -> list[pathlib.Path]:
        return sorted(p for p in FOLDER.iterdir() if p.name.endswith(suffix))

    def test_each_picture_in_each_form(self):
        for suffix in (".svg", ".typ", ".tex", ".txt", ".color.txt"):
            self.assertLessEqual(NAMES, {p.name.removesuffix(suffix) for p in self.files(suffix)})
        self.assertLessEqual({"layout", "tiled_copy"}, {p.stem for p in self.files(".html")})

    def test_svg(self):
        for path in self.files(".svg"):
            with self.subTest(path.name):
                self.assertEqual(problems_of(xml.fromstring(path.read_text())), [])

    def test_the_check_of_svg_finds_faults(self):
        good = (FOLDER / "layout.svg").read_text()
        for what, by in (("<g class=\"c\">", "<g onclick=\"f()\">"), ("<text ", "<image "), ("x=\"45\"", "x=\"4500\""),
                         ("</style>", "@import 'x';</style>"), (" width=\"18\"", " width=\"wide\"")):
            with self.subTest(by):
                self.assertIn(what, good)
                bad = good.replace(what, by).replace("</text>", "</image>" if "image" in by else "</text>")
                self.assertNotEqual(problems_of(xml.fromstring(bad)), [])

    def test_html(self):
        for path in self.files(".html"):
            with self.subTest(path.name):
                text = path.read_text()
                page = Balanced(text)
                self.assertEqual(page.problems, [])
                self.assertEqual(page.references, [])
                for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
                    self.assertEqual(problems_of(xml.fromstring(svg)), [])

    def test_text(self):
        for path in self.files(".color.txt"):
            plain = (FOLDER / path.name.replace(".color", "")).read_text()
            self.assertNotIn("\033", plain)
            self.assertTrue(plain.isascii())
            # Cells are as wide with colours; blanks at the ends of lines may be coloured.
            bare = [line.rstrip() for line in re.sub(r"\033\[[0-9;]*m", "", path.read_text()).splitlines()]
            bare = [line for line in bare if not line.startswith("colour = ")]  # said where there are colours
            self.assertEqual(bare, [line.rstrip() for line in plain.splitlines()], path.name)

    def test_latex(self):
        for path in self.files(".tex"):
            text = re.sub(r"\\[{}\\]", "", path.read_text())
            self.assertEqual(text.count("{"), text.count("}"), path.name)
        with tempfile.TemporaryDirectory() as folder:
            for name, (status, said) in latex_runs(self, self.files(".tex"), folder).items():
                self.assertEqual(status, 0, f"{name}\n{said[-2000:]}")

    def test_typst(self):
        for path in self.files(".typ"):
            text = re.sub(r'"(\\.|[^"\\])*"', "", path.read_text())
            for open_, close in ("()", "[]", "{}"):
                self.assertEqual(text.count(open_), text.count(close), path.name)
        compile_ = typst_compiler(self)
        for path in self.files(".typ"):
            self.assertGreater(compile_(path), 1000, path.name)

    def test_a_compiler_of_typst_finds_faults(self):
        compile_ = typst_compiler(self)
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder) / "bad.typ"
            bad.write_text((FOLDER / "tv.typ").read_text().replace(" k(", " unknown(", 1))
            with self.assertRaisesRegex(Exception, "unknown"):
                compile_(bad)


@unittest.skipUnless(BIN, "needs COSMATI_BIN")
class Large(unittest.TestCase):
    """Both sides of a tiled copy of 128 x 128, 32768 cells: more than TeX's memory holds in boxes."""
    TILE = ["draw", "--atom", "UniversalCopy<uint128_t>", "--type", "half", "--thr", "(16,16):(16,1)", "--val", "(8,8):(8,1)"]

    def draw(self, format_: str, folder: str) -> pathlib.Path:
        path = pathlib.Path(folder) / f"large.{format_}"
        subprocess.run([BIN, *self.TILE, "--format", format_, "--out", path], check=True)
        return path

    def test_latex(self):
        with tempfile.TemporaryDirectory() as folder:
            [(status, said)] = latex_runs(self, [self.draw("latex", folder)], folder).values()
            self.assertEqual(status, 0, said[-2000:])

    def test_typst(self):
        compile_ = typst_compiler(self)
        with tempfile.TemporaryDirectory() as folder:
            self.assertGreater(compile_(self.draw("typst", folder)), 1000)


if __name__ == "__main__":
    unittest.main()
