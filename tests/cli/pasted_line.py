#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A line of C++ in place of an atom: the same answers as for the options that it stands for."""
import json
import unittest

from support.command import run

LDSM_OF_A = ("make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, "
             "Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{}))")


def answer(*arguments: str) -> dict:
    done = run(*arguments, "--json")
    assert done.stdout, (arguments, done.stderr)
    return json.loads(done.stdout)


class PastedLine(unittest.TestCase):
    def test_copies(self):
        for line, options in (
                ("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_8,_4>>{}, Layout<Shape<_8,_1>>{})",
                 ("UniversalCopy<uint128_t>", "half", "(8,4)", "(8,1)")),
                ("auto const c = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, cute::half_t>{},\n"
                 "    Layout<Shape<_32,_8>,Stride<_8,_1>>{}, // threads\n    Layout<Shape<_1,_8>>{});",
                 ("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "half", "(32,8):(8,1)", "(1,8)")),
                ("using Atom = Copy_Atom<Copy_Traits<UniversalCopy<float>>, float>; auto thr = make_layout(make_shape(Int<32>{}, Int<8>{}), LayoutRight{});"
                 "TiledCopy c = make_tiled_copy(Atom{}, thr);", ("UniversalCopy<float>", "float", "(32,8):(8,1)", "1:0")),
                ("Copy_Atom<UniversalCopy<uint64_t>, float> atom; using Copy = decltype(make_tiled_copy(atom, Layout<_32>{}, Layout<_2>{}));",
                 ("UniversalCopy<uint64_t>", "float", "32", "2")),
                ("make_tiled_copy(UniversalCopy<float>{}, make_layout(Shape<_4,Shape<_4,_2>>{}), make_layout(Shape<_1,_1>{}))",
                 ("UniversalCopy<float>", "", "(4,(4,2))", "(1,1)"))):
            with self.subTest(line=line):
                atom, kind, thr, val = options
                wanted = answer("tiled-copy", "--atom", atom, *(("--type", kind) if kind else ()), "--thr", thr, "--val", val)
                self.assertEqual(answer("tiled-copy", "--atom", line), wanted)

    def test_operands(self):
        wanted = answer("check", "--atom", "SM75_U32x4_LDSM_N", "--type", "half", "--mma", "SM80_16x8x16_F32F16F16F32_TN", "--atom-layout", "(2,2,1)",
                        "--permutation", "(32,32,16)", "--operand", "A", "--src", "(32,64):(64,1)")
        self.assertEqual(answer("check", "--atom", LDSM_OF_A, "--src", "(32,64):(64,1)"), wanted)
        named = ("auto tiled_mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{}); "
                 "auto c = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, tiled_mma);")
        self.assertEqual(answer("check", "--atom", named, "--src", "(32,64):(64,1)"), wanted)

    def test_products(self):
        line = "TiledMMA mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{});"
        self.assertEqual(answer("tiled-mma", "--atom", line),
                         answer("tiled-mma", "--atom", "SM80_16x8x16_F32F16F16F32_TN", "--atom-layout", "(2,2)", "--permutation", "(32,32,16)"))
        drawn = run("draw", "--mma", line, "--format", "svg").stdout
        self.assertEqual(drawn, run("draw", "--mma", "SM80_16x8x16_F32F16F16F32_TN", "--atom-layout", "(2,2)", "--permutation", "(32,32,16)", "--format",
                                    "svg").stdout)
        self.assertTrue(drawn.startswith("<svg"))

    def test_what_the_line_does_not_say(self):
        for line, words in (("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, TA>{}, Layout<Shape<_8,_4>>{}, Layout<_8>{})", "TA is a name of the program's"),
                            ("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, thr)", "does not say what thr is: give --thr"),
                            ("make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, tiled_mma)", "does not say what tiled_mma is"),
                            ("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{})", "here are 1 arguments"),
                            ("make_tiled_copy_S(atom, other)", "make_tiled_copy_S is not taken apart"),
                            ("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{})", "'cosmati tiled-mma --atom' takes the line")):
            with self.subTest(line=line):
                done = run("tiled-copy", "--atom", line)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)
        # An option says what the line leaves open, and nothing else.
        self.assertEqual(run("tiled-copy", "--type", "half", "--atom",
                             "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, TA>{}, Layout<Shape<_8,_4>>{}, Layout<_8>{})").returncode, 0)
        self.assertIn("leave --thr", run("tiled-copy", "--thr", "(8,4)", "--atom", "make_tiled_copy(UniversalCopy<float>{}, Layout<_8>{})").stderr)

    def test_a_load_that_several_threads_need_is_right(self):
        """Warps side by side along N load the same A, along M the same B; a store of one element by two threads is wrong."""
        mma = ("--mma", "SM80_16x8x16_F32F16F16F32_TN", "--type", "half", "--space", "shared")
        for layout, operand, times in (("(2,2)", "A", 2), ("(1,4)", "A", 4), ("(4,1)", "A", 1), ("(4,1)", "B", 4)):
            a = answer("check", "--atom", "UniversalCopy<uint16_t>", *mma, "--atom-layout", layout, "--operand", operand, "--src", "(64,64)")
            self.assertTrue(a["verify"]["ok"], a["verify"])
            self.assertIn("once" if times == 1 else f"by the {times} threads that need it", a["verify"]["message"])
        a = answer("check", "--atom", "UniversalCopy<uint16_t>", *mma, "--atom-layout", "(1,2)", "--operand", "A", "--dst", "(64,64)")
        self.assertEqual(a["verify"]["fault"], "tile_not_covered")


if __name__ == "__main__":
    unittest.main()
