# SPDX-License-Identifier: Apache-2.0
"""Inputs that are wrong, huge or strange end with a sentence: soon, with the right exit status, and without the words of
an exception or of a number that means "none"."""
import os
import random
import re
import resource
import subprocess
import tempfile
import unittest

from support.command import BIN, run
from support.npy import Array

# Sentinels, empty lists and plural forms that tell of them.
SENTINEL = re.compile(r"bank -1|lanes  of|(?<!')\b(nan|inf)\b|\b1 words\b|std::|bad_alloc|\b-1 an instruction|\d{40}")


def limited(*arguments: str, seconds: float = 60, memory: int = 4 << 30) -> subprocess.CompletedProcess:
    return subprocess.run([BIN, *arguments], capture_output=True, text=True, timeout=seconds,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))


class Numbers(unittest.TestCase):
    def refused(self, *arguments: str, says: str, status: int = 2):
        with self.subTest(arguments=arguments):
            done = limited(*arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertIsNone(SENTINEL.search(done.stderr), done.stderr)
            self.assertLess(len(done.stderr), 500)
            self.assertEqual(done.stdout, "")

    def test_more_threads_than_a_block_has(self):
        for command in (["tiled-copy"], ["check", "--src", "(4096,4096)"], ["draw"], ["report", "--out", "/nonexistent/r"]):
            self.refused(*command, "--thr", "(65536,65536)", "--val", "8", says="4294967296 threads")
            self.refused(*command, "--thr", "(4096,4096)", says="16777216 threads")
            self.refused(*command, "--thr", "(33,32)", says="1056 threads, and a block of a kernel has at most 1024")
            self.refused(*command, "--thr", "32", "--val", "100000000", says="100000000 values of each of 32 threads")
        self.assertEqual(run("tiled-copy", "--thr", "(32,32)").returncode, 0)
        # A tiled MMA is described without looking at each thread.
        mma = "SM80_16x8x16_F32F16F16F32_TN"
        self.assertEqual(limited("tiled-mma", "--atom", mma, "--atom-layout", "(65536,65536,1)").returncode, 0)
        self.refused("draw", "--mma", mma, "--atom-layout", "(65536,65536,1)", says="cells")

    def test_negative_extents(self):
        for command, layout in (("layout", "(-4,4)"), ("layout", "(4,(2,-3)):(1,(4,8))"), ("layout", "-4:1"), ("draw", "(-4,4)"),
                                ("eval", "make_layout((-4,4))"), ("eval", "composition((-8):(1), 4:1)"),
                                ("eval", "logical_divide(16:1, -4)"), ("eval", "make_layout((-4,4), LayoutRight{})"),
                                ("layout", "Sw<3,3,3> o 0 o (8,-64):(64,1)"), ("eval", "cosize(-4:1)"),
                                ("eval", "make_identity_layout((-4,4))"), ("eval", "make_ordered_layout((4,-4), (1,0))"),
                                ("eval", "tile_to_shape((2,2):(1,2), (-4,4))")):
            self.refused(command, *(["--"] if layout[0] == "-" else []), layout, says="extents are 0 or more")
        self.refused("check", "--thr", "32", "--src", "(-64,4)", says="-64")
        self.refused("check", "--thr", "32", "--src", "64", "--bounds", "(-4)", says="an extent of -4")
        self.refused("check", "--thr", "32", "--src", "64", "--bounds", "0", says="an extent of 0")
        self.refused("plan", "--src", "(-4,4)", "--dst", "(-4,4)", says="-4")
        done = run("layout", "(0,4)")  # CuTe's empty layout
        self.assertEqual((done.returncode, "size       0" in done.stdout), (0, True))
        self.assertEqual(run("eval", "(-4,4)").stdout, "(-4,4)\n")  # a coordinate

    def test_options(self):
        none = "/nonexistent/x.cpp"
        for option, text, says in (("--seed", "-1", "0 to 18446744073709551615"), ("--seed", "1.5", "0 to 18446744073709551615"),
                                   ("--seed", "18446744073709551616", "0 to 18446744073709551615"),
                                   ("--threads", "0", "1 to 1024"), ("--threads", "-1", "1 to 1024"),
                                   ("--threads", "99999999999", "1 to 1024"), ("--timeout", "-1", "0 to 1e+09"),
                                   ("--timeout", "nan", "0 to 1e+09"), ("--timeout", "1e300", "0 to 1e+09"),
                                   ("--timeout", "inf", "0 to 1e+09"), ("--compile-timeout", "x", "0 to 1e+09")):
            self.refused("sim", none, option, text, says=says)
        for text in ("-1", "nan", "1.5", "9223372036854775808"):
            self.refused("check", "--thr", "32", "--src", "32", "--max-conflicts", text, says="0 to 9223372036854775807")
        for text in ("-1", "nan", "2", "1e999"):
            self.refused("check", "--thr", "32", "--src", "32", "--min-efficiency", text, says="no number from 0 to 1")
        for text in ("0", "129", "99999999999999999999"):
            self.refused("draw", "(4,4)", "--bits", text, says="1 to 128")
        for text in ("0", "-1", "1025"):
            self.refused("plan", "--src", "4", "--dst", "4", "--threads", text, says="1 to 1024")

    def test_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.npy")
            with open(path, "wb") as file:
                file.write(Array("|u1", (1 << 33,), data=b"").bytes())
                file.truncate(file.tell() + (1 << 33))  # a hole
            self.refused("run-copy", path, os.path.join(folder, "out.npy"), says="no room in memory", status=1)


class StandardOutput(unittest.TestCase):
    def test_that_takes_nothing(self):
        for arguments in (["layout", "4:1"], ["--help"], ["--version"], ["sim", "--help"], ["eval", "1+1"],
                          ["draw", "(4,4)"], ["check", "--thr", "32", "--src", "32", "--json"]):
            with self.subTest(arguments=arguments):
                with open("/dev/full", "w") as full:
                    done = subprocess.run([BIN, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("cannot write to standard output: No space left", done.stderr)
                done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", BIN, *arguments], stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)


class CopyAsync(unittest.TestCase):
    """Wavefronts that the lines of a cp.async's source cause."""

    def check(self, thr: str, src: str, dst: str, val: str = "(1,8)") -> str:
        done = run("check", "--atom", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "--type", "half", "--thr", thr, "--val", val,
                   "--src", src, "--dst", dst)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(SENTINEL.search(done.stdout), done.stdout)
        return done.stdout[done.stdout.index("destination"):]

    def test_rows_of_half_a_line(self):
        # 8 lanes are served together, two rows of 64 bytes of two lines: the lanes of the second row want the same places
        # of their line. One pass more for each of the 4 groups of a warp; 16 warps' instructions, as 128 threads of
        # 8 values cover 32 x 32 at a time, 4 warps in each of 4 steps.
        said = self.check("(32,4):(4,1)", "(128,32):(1024,1)", "(128,32):(32,1)")
        self.assertIn("64 bank conflicts, 2.0x the wavefronts needed: all of the source, whose lines of 128 bytes a group of 8 "
                      "lanes reads", said)
        self.assertIn("let 8 neighbouring threads read 128 bytes side by side", said)

    def test_the_remedy(self):
        self.assertIn("no bank conflicts", self.check("(16,8):(8,1)", "(128,64):(1024,1)", "(128,64):(64,1)"))

    def test_of_the_destination_alone(self):
        said = self.check("(16,8):(1,16)", "(128,64):(1024,1)", "(128,64):(64,1)")
        self.assertRegex(said, r"\d+ words of bank \d+ are asked for at once, by lanes \d")


class Sweep(unittest.TestCase):
    """Random copies: no verdict shows a number that stands for "none"."""

    ATOMS = [("UniversalCopy<uint16_t>", "half", 1), ("UniversalCopy<uint128_t>", "half", 8), ("AutoVectorizingCopy", "float", 1),
             ("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "half", 8), ("SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", "half", 2),
             ("SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", "int8", 8), ("UniversalCopy<uint8_t>", "uint8", 1),
             ("SM75_U32x4_LDSM_N", "half", 8), ("SM90_U32x4_STSM_N", "half", 8)]

    def test_no_sentinel(self):
        random.seed(0)
        for i in range(int(os.environ.get("COSMATI_RANDOM_CHECKS", "150"))):
            atom, kind, width = random.choice(self.ATOMS)
            m, n = random.choice([(32, 1), (8, 4), (4, 8), (16, 8), (32, 4), (1, 1), (5, 3), (32, 32)])
            if "SM" in atom and "SM80" not in atom:
                m, n = 32, random.choice([1, 4])
            thr = f"({m},{n}):({n},1)" if random.random() < 0.5 else f"({m},{n}):(1,{m})"
            val = f"(1,{width})" if random.random() < 0.7 else f"({width},1)"
            tile = (m * (1 if val[1] == "1" else width), n * (width if val[1] == "1" else 1))
            shape = tuple(x * random.choice([1, 1, 2, 3]) for x in tile)

            def layout() -> str:
                pad = random.choice([0, 0, 1, 8, 1000])
                text = f"({shape[0]},{shape[1]})"
                text += f":({shape[1] + pad},1)" if random.random() < 0.6 else f":(1,{shape[0] + pad})"
                if random.random() < 0.1:
                    text = f"({shape[0]},{shape[1]}):(0,1)"
                return f"Sw<{random.choice(['3,3,3', '2,4,3', '1,0,4'])}> o 0 o {text}" if random.random() < 0.2 else text

            arguments = ["--atom", atom, "--type", kind, "--thr", thr, "--val", val]
            if "STSM" not in atom:
                arguments += ["--src", layout()]
            if "LDSM" not in atom and ("STSM" in atom or random.random() < 0.7):
                arguments += ["--dst", layout()]
            if random.random() < 0.2:
                arguments += ["--bounds", f"({max(1, shape[0] - 1)},{shape[1]})"]
            json = ["--json"] if random.random() < 0.3 else []
            with self.subTest(arguments=arguments):
                done = limited("check", *arguments, *json)
                self.assertIn(done.returncode, (0, 1, 2))
                self.assertIsNone(SENTINEL.search(done.stdout + done.stderr), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
