# SPDX-License-Identifier: Apache-2.0
"""What the command writes is none of what it reads, and no two of its files are one."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support.command import BIN, run
from support.npy import Array

COPY = ["--thr", "(8,4):(1,8)", "--src", "(64,4)"]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cosmati-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name, shape in (("a", (4, 4)), ("b", (4, 4)), ("b2", (4, 4)), ("d", (4, 4)), ("bias", (4,))):
            array = Array.of("<f4", shape, [i % 3 for i in range(4 ** len(shape))])
            (self.folder / f"{name}.npy").write_bytes(array.bytes())
        (self.folder / "x.cpp").write_text('#include "part.hpp"\nint main() { return part; }\n')
        (self.folder / "part.hpp").write_text("constexpr int part = 0;\n")

    def command(self, *arguments: str, **more) -> subprocess.CompletedProcess:
        return subprocess.run([BIN, *arguments], cwd=self.folder, text=True, timeout=300,
                              **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})

    def state(self) -> dict:
        files = [p for p in self.folder.iterdir() if not p.is_dir()]
        return {p.name: os.readlink(p) if p.is_symlink() else p.read_bytes() for p in files}

    def refused(self, *arguments: str, says: tuple = ("are one file",), **more):
        with self.subTest(arguments=arguments):
            before = self.state()
            done = self.command(*arguments, **more)
            self.assertEqual(done.returncode, 2, done.stderr)
            for words in says:
                self.assertIn(words, done.stderr)
            self.assertEqual(self.state(), before)

    def spellings(self, name: str) -> list:
        """The same file by other names, the links made anew."""
        (self.folder / "folder").mkdir(exist_ok=True)
        other = self.folder / f"link-{name}"
        hard = self.folder / f"hard-{name}"
        for path in (other, hard):
            path.unlink(missing_ok=True)
        os.symlink(name, other)
        os.link(self.folder / name, hard)
        return [name, f"./{name}", str(self.folder / name), f"folder/../{name}", other.name, hard.name]

    def test_inputs(self):
        for other in self.spellings("x.cpp"):
            for option in ("--json", "--report", "--program"):
                self.refused("sim", "x.cpp", option, other)
        for other in self.spellings("a.npy"):
            self.refused("run-copy", "a.npy", other)
            self.refused("run-copy", "a.npy", other, "--permute", "1,0")
            self.refused("gemm", "a.npy", "b.npy", other)
            self.refused("gemm", "b.npy", "a.npy", other)
        self.refused("gemm", "a.npy", "b.npy", "bias.npy", "--bias", "./bias.npy")
        self.refused("sim", "x.cpp", "--json", "a.npy", "--", "a.npy")

    def test_headers_that_the_compiler_reads(self):
        self.refused("sim", "x.cpp", "--report", "./part.hpp", says=("part.hpp", "are one file"))
        (self.folder / "x.cpp").write_text('#include "part.hpp"\nint main() { return nothing; }\n')
        self.refused("sim", "x.cpp", "--json", "./part.hpp", says=("cannot be compiled",))

    def test_two_outputs(self):
        options = ("--json", "--report", "--program")
        for one in options:
            for other in options:
                if one < other:
                    self.refused("sim", "x.cpp", one, "out", other, "./out")  # neither is there
        os.symlink("behind", self.folder / "dangling")
        self.refused("sim", "x.cpp", "--json", "behind", "--report", "dangling")
        (self.folder / "out").write_text("kept")
        for other in self.spellings("out"):
            self.refused("sim", "x.cpp", "--json", "out", "--report", other)
        made = self.folder / "made"
        made.mkdir()
        (made / "report.json").write_text("{}")
        os.symlink("report.json", made / "report.html")
        self.refused("report", "--out", "made", *COPY)

    def test_standard_output(self):
        self.refused("sim", "x.cpp", "--json", "-", "--report", "/dev/stdout")
        with open(self.folder / "said", "w") as said:
            self.refused("run-copy", "a.npy", "said", stdout=said)
            self.refused("sim", "x.cpp", "--json", "said", stdout=said)

    def test_what_is_written_is_no_folder_and_stands_in_one(self):
        (self.folder / "folder").mkdir()
        for arguments in (("run-copy", "a.npy"), ("gemm", "a.npy", "b.npy"), ("draw", "(4,4)", "--out"),
                          ("sim", "x.cpp", "--json"), ("sim", "x.cpp", "--report"), ("sim", "x.cpp", "--program")):
            self.refused(*arguments, "none/out", says=("none/out", "there is no folder none"))
            self.refused(*arguments, "a.npy/out", says=("a.npy is no folder",))
            self.refused(*arguments, "folder", says=("folder is a folder",))
        for arguments in (("run-copy", "a.npy", ""), ("gemm", "a.npy", "b.npy", ""), ("report", "--out", "", *COPY)):
            self.refused(*arguments, says=("is empty",))
        self.refused("report", "--out", "a.npy", *COPY, says=("a.npy is a file",))

    def test_what_is_no_conflict(self):
        for arguments in (("gemm", "a.npy", "b.npy", "b2.npy"), ("run-copy", "a.npy", "c.npy"),
                          ("gemm", "a.npy", "a.npy", "d.npy"), ("draw", "(4,4)", "--out", "e.txt"),
                          ("gemm", "a.npy", "b.npy", "d.npy", "--beta", "1"),  # C is read, and then written
                          ("draw", "(4,4)", "--out", "/dev/null"), ("report", "--out", "new/folder", *COPY)):
            with self.subTest(arguments=arguments):
                done = self.command(*arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir() if ".cosmati" in p.name], [])

    def test_a_program_that_is_kept(self):
        (self.folder / "program").write_text("before")
        other = self.folder / "other"
        os.link(self.folder / "program", other)
        self.command("sim", "x.cpp", "--program", "program", "--json", "/dev/null", "--report", "/dev/null")
        self.assertTrue(os.access(self.folder / "program", os.X_OK))
        self.assertEqual(other.read_text(), "before")  # written whole under another name, not in place

    def test_long_names(self):
        name = "n" * 255
        self.assertEqual(self.command("draw", "(4,4)", "--out", name).returncode, 0)
        self.assertTrue((self.folder / name).read_text())


if __name__ == "__main__":
    unittest.main()
