#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/public_kernels.py on a folder of made-up files: the outcomes as listed, changed, missing and time-out, and wrong lists.

The list itself is read, too. Its files are not here, so they are not run.
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import public_kernels  # noqa: E402

BIN = os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati"))
COMMIT = "0123456789012345678901234567890123456789"
# Adds one to n numbers; a macro or an argument plants a fault.
SOURCE = """#include <cstdio>
#include <cstdlib>
__global__ void add_one(int* numbers, int n) {
  int i = threadIdx.x;
  if (i < n) numbers[i] += 1;
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8, *numbers, host[8] = {};
  while (n < 0) {}
  cudaMalloc(&numbers, sizeof host);
#ifndef UNSET
  cudaMemset(numbers, 0, sizeof host);
#endif
  add_one<<<1, 32>>>(numbers, n);
  cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(numbers);
  return n == 8 && host[7] != 1 ? 4 : 0;
}
"""


def entry(path: str, outcome: str, **more) -> str:
    lines = ["[[file]]", 'repository = "nobody/samples"', f'path = "{path}"', f'outcome = "{outcome}"']
    return "\n".join(lines + [f"{k} = {v!r}" for k, v in more.items()]) + "\n"


class Script(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "nobody/samples/include").mkdir(parents=True)
        (self.folder / "nobody/samples/one.cu").write_text(SOURCE)
        (self.folder / "nobody/samples/broken.cu").write_text('#include "limit.h"\nint main() { return undeclared; }\n')

    def run_list(self, text: str, *options: str) -> tuple[int, list[str], str]:
        """The exit status, the lines of standard output, and standard error."""
        listed = self.folder / "list.toml"
        listed.write_text(f'[commits]\n"nobody/samples" = "{COMMIT}"\n' + text)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = public_kernels.main([str(self.folder), "--list", str(listed), "--cosmati", BIN, *options])
        return status, out.getvalue().splitlines(), err.getvalue()

    def test_outcomes_as_listed(self):
        status, lines, _ = self.run_list(
            entry("one.cu", "right", arguments=["8"])
            + entry("one.cu", "finding", options=["-D", "UNSET"], hazards=["uninitialized@5"], exit=4, why="Nothing sets the numbers."))
        self.assertEqual(lines, ["as listed  nobody/samples/one.cu: right",
                                 "as listed  nobody/samples/one.cu: uninitialized@5, exit status 4",
                                 "2 as listed, 0 changed, 0 time-out, 0 missing"])
        self.assertEqual(status, 0)

    def test_a_program_of_several_files(self):
        (self.folder / "nobody/samples/part.cpp").write_text("int part() { return 5; }\n")
        (self.folder / "nobody/samples/whole.cu").write_text(SOURCE.replace("int main", "int part();\nint main").replace("? 4 : 0", "? 4 : part()"))
        page = self.folder / "page.md"
        page.write_text(f"{public_kernels.BEGIN}\n{public_kernels.END}\n")
        status, lines, _ = self.run_list(
            entry("whole.cu", "finding", sources=["part.cpp"], exit=5, why="It is so.") + entry("whole.cu", "right", sources=["absent.cpp"]),
            "--write", "--page", str(page))
        self.assertEqual(lines[0], "as listed  nobody/samples/whole.cu: exit status 5")
        self.assertTrue(lines[1].startswith("missing    nobody/samples/whole.cu: ") and "absent.cpp is not there" in lines[1], lines[1])
        self.assertIn("| `whole.cu` | `part.cpp` | exit status 5 | It is so. |", page.read_text())

    def test_changed_missing_and_time_out(self):
        status, lines, _ = self.run_list(
            entry("one.cu", "right", options=["-D", "UNSET"]) + entry("absent.cu", "right")
            + entry("one.cu", "right", arguments=["-1"]) + entry("broken.cu", "right", options=["-I", "@include"])
            + entry("one.cu", "finding", hazards=["race@5"], why="There is none."), "--timeout", "3")
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "changed    nobody/samples/one.cu: uninitialized@5, exit status 4 (listed: right)")
        self.assertTrue(lines[1].startswith("missing    nobody/samples/absent.cu: "), lines[1])
        self.assertEqual(lines[2], "time-out   nobody/samples/one.cu: not ended after 3 s (listed: right)")
        self.assertIn("there is no header limit.h; give its folder by -I", lines[3])
        self.assertEqual(lines[4], "changed    nobody/samples/one.cu: right (listed: race@5)")
        self.assertEqual(lines[5], "0 as listed, 3 changed, 1 time-out, 1 missing")

    def test_the_page_has_the_run(self):
        page = self.folder / "page.md"
        page.write_text(f"Before\n{public_kernels.BEGIN}\nold\n{public_kernels.END}\nafter\n")
        status, _, _ = self.run_list(entry("one.cu", "right", arguments=["8"]), "--write", "--page", str(page))
        self.assertEqual(status, 0)
        text = page.read_text()
        self.assertIn("| `one.cu` | `-- 8` | right |  |", text)
        self.assertIn("1 files of 1 repositories in 1 runs: 1 are right, 0 have true findings.", text)
        self.assertIn(COMMIT, text)
        self.assertNotIn("old", text)
        self.run_list(entry("one.cu", "right", arguments=[["8"], ["4"]]), "--write", "--page", str(page))
        self.assertIn("| `one.cu` | `-- 8`, `-- 4` | right |  |", page.read_text())
        self.assertTrue(text.startswith("Before\n") and text.endswith("after\n"))

    def test_wrong_lists_are_named(self):
        for text, words in ((entry("one.cu", "right", colour="red"), "nobody/samples/one.cu: colour is not a key"),
                            (entry("one.cu", "fine"), "the outcome is fine; write right or finding"),
                            (entry("one.cu", "finding", hazards=["race@5"]), "a finding has `why`"),
                            (entry("one.cu", "right", hazards=["race@5"], why="x"), "what is right has no `hazards`"),
                            (entry("one.cu", "right").replace("nobody", "else"), "[commits] has no else/samples"),
                            (2 * entry("one.cu", "right"), "a file stands twice"), ("[[file]", "list.toml: ")):
            with self.subTest(words):
                status, lines, said = self.run_list(text)
                self.assertEqual((status, lines), (2, []))
                self.assertIn(words, said)
        status, _, said = self.run_list(entry("absent.cu", "right"))
        self.assertEqual(status, 2)
        self.assertIn("has no file of the list; --clones prints the commands that fetch them", said)

    def test_the_commands_that_fetch(self):
        status, lines, _ = self.run_list("", "--clones")
        self.assertEqual(status, 0)
        self.assertEqual(lines, [f"git clone --filter=blob:none https://github.com/nobody/samples {self.folder}/nobody/samples"
                                 f" && git -C {self.folder}/nobody/samples checkout -q {COMMIT}"])


class List(unittest.TestCase):
    def test_the_list_and_the_page_agree(self):
        commits, files = public_kernels.read_list(public_kernels.LIST)
        page = public_kernels.PAGE.read_text()
        self.assertGreaterEqual(len(files), 80)
        self.assertGreaterEqual(len({f.repository for f in files}), 10)
        for file in files:
            with self.subTest(file.path):
                self.assertIn(f"| `{file.path}` |", page)
                self.assertIn(commits[file.repository], page)
        self.assertNotIn("changed: ", page)
        self.assertNotIn("missing: ", page)


if __name__ == "__main__":
    unittest.main()
