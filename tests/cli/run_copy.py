#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of `cosmati run-copy`: files of every type, order and shape, against a copy made here.

COSMATI_BIN names the command; COSMATI_DEVICE (sim, gpu or auto) where the kernels run.
"""
import itertools
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import unittest

from support.npy import Array, read, strides

COMMAND = os.environ.get("COSMATI_BIN", "build/bin/cosmati")
DEVICE = os.environ.get("COSMATI_DEVICE", "auto")
TYPES = ["i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8"]
COMPLEX = ["c8", "c16"]


def transposed(items, shape):
    if len(shape) < 2:
        return items
    m, n = shape[-2:]
    return [items[b * m * n + i * n + j] for b in range(math.prod(shape[:-2])) for j in range(n) for i in range(m)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = os.path.join(self.folder.name, "in.npy")
        self.target = os.path.join(self.folder.name, "out.npy")

    def put(self, content):
        pathlib.Path(self.source).write_bytes(content if isinstance(content, bytes) else content.bytes())

    def command(self, *options):
        return subprocess.run([COMMAND, "run-copy", self.source, self.target, "--device", DEVICE, *options],
                              capture_output=True, text=True, timeout=300)

    def copy(self, array, *options, order=None):
        """Runs the copy, checks the whole output, and returns what --json says."""
        self.put(array)
        if order:
            options += ("--order", order)
        done = self.command("--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        out = read(self.target)
        turned = "--transpose" in options and len(array.shape) > 1
        shape = array.shape[:-2] + (array.shape[-1], array.shape[-2]) if turned else array.shape
        self.assertEqual(out.shape, shape)
        self.assertEqual(out.descr, array.descr)
        self.assertEqual(out.fortran, {"C": False, "F": True, None: array.fortran}[order])
        items = array.items()
        # Only a comparison that names one place may fail: unittest would print all of both lists.
        wanted = transposed(items, array.shape) if turned else items
        got = out.items()
        wrong = [i for i, (a, b) in enumerate(zip(got, wanted)) if a != b]
        self.assertEqual((len(got), wrong[:3]), (len(wanted), []))
        report = json.loads(done.stdout)
        self.check_counts(report, len(items))
        return report

    def check_counts(self, report, elements):
        """What each side moves is every element once."""
        wide = report["vector_bytes"]
        narrow = int(report["descr"].lstrip("<>|=")[1:])
        for kind, space in itertools.product(("load", "store"), ("global", "shared")):
            moved = 0
            for i in report["instructions"]:
                if (i["kind"], i["space"]) == (kind, space):
                    self.assertIn(i["bytes"], (wide, narrow))
                    moved += i["bytes"] * i["count"]
            self.assertEqual(moved, elements * narrow, (kind, space))

    def refused(self, *options, status=2, says=(), file=True):
        done = self.command(*options)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        self.assertTrue(done.stderr.startswith("cosmati: ") or not file, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["in.npy"] if os.path.exists(self.source) else [])
        return done.stderr


def executed(report):
    return {(i["kind"], i["space"], i["bytes"]): i["count"] for i in report["instructions"]}


class EveryFile(Case):
    def test_types_orders_and_transposes(self):
        for name, fortran, turn in itertools.product(TYPES + COMPLEX, (False, True), (False, True)):
            descr = ("|" if name.endswith("1") else "<") + name
            with self.subTest(type=name, fortran=fortran, transpose=turn):
                self.copy(Array(descr, (67, 45), fortran, seed=name), *(["--transpose"] if turn else []))

    def test_big_endian(self):
        for name, turn in itertools.product(("i2", "f4", "u8", "f8"), (False, True)):
            with self.subTest(type=name, transpose=turn):
                self.copy(Array(">" + name, (2, 33, 40)), *(["--transpose"] if turn else []))

    def test_ranks(self):
        shapes = [(), (5,), (1000,), (40, 70), (3, 40, 70), (2, 3, 33, 17), (2, 1, 3, 20, 31), (1, 1, 1, 1, 1)]
        for shape, fortran, turn in itertools.product(shapes, (False, True), (False, True)):
            with self.subTest(shape=shape, fortran=fortran, transpose=turn):
                self.copy(Array("<i4", shape, fortran), *(["--transpose"] if turn else []))

    def test_ragged_extents(self):
        extents = [(1, 1), (1, 300), (300, 1), (2, 257), (257, 2), (31, 33), (127, 129), (64, 64), (63, 65), (128, 256)]
        for shape, name, fortran, turn in itertools.product(extents, ("|u1", "<f8"), (False, True), (False, True)):
            with self.subTest(shape=shape, type=name, fortran=fortran, transpose=turn):
                self.copy(Array(name, shape, fortran), *(["--transpose"] if turn else []))

    def test_random_shapes(self):
        """What is chosen without options always fits."""
        rng = random.Random(3)
        for i in range(150):
            rank = rng.choice((1, 2, 2, 2, 3, 4))
            shape = tuple(rng.choice((1, 2, 3, 4, 7, 16, 40, 129)) for _ in range(rank))
            if rank == 2 and rng.random() < 0.3:
                shape = rng.choice(((2, 3000), (3000, 3), (16, 2048), (1, 5000), (4096, 8)))
            if math.prod(shape) > 200000:
                continue
            array = Array(rng.choice(("|u1", "<i2", "<f4", "<f8", "<c16")), shape, rng.random() < 0.5, seed=i)
            order = rng.choice((None, "C", "F"))
            turn = ["--transpose"] if rng.random() < 0.6 else []
            val = rng.choice(([], [], [], ["--val", "(2,3)"], ["--val", "(8,8)"], ["--val", "(1,5)"]))
            with self.subTest(shape=shape, type=array.descr, fortran=array.fortran, order=order, turn=turn, val=val):
                self.copy(array, *turn, *val, order=order)

    def test_ragged_extents_with_a_given_vector(self):
        options = ("--thr", "(8,4):(4,1)", "--val", "(1,16)", "--atom", "UniversalCopy<uint128_t>", "--tile", "(64,64)")
        for shape, turn in itertools.product([(1, 50), (50, 1), (64, 64), (65, 80), (70, 65), (100, 112), (80, 64)],
                                             (False, True)):
            with self.subTest(shape=shape, transpose=turn):
                self.copy(Array("|u1", shape), *options, *(["--transpose"] if turn else []))

    def test_nothing_in_it(self):
        for shape, turn in itertools.product([(0,), (0, 5), (5, 0), (3, 0, 2), (0, 3, 2), (2, 3, 4, 0, 0)], (False, True)):
            with self.subTest(shape=shape, transpose=turn):
                report = self.copy(Array("<f4", shape), *(["--transpose"] if turn else []))
                self.assertEqual((report["blocks"], report["instructions"]), (0, []))

    def test_orders_of_the_output(self):
        for fortran, order, turn in itertools.product((False, True), "CF", (False, True)):
            for shape in ((50, 40), (3, 50, 40), (2, 2, 33, 65)):
                with self.subTest(shape=shape, fortran=fortran, order=order, transpose=turn):
                    self.copy(Array("<i2", shape, fortran), *(["--transpose"] if turn else []), order=order)

    def test_versions_of_the_format(self):
        array = Array("<f4", (3, 5))
        for version in (1, 2, 3):
            self.put(array.bytes(version))
            self.assertEqual(self.command().returncode, 0)
            self.assertEqual(read(self.target).data, array.data)

    def test_heads_written_differently(self):
        array = Array("<f4", (3, 5))
        for text in ('{"shape":(3,5),"fortran_order":False,"descr":"<f4"}',
                     "{ 'shape' : ( 3L , 5L, ) , 'descr' : '=f4' , 'fortran_order' : False }"):
            self.put(array.bytes(text=text))
            done = self.command()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(read(self.target).data, array.data)

    def test_truth_values(self):
        for order in (False, True):
            array = Array("|b1", (37, 21), order, bytes(i % 3 == 0 for i in range(37 * 21)))
            for more in ((), ("--transpose",), ("--permute", "1,0")):
                self.put(array)
                done = self.command(*more)
                self.assertEqual(done.returncode, 0, done.stderr)
                out = read(self.target)
                self.assertEqual(out.descr, "|b1")
                self.assertEqual(out.items(), transposed(array.items(), array.shape) if more else array.items())
                self.assertIn("bool (37,21)", done.stdout)

    def test_a_link_to_the_output_stays(self):
        array = Array("<i4", (10, 7))
        behind = os.path.join(self.folder.name, "behind.npy")
        os.symlink("behind.npy", self.target)
        for there in (False, True):  # whether or not the file is
            self.assertEqual(os.path.exists(behind), there)
            self.copy(array)
            self.assertTrue(os.path.islink(self.target))
            self.assertFalse(os.path.islink(behind))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["behind.npy", "in.npy", "out.npy"])

    def test_a_limit_of_the_size_of_files(self):
        array = Array("<i4", (100, 100))
        self.put(array)
        pathlib.Path(self.target).write_text("kept")
        done = subprocess.run([COMMAND, "run-copy", self.source, self.target, "--device", DEVICE], capture_output=True,
                              text=True, timeout=300,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("out.npy: cannot be written: File too large", done.stderr)
        self.assertEqual(pathlib.Path(self.target).read_text(), "kept")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["in.npy", "out.npy"])


class TheGivenCopy(Case):
    def test_random_tiled_copies(self):
        rng = random.Random(7)

        def layout(m, n):
            """A compact layout of (m,n), its modes nested and numbered in any order."""
            leaves = []
            shape = []
            for extent in (m, n):
                if extent % 2 == 0 and rng.random() < 0.4:
                    shape.append((2, extent // 2))
                else:
                    shape.append((extent,))
                leaves += [[len(shape) - 1, e, 0] for e in shape[-1]]
            step = 1
            for leaf in rng.sample(leaves, len(leaves)):
                leaf[2] = step
                step *= leaf[1]

            def text(column):
                parts = []
                for i in (0, 1):
                    own = [str(leaf[column]) for leaf in leaves if leaf[0] == i]
                    parts.append(own[0] if len(own) == 1 else "(" + ",".join(own) + ")")
                return "(" + ",".join(parts) + ")"

            return text(1) + ":" + text(2)

        for i in range(60):
            thr = layout(rng.choice((1, 2, 4, 6, 8)), rng.choice((1, 2, 3, 4, 8)))
            val = layout(rng.choice((1, 2, 3, 4)), rng.choice((1, 2, 4, 5)))
            array = Array(rng.choice(("|u1", "<i2", "<f4", "<f8")), (rng.randrange(1, 90), rng.randrange(1, 90)),
                          rng.random() < 0.5, seed=i)
            turn = ["--transpose"] if rng.random() < 0.5 else []
            with self.subTest(thr=thr, val=val, shape=array.shape, fortran=array.fortran, turn=turn):
                report = self.copy(array, "--thr", thr, "--val", val, *turn)
                self.assertEqual((report["thr"], report["val"]), (thr, val))
                for side in ("src_offsets", "dst_offsets"):
                    moved = [x for x in report[side] if x is not None]
                    self.assertEqual(len(set(moved)), len(moved))

    base = dict(thr="(32,8):(8,1)", val="(1,4)", atom="UniversalCopy<uint32_t>", tile="(64,64)")

    def report(self, transpose=False, **changes):
        options = [x for key, value in {**self.base, **changes}.items() for x in (f"--{key}", value)]
        return self.copy(Array("|u1", (256, 256)), *options, *(["--transpose"] if transpose else []))

    def test_what_the_base_executes(self):
        r = self.report()
        self.assertEqual((r["tiler"], r["tile"], r["layout_tv"]), ("(32,32)", "(64,64)", "((8,32),4):((128,1),32)"))
        self.assertEqual((r["blocks"], r["threads"], r["vector_bytes"]), (16, 256, 4))
        self.assertEqual(executed(r), {(k, s, 4): 16384 for k in ("load", "store") for s in ("global", "shared")})
        # Thread t holds row t/8, columns 4 (t%8) onwards.
        self.assertEqual(r["src_offsets"], [t // 8 * 256 + t % 8 * 4 for t in range(256)])
        self.assertEqual(r["dst_offsets"], r["src_offsets"])

    def test_thr(self):
        base, other = self.report(), self.report(thr="(8,16):(1,8)")
        self.assertEqual(other["threads"], 128)
        self.assertEqual(other["src_offsets"], [t % 8 * 256 + t // 8 * 4 for t in range(128)])
        self.assertNotEqual(other["layout_tv"], base["layout_tv"])
        fewer = self.report(thr="(8,8):(8,1)")
        self.assertEqual(len(fewer["src_offsets"]), 64)

    def test_val(self):
        base, other = self.report(), self.report(val="(2,4):(4,1)")
        self.assertEqual(other["tiler"], "(64,32)")
        self.assertEqual(executed(other), executed(base))
        self.assertEqual(other["src_offsets"], [t // 8 * 512 + t % 8 * 4 for t in range(256)])

    def test_atom(self):
        for bits in (8, 16, 32):
            r = self.report(atom=f"UniversalCopy<uint{bits}_t>")
            self.assertEqual(executed(r), {(k, s, bits // 8): 65536 * 8 // bits
                                           for k in ("load", "store") for s in ("global", "shared")})
        r = self.report(atom="UniversalCopy<uint128_t>", val="(1,16)", thr="(16,4):(4,1)")
        self.assertEqual(executed(r), {(k, s, 16): 4096 for k in ("load", "store") for s in ("global", "shared")})
        for name in ("AutoVectorizingCopy", "DefaultCopy", "Copy_Atom<UniversalCopy<uint32_t>, uint8_t>"):
            self.assertEqual(executed(self.report(atom=name)), executed(self.report()))

    def test_tile(self):
        base, other = self.report(), self.report(tile="(32,128)")
        self.assertEqual((base["blocks"], other["blocks"]), (16, 16))
        self.assertNotEqual(base["partition_src"], other["partition_src"])
        small = self.report(tile="(32,32)")
        self.assertEqual((small["blocks"], small["shared_bytes"]), (64, 1024))
        self.assertEqual(executed(small), executed(base))

    def test_transpose(self):
        base, other = self.report(), self.report(transpose=True)
        self.assertEqual((base["tile_read_turned"], other["tile_read_turned"]), (False, True))
        wide, narrow = 65536 // 4, 65536
        self.assertEqual(executed(other), {("load", "global", 4): wide, ("store", "shared", 4): wide,
                                           ("load", "shared", 1): narrow, ("store", "global", 4): wide})
        self.assertEqual(other["src_offsets"], base["src_offsets"])

    def test_ragged_vectors_go_by_element(self):
        options = ("--thr", "(8,8):(8,1)", "--val", "(1,4)", "--atom", "UniversalCopy<uint32_t>", "--tile", "(32,32)")
        r = self.copy(Array("|u1", (10, 36)), *options)  # rows are multiples of 4: all whole
        self.assertEqual(executed(r)["load", "global", 4], 90)
        self.assertNotIn(("load", "global", 1), executed(r))
        r = self.copy(Array("|u1", (2, 35)), *options)  # row 0: 8 whole and 3; row 1 is misaligned
        self.assertEqual((executed(r)["load", "global", 4], executed(r)["load", "global", 1]), (8, 3 + 35))
        self.assertEqual((executed(r)["store", "shared", 4], executed(r)["store", "shared", 1]), (16, 6))

    def test_offsets_of_chosen_threads(self):
        r = self.copy(Array("<u2", (20, 64)), "--thr", "(8,4):(4,1)", "--val", "(1,8)", "--threads", "0,5,31")
        self.assertEqual(r["src_offsets"], [0, 64 + 8, 7 * 64 + 24])
        r = self.copy(Array("<u2", (2, 8)), "--thr", "(8,4):(4,1)", "--val", "(1,8)", "--threads", "0,4,31")
        self.assertEqual(r["src_offsets"], [0, 8, None])  # the last is outside

    def test_fortran_order_keeps_its_strides(self):
        r = self.copy(Array("<f4", (64, 32), True), "--thr", "(16,16):(1,16)", "--val", "(4,1)",
                      "--atom", "UniversalCopy<uint128_t>")
        self.assertEqual(r["layout_src"], "(64,32):(1,64)")
        self.assertEqual(executed(r)["load", "global", 16], 512)
        self.assertEqual(r["src_offsets"][:3], [0, 4, 8])

    def test_text_report(self):
        self.put(Array("|u1", (70, 70)))
        done = self.command("--val", "(1,4)", "--atom", "UniversalCopy<uint32_t>", "--threads", "3")
        self.assertEqual(done.returncode, 0)
        for text in ("tiler", "layout TV", "element by element", "thread 3", "verified      all 4900 elements"):
            self.assertIn(text, done.stdout)

    def test_progress(self):
        self.put(Array("|u1", (300, 300)))
        done = self.command("--progress")
        self.assertIn("100 %", done.stderr)
        self.assertEqual(done.returncode, 0)


class Permutations(Case):
    def permuted(self, array, permutation, *options, order=None):
        self.put(array)
        done = self.command("--json", "--permute", ",".join(map(str, permutation)), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = read(self.target)
        self.assertEqual(out.shape, tuple(array.shape[m] for m in permutation))
        self.assertEqual((out.descr, out.fortran), (array.descr, {"C": False, "F": True, None: array.fortran}[order]))
        step, items = strides(array.shape, False), array.items()
        index = [0]
        for m in permutation:
            index = [a + i * step[m] for a in index for i in range(array.shape[m])]
        self.assertTrue(out.items() == [items[i] for i in index])
        return json.loads(done.stdout)

    def test_orders_types_and_ranks(self):
        for permutation in itertools.permutations(range(3)):
            self.permuted(Array("<f2", (7, 9, 33), seed=1), permutation)
        for descr in ("|u1", ">i2", "<f4", "<f8", "<c16"):
            self.permuted(Array(descr, (5, 21, 3, 2), fortran=descr == "<f4"), (3, 1, 0, 2))
        self.permuted(Array("<f4", (9,)), (0,))
        self.permuted(Array("<i2", (2, 3, 1, 2, 3, 2, 3)), (6, 2, 4, 0, 1, 5, 3))
        self.permuted(Array("<f4", (4, 0, 3)), (2, 0, 1))

    def test_order_of_the_output(self):
        self.permuted(Array("<f4", (6, 10, 14)), (1, 2, 0), "--order", "F", order="F")

    def test_report(self):
        report = self.permuted(Array("<f4", (64, 96)), (1, 0))
        self.assertIn("transpose: modes", report["plan"])
        self.assertEqual((report["verified"], report["permute"]), (True, [1, 0]))
        self.assertGreater(report["predicted_us"], 0)
        done = self.command("--permute", "1,0")
        self.assertIn("verified      all 6144 elements; (96,64) C written to", done.stdout)

    def test_refusals(self):
        self.put(Array("<f4", (4, 6)))
        self.refused("--permute", "0,0", says=("mode 0 is there twice; write each of the 2 modes 0 to 1 once",))
        self.refused("--permute", "0", says=("0 names 1 modes, the array has 2",))
        for order in ("1,,0", "1,0,", ""):
            self.refused("--permute", order, says=("is missing; write integers with commas between them: 2,0,1",))
        self.refused("--permute", "1,0", "--transpose", says=("--transpose",), file=False)
        self.refused("--permute", "1,0", "--val", "(1,4)", says=("--val",), file=False)

    def test_ranks_that_are_too_high(self):
        """The numbers are those of `cosmati plan`, and so is the exit status."""
        self.put(Array("|u1", (2, 3, 2, 3, 2, 3, 2, 3, 2)))
        self.refused("--permute", "8,7,6,5,4,3,2,1,0", says=("9 modes remain after merging", "the most is 8"))
        self.put(Array("|u1", (2,) * 10 + (1,) * 50))
        self.refused("--permute", ",".join(map(str, [*range(9, -1, -1), *range(10, 60)])), says=("10 modes remain",))
        self.put(Array("|u1", ()))
        self.refused("--permute", "0", says=("the array is one number without modes",))

    def test_modes_of_extent_1_do_not_count(self):
        array = Array("<i2", (3, 5) + (1,) * 40)
        report = self.permuted(array, (1, 0, *range(2, 42)))
        self.assertIn("(5,3):(1,5) -> (3,1)", report["problem"].replace("(3,5):(5,1) -> (1,3)", "(5,3):(1,5) -> (3,1)"))


class Refusals(Case):
    def setUp(self):
        super().setUp()
        self.array = Array("|u1", (64, 96))
        self.put(self.array)

    def test_options(self):
        f32 = "UniversalCopy<uint32_t>"
        for options, says in [
            (("--thr", "(32,8):(8,2)"), ("--thr", "(32,8):(8,2) is not a bijection", "256 threads", "262")),
            (("--val", "(1,4):(0,2)"), ("--val", "not a bijection", "(1,4):(0,1)")),
            (("--thr", "(64,32)"), ("--thr", "2048 threads", "1024")),
            (("--thr", "(2,2,2)"), ("--thr", "3 modes", "two")),
            (("--thr", "(32,8"), ("--thr", "expected ',' or ')'", "\n       ^")),
            (("--val", "(1,0)"), ("--val", "extent of 0")),
            (("--val", "(4,1)", "--atom", f32), ("--val", "4:96", "stride 96", "--val '(1,4)'", "UniversalCopy<uint8_t>")),
            (("--val", "(1,4)", "--atom", "UniversalCopy<uint128_t>"), ("4 values", "16 values", "--val '(1,16)'")),
            (("--atom", "UniversalCopy<uint256_t>"), ("256 bits", "128")),
            (("--atom", "UniversalCopy<foo>"), ("--atom", "'foo'", "^")),
            (("--atom", "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>"), ("asynchronous", f32)),
            (("--atom", "SM75_U32x4_LDSM_N"), ("a warp's exchange", "loads and stores")),
            (("--atom", "Copy_Atom<UniversalCopy<uint32_t>, float>"), ("32 bits", "uint8 has 8")),
            (("--thr", "(32,8)", "--tile", "(40,64)"), ("--tile", "(40,64)", "40 is no multiple of 32")),
            (("--thr", "(8,8):(8,1)", "--val", "(1,4)", "--tile", "(8,64)", "--transpose"),
             ("--tile", "(64,8)", "8 is no multiple of 32", "'(32,32)'")),
            (("--tile", "(1024,1024)"), ("--tile", "1048576 bytes", "232448", "--tile '(")),
            (("--tile", "(64,64,2)"), ("--tile", "pair", "'(64,64)'")),
            (("--tile", "(0,64)"), ("--tile", "extent of 0")),
            (("--tile", "64"), ("--tile", "pair")),
            (("--threads", "100000"), ("--threads", "no thread 100000")),
        ]:
            with self.subTest(options=options):
                self.refused(*options, says=says)
        for threads, says in (("1,,2", "'1,,2': number 2 is missing; write integers with commas between them"),
                              ("1,2,", "'1,2,': number 3 is missing"), ("", "'': number 1 is missing"),
                              ("1,x", "'x' is no integer"), ("0x1", "'0x1' is no integer")):
            self.refused("--threads", threads, says=("--threads: " + says,), file=False)
        self.refused("--order", "K", file=False)
        self.refused("--device", "tpu", file=False)

    def test_types_and_strides(self):
        self.put(Array("<f4", (8, 8)))
        self.refused("--atom", "UniversalCopy<uint16_t>", says=("16 bits", "float of 32 bits", "UniversalCopy<uint32_t>"))
        self.put(Array("<f4", (2, 8, 8), True))
        self.refused("--atom", "UniversalCopy<uint64_t>", says=("stride 2", "no mode", "--atom 'UniversalCopy<uint32_t>'"))
        self.put(Array("<f4", (1,) * 6))
        self.refused(says=("6 modes", "5"))

    def test_files(self):
        good = self.array.bytes()
        data = len(good) - len(self.array.data)

        def head(text):
            return self.array.bytes(text=text)

        for content, says in [
            (b"", ("byte 0:", "no .npy file")),
            (b"P6 1024 768 255", ("byte 0:", "no .npy file")),
            (good[:7], ("byte 7:", "version")),
            (good[:9], ("byte 9:", "length of its head")),
            (good[:6] + b"\x04\x00" + good[8:], ("byte 6:", "4.0", "1.0, 2.0 and 3.0")),
            (good[:60], ("byte 60:", "head")),
            (good[:-10], (f"byte {len(good) - 10}:", "6144 elements", f"byte {len(good)}")),
            (good + b"x", (f"byte {len(good)}:", "goes on")),
            (head("['descr']"), ("byte 10:", "expected '{'")),
            (head("{'descr': '|b2', 'fortran_order': False, 'shape': (64, 96), }"), ("byte 20:", "'|b2'", "b1, i1 i2")),
            (head("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (64, 96), }"), ("structured",)),
            (head("{'descr': '|O', 'fortran_order': False, 'shape': (64, 96), }"), ("'|O'",)),
            (head("{'descr': '|u1', 'fortran_order': 1, 'shape': (64, 96), }"), ("byte 44:", "True or False")),
            (head("{'descr': '|u1', 'fortran_order': False, 'shape': (64, -96), }"), ("extent",)),
            (head("{'descr': '|u1', 'fortran_order': False, 'shape': 64, }"), ("the shape",)),
            (head("{'descr': '|u1', 'fortran_order': False, }"), ("no 'shape'",)),
            (head("{'descr': '|u1', 'descr': '|u1', }"), ("comes twice",)),
            (head("{'descr': '|u1', 'colour': 3, }"), ("'colour'",)),
            (head("{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,), }"), ("64 bits",)),
            (head("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"),
             (f"byte {data}:", "64 bits")),
            (head("{'descr': '|u1', 'fortran_order': False, 'shape': (1000000, 1000000), }"), ("1000000000000 elements",)),
        ]:
            with self.subTest(content=content[:90]):
                self.put(content)
                self.refused(says=("in.npy", *says))

    def test_the_system_says_no(self):
        os.remove(self.source)
        self.refused(status=1, says=("in.npy", "No such file"))
        self.put(self.array)
        self.target = os.path.join(self.folder.name, "no", "out.npy")
        self.refused(status=2, says=("out.npy", "there is no folder"))
        self.target = os.devnull
        self.refused(status=1, says=("no ordinary file",))
        self.target = os.path.join(self.folder.name, "out.npy")
        self.source = self.folder.name
        done = self.command()
        self.assertEqual((done.returncode, "directory" in done.stderr), (1, True))

    def test_what_was_there_stays(self):
        pathlib.Path(self.target).write_bytes(b"precious")
        done = self.command("--thr", "(64,32)")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(pathlib.Path(self.target).read_bytes(), b"precious")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["in.npy", "out.npy"])

    def test_arguments(self):
        done = subprocess.run([COMMAND, "run-copy", self.source], capture_output=True, text=True)
        self.assertEqual((done.returncode, "OUT" in done.stderr), (2, True))
        done = subprocess.run([COMMAND, "run-copy", "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, "--transpose" in done.stdout), (0, True))

    def test_a_gpu_that_is_not_there(self):
        done = subprocess.run([COMMAND, "run-copy", self.source, self.target, "--device", "gpu"], capture_output=True,
                              text=True)
        if done.returncode == 0:
            self.skipTest("there is one")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--device gpu", done.stderr)
        self.assertFalse(os.path.exists(self.target))


if __name__ == "__main__":
    sys.exit(unittest.main())
