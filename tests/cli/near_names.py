#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names that nobody knows: the nearest that there are, and names of CuTe's that are not here yet or belong elsewhere."""
import unittest

from support.command import run


def said(*arguments: str) -> str:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), (arguments, done)
    return done.stderr


class NearNames(unittest.TestCase):
    def test_functions(self):
        for typed, wanted in (("compostion(4,2)", "composition"), ("logical_div(4,2)", "logical_divide"), ("coalesec(4)", "coalesce"),
                              ("Zipped_Divide(4,2)", "zipped_divide"), ("inverse(4)", "right_inverse or left_inverse"), ("Swizle<3,3,3>", "Swizzle"),
                              ("4:1.compse(2)", "compose"), ("recast_layout<half_t,flot>(4)", "float")):
            with self.subTest(typed=typed):
                for command in ("eval", "draw"):
                    self.assertIn(f"; did you mean {wanted}?", said(command, typed))
        self.assertNotIn("did you mean", said("eval", "xyzzyq(3)"))

    def test_atoms_and_types(self):
        for option, typed, wanted in (("--atom", "UniversalCpy<uint128_t>", "UniversalCopy"), ("--atom", "UniversalCopy<unit128_t>", "uint128"),
                                      ("--atom", "SM75_U32x4_LDSM", "SM75_U32x4_LDSM_N"), ("--atom", "sm90_u32x4_stsm_n", "SM90_U32x4_STSM_N"),
                                      ("--type", "hlaf", "half"), ("--type", "bfloat", "bfloat16 or float")):
            for command in (["tiled-copy"], ["check", "--src", "(32,8)"], ["draw"], ["report", "--out", "/nonexistent/r"]):
                with self.subTest(typed=typed, command=command[0]):
                    words = said(*command, "--thr", "(32,8)", option, typed)
                    self.assertTrue(words.startswith(f"cosmati: {option}: "), words)
                    self.assertIn(f"; did you mean {wanted}?", words)
        for command in (("tiled-mma", "--atom"), ("draw", "--mma")):
            self.assertIn("did you mean SM80_16x8x16_F32F16F16F32_TN?", said(*command, "SM80_16x8x16_F32F16F16F32"))

    def test_commands_and_options(self):
        self.assertIn("did you mean check?", said("chek"))
        self.assertIn("there is no option --atm; did you mean --atom?", said("check", "--atm", "x"))

    def test_what_is_not_here_yet(self):
        for command, typed, words in (("tiled-copy", "SM90_TMA_LOAD", "CuTe's TMA atoms are not here yet"),
                                      ("tiled-copy", "SM90_TMA_STORE", "CuTe's TMA atoms are not here yet"),
                                      ("tiled-copy", "SM100_TMEM_LOAD_16dp32b1x", "atoms of sm_100, with tensor memory, are not here yet"),
                                      ("tiled-mma", "SM90_64x128x16_F32F16F16_SS", "wgmma, the product of four warps, is not here yet"),
                                      ("tiled-mma", "SM90_64x256x32_S32S8S8_RS_TN", "wgmma"),
                                      ("tiled-mma", "SM100_MMA_F16BF16_SS", "sm_100")):
            with self.subTest(typed=typed):
                thr = ["--thr", "(32,4)"] if command == "tiled-copy" else []
                self.assertIn(words, said(command, "--atom", typed, *thr))

    def test_what_belongs_elsewhere(self):
        self.assertIn("that is a matrix instruction", said("tiled-copy", "--thr", "32", "--atom", "SM80_16x8x16_F32F16F16F32_TN"))
        self.assertIn("that is a copy operation", said("tiled-mma", "--atom", "SM75_U32x4_LDSM_N"))
        self.assertIn("'cosmati tiled-copy --atom'", said("eval", "make_tiled_copy(1,2)"))
        self.assertIn("zipped_divide", said("eval", "local_tile((4,2), 2, 0)"))


class Numbering(unittest.TestCase):
    """Thread and value layouts that do not number 0, 1, 2, ...: the sentence speaks of what was typed."""

    def test_two_coordinates_of_one_number_or_a_number_left_out(self):
        copy = ("--atom", "UniversalCopy<uint128_t>", "--type", "half")
        for thr, val, words in (("(8,4):(1,7)", "8:1", "--thr: the thread layout is not a bijection: (8,4):(1,7) gives thread 7 to both (7,0) and (0,1)"),
                                ("(8,(2,2)):(1,(8,15))", "8:1", "gives thread 15 to both (7,1) and (0,2)"),
                                ("(4,2):(1,8)", "8:1", "has 8 threads and gives none of them the number 4"),
                                ("(8,4)", "8:0", "--val: the value layout is not a bijection: 8:0 gives value 0 to both 0 and 1"),
                                ("(8,4)", "(2,8):(9,1)", "has 16 values and gives none of them the number 8"),
                                ("(8,4):(1,-8)", "8:1", "as (8,4):(1,8) does")):
            for command in (["tiled-copy"], ["check", "--src", "(64,4)"], ["draw"]):
                with self.subTest(thr=thr, val=val, command=command[0]):
                    words_said = said(*command, *copy, "--thr", thr, "--val", val)
                    self.assertIn(words, words_said)
                    self.assertNotIn("complement", words_said)

    def test_a_block_has_1024_threads(self):
        self.assertIn("2048 threads", said("tiled-copy", "--thr", "(64,32)"))
        self.assertIn("2048 threads", said("check", "--mma", "SM80_16x8x16_F32F16F16F32_TN", "--operand", "A", "--type", "half", "--atom-layout", "(64,1)",
                                           "--src", "(1024,16)"))


if __name__ == "__main__":
    unittest.main()
