#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the tests of sources can fail. Each gets a planted fault, in a temporary folder."""
import json
import io
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import copy_page  # noqa: E402
import format as format_test  # noqa: E402
import functions  # noqa: E402
import headers  # noqa: E402
import layers  # noqa: E402
import stems  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
import build_progress  # noqa: E402
import summary  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
import validate  # noqa: E402

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
TOP = SPDX + "#pragma once\n#include <cosmati/core/macros_begin.hpp>\n"
END = "#include <cosmati/core/macros_end.hpp>\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for which in ("begin", "end"):
            self.write(f"core/macros_{which}.hpp", SPDX)
        self.write("core/good.hpp", TOP + "inline int good() { return 1; }\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name: str, text: str):
        path = self.root / "include/cosmati" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + END if text.startswith(TOP) else text)

    def list(self, name: str, text: str):
        path = self.root / "tests/style" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class BuildProgress(unittest.TestCase):
    def test_positions(self):
        self.assertEqual(build_progress.position(b"[42/93] Building CXX object x.o\n"), (42, 93))
        self.assertEqual(build_progress.position(b"[  7%] Building CXX object x.o\n"), (7, 100))
        self.assertIsNone(build_progress.position(b"x.cpp:1: error: [1/2]\n"))

    def test_sentences(self):
        self.assertEqual(build_progress.sentence(1, 93, 50), "1 of 93 build steps")
        self.assertEqual(build_progress.sentence(30, 90, 60), "30 of 90 build steps, about 2 min left")
        self.assertEqual(build_progress.sentence(50, 60, 10), "50 of 60 build steps, about 2 s left")
        self.assertEqual(build_progress.sentence(60, 60, 12), "60 of 60 build steps, 12 s")

    def test_lines_without_a_terminal(self):
        now = [0.0]
        out = io.StringIO()
        progress = build_progress.Progress(out, False, lambda: now[0])
        for second in range(1, 26):
            now[0] = second
            progress.step(second, 50)
            progress.wait()
        progress.end()
        self.assertEqual(out.getvalue().splitlines(), [
            "  10 of 50 build steps, about 40 s left", "  20 of 50 build steps, about 30 s left",
            "  25 of 50 build steps, about 25 s left"])

    def test_run(self):
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            status = build_progress.run(str(log), ["sh", "-c", "echo '[1/2] a'; echo said >&2; echo '[2/2] b'; exit 3"], out)
            self.assertEqual(log.read_text(), "[1/2] a\nsaid\n[2/2] b\n")
        self.assertEqual(status, 3)
        self.assertIn("2 of 2 build steps", out.getvalue())


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
        self.assertIn("core/bad.hpp:4: layer core does not see layout", self.problems())

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
        self.write("core/long.hpp", TOP + "//\n" * 399)
        self.assertIn("403 lines, 400 at most", self.problems())
        self.list("long_headers.txt", "include/cosmati/core/long.hpp: one table\n")
        self.assertEqual(self.problems(), "")
        self.list("long_headers.txt", "include/cosmati/core/long.hpp:\n")
        self.assertIn("400 at most", self.problems())

    def test_circle(self):
        self.write("core/a.hpp", TOP + "#include <cosmati/core/b.hpp>\n")
        self.write("core/b.hpp", TOP + "#include <cosmati/core/good.hpp>\n")
        self.assertEqual(self.problems(), "")
        self.write("core/good.hpp", TOP + "#include <cosmati/core/a.hpp>\n")
        self.assertIn("cosmati/core/a.hpp -> cosmati/core/b.hpp -> cosmati/core/good.hpp -> cosmati/core/a.hpp: headers include each other", self.problems())

    def test_first_lines(self):
        self.write("core/bad.hpp", "int x;\n")
        self.assertIn("SPDX", self.problems())
        self.assertIn("no #pragma once", self.problems())

    def test_frame(self):
        self.write("core/bad.hpp", SPDX + "#pragma once\nint x;\n")
        self.assertIn("core/macros_begin.hpp> in the line behind #pragma once", self.problems())
        self.assertIn("core/macros_end.hpp> as the last line", self.problems())


