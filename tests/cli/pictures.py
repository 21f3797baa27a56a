#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one sees of a picture: it fits a page, its letters are large enough and lie within their boxes, a vector has one label,
a colour one meaning, and what is left out is said. docs/pictures holds what scripts/ordinary_pictures.py draws."""
import importlib.util
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree as xml

BIN = os.environ.get("COSMATI_BIN")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
SPECIFICATION = importlib.util.spec_from_file_location("ordinary_pictures", ROOT / "scripts/ordinary_pictures.py")
ordinary = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(ordinary)
ordinary.BIN = BIN
COPY = ["--atom", "UniversalCopy<uint128_t>", "--type", "half"]
MORE = {  # beside the ordinary ones
    "large tile": [*COPY, "--thr", "(16,16):(16,1)", "--val", "(8,8):(8,1)"],
    "scalars": ["--type", "float", "--atom", "UniversalCopy<float>", "--thr", "(16,16):(16,1)", "--val", "(4,4)"],
    "long row": ["(4,2048):(2048,1)"],
    "long column": ["(2048,4)"],
    "large": ["(512,512):(513,1)"],
    "slices": ["(32,32,8)"],
    "huge strides": ["(4,8):(1,123456789)"],
    "quad pairs": ["--mma", "SM70_8x8x4_F32F16F16F32_NT", "--atom-layout", "(2,2):(2,1)", "--permutation", "((4,4,2):(1,8,4),32,4)"],
    "multiply-adds": ["--mma", "UniversalFMA<float>", "--atom-layout", "(16,16)"],
    "bytes": ["--mma", "SM80_16x8x32_S32S8S8S32_TN", "--atom-layout", "(4,2,1)"],
    "bits": ["--mma", "SM80_16x8x256_S32U1U1S32_TN_XORPOPC"],
    "raked": ["raked_product((8,4):(1,8), (8,8))"],
    "nibbles": ["--atom", "UniversalCopy<uint128_t>", "--type", "uint4", "--thr", "(8,4):(4,1)", "--val", "(1,32)"],
}


def svg_of(*arguments: str) -> xml.Element:
    done = subprocess.run([BIN, "draw", *arguments, "--format", "svg"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return xml.fromstring(done.stdout)


def texts(root: xml.Element) -> list[str]:
    return [t.text or "" for t in root.iter(SVG + "text")]


def boxes(root: xml.Element) -> list[tuple[xml.Element, list[str]]]:
    """Each cell or vector: its rectangle and its lines."""
    found = []
    for cells in root.iter(SVG + "g"):
        if cells.get("class") != "c":
            continue
        found += [(g.find(SVG + "rect"), [t.text or "" for t in g.findall(SVG + "text")]) for g in cells.findall(SVG + "g")]
    return found


def problems_of(root: xml.Element) -> list[str]:
    """What a reader of a page 1,200 pixels wide would miss."""
    found = []
    width = float(root.get("width"))
    if width > 1200:
        found.append(f"{width} pixels wide")
    style = root.find(SVG + "style").text
    sizes = [float(s) for s in re.findall(r"font-size:([\d.]+)px", style)]
    if min(sizes) < 9:
        found.append(f"letters of {min(sizes)} pixels")
    size = float(re.search(r"\.c text\{[^}]*font-size:([\d.]+)px", style)[1])
    for rect, lines in boxes(root):
        if max((len(line) for line in lines), default=0) * 0.6 * size > float(rect.get("width")):
            found.append(f"{lines} in {rect.get('width')} pixels")
        if len(lines) * size > float(rect.get("height")):
            found.append(f"{lines} in a height of {rect.get('height')} pixels")
    for t in root.iter(SVG + "text"):  # 0.6 em a letter; those of titles are larger
        if t.get("class") in ("t", "a", None) and t.get("{http://www.w3.org/XML/1998/namespace}space"):
            if float(t.get("x")) + len(t.text or "") * 0.6 * (14 if t.get("class") == "t" else 12) > width:
                found.append(f"'{t.text}' goes beyond the page")
    all_texts = texts(root)
    colored = any(re.fullmatch(r"k\d", rect.get("class")) for rect, _ in boxes(root))
    if colored and sum(t.startswith("colour = ") for t in all_texts) != 1:
        found.append("colours are not explained once")
    if not any(" across" in t or " down" in t for t in all_texts):
        found.append("the axes have no names")
    if any(re.fullmatch(r"\+\d+", t) for t in all_texts) and not any(re.match(r"\+(1|n) = ", t) for t in all_texts):
        found.append("+1 is not explained")
    if "..." in all_texts and not any(t.startswith("... stands for ") for t in all_texts):
        found.append("what is left out is not said")
    return found


class Pictures(unittest.TestCase):
    def test_they_fit_a_page_and_are_legible(self):
        for name, arguments in {**ordinary.DRAWN, **MORE}.items():
            with self.subTest(name):
                self.assertEqual(problems_of(svg_of(*arguments)), [])

    def test_the_check_finds_faults(self):
        good = subprocess.run([BIN, "draw", *COPY, "--thr", "(32,8):(8,1)", "--val", "(1,8)", "--format", "svg"], capture_output=True,
                              text=True, timeout=60).stdout
        self.assertEqual(problems_of(xml.fromstring(good)), [])
        for what, by in (('width="640"', 'width="1300"'), ("font-size:12px", "font-size:8px"), (">T0 V0-7<", ">T0 V0 to the last<"),
                         (">colour = warp<", "><"), ("row down, column across", ""), (">T37 V0-7<", ">+1<"), (">T37 V0-7<", ">...<")):
            with self.subTest(by):
                self.assertIn(what, good)
                self.assertNotEqual(problems_of(xml.fromstring(good.replace(what, by))), [])

    def test_a_vector_has_one_label_and_equal_sides_are_drawn_once(self):
        root = svg_of(*COPY, "--thr", "(32,8):(8,1)", "--val", "(1,8)")
        # Thread t: row t / 8, eight elements from column 8 (t mod 8) on.
        self.assertEqual(sorted(lines[0] for _, lines in boxes(root)), sorted(f"T{t} V0-7" for t in range(256)))
        self.assertEqual(texts(root).count("source and destination"), 1)
        self.assertNotIn("destination", texts(root))

    def test_what_is_asked_for_is_shown_whole(self):
        arguments = ["(4,2048):(2048,1)"]
        self.assertTrue(any(t.startswith("... stands for columns ") for t in texts(svg_of(*arguments))))
        whole = svg_of(*arguments, "--width", "0")
        self.assertGreater(float(whole.get("width")), 5000)
        self.assertFalse(any(t.startswith("...") for t in texts(whole)))
        self.assertLessEqual(float(svg_of(*arguments, "--width", "600").get("width")), 600)

    def test_colours_are_in_the_palettes_order(self):
        for arguments, meaning in ((COPY + ["--thr", "(8,4):(4,1)", "--val", "(1,8)"], "colour = group of 4 threads"),
                                   (COPY + ["--thr", "(32,8):(8,1)", "--val", "(1,8)"], "colour = warp"),
                                   (["Sw<3,3,3> o 0 o (8,64):(64,1)"], "colour = group of four banks, for elements of 16 bits"),
                                   (["zipped_divide((8,8):(8,1), (2,4))"], "colour = tile"), (["(8,8)"], "colour = offset")):
            with self.subTest(meaning):
                root = svg_of(*arguments)
                self.assertIn(meaning, texts(root))
                key = next(g for g in root.iter(SVG + "g") if g.get("class") == "w")
                colors = [int(r.get("class")[1:]) for r in key.iter(SVG + "rect")]
                self.assertEqual(colors, sorted(set(colors)))

    def test_which_mode_goes_where(self):
        root = svg_of("complement(4:2, 32)", "--modes")
        self.assertEqual(problems_of(root), [])
        self.assertIn("0  4:2", texts(root))
        # The digit from 2 to 8; all of 32; what is left, from 1 to 2 and from 8 to 32.
        self.assertEqual([lines[0] for _, lines in boxes(root) if lines], ["4", "2", "4", "4", "2", "4"])
        done = subprocess.run([BIN, "draw", "Sw<3,3,3>", "--modes"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--modes: expected an expression that makes a layout", done.stderr)

    def test_those_of_the_documents_are_what_is_drawn(self):
        for name in [*ordinary.DRAWN, *ordinary.BANKS, *ordinary.RUNS]:
            with self.subTest(name):
                path = ROOT / f"docs/pictures/{name}.svg"
                self.assertEqual(path.read_text(), ordinary.smaller(ordinary.drawn(name)), "scripts/ordinary_pictures.py writes it anew")

    def test_what_one_reads_of_them(self):
        """Who holds an element, and what a thread holds, by the layouts' own arithmetic."""
        def held(name: str, label: str) -> list[tuple[float, float]]:
            root = svg_of(*ordinary.DRAWN[name])
            return [(float(r.get("x")), float(r.get("y"))) for r, lines in boxes(root) if lines and " ".join(lines).startswith(label + " ")]

        def step(name: str, one: str, other: str, axis: int) -> float:
            return held(name, other)[0][axis] - held(name, one)[0][axis]

        # (16,8):(8,1), eight halves a thread: thread 37 is at row 4, and its vector is the sixth; thread 42 has (5,17), in its row's third.
        for thread, (row, vector) in ((37, (4, 5)), (42, (5, 2))):
            self.assertEqual(held("copy-half", f"T{thread}"), [(held("copy-half", "T0")[0][0] + vector * step("copy-half", "T0", "T1", 0),
                                                                held("copy-half", "T0")[0][1] + row * step("copy-half", "T0", "T8", 1))])
        # (16,8), four floats down: thread 37 is the sixth of column 2.
        self.assertEqual(held("copy-float", "T37"), [(held("copy-float", "T32")[0][0], held("copy-float", "T5")[0][1])])
        # (16,16):(16,1), four floats: (5,17) is of thread 5 * 16 + 4.
        self.assertEqual(held("tile-16x64", "T84"), [(held("tile-16x64", "T4")[0][0], held("tile-16x64", "T80")[0][1])])
        # Warp 1 of two below each other: its lane 5 holds of C, at row 16 + 5 / 4 and 8 below, two elements from column 2 (5 mod 4).
        columns = {x for x, _ in held("mma-2x1", "T37")}
        of_lane_5 = {x for x, _ in held("mma-2x1", "T5")}
        self.assertTrue(columns <= of_lane_5)
        self.assertEqual(len(held("mma-2x1", "T37")), 4)  # two of A, two of C; B's is named by warp 0

    def test_of_an_operand_of_a_product(self):
        stage = ["--atom", "SM75_U32x4_LDSM_N", "--type", "half", "--mma", "SM80_16x8x16_F32F16F16F32_TN", "--operand", "A"]
        labels = sorted(line for _, lines in boxes(svg_of(*stage)) for line in lines if line.endswith("V0-7"))
        # ldmatrix: lane l gives the address of eight halves of a row of one of four matrices.
        self.assertEqual(labels, sorted(f"T{t} V0-7" for t in range(32)))
        for operand, thr, said in (("D", "", "expected A, B or C"), ("A", "(8,4)", "leave --thr and --val away")):
            done = subprocess.run([BIN, "draw", *stage[:-1], operand, *(["--thr", thr] if thr else [])], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)
        plain = ["check", *stage, "--space", "shared", "--src"]
        conflicts = [
            subprocess.run([BIN, *plain, src], capture_output=True, text=True, timeout=60).stdout
            for src in ("(16,64):(64,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)")
        ]
        # Four loads of four 8 x 8 matrices: rows 128 bytes apart lie in the same four banks, 7 conflicts a matrix.
        self.assertIn("112 bank conflicts", conflicts[0])
        self.assertIn("no bank conflicts", conflicts[1])


if __name__ == "__main__":
    unittest.main()
