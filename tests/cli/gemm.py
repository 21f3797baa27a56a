#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of `cosmati gemm`: products of every type and order against sums made here, and what it refuses.

COSMATI_BIN names the command; COSMATI_DEVICE (sim, gpu or auto) where the kernels run.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from support.command import BIN
from support.npy import Array, read

DEVICE = os.environ.get("COSMATI_DEVICE", "auto")
RESULT = {"|i1": "<i4"}


def product(a, b, m, n, k):
    return [sum(a[i * k + x] * b[x * n + j] for x in range(k)) for i in range(m) for j in range(n)]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.a, self.b, self.c, self.bias = (self.folder / f"{name}.npy" for name in ("a", "b", "c", "bias"))
        self.random = random.Random(7)

    def gemm(self, *options, status=0):
        done = subprocess.run([BIN, "gemm", self.a, self.b, self.c, "--device", DEVICE, *map(str, options)],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def numbers(self, descr, count):
        """Of few bits: sums are exact in every type."""
        small = lambda: self.random.randint(-3, 3)
        return [complex(small(), small()) if descr == "<c8" else small() for _ in range(count)]

    def put(self, path, descr, shape, values=None, fortran=False):
        values = self.numbers(descr, math.prod(shape)) if values is None else values
        path.write_bytes(Array.of(descr, shape, values, fortran).bytes())
        return values

    def result(self):
        array = read(self.c)
        self.assertFalse(array.fortran)
        return array.descr, array.shape, array.values()


class Products(Case):
    def check(self, descr, m, n, k, *options, fortran=(False, False)):
        va = self.put(self.a, descr, (m, k), fortran=fortran[0])
        vb = self.put(self.b, descr, (k, n), fortran=fortran[1])
        said = json.loads(self.gemm("--json", *options))
        self.assertEqual((said["m"], said["n"], said["k"], said["batches"]), (m, n, k, 1))
        self.assertEqual(self.result(), (RESULT.get(descr, descr), (m, n), product(va, vb, m, n, k)))
        self.assertEqual((said["check"]["elements"], said["check"]["of"], said["check"]["error"]), (m * n, m * n, 0))
        return said

    def test_types(self):
        for descr, kernel, sums in (("<f2", "mma", "float"), ("<f4", "simt", "float"), ("<f8", "mma", "double"),
                                    ("|i1", "mma", "int"), ("<c8", "simt", "complex<float>")):
            with self.subTest(descr):
                said = self.check(descr, 33, 17, 20)
                self.assertEqual((said["kernel"], said["sums"], said["rounded_to"]), (kernel, sums, None))

    def test_the_other_kernel(self):
        for descr, kernel, rounded in (("<f2", "simt", None), ("<f4", "mma", "tfloat32"), ("<f8", "simt", None),
                                       ("|i1", "simt", None)):
            with self.subTest(descr):
                said = self.check(descr, 20, 9, 12, "--kernel", kernel)
                self.assertEqual((said["kernel"], said["rounded_to"]), (kernel, rounded))

    def test_orders(self):
        """f4 by simt and f2 by mma take what lies in the files; for the others the device copies it along K."""
        for descr, options, as_it_lies in (("<f4", (), True), ("<f2", (), True), ("<f8", (), False), ("|i1", (), False),
                                           ("<c8", (), False), ("<f4", ("--kernel", "mma"), False)):
            for fortran in ((False, False), (True, False), (False, True), (True, True)):
                with self.subTest(descr=descr, fortran=fortran):
                    said = self.check(descr, 7, 5, 6, *options, fortran=fortran)
                    along = ("M" if fortran[0] else "K", "K" if fortran[1] else "N") if as_it_lies else ("K", "K")
                    turned = (not as_it_lies and fortran[0], not as_it_lies and not fortran[1])
                    for name, f, mode, copied in zip("ab", fortran, along, turned):
                        self.assertEqual(said[name], {"order": "CF"[f], "contiguous": mode, "turned_on_the_device": copied})

    def test_orders_of_whole_tiles(self):
        for fortran in ((False, False), (True, False), (True, True)):
            with self.subTest(fortran=fortran):
                self.put(self.a, "<f2", (128, 64), [1] * 8192, fortran=fortran[0])
                self.put(self.b, "<f2", (64, 256), [2] * 16384, fortran=fortran[1])
                self.gemm("--check", "all")
                self.assertEqual(self.result()[2], [128] * (128 * 256))

    def test_progress(self):
        self.put(self.a, "<f4", (40, 30))
        self.put(self.b, "<f4", (30, 20))
        done = subprocess.run([BIN, "gemm", self.a, self.b, self.c, "--device", "sim", "--progress"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("100 %  element 800 of 800", done.stderr)
        self.assertEqual(subprocess.run([BIN, "gemm", self.a, self.b, self.c, "--device", "sim"],
                                        capture_output=True, text=True, timeout=300).stderr, "")

    def test_batches_alpha_beta(self):
        va = self.put(self.a, "<f4", (2, 4, 3), fortran=True)
        vb = self.put(self.b, "<f4", (3, 5))
        vc = self.put(self.c, "<f4", (2, 4, 5), fortran=True)
        self.gemm("--alpha", "-0.5", "--beta", "2")
        wanted = product(va[:12], vb, 4, 5, 3) + product(va[12:], vb, 4, 5, 3)
        self.assertEqual(self.result(), ("<f4", (2, 4, 5), [-0.5 * x + 2 * y for x, y in zip(wanted, vc)]))
        vb = self.put(self.b, "<f4", (2, 3, 5), fortran=True)
        self.gemm()
        wanted = product(va[:12], vb[:15], 4, 5, 3) + product(va[12:], vb[15:], 4, 5, 3)
        self.assertEqual(self.result(), ("<f4", (2, 4, 5), wanted))

    def test_bias_and_relu(self):
        m, n, k = 6, 5, 4
        for descr, result in (("<f2", "<f2"), ("|i1", "<i4"), ("<f4", "<f4")):
            va, vb = self.put(self.a, descr, (m, k)), self.put(self.b, descr, (k, n))
            for shape, of in (((n,), lambda i, j: j), ((1, n), lambda i, j: j), ((m, 1), lambda i, j: i)):
                with self.subTest(descr=descr, shape=shape):
                    bias = self.put(self.bias, result, shape)
                    said = json.loads(self.gemm("--bias", self.bias, "--relu", "--json"))
                    self.assertEqual((said["bias"], said["relu"]), ("m" if shape == (m, 1) else "n", True))
                    sums = product(va, vb, m, n, k)
                    wanted = [max(0, sums[i * n + j] + bias[of(i, j)]) for i in range(m) for j in range(n)]
                    self.assertEqual(self.result(), (result, (m, n), wanted))

    def test_rounding_of_the_operands(self):
        exact, tf32 = 1 + 2**-12, 1 + 2**-10  # 23, 10 and 7 bits behind the point
        for value, options, seen in ((exact, (), exact), (exact, ("--kernel", "mma"), 1), (tf32, ("--kernel", "mma"), tf32),
                                     (tf32, ("--kernel", "mma", "--round", "bfloat16"), 1)):
            self.put(self.a, "<f4", (1, 1), [value])
            self.put(self.b, "<f4", (1, 1), [1])
            self.gemm(*options)
            self.assertEqual(self.result()[2], [seen], options)

    def test_infinities_and_nans(self):
        nan = float("nan")
        self.put(self.a, "<f2", (3, 2), [60000, 60000, math.inf, 1, nan, 1])
        self.put(self.b, "<f2", (2, 2), [1, -1, 1, -1])
        self.gemm()
        self.assertEqual(repr(self.result()[2]), repr([math.inf, -math.inf] * 2 + [nan] * 2))

    def test_nothing_to_sum_and_nothing_to_write(self):
        self.put(self.a, "<f4", (3, 0))
        self.put(self.b, "<f4", (0, 2))
        self.gemm()
        self.assertEqual(self.result(), ("<f4", (3, 2), [0.0] * 6))
        self.put(self.a, "<f4", (0, 4))
        self.put(self.b, "<f4", (4, 2))
        said = json.loads(self.gemm("--json"))
        self.assertEqual((self.result(), said["check"]["of"]), (("<f4", (0, 2), []), 0))
        self.put(self.a, "<f4", (0, 3, 4))
        self.gemm()
        self.assertEqual(self.result(), ("<f4", (0, 3, 2), []))

    def test_real_numbers_and_how_many_are_compared(self):
        m, n, k = 40, 30, 50
        va = self.put(self.a, "<f2", (m, k), [round(self.random.uniform(-1, 1) * 1024) / 1024 for _ in range(m * k)])
        vb = self.put(self.b, "<f2", (k, n), [round(self.random.uniform(-1, 1) * 1024) / 1024 for _ in range(k * n)])
        for option, elements in (("auto", 1200), ("all", 1200), ("7", 7), ("0", 0), ("5000", 1200)):
            check = json.loads(self.gemm("--json", "--check", option))["check"]
            self.assertEqual((check["elements"], check["of"]), (elements, 1200))
            self.assertLessEqual(check["error"], check["allowed"])
            self.assertLess(check["allowed"], 0.02)
        for got, wanted in zip(self.result()[2], product(va, vb, m, n, k)):
            self.assertLessEqual(abs(got - wanted), 2**-11 * abs(wanted) + 1e-4)

    def test_costs(self):
        self.put(self.a, "<f2", (128, 64), [1] * 8192)
        self.put(self.b, "<f2", (64, 256), [1] * 16384, fortran=True)
        said = json.loads(self.gemm("--json"))
        self.assertEqual(self.result()[2], [64] * (128 * 256))
        if not said["device"].startswith("simulated"):
            self.assertEqual(said["instructions"], {})
            self.skipTest("nothing is counted on a GPU")
        found = said["instructions"]
        self.assertEqual(said["uncounted"], False)
        # A and B come by tensor copies, and C goes by them, every sector of 32 bytes used
        self.assertGreaterEqual(found["bulk_load"]["sectors"], (128 + 256) * 64 * 2 // 32)
        self.assertEqual(found["bulk_store"]["sectors"], 128 * 256 * 2 // 32)
        self.assertEqual(found["bulk_load"]["sectors"], found["bulk_load"]["sectors_ideal"])
        self.assertNotIn("global_store", found)
        self.assertEqual(sum(kind["bank_conflicts"] for kind in found.values()), 0)
        # numbers of 8 bytes come in vectors of 16 bytes a lane, all of each sector used
        self.put(self.a, "<f8", (128, 64), [1] * 8192)
        self.put(self.b, "<f8", (64, 128), [1] * 8192, fortran=True)
        copies = json.loads(self.gemm("--json"))["instructions"]["cp_async"]
        self.assertGreaterEqual(copies["sectors"], (128 + 128) * 64 * 8 // 32)
        self.assertEqual((copies["sectors"], copies["sectors_ideal"]), (copies["instructions"] * 16,) * 2)
        self.put(self.a, "<f2", (127, 63), [1] * (127 * 63))
        self.put(self.b, "<f2", (63, 255), [1] * (63 * 255))
        self.assertEqual(json.loads(self.gemm("--json"))["uncounted"], True)
        self.assertIn("one by one", self.gemm())

    def test_text(self):
        self.put(self.a, "<f4", (3, 4))
        self.put(self.b, "<f4", (4, 2))
        self.put(self.c, "<f4", (3, 2))
        self.put(self.bias, "<f4", (2,))
        text = self.gemm("--beta", "2", "--bias", self.bias, "--relu", "--kernel", "mma")
        for part in (f"<f4 (3,2) = relu(1 A B + 2 C + {self.bias})", "(3,4) C, contiguous along K",
                     "(4,2) C, on the device made contiguous along K", "gemm_mma, M 3, N 2, K 4, 1 batch", "as tfloat32",
                     "all 6 elements against sums in double", f"written   {self.c}"):
            self.assertIn(part, text)


class Refusals(Case):
    def refused(self, *parts, options=(), status=2):
        before = self.c.read_bytes() if self.c.exists() else None
        text = self.gemm(*options, status=status)
        for part in parts:
            self.assertIn(part, text)
        self.assertEqual(self.c.read_bytes() if self.c.exists() else None, before)
        self.assertEqual([p.name for p in self.folder.iterdir() if not p.name.endswith(".npy")], [])

    def test_arrays(self):
        self.put(self.a, "<f4", (3, 4))
        for descr, shape, *parts in (
                ("<f4", (5, 2), "A is (M, K) and B is (K, N), but A has K = 4 and B has K = 5"),
                ("<f8", (4, 2), f"{self.a} has <f4, {self.b} has <f8: give both one type"),
                ("<f4", (8,), "b.npy: its shape (8,) has 1 modes; a matrix has two, batches of matrices three"),
                (">f4", (4, 2), "big-endian; write it with a.astype('<f4')"),
                ("<i4", (4, 2), "b.npy: there is no product of <i4; A and B are f2, f4, f8, i1 or c8")):
            with self.subTest(descr=descr, shape=shape):
                self.put(self.b, descr, shape)
                self.refused(*parts)
        self.put(self.a, "<f4", (2, 3, 4))
        self.put(self.b, "<f4", (3, 4, 2))
        self.refused("A has 2 batches and B has 3")
        self.b.write_bytes(self.b.read_bytes()[:-1])
        self.refused("b.npy: byte", "the file ends here")
        self.b.unlink()
        self.refused("b.npy", "No such file", status=1)

    def test_options(self):
        self.put(self.a, "<f4", (3, 4))
        self.put(self.b, "<f4", (4, 2))
        self.refused("--kernel: wmma not in {auto,simt,mma}", options=("--kernel", "wmma"))
        self.refused("c.npy", "No such file", options=("--beta", "1"), status=1)
        self.refused("--alpha: inf is not a finite number", options=("--alpha", "inf"))
        self.refused("--check: 'some' is neither all nor a number", options=("--check", "some"))
        self.put(self.bias, "<f4", (3,))
        self.refused("--bias:", "is <f4 (3,); C is <f4 (3,2), so that it must be <f4 (2,)", "or (3,1)",
                     options=("--bias", self.bias))
        self.put(self.c, "<f4", (2, 3))
        self.refused("with --beta it is read, and must be <f4 (3,2); it is <f4 (2,3)", options=("--beta", "1"))
        self.put(self.a, "<c8", (3, 4))
        self.put(self.b, "<c8", (4, 2))
        self.refused("take --kernel simt", options=("--kernel", "mma"))
        self.refused("--relu: complex numbers (c8) have no order", options=("--relu",))
        self.put(self.a, "|i1", (3, 4))
        self.put(self.b, "|i1", (4, 2))
        self.refused("--alpha: 0.5 is not a 32-bit integer", options=("--alpha", "0.5"))

    def test_a_sum_that_does_not_fit(self):
        self.put(self.a, "|i1", (2, 4), [0] * 4 + [-128] * 4)
        self.put(self.b, "|i1", (4, 1), [-128] * 4)
        self.refused(f"C[1,0] is {2**32}, which 32 bits do not hold", "floating-point", options=("--alpha", 2**16), status=1)

    def test_nowhere_to_write(self):
        self.put(self.a, "<f4", (3, 4))
        self.put(self.b, "<f4", (4, 2))
        self.c = self.folder / "no" / "c.npy"
        self.refused("c.npy", "there is no folder", status=2)

    def test_a_gpu_that_is_not_there(self):
        self.put(self.a, "<f4", (3, 4))
        self.put(self.b, "<f4", (4, 2))
        done = subprocess.run([BIN, "gemm", self.a, self.b, self.c, "--device", "gpu"], capture_output=True, text=True)
        if done.returncode == 0:
            self.skipTest("there is one")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--device gpu", done.stderr)
        self.assertFalse(self.c.exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