class Functions(Tree):
    LINES = "  x = x + 1;\n"

    def problems(self):
        return "\n".join(functions.check(self.root)[0])

    def test_limit(self):
        for lines, problem in ((58, ""), (59, "core/a.hpp:4: f has 61 lines, 60 at most")):
            self.write("core/a.hpp", TOP + "void f(int x) {\n" + self.LINES * lines + "}\n")
            self.assertEqual(bool(self.problems()), bool(problem))
            self.assertIn(problem, self.problems())

    def test_where_a_long_function_stands(self):
        long, short = self.LINES * 60 + "}", self.LINES + "}"
        for begin, end in (
            ("void f(int x) {\n", ""),
            ("template <class T, class U = decltype(g(T{}) > 0)>\n__global__ void __launch_bounds__(4)\n    f(T x) {\n", ""),
            ("namespace a::b {\nstruct s : t<decltype(g())> {\n  int y = 0;\n public:\n  int f(int x) const noexcept {\n", "};\n}\n"),
            ("struct s {\n  s() : a_{1}, b_(2), c_{} {\n", "\n  int a_, b_, c_;\n};\n"),
            ("struct s {\n  s() {}\n  struct alignas(16) inner {\n    auto operator()(int x) const -> int {\n", "};\n};\n"),
            ("requires(a<T> && b) auto f(T x) {\n", ""),
            ("auto const f = [](int x) {\n", ";\n"),
            ("int const y = g([](int x) {\n", ");\n"),
            ("extern \"C\" {\nvoid f(int x) {\n", "\n}\n"),
            ("#if A\nint g(int x) { return x; }\n#else\nint f(int x) {\n", "\n#endif\n"),
            ("int f(int x) {\n#if A\n  if (x) {\n#else\n  {\n#endif\n  x; }\n", ""),
            ("bool operator==(s const& x, s const&) {\n", ""),
        ):
            for body, wrong in ((long, 1), (short, 0)):
                with self.subTest(begin=begin, wrong=wrong):
                    self.write("core/a.hpp", TOP + begin + body + end + "\n")
                    self.assertEqual(len(functions.check(self.root)[0]), wrong)

    def test_what_is_no_function(self):
        self.write("core/table.hpp", TOP + "namespace a {\nint const x[] = {\n" + "  1,\n" * 80 + "};\n" + "int f();\n" * 80 + "}\n")
        self.write("core/words.hpp", TOP + '/* void f() { */\nchar const* const x = R"(' + "void f() {\n" * 80 + ')";\nint const y = 1\'000;\n// {\n')
        self.write("core/type.hpp", TOP + "enum class e {\n" + "  " + ",\n".join(f"e{i}" for i in range(80)) + "};\nstruct s {\n" + "  int f() { return 1; }\n" * 80 + "};\n")
        self.assertEqual(self.problems(), "")

    def test_brace_without_partner(self):
        self.write("core/a.hpp", TOP + "void f() {\n")
        self.assertIn("the brace that opens here does not close", self.problems())

    def test_other_folders(self):
        path = self.root / "src/sim/a.cpp"
        path.parent.mkdir(parents=True)
        path.write_text("int f(int x) {\n" + self.LINES * 60 + "}\n")
        self.assertIn("src/sim/a.cpp:1: f has 62 lines", self.problems())

    def test_exceptions(self):
        self.write("core/a.hpp", TOP + "void f(int x) {\n" + self.LINES * 60 + "}\n")
        self.list("long_functions.txt", "include/cosmati/core/a.hpp: f: planted\n")
        self.assertEqual(self.problems(), "")
        self.list("long_functions.txt", "include/cosmati/core/a.hpp: f:\n")
        self.assertIn("f has 62 lines", self.problems())
        self.write("core/a.hpp", TOP + "void f(int x) {\n" + self.LINES + "}\n")
        self.assertIn("has no function f with more than 60 lines", self.problems())


class Headers(Tree):
    def failed(self, compiler):
        return [name for name, _ in headers.check(compiler, self.root)[0]]

    def test_faults(self):
        self.write("core/uses_map.hpp", TOP + "inline std::map<int, int> bad() { return {}; }\n")
        self.write("core/uses_macro_name.hpp", TOP + "template <int I> struct bad {};\n")
        self.write("core/warns.hpp", TOP + "static int unused(int x) { int y; return 1; }\n")
        faults = ["cosmati/core/uses_macro_name.hpp", "cosmati/core/uses_map.hpp", "cosmati/core/warns.hpp"]
        self.assertEqual(self.failed("g++"), faults)
        for compiler in filter(shutil.which, ("clang++", "nvcc")):
            with self.subTest(compiler=compiler):
                self.assertEqual(self.failed(compiler), ["all of them"])

    def test_what_one_compiler_alone_reads(self):
        for compiler, macro in {"clang++": "__clang__", "nvcc": "__CUDA_ARCH__"}.items():
            if shutil.which(compiler):
                with self.subTest(compiler=compiler):
                    name = f"core/for_{macro.strip('_').lower()}.hpp"
                    self.write(name, TOP + f"#ifdef {macro}\ninline std::map<int, int> bad() {{ return {{}}; }}\n#endif\n")
                    self.assertEqual(self.failed(compiler), [f"cosmati/{name}"])

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


