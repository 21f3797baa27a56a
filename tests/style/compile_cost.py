#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/compile/run.py judges by its own rules. The times are made up here, and no compiler runs."""
import contextlib
import io
import itertools
import math
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/compile"), str(ROOT / "bench")]
import run  # noqa: E402
import validate  # noqa: E402

MEGABYTE = 1_000_000


class Compiler:
    """A compiler that reports given times, again and again, and remembers what it compiled."""

    def __init__(self, **seconds):
        self.seconds = {unit: itertools.cycle(s if isinstance(s, list) else [s]) for unit, s in seconds.items()}
        self.memory = {}
        self.compiled = []

    def __call__(self, unit):
        self.compiled.append(unit)
        return next(self.seconds[unit]), self.memory.get(unit, 200 * MEGABYTE)

    def check(self, *cases, minutes=1e9):
        costs = run.measure(list(cases), 3, minutes, self, run.worth_repeating)
        return costs, [sentence for case in cases for sentence in run.broken(case, costs)]


class Check(unittest.TestCase):
    def test_within(self):
        costs, problems = Compiler(empty=0.5, header=1.0, layouts_300=3.9).check("header", "layouts_300")
        self.assertEqual(problems, [])
        self.assertEqual([len(costs[c].seconds) for c in ("header", "layouts_300", "empty")], [3, 3, 6])

    def test_time_above_the_limit(self):
        costs, problems = Compiler(empty=0.5, header=1.0, layouts_300=4.1).check("header", "layouts_300")
        self.assertEqual(len(problems), 1)
        for part in ("layouts_300: takes 8.20 times", "the limit is 8 ", "9 repetitions: medians 4.10 s and 0.50 s, least 4.10 s and 0.50 s"):
            self.assertIn(part, problems[0])
        self.assertEqual([len(costs[c].seconds) for c in ("header", "layouts_300")], [3, run.MOST_REPETITIONS])

    def test_memory_above_the_limit(self):
        compiler = Compiler(empty=0.5, layouts_300=2.0)
        compiler.memory["layouts_300"] = 610 * MEGABYTE
        costs, problems = compiler.check("layouts_300")
        self.assertEqual(problems, ["layouts_300: takes 0.610 GB of memory, the limit is 0.6 GB"])
        self.assertEqual(len(costs["layouts_300"].seconds), 3)

    def test_every_limit_can_break(self):
        for case, limit in run.LIMITS.items():
            _, problems = Compiler(empty=1.0, **{case: limit.ratio * 1.01}).check(case)
            self.assertEqual(len(problems), 1, case)
            _, problems = Compiler(empty=1.0, **{case: limit.ratio * 0.99}).check(case)
            self.assertEqual(problems, [], case)

    def test_disturbed_rounds_are_repeated(self):
        # In two of three rounds, compilation is twice as slow. The median is then wrong, and the least of the next rounds is right.
        costs, problems = Compiler(empty=0.5, header=[2.4, 2.3, 2.2, 1.2]).check("header")
        self.assertEqual(problems, [])
        self.assertEqual(len(costs["header"].seconds), 4)

    def test_a_lucky_empty_kernel_breaks_nothing(self):
        _, problems = Compiler(empty=[0.5, 0.5, 0.3, 0.5, 0.5, 0.5, 0.5], header=1.7).check("header")
        self.assertEqual(problems, [])

    def test_an_empty_kernel_before_each_case(self):
        compiler = Compiler(empty=0.5, header=1.0, one_kernel=1.5)
        compiler.check("header", "one_kernel")
        self.assertEqual(compiler.compiled, ["empty"] + ["empty", "header", "empty", "one_kernel"] * 3)

    def test_time_up(self):
        costs, _ = Compiler(empty=0.5, header=9.0).check("header", minutes=-math.inf)
        self.assertEqual(len(costs["header"].seconds), 3)


class Results(unittest.TestCase):
    def test_form(self):
        costs, _ = Compiler(empty=[0.5, 0.52], header=[1.0, 1.1, 1.3], layouts_300=3.5).check("header", "layouts_300")
        told = run.results(costs, {"name": "A processor", "toolkit": "nvcc 13.0"}, 1.0)
        schema = validate.json.loads((ROOT / "bench/schema.json").read_text())
        for result in told:
            complete = {**result, "commit": "0" * 40, "date": "2026-01-31"}
            self.assertEqual(validate.check_result(complete, schema), [])
        named = {r["work"]["name"]: r for r in told}
        self.assertEqual(list(named), ["compile/header", "compile/header_memory", "compile/layouts_300", "compile/layouts_300_memory"])
        self.assertEqual(named["compile/header"]["figure"], {"value": 1.1, "unit": "s"})
        self.assertEqual(named["compile/layouts_300"]["work"]["parameters"]["limit_ratio"], 8)
        self.assertEqual(named["compile/layouts_300_memory"]["work"]["parameters"]["limit_bytes"], 0.6e9)


class Cases(unittest.TestCase):
    def test_layouts_are_distinct(self):
        text = run.layouts(300)
        found = re.findall(r"(Layout<.*>) const layout;", text)
        self.assertEqual((len(found), len(set(found))), (300, 300))
        self.assertEqual(len({re.match(r"Layout<(Shape<.*>), Stride<_2", layout)[1] for layout in found}), 300)
        self.assertEqual(len(re.findall(r"_divide\(layout,", text)), 300)
        self.assertEqual(len(re.findall(r"composition\(layout,", text)), 300)
        self.assertEqual(text, run.layouts(300))

    def test_each_case_has_a_source(self):
        with tempfile.TemporaryDirectory() as folder:
            for case in (run.EMPTY, *run.LIMITS):
                # The program has a kernel, or calls one of the library's.
                self.assertRegex(run.source(case, pathlib.Path(folder)).read_text(), r"__global__|\b(gemm_mma|gemm_hopper|copy_tensor)[<(]")


class Usage(unittest.TestCase):
    def test_children_count(self):
        # This "compiler" has a child that does the work and holds the memory.
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            tool = folder / "nvcc"
            work = "x = bytearray(150 * 10**6); [k * k for k in range(3 * 10**6)]"
            tool.write_text(f"#!/bin/sh\n{sys.executable} -c '{work}'\nexit 0\n")
            tool.chmod(0o755)
            seconds, memory = run.compile_one(str(tool), folder, folder / "source.cu", folder)
            self.assertGreater(seconds, 0.05)
            self.assertGreater(memory, 150 * MEGABYTE)

    def test_no_compiler(self):
        with mock.patch("shutil.which", return_value=None), mock.patch("sys.argv", ["run.py", "--check"]):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(run.main(), 77)
        self.assertIn("skipped: no nvcc", out.getvalue())

    def test_what_does_not_compile_is_said(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            tool = folder / "nvcc"
            tool.write_text("#!/bin/sh\necho an error; exit 2\n")
            tool.chmod(0o755)
            with self.assertRaisesRegex(RuntimeError, "source.cu does not compile:\nan error"):
                run.compile_one(str(tool), folder, folder / "source.cu", folder)


if __name__ == "__main__":
    unittest.main()
