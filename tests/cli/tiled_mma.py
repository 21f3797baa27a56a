#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cosmati tiled-mma` and `cosmati draw --mma`: CuTe's answers, partitions, and errors that say what to write."""
import json
import os
import re
import subprocess
import unittest

BIN = os.environ["COSMATI_BIN"]


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([BIN, *arguments], capture_output=True, text=True)


def answer(*arguments: str) -> dict:
    done = run("tiled-mma", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TiledMma(unittest.TestCase):
    def test_quad_pairs(self):
        # As CuTe prints it for the example of MoYe's manual.
        a = answer("--atom", "SM70_8x8x4_F32F16F16F32_NT", "--atom-layout", "(2,2):(2,1)", "--permutation", "((4,4,2):(1,8,4),32,4)")
        self.assertEqual(a["thr_layout_vmnk"], "((4,2),2,2,1):((1,16),8,4,0)")
        self.assertEqual(a["permutation"], "((4,4,2):(1,8,4),32,4)")
        self.assertEqual(a["thr_id"], "(4,2):(1,16)")
        self.assertEqual(a["atom_a_tv"], "((4,2),4):((8,4),1)")
        self.assertEqual(a["atom_b_tv"], "((4,2),4):((8,4),1)")
        self.assertEqual(a["atom_c_tv"], "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))")
        self.assertEqual((a["tile"], a["threads"], a["notes"]), ([32, 32, 4], 32, []))

    def test_tile_and_partitions(self):
        a = answer("--atom", "MMA_Atom<cute::SM80_16x8x8_F16F16F16F16_TN>{}", "--atom-layout", "(3,5)", "--a", "(336,8)", "--b", "(360,8)",
                   "--c", "(336,360)")
        self.assertEqual(a["tile"], [48, 40, 8])
        self.assertEqual(a["types"], dict.fromkeys("abcd", "half"))
        rest = {name: re.findall(r"\d+", a[f"partition_{name}"].split(":")[0])[-2:] for name in "abc"}
        self.assertEqual(rest, {"a": ["7", "1"], "b": ["9", "1"], "c": ["7", "9"]})

    def test_ragged_tensors_and_many_threads_are_noted(self):
        a = answer("--atom", "UniversalFMA<float>", "--atom-layout", "(64,32)", "--a", "Sw<2,0,3> o 0 o (65,8)")
        self.assertTrue(a["partition_a"].startswith("Sw<2,0,3> o 0 o "), a["partition_a"])
        self.assertEqual(len(a["notes"]), 2)
        self.assertIn("does not divide mode 0 of extent 65", a["notes"][0])
        self.assertIn("2048 threads", a["notes"][1])

    def test_text(self):
        said = run("tiled-mma", "--atom", "SM80_16x8x16_F32F16F16F32_TN", "--atom-layout", "(2,2,1)").stdout
        self.assertIn("ThrLayoutVMNK:  (32,2,2,1):(1,32,64,0)", said)
        self.assertIn("Threads:        128", said)

    def test_errors(self):
        for words, *arguments in (
            ("expected UniversalFMA<T>, SM80_16x8x16", "--atom", "SM80_16x8x17"),
            ("no number type is called 'flot'", "--atom", "UniversalFMA<flot>"),
            ("expected the end", "--atom", "UniversalFMA<float> x"),
            ("cannot be tiled", "--atom", "SM70_8x8x4_F32F16F16F16_TN", "--atom-layout", "2"),
            ("is no bijection", "--atom", "UniversalFMA<float>", "--atom-layout", "(2,2):(1,1)"),
            ("has 4 modes", "--atom", "UniversalFMA<float>", "--atom-layout", "(2,2,2,2)"),
            ("extent of 0", "--atom", "UniversalFMA<float>", "--atom-layout", "(2,0)"),
            ("along N it has 12 elements", "--atom", "SM80_16x8x8_F16F16F16F16_TN", "--permutation", "(16,12,8)"),
            ("expected a tuple", "--atom", "UniversalFMA<float>", "--permutation", "4"),
            ("neither an integer nor a layout", "--atom", "UniversalFMA<float>", "--permutation", "((2,2),4)"),
            ("has one mode", "--atom", "UniversalFMA<float>", "--a", "8"),
        ):
            with self.subTest(words):
                done = run("tiled-mma", *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)

    def owned(self, *arguments: str) -> list[tuple[int, int]]:
        """Thread and value of each element of A, B and C that a picture in text shows."""
        text = "\n".join(line for line in run("draw", "--mma", *arguments).stdout.splitlines() if " = thread" not in line)
        return [(int(t), v) for t, first, last in re.findall(r"T(\d+) V(\d+)(?:-(\d+))?", text) for v in range(int(first), int(last or first) + 1)]

    def test_pictures(self):
        self.assertIn((31, 3), self.owned("SM80_16x8x8_F32TF32TF32F32_TN"))
        # One quad pair: its threads by their numbers in the warp, and no element without one.
        for more in ((), ("--atom-layout", "1")):
            pair = self.owned("SM70_8x8x4_F32F16F16F32_TN", *more)
            self.assertIn((19, 7), pair)
            self.assertEqual({t for t, _ in pair}, {0, 1, 2, 3, 16, 17, 18, 19})
            self.assertEqual(len(pair), 4 * 8 + 8 * 4 + 8 * 8)
        self.assertEqual(len(self.owned("UniversalFMA<float>", "--atom-layout", "(2,2)", "--permutation", "(4,4)")), 4 + 4 + 16)
        self.assertEqual(run("draw", "--mma", "UniversalFMA<float>", "--thr", "4").returncode, 2)

    def test_the_picture_of_a_copy_atom(self):
        said = run("draw", "--atom", "SM75_U32x1_LDSM_N", "--type", "half").stdout
        self.assertIn("SM75_U32x1_LDSM_N of half", said)
        self.assertIn("T31 V0-1", said)


if __name__ == "__main__":
    unittest.main()