class Stems(Tree):
    """Ten headers, eight of them with a test: just enough."""

    def setUp(self):
        super().setUp()
        for k in range(9):
            self.write(f"layout/h{k}.hpp", TOP)
        for k in range(7):
            self.write_test(f"unit/layout/h{k}.cpp")
        self.write_test("unit/core/good.cpp")
        self.list("tested_elsewhere.txt", "layout/h7.hpp: tests/unit/layout/h1.cpp\nlayout/h8.hpp: declarations\n")

    def write_test(self, name: str, text: str = SPDX):
        path = self.root / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def problems(self) -> str:
        return "\n".join(stems.check(self.root)[0])

    def test_enough(self):
        self.assertEqual(self.problems(), "")
        self.assertGreaterEqual(stems.AT_LEAST, 80)

    def test_a_listed_header_more_is_too_many(self):
        (self.root / "tests/unit/layout/h0.cpp").unlink()
        self.list("tested_elsewhere.txt", "layout/h0.hpp: declarations\nlayout/h7.hpp: declarations\nlayout/h8.hpp: declarations\n")
        self.assertEqual(self.problems(), "70.0 % of the headers have a test of the same stem, at least 80 % are wanted")

    def test_another_folder_does_not_count(self):
        (self.root / "tests/unit/layout/h0.cpp").unlink()
        for name in ("unit/core/h0.cpp", "unit/layout/algebra/h0.cpp", "unit/h0.cpp", "compile_fail/h0.cpp", "compat/h0.cpp", "sim/h0.cpp"):
            self.write_test(name)
            self.assertIn("layout/h0.hpp: it has no test of the same stem; write tests/unit/layout/h0.cpp", self.problems(), name)

    def test_elsewhere_the_header_is_included_by_name(self):
        (self.root / "tests/unit/layout/h0.cpp").unlink()
        self.write_test("sim/h0.cpp", "#include <cosmati/layout/h1.hpp>\n")
        self.assertIn("layout/h0.hpp: it has no test", self.problems())
        self.write_test("sim/h0.cpp", "#include <cosmati/layout/h0.hpp>\n")
        self.assertEqual(self.problems(), "")

    def test_the_list_is_true(self):
        self.write_test("unit/layout/h7.cpp")
        self.assertIn("no header without a test is layout/h7.hpp", self.problems())
        self.list("tested_elsewhere.txt", "layout/h8.hpp:\n")
        self.assertIn("layout/h8.hpp has no reason", self.problems())
        self.list("tested_elsewhere.txt", "layout/h8.hpp: tests/unit/layout/gone.cpp\n")
        self.assertIn("tests/unit/layout/gone.cpp does not exist", self.problems())

    def test_long_files(self):
        self.write_test("sim/long.cpp", "\n" * 601)
        self.assertIn("tests/sim/long.cpp: 601 lines, 600 at most", self.problems())


class Summary(unittest.TestCase):
    """The counts of ./test."""

    def count(self, cases: str, results: dict[str, dict] | None = None):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "results").mkdir()
            for name, content in (results or {}).items():
                (build / "results" / f"{name}.json").write_text(json.dumps(content))
            (build / "junit.xml").write_text(f"<testsuite>{cases}</testsuite>")
            return summary.count(build, build / "junit.xml")

    def case(self, name: str, text: str = "", status: str = "run", more: str = ""):
        return f'<testcase name="{name}" status="{status}">{more}<system-out>{text}</system-out></testcase>'

    def test_plain(self):
        cases = self.case("a") + self.case("b", status="fail", more='<failure message=""/>')
        self.assertEqual(self.count(cases), (1, ["b"], 0))

    def test_skipped_and_missing(self):
        cases = self.case("a", status="notrun", more='<skipped message="SKIP_RETURN_CODE=77"/>')
        cases += self.case("b", status="notrun", more='<skipped message="Unable to find executable"/>')
        self.assertEqual(self.count(cases), (0, ["b"], 1))

    def test_gtest(self):
        suite = [
            {"name": "x", "status": "RUN", "result": "COMPLETED"},
            {"name": "y", "status": "RUN", "result": "COMPLETED", "failures": [{}]},
            {"name": "z", "status": "RUN", "result": "SKIPPED"},
            {"name": "w", "status": "NOTRUN", "result": "SUPPRESSED"},
        ]
        results = {"a": {"testsuites": [{"name": "S", "testsuite": suite}]}}
        failed = self.case("a", status="fail", more="<failure/>")
        self.assertEqual(self.count(failed, results), (1, ["a: S.y"], 2))
        del suite[1]
        self.assertEqual(self.count(self.case("a"), results), (1, [], 2))
        self.assertEqual(self.count(failed, results), (1, ["a: ended badly"], 2))

    def test_no_cases(self):
        self.assertEqual(self.count(self.case("a"), {"a": {"testsuites": []}}), (0, [], 1))

    def test_texts(self):
        self.assertEqual(self.count(self.case("a", "x\ncounts: 5 passed, 0 failed, 2 skipped\n")), (5, [], 2))
        self.assertEqual(self.count(self.case("a", "Ran 6 tests in 1.0s\n\nOK (skipped=2)\n")), (4, [], 2))
        failed = self.case("a", "Ran 6 tests in 1.0s\n\nFAILED (failures=1, errors=1)\n", "fail", "<failure/>")
        self.assertEqual(self.count(failed), (4, ["a", "a"], 0))


