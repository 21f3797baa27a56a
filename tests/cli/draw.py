#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati draw, report and diff: pictures that hold what is asked for, files whole or not at all, clear errors."""
import json
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml

from support.command import run

COPY = ("--atom", "UniversalCopy<uint128_t>", "--type", "half", "--thr", "(8,4):(1,8)", "--val", "8:1")
SVG = "{http://www.w3.org/2000/svg}"


def draw(*arguments: str) -> str:
    done = run("draw", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Draw(unittest.TestCase):
    def test_a_layout_as_text(self):
        self.assertEqual(draw("(2,3):(1,10)"), "(2,3):(1,10)\n\nrow down, column across\n   0  1  2\n0  0 10 20\n1  1 11 21\n")

    def test_an_expression(self):
        self.assertIn("(2,2):(1,4)", draw("composition(8:1, (2,2):(1,4))"))

    def test_svg_holds_every_offset(self):
        root = xml.fromstring(draw("(8,64):(64,1)", "--format", "svg"))
        texts = [t.text for g in root.iter(SVG + "g") if g.get("class") == "c" for t in g.iter(SVG + "text")]
        # Wide rows: a label for each sixteen neighbours in memory.
        self.assertEqual(texts, [f"{64 * r + c}-{64 * r + c + 15}" for r in range(8) for c in range(0, 64, 16)])
        narrow = xml.fromstring(draw("(8,16):(16,1)", "--format", "svg"))
        texts = [t.text for g in narrow.iter(SVG + "g") if g.get("class") == "c" for t in g.iter(SVG + "text")]
        self.assertEqual(texts, [str(16 * r + c) for r in range(8) for c in range(16)])

    def test_banks_of_a_swizzle(self):
        def first_column(layout: str) -> set:
            root = xml.fromstring(draw(layout, "--format", "svg", "--bits", "16"))
            after = [g for g in root.iter(SVG + "g") if g.get("class") == "c"][1]  # the first is before the swizzle
            return {r.get("class") for r in list(after.iter(SVG + "rect"))[::8]}

        self.assertEqual(len(first_column("Sw<3,3,3> o 0 o (8,64):(64,1)")), 8)
        self.assertEqual(len(first_column("Sw<0,3,3> o 0 o (8,64):(64,1)")), 1)

    def test_owners_of_a_tile(self):
        self.assertIn("T1 V0-1", draw("(4,2):(2,1)", "--tile", "(4,2)"))

    def test_a_copy(self):
        root = xml.fromstring(draw(*COPY, "--format", "svg"))
        cells = [(int(g.get("data-t")), int(g.get("data-v"))) for g in root.iter(SVG + "g") if g.get("data-t")]
        self.assertEqual(sorted(cells), [(t, 0) for t in range(32)])  # a vector is one box, and equal sides are one picture

    def test_every_format(self):
        for name, begin in {"html": "<!DOCTYPE html>", "typst": "#set page", "latex": "\\documentclass"}.items():
            self.assertTrue(draw("(4,4)", "--format", name).startswith(begin), name)

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.svg"
            self.assertEqual(draw("(4,4)", "--format", "svg", "--out", str(path)), "")
            self.assertTrue(path.read_text().startswith("<svg"))

    def test_what_cannot_be_drawn(self):
        for arguments, words in {
            (): "expected a layout, a copy by --atom",
            ("Sw<3,3,3>",): "a swizzle has no picture",
            ("(4,", ): "LAYOUT",
            ("(2048,2048)",): "4194304 cells",
            ("(4,-2)",): "an extent of -2",
            ("(4,2):(2,1)", "--tile", "4"): "the tile is too small",
            ("8:1", "--tile", "8"): "--tile wants a layout (thread, value)",
            ("8:1", "--thr", "4:1"): "one of them",
            ("8:1", "--format", "png"): "png",
        }.items():
            done = run("draw", *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words, done.stderr, arguments)
            self.assertEqual(done.stdout, "")


class Report(unittest.TestCase):
    def report(self, *arguments: str) -> tuple[str, dict]:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "deep/er"
            done = run("report", "--out", str(out), *arguments)
            assert done.returncode == 0, done.stderr
            return (out / "report.html").read_text(), json.loads((out / "report.json").read_text())

    def test_of_a_copy_alone(self):
        page, data = self.report(*COPY)
        self.assertGreaterEqual(page.count("<svg"), 1)
        self.assertIn("tile (64,4)", page)
        self.assertEqual(data["copy"]["tiler"], "(64,4)")
        self.assertEqual(data["copy"]["layout_tv"], "(32,8):(8,1)")

    def test_costs_and_verdict(self):
        page, data = self.report(*COPY, "--src", "(64,32):(1,64)", "--dst", "(64,32):(1,64)")
        self.assertGreaterEqual(page.count("<svg"), 5)
        self.assertIn("banks of shared memory by wavefront", page)
        self.assertIn("sectors of global memory by line", page)
        self.assertIn("<span>source        global memory, (64,32):(1,64)</span>", page)  # each line wraps for itself
        self.assertTrue(data["check"]["ok"])

    def test_nothing_comes_from_the_network(self):
        page, _ = self.report(*COPY, "--src", "(64,32):(1,64)")
        addresses = set(re.findall(r"https?://[^\"' <]*", page))
        self.assertEqual(addresses, {"http://www.w3.org/2000/svg"})
        for reference in ("src=", "<link", "@import", "url("):
            self.assertNotIn(reference, page)

    def test_a_wrong_copy_leaves_no_files(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "r"
            done = run("report", "--out", str(out), "--thr", "(4,2):(1,8)", "--val", "1:1")
            self.assertEqual(done.returncode, 2)
            self.assertFalse(out.exists())

    def test_a_folder_that_cannot_be(self):
        with tempfile.NamedTemporaryFile() as file:
            done = run("report", "--out", file.name + "/x", *COPY)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot make the folder", done.stderr)


class Diff(unittest.TestCase):
    def diff(self, before: object, after: object, *arguments: str):
        with tempfile.TemporaryDirectory() as folder:
            a, b = pathlib.Path(folder) / "a.json", pathlib.Path(folder) / "b.json"
            a.write_text(json.dumps(before))
            b.write_text(json.dumps(after))
            return run("diff", str(a), str(b), *arguments)

    def test_nothing_changed(self):
        done = self.diff({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]})
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_what_changed(self):
        done = self.diff({"a": [1, {"b": 2}], "gone": 1}, {"a": [1, {"b": 5}], "new": "x"})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, '/a/1/b: 2 -> 5 (2.50x)\n/gone: 1 -> -\n/new: - -> "x"\n')

    def test_json(self):
        done = self.diff({"a": 1}, {"a": 2}, "--json")
        self.assertEqual(json.loads(done.stdout), [{"path": "/a", "before": 1, "after": 2}])

    def test_nothing_there_is_no_null_and_no_empty_list(self):
        done = self.diff({"a": None, "b": [], "c": [], "d": {}, "e": [1], "f": 1},
                         {"a": 1, "b": None, "c": [{"x": 1}], "e": [], "f": [2]})
        self.assertEqual(done.stdout.splitlines(), ["/a: null -> 1", "/b: [] -> null", "/c/0/x: - -> 1", "/d: {} -> -", "/e/0: 1 -> -",
                                                    "/f: 1 -> [2]"])
        self.assertEqual(self.diff({}, {}).returncode, 0)

    def test_folders_of_reports_and_kinds(self):
        with tempfile.TemporaryDirectory() as folder:
            wide, narrow = f"{folder}/wide", f"{folder}/narrow"
            run("report", "--out", wide, "--thr", "(32,4)", "--val", "4:1", "--src", "(128,32)")
            run("report", "--out", narrow, "--thr", "(32,4)", "--src", "(128,32)")
            self.assertEqual(run("diff", wide, wide).returncode, 0)
            done = run("diff", wide, narrow)
            self.assertEqual(done.returncode, 1)
            self.assertIn("/check/source/instructions: 32 -> 128 (4.00x)\n", done.stdout)
            # The check of a report can be compared with a check.
            check = pathlib.Path(folder) / "check.json"
            check.write_text(run("check", "--json", "--thr", "(32,4)", "--src", "(128,32)").stdout)
            self.assertEqual(run("diff", narrow, str(check)).returncode, 0)
            self.assertIn("/source/instructions: 32 -> 128 (4.00x)\n", run("diff", wide, str(check)).stdout)
            of_a_run = pathlib.Path(folder) / "run.json"
            of_a_run.write_text('{"verdict": "clean", "hazards": []}')
            done = run("diff", str(of_a_run), wide)
            self.assertEqual(done.returncode, 2)
            self.assertIn("run.json is a run on the simulated device", done.stderr)
            self.assertIn("wide is a report of a tiled copy: give two of one kind", done.stderr)
            self.assertEqual(run("diff", folder, wide).returncode, 2)  # a folder without a report

    def test_files_that_are_none(self):
        done = run("diff", "/nowhere/a.json", "/nowhere/b.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere/a.json: cannot be read", done.stderr)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("{")
            file.flush()
            done = run("diff", file.name, file.name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("no JSON: parse error at line 1, column 2", done.stderr)
        for text, words in (("[" * 100000 + "]" * 100000, "more than 200 deep"), ('{"a":' * 300 + "1" + "}" * 300, "200 deep"),
                            ('{"a": 1e999}', "no JSON: number overflow")):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                done = run("diff", file.name, file.name)
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)


