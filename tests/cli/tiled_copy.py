#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati tiled-copy: the documents' tiled copies, and the errors."""
import json
import unittest

from support.command import run


def describe(*arguments: str) -> dict:
    done = run("tiled-copy", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TiledCopy(unittest.TestCase):
    def test_half_by_16_bytes(self):
        j = describe("--atom", "UniversalCopy<uint128_t>", "--type", "half", "--thr", "(8,4):(1,8)", "--val", "8:1",
                     "--src", "(128,32)", "--dst", "(128,32,32)", "--threads", "1,24,28")
        self.assertEqual(j["tiler"], "(64,4)")
        self.assertEqual(j["layout_tv"], "(32,8):(8,1)")
        self.assertEqual(j["src_tv"], "(32,(8,1)):(8,(1,0))")
        self.assertEqual(j["partition_src"], "((8,1),2,8):((1,0),64,512)")
        self.assertEqual(j["partition_dst"], "((8,1),2,8,32):((1,0),64,512,4096)")
        # thread t holds 8 rows from 8 (t % 8) in column t / 8
        self.assertEqual(j["src_offsets"], [8 * (t % 8) + 128 * (t // 8) for t in (1, 24, 28)])
        self.assertEqual(j["dst_offsets"], j["src_offsets"])

    def test_moye_4_by_9(self):
        j = describe("--atom", "UniversalCopy<double>", "--type", "double", "--thr", "(2,3):(3,1)",
                     "--val", "(2,3):(1,2)", "--src", "(4,9)", "--dst", "(4,9)", "--threads", "1,2")
        self.assertEqual(j["tiler"], "(4,9)")
        self.assertEqual(j["layout_tv"], "((3,2),(2,3)):((12,2),(1,4))")
        self.assertEqual(j["val_layout_src"], "(1,1):(0,1)")
        self.assertEqual(j["partition_src"], "((1,(2,3)),1,1):((0,(1,4)),0,0)")
        self.assertEqual(j["src_offsets"], [12, 24])
        rows = ["000111222", "000111222", "333444555", "333444555"]
        self.assertEqual(j["thread_table"], [[int(c) for c in row] for row in rows])
        self.assertEqual(j["value_table"][0], [0, 2, 4] * 3)

    def test_cutlass_24_by_16(self):
        j = describe("--atom", "UniversalCopy<float>", "--type", "float", "--thr", "(8,16):(16,1)", "--val", "(2,4)",
                     "--src", "(24,16)")
        self.assertEqual(j["tiler"], "(16,64)")
        self.assertTrue(j["partition_src"].startswith("((1,(2,4)),2,1):"), j["partition_src"])
        self.assertEqual(len(j["notes"]), 2)  # the tile divides neither mode

    def test_coalescing_layouts(self):
        for thr, val, tiler in (("(16,8):(8,1)", "(1,4)", "(16,32)"), ("(8,16):(16,1)", "(4,1)", "(32,16)"),
                                ("(8,16):(1,8)", "(4,1)", "(32,16)"), ("(32,4):(4,1)", "(1,8)", "(32,32)")):
            self.assertEqual(describe("--type", "half", "--thr", thr, "--val", val)["tiler"], tiler)

    def test_automatic_atoms_move_value_by_value(self):
        for atom in ("AutoVectorizingCopy", "AutoVectorizingCopyWithAssumedAlignment<64>", "DefaultCopy"):
            j = describe("--atom", atom, "--type", "half", "--thr", "(8,4):(1,8)", "--val", "8:1", "--src", "(128,32)")
            self.assertEqual(j["val_layout_src"], "(1,1):(0,0)")
            self.assertEqual(j["src_tv"], "(32,(1,8)):(8,(0,1))")
            self.assertEqual(j["partition_src"], "((1,8),2,8):((0,1),64,512)")

    def test_matrices(self):
        # lane 8 j + r gives row r of matrix j; lane l receives row l / 4, columns 2 (l % 4) and the next, of each
        j = describe("--atom", "SM75_U32x4_LDSM_N", "--type", "half", "--thr", "(8,4):(4,1)", "--val", "(4,2):(2,1)",
                     "--src", "(32,8):(8,1)", "--threads", "9,31")
        self.assertEqual((j["thr_id"], j["val_layout_src"], j["val_layout_dst"]),
                         ("32:1", "(32,8):(8,1)", "(32,(2,4)):(2,(1,64))"))
        self.assertEqual(j["val_layout_ref"], j["val_layout_dst"])
        # values run down the rows: register j of lane l is row 4 (l / 4) + j of the tile
        self.assertEqual(j["dst_thread_table"], [[4 * (i // 4) + c // 2 for c in range(8)] for i in range(32)])
        self.assertEqual(j["dst_value_table"], [[2 * (i % 4) + c % 2 for c in range(8)] for i in range(32)])
        self.assertEqual(j["thread_table"], [[8 * (i % 4) + i // 4] * 8 for i in range(32)])
        self.assertEqual(j["value_table"], [list(range(8))] * 32)
        self.assertEqual(j["src_offsets"], [8 * (4 * (t % 8) + t // 8) for t in (9, 31)])
        self.assertEqual(j["notes"], [])

    def test_atoms_by_cutes_names(self):
        thr, val = ("--thr", "(8,4):(4,1)"), ("--val", "(4,2):(2,1)")
        for atom, source, destination in (
                ("SM75_U32x1_LDSM_N", "((8,4),8):((8,0),1)", "(32,2):(2,1)"),
                ("SM75_U16x4_LDSM_T", "((16,2),8):((8,0),1)", "((4,8),(1,2,2)):((16,1),(1,8,64))"),
                ("SM90_U32x4_STSM_N", "(32,(2,4)):(2,(1,64))", "(32,8):(8,1)"),
                ("SM90_U16x8_STSM_T", "((4,8),(1,2,4)):((16,1),(1,8,64))", "(32,8):(8,1)"),
                ("SM75_U32x1_MOVM_T", "(32,2):(2,1)", "((4,8),(1,2)):((16,1),(1,8))"),
                ("SM50_Shuffle_U32_2x2Trans_XOR1", "(32,4):(4,1)", "((2,16),(2,2)):((2,8),(1,4))"),
                ("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "(1,8):(0,1)", "(1,8):(0,1)"),
                ("SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>", "(1,4):(0,1)", "(1,4):(0,1)"),
                ("SM90_BULK_COPY_AUTO", "(1,1):(0,0)", "(1,1):(0,0)")):
            j = describe("--atom", atom, "--type", "half", *thr, *val)
            self.assertEqual((j["val_layout_src"], j["val_layout_dst"]), (source, destination), atom)
            self.assertEqual(j["thr_id"], "1:0" if "<" in atom or "BULK" in atom else "32:1")

    def test_types(self):
        for name, bits in (("half", 16), ("bfloat16", 16), ("float", 32), ("double", 64), ("int8", 8), ("uint64", 64),
                           ("half_t", 16), ("float_e4m3", 8), ("fp8_e5m2", 8), ("int4", 4), ("uint1", 1), ("int2", 2)):
            j = describe("--type", name, "--thr", "4:1")
            self.assertEqual(j["value_bits"], bits, name)
        j = describe("--atom", "UniversalCopy<uint8_t>", "--type", "int4", "--thr", "(8,4):(1,8)", "--val", "8:1")
        self.assertEqual(j["val_layout_src"], "(1,2):(0,1)")
        j = describe("--atom", "Copy_Atom<UniversalCopy<cute::uint128_t>, cutlass::half_t>", "--thr", "4:1", "--val", "8:1")
        self.assertEqual((j["type"], j["val_layout_src"]), ("half", "(1,8):(0,1)"))

    def test_swizzled_destination(self):
        j = describe("--atom", "UniversalCopy<uint128_t>", "--type", "half", "--thr", "(16,8):(8,1)", "--val", "(1,8)",
                     "--dst", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--threads", "0,9")
        self.assertTrue(j["partition_dst"].startswith("Sw<3,3,3> o 0 o (("))
        self.assertEqual(j["dst_offsets"], [0, (64 + 8) ^ 8])

    def test_text(self):
        done = run("tiled-copy", "--atom", "UniversalCopy<double>", "--type", "double", "--thr", "(2,3):(3,1)",
                   "--val", "(2,3)", "--src", "(4,9)", "--threads", "2")
        for part in ("Tiler_MN:       (4,9)", "TiledLayout_TV: ((3,2),(2,3)):((12,2),(1,4))", "ThrID:        1:0",
                     "ValLayoutSrc: (1,1):(0,1)", "ValLayoutDst:", "ValLayoutRef:", "ValueType:    64b",
                     "Partition:      ((1,(2,3)),1,1):((0,(1,4)),0,0)", "offset 24", "0 | 0/0 0/2 0/4 1/0"):
            self.assertIn(part, done.stdout)

    def test_notes(self):
        j = describe("--atom", "UniversalCopy<uint64_t>", "--type", "half", "--thr", "(16,8):(8,1)", "--val", "(1,4)",
                     "--src", "(64,64):(1,64)")
        self.assertIn("not vectorizable", j["notes"][0])

    def test_wrong(self):
        thr = ("--thr", "(4,2)")
        for arguments, part in (
                (("--thr", "(4,2):(1,8)"), "thread layout is not a bijection"),
                (("--thr", "(4,2):(1,0)"), "thread layout is not a bijection"),
                ((*thr, "--val", "2:2"), "value layout is not a bijection"),
                ((*thr, "--atom", "UniversalCopy<uint128_t>", "--type", "half", "--val", "4:1"), "multiple of 8"),
                ((*thr, "--atom", "UniversalCopy<uint8_t>", "--type", "half"), "no multiple of a value's 16 bits"),
                (("--thr", "8:1", "--val", "(2,6):(6,1)", "--atom", "UniversalCopy<uint32_t>", "--type", "int8"),
                 "4 does not divide"),
                ((*thr, "--val", "8:1", "--atom", "SM90_U32x4_STSM_N", "--type", "half"), "give a multiple of 32"),
                ((*thr, "--val", "8:1", "--atom", "SM75_U16x8_LDSM_T", "--type", "float"), "32 bits apart"),
                ((*thr, "--type", "hlaf"), "no number type is called 'hlaf'"),
                ((*thr, "--threads", "8"), "there is no thread 8"),
                ((*thr, "--src", "4:1"), "--src"),
                ((*thr, "--val", "2-4"), "--val: -2 has an extent of -2: extents are 0 or more"),
                (("--thr", "(8,0)"), "--thr: (8,0):(1,8) has an extent of 0"),
                ((), "--thr")):
            done = run("tiled-copy", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(part, done.stderr, arguments)

    def test_carets(self):
        for option, text, column in (("--atom", "UniversalCopy<uint12>", 15), ("--atom", "Universalcopy<float>", 1),
                                     ("--atom", "AutoVectorizingCopyWithAssumedAlignment<7>", 41),
                                     ("--atom", "UniversalCopy<float,half>", 21),
                                     ("--atom", "SM75_U32x3_LDSM_N", 1),
                                     ("--atom", "SM80_CP_ASYNC_CACHEGLOBAL<float>", 27), ("--val", "(1,,2)", 4),
                                     ("--src", "(64,64):(1,64", 14)):
            arguments = {"--thr": "(4,2)", option: text}
            done = run("tiled-copy", *[x for pair in arguments.items() for x in pair])
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertIn(option, done.stderr)
            self.assertEqual(done.stderr.splitlines()[-2:], ["  " + text, " " * (1 + column) + "^"], text)


if __name__ == "__main__":
    unittest.main()