class CopyPage(unittest.TestCase):
    """A page with one row, for a file of two lines that defines `load`."""

    ROW = "| [a.hpp](../include/cosmati/algorithm/copy/a.hpp) | 2 | reads: `load(...)` |\n"
    PAGE = "# Page\n## Two words\n" + ROW + "2 lines in 1 files; [above](#two-words)\n"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name, text in (("docs/how-a-copy-works.md", self.PAGE), (copy_page.COPY + "/a.hpp", "template <int n>\nint load(int i);\n")):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def tearDown(self):
        self.folder.cleanup()

    def problems(self, text: str) -> str:
        return "\n".join(copy_page.broken_links(self.root, text) + copy_page.wrong_rows(self.root, text))

    def test_good(self):
        self.assertEqual(self.problems(self.PAGE), "")

    def test_faults(self):
        for old, new, why in [
            ("| 2 |", "| 3 |", "a.hpp has 2 lines, not 3"),
            ("copy/a.hpp)", "copy/b.hpp)", "leads to no file"),
            ("copy/a.hpp)", "copy/b.hpp)", "the table lacks include/cosmati/algorithm/copy/a.hpp"),
            ("#two-words", "#three-words", "no heading #three-words"),
            ("`load(...)`", "`store(...)`", "a.hpp defines no store"),
            ("2 lines in 1 files", "9 lines in 4 files", "9 lines in 4 files are 2 lines in 1 files"),
        ]:
            with self.subTest(why):
                self.assertIn(why, self.problems(self.PAGE.replace(old, new)))

    def test_a_new_header(self):
        (self.root / copy_page.COPY / "new.hpp").write_text("\n")
        self.assertIn("the table lacks include/cosmati/algorithm/copy/new.hpp", self.problems(self.PAGE))

    def test_update(self):
        wrong = self.PAGE.replace("| 2 |", "| 7 |").replace("2 lines in 1", "7 lines in 3")
        self.assertEqual(copy_page.updated(self.root, wrong), self.PAGE)

    def test_instructions(self):
        ptx = "\t@%p1 ld.global.v2.u64 \t{%rd1, %rd2}, [%rd3];\n$L_1:\n\tbar.sync \t0;\n\tret;\n"
        self.assertEqual(copy_page.instructions(ptx), ["ld.global.v2.u64", "bar.sync"])
        made = iter(["ld.global.u32", "bar.sync", "st.global.u32"])
        self.assertEqual([i in made for i in ("bar.sync", "ld.global.u32")], [True, False])  # in that order


class BenchResults(unittest.TestCase):
    GOOD = {
        "schema": 1,
        "work": {"name": "copy/plain", "parameters": {"bytes": 4096, "type": "float"}},
        "device": {"name": "NVIDIA H200", "architecture": "sm_90a"},
        "commit": "0" * 40,
        "date": "2026-01-31",
        "figure": {"value": 90.0, "unit": "GB/s"},
        "peer": {"name": "cudaMemcpyAsync", "figure": {"value": 100.0, "unit": "GB/s"}},
        "ratio": 0.9,
        "kernels": ["copy_kernel"],
        "repetitions": 5,
        "spread": 0.01,
    }

    def problems(self, **changes):
        schema = json.loads((validate.BENCH / "schema.json").read_text())
        return "\n".join(validate.check_result({**self.GOOD, **changes}, schema))

    def test_good(self):
        self.assertEqual(self.problems(), "")

    def test_faults(self):
        quantity = {"value": 100.0, "unit": "us"}
        for changes, why in [
            ({"schema": 2}, "result.schema is not 1"),
            ({"commit": "main"}, "does not match"),
            ({"ratio": 1.1}, "figure / peer is 0.9"),
            ({"ratio": True}, "not of type number"),
            ({"peer": {"name": "x", "figure": quantity}}, "the peer's in us"),
            ({"peer": {"name": "x"}}, "result.peer.figure is missing"),
            ({"figure": {"value": 0, "unit": "GB/s"}}, "not above 0"),
            ({"figure": {"value": 1, "unit": "parsecs"}}, "not one of"),
            ({"kernels": [""]}, "result.kernels[0] is empty"),
            ({"repetitions": 0}, "less than 1"),
            ({"speed": 1}, "result.speed is not in the schema"),
        ]:
            with self.subTest(changes=changes):
                self.assertIn(why, self.problems(**changes))


if __name__ == "__main__":
    unittest.main()
