#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the compile-fail runner can fail. Each of its judgements gets a planted fault."""
import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402

GOOD = """\
// expect 1: needs 4, has 3
// expect 2: needs 4, has 5
#if COSMATI_FAIL == 1
static_assert(false, "needs 4, has 3");
#elif COSMATI_FAIL == 2
static_assert(false, "needs 4, has 5");
#endif
int main() {}
"""
COMPILERS = [name for name in ("g++", "clang++", "nvcc") if shutil.which(name)]


class Runner(unittest.TestCase):
    def run_text(self, text: str, compiler: str = "g++") -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "case.cpp").write_text(text)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                status = run.run(compiler, compiler, pathlib.Path(folder), "case.cpp")
            return status, said.getvalue()

    def expect_failure(self, text: str, why: str, compiler: str = "g++"):
        status, said = self.run_text(text, compiler)
        self.assertEqual(status, 1, said)
        self.assertIn(why, said)

    def test_good(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                status, said = self.run_text(GOOD, compiler)
                self.assertEqual(status, 0, said)

    def test_corrected_form_must_compile(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.expect_failure(GOOD + "#if !COSMATI_FAIL\n#error no\n#endif\n", "does not compile", compiler)

    def test_failing_form_must_fail(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                text = GOOD.replace('static_assert(false, "needs 4, has 5");', "")
                self.expect_failure(text, "it compiles", compiler)

    def test_message(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                text = GOOD.replace('"needs 4, has 5"', '"needs 4"')
                self.expect_failure(text, "does not contain: needs 4, has 5", compiler)

    def test_quoted_source_is_no_message(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                text = GOOD.replace('"needs 4, has 5");', '"no");  /* needs 4, has 5 */')
                self.expect_failure(text, "does not contain: needs 4, has 5", compiler)

    def test_reject(self):
        self.expect_failure("// reject: has 5\n" + GOOD, "the output contains: has 5")

    def test_limits(self):
        self.expect_failure("// expect-lines < 2\n" + GOOD, "fewer than 2 wanted")
        self.expect_failure("// expect-bytes < 20\n" + GOOD, "fewer than 20 wanted")
        text = GOOD.replace("int main() {}", "#if COSMATI_FAIL == 2\n" + "int x = none;\n" * 12 + "#endif\n")
        self.expect_failure(text, "fewer than 25 wanted")

    def test_two_shapes(self):
        self.expect_failure(GOOD.replace("// expect 2: needs 4, has 5\n", ""), "at least two shapes")
        self.expect_failure(GOOD.replace("// expect 2", "// expect 3"), "at least two shapes")

    def test_each_case_is_in_the_file(self):
        self.expect_failure(GOOD.replace("#elif COSMATI_FAIL == 2", "#elif COSMATI_FAIL == 7"), "COSMATI_FAIL == 2")

    def test_comments_must_make_sense(self):
        self.expect_failure("// expect first: x\n" + GOOD, "write `// expect 1: regex`")
        self.expect_failure("// expect 1: (\n" + GOOD, "not a regex")
        self.expect_failure("// expect-lines 40\n" + GOOD, "write `// expect-lines < N`")

    def test_expectations_by_compiler(self):
        text = "// expect 1 clang++: never said\n" + GOOD
        self.assertEqual(self.run_text(text, "g++")[0], 0)
        if "clang++" in COMPILERS:
            self.expect_failure(text, "does not contain: never said", "clang++")

    def test_only(self):
        self.assertEqual(self.run_text("// only: clang++, nvcc (planted)\n" + GOOD, "g++")[0], 77)
        self.assertEqual(self.run_text("// only: g++ (planted)\n" + GOOD, "g++")[0], 0)

    def test_flags(self):
        self.expect_failure("// flags: -nonsense\n" + GOOD, "the corrected form does not compile")
        self.assertEqual(self.run_text("// flags clang++: -nonsense\n" + GOOD, "g++")[0], 0)


if __name__ == "__main__":
    unittest.main()