class Arrows(unittest.TestCase):
    def test_each_operation_and_each_format(self):
        for expression, line in (("composition((4,(2,4)):(2,(1,8)), (2,4):(4,1))", "mode 0  2:4  ->  digit 4, 2 steps"),
                                 ("complement((2,2):(1,8), 64)", "digit 2, 4 steps  ->  mode 0  4:2"),
                                 ("right_inverse((4,8):(8,1))", "digit 8, 4 steps  ->  mode 1  4:1"),
                                 ("logical_divide((4,(2,4)):(2,(1,8)), (2,4))", "mode 0  4:2  ->  mode 1  2:4"),
                                 ("zipped_divide((8,3), (2,3))", "mode 0  8:1  ->  mode 0  2:1"),
                                 ("((2,2),4):((1,8),2)", "mode 1  2:8  ->  digit 8, 2 steps")):
            with self.subTest(expression=expression):
                said = run("draw", expression, "--arrows")
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertIn(line, said.stdout)
                arrows = said.stdout.count("  ->  ") - sum("  ->  " in text and not text.startswith(" ") for text in said.stdout.splitlines())
                svg = run("draw", expression, "--arrows", "--format", "svg").stdout
                self.assertEqual(svg.count('class="y"'), arrows)
                self.assertIn(svg, run("draw", expression, "--arrows", "--format", "html").stdout)

    def test_what_has_none(self):
        for arguments, words in ((("Sw<3,3,3> o 0 o (8,64)",), "an expression that makes a layout"), (("--thr", "4"), "expected a layout"),
                                 (("(4,2)", "--format", "typst"), "give --format svg, html or terminal")):
            done = run("draw", *arguments, "--arrows")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
