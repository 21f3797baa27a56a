#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests of sources can fail: each is given a planted fault, in a temporary folder."""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import format as format_test  # noqa: E402
import headers  # noqa: E402
import layers  # noqa: E402

TOP = "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("core/good.hpp", TOP + "inline int good() { return 1; }\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name: str, text: str):
        path = self.root / "include/cosmati" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def list(self, name: str, text: str):
        path = self.root / "tests/style" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Layers(Tree):
    def problems(self):
        return "\n".join(layers.check(self.root)[0])

    def test_accepts_downward(self):
        self.write("layout/a.hpp", TOP + "#include <cosmati/core/good.hpp>\n#include <cstddef>\n")
        self.write("analysis/b.hpp", TOP + "#include <cosmati/layout/a.hpp>\n")
        self.write("render/c.hpp", TOP + "#include <cosmati/analysis/b.hpp>\n")
        self.write("cosmati.hpp", TOP + "#include <cosmati/layout/a.hpp>\n")
        self.assertEqual(self.problems(), "")

    def test_upward(self):
        self.write("layout/a.hpp", TOP)
        self.write("core/bad.hpp", TOP + "#include <cosmati/layout/a.hpp>\n")
        self.assertIn("core/bad.hpp:3: layer core does not see layout", self.problems())

    def test_sideways(self):
        self.write("runtime/a.hpp", TOP)
        self.write("pipeline/bad.hpp", TOP + "  #  include <cosmati/runtime/a.hpp>\n")
        self.assertIn("pipeline does not see runtime", self.problems())

    def test_nothing_includes_what_stands_beside(self):
        self.write("analysis/a.hpp", TOP)
        self.write("kernel/bad.hpp", TOP + "#include <cosmati/analysis/a.hpp>\n")
        self.assertIn("kernel does not see analysis", self.problems())

    def test_beside_does_not_see_higher(self):
        self.write("arch/a.hpp", TOP)
        self.write("atom/b.hpp", TOP)
        self.write("render/bad.hpp", TOP + "#include <cosmati/arch/a.hpp>\n")
        self.write("interop/bad.hpp", TOP + "#include <cosmati/atom/b.hpp>\n")
        self.assertIn("render does not see arch", self.problems())
        self.assertIn("interop does not see atom", self.problems())

    def test_umbrella_points_up(self):
        self.write("layout/a.hpp", TOP)
        self.write("core.hpp", TOP + "#include <cosmati/layout/a.hpp>\n")
        self.assertIn("layer core does not see layout", self.problems())

    def test_umbrella_is_not_included(self):
        self.write("core.hpp", TOP + "#include <cosmati/core/good.hpp>\n")
        self.write("layout/bad.hpp", TOP + "#include <cosmati/core.hpp>\n")
        self.assertIn("is an umbrella", self.problems())

    def test_unknown_layer(self):
        self.write("misc/bad.hpp", TOP)
        self.assertIn("`misc` is no layer", self.problems())

    def test_missing_file_and_quotes(self):
        self.write("core/bad.hpp", TOP + '#include "good.hpp"\n#include <cosmati/core/none.hpp>\n')
        self.assertIn("write <cosmati/...>", self.problems())
        self.assertIn("does not exist", self.problems())

    def test_length(self):
        self.write("core/long.hpp", TOP + "//\n" * 500)
        self.assertIn("502 lines, 500 at most", self.problems())
        self.list("long_headers.txt", "include/cosmati/core/long.hpp: one table\n")
        self.assertEqual(self.problems(), "")
        self.list("long_headers.txt", "include/cosmati/core/long.hpp:\n")
        self.assertIn("500 at most", self.problems())

    def test_first_lines(self):
        self.write("core/bad.hpp", "int x;\n")
        self.assertIn("SPDX", self.problems())
        self.assertIn("no #pragma once", self.problems())


class Headers(Tree):
    def failed(self, compiler):
        return [name for name, _ in headers.check(compiler, self.root)[0]]

    def test_faults(self):
        self.write("core/uses_map.hpp", TOP + "inline std::map<int, int> bad() { return {}; }\n")
        self.write("core/uses_macro_name.hpp", TOP + "template <int I> struct bad {};\n")
        self.write("core/warns.hpp", TOP + "static int unused(int x) { int y; return 1; }\n")
        faults = ["cosmati/core/uses_macro_name.hpp", "cosmati/core/uses_map.hpp", "cosmati/core/warns.hpp"]
        for compiler in filter(shutil.which, ("g++", "clang++", "nvcc")):
            with self.subTest(compiler=compiler):
                self.assertEqual(self.failed(compiler), faults)

    def test_exception_needs_a_reason(self):
        self.write("core/bad.hpp", TOP + "#error never\n")
        self.list("header_exceptions.txt", "include/cosmati/core/bad.hpp: g++: planted\n")
        self.assertEqual(self.failed("g++"), [])
        self.list("header_exceptions.txt", "include/cosmati/core/bad.hpp: clang++: planted\n")
        self.assertEqual(self.failed("g++"), ["cosmati/core/bad.hpp"])


class Format(Tree):
    def test_fault(self):
        if format_test.find_tool() is None:
            self.skipTest("no clang-format 14")
        before = sys.argv
        try:
            shutil.copy(pathlib.Path(__file__).parents[2] / ".clang-format", self.root)
            sys.argv = ["format.py", str(self.root)]
            self.assertEqual(format_test.main(), 0)
            self.write("core/bad.hpp", TOP + "inline  int bad( ){return 1;}\n")
            self.assertEqual(format_test.main(), 1)
            sys.argv = ["format.py", "--fix", str(self.root)]
            self.assertEqual(format_test.main(), 0)
            sys.argv = ["format.py", str(self.root)]
            self.assertEqual(format_test.main(), 0)
        finally:
            sys.argv = before


if __name__ == "__main__":
    unittest.main()
