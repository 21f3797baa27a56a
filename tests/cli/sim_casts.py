#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: casts of floating-point numbers that an integer does not hold give a GPU's number, or a note says which it is."""
import json
import math
import pathlib
import re
import shutil
import struct
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, ERROR = 0, 3

TYPES = {"signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False), "int": (32, True),
         "unsigned": (32, False), "long long": (64, True), "unsigned long long": (64, False)}
NUMBERS = (math.nan, -math.nan, math.inf, -math.inf, 3e9, -3e9, 5e9, -5.0, -0.5, 200.0, 300.5, 40000.0, 70000.0, -129.0, 2.0**31, -(2.0**31), 2.0**32,
           2.0**63, -(2.0**63), 2.0**64, 1e19, 1e30, -1e30, 7.9)
WORDS = {(32, True): "int", (32, False): "uint", (64, True): "ll", (64, False): "ull"}


def on_gpu(x: float, bits: int, signed: bool, of_double: bool) -> int:
    """cvt.rzi of the PTX ISA, to 32 bits for narrower types, whose low bits nvcc keeps."""
    wide = max(bits, 32)
    low, high = (-(1 << wide - 1), (1 << wide - 1) - 1) if signed else (0, (1 << wide) - 1)
    if math.isnan(x):
        whole = 1 << wide - 1 if of_double or wide == 64 else 0
    else:
        whole = high if x >= high else low if x <= low else int(x)
    whole &= (1 << bits) - 1
    return whole - (1 << bits) if signed and whole >> bits - 1 else whole


def program(cast: str) -> tuple[str, dict[int, tuple]]:
    """A kernel with one cast on each line. @param cast the cast of `x` to `T`, with `W` for the word of CUDA"""
    lines, casts = ["#include <cstdio>", "__global__ void k(float const* f, double const* d, unsigned long long* o) {"], {}
    for of_double in (False, True):
        for name, (bits, signed) in TYPES.items():
            for i, x in enumerate(NUMBERS):
                word = f"__{'double' if of_double else 'float'}2{WORDS[max(bits, 32), signed]}_rz"
                text = cast.replace("W", word).replace("T", name).replace("x", f"{'d' if of_double else 'f'}[{i}]")
                lines.append(f"  o[{len(casts)}] = (unsigned long long)({text});")
                casts[len(lines)] = (name, bits, signed, of_double, x)
    bits_of = [f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:x}ull" for x in NUMBERS]
    n = len(NUMBERS)
    lines += ["}", "int main() {", f"  unsigned long long bits[] = {{{', '.join(bits_of)}}}, *o;",
              "  float* f; double* d;",
              f"  cudaMallocManaged(&f, {4 * n}); cudaMallocManaged(&d, {8 * n}); cudaMallocManaged(&o, {8 * len(casts)});",
              f"  for (int i = 0; i < {n}; ++i) {{ __builtin_memcpy(d + i, bits + i, 8); f[i] = (float)d[i]; }}",
              "  k<<<1, 1>>>(f, d, o); cudaDeviceSynchronize();",
              f'  for (int i = 0; i < {len(casts)}; ++i) printf("%llu\\n", o[i]);', "  cudaFree(f); cudaFree(d); cudaFree(o);", "}"]
    return "\n".join(lines) + "\n", casts


FORMS = """#include <cstdio>
enum colour : int { red };
__host__ __device__ int whole(float x) { return x; }
__device__ unsigned counted;
__global__ void k(float const* f, int* o, int const* table) {
  int const i = f[0];
  o[0] = i;
  o[1] = static_cast<int>(f[0]);
  o[2] = whole(f[0]);
  o[3] = atomicAdd(o + 8, f[0]);
  o[4] = static_cast<colour>(f[0]);
  o[5] = lrintf(f[1]) == 0x7fffffffffffffff && (unsigned long long)(unsigned)int(-f[0]) == 0x80000000;
  o[6] = table[int(f[0]) - 0x7ffffffe];
  int sum = 0;
  for (int n = 0; n < 4; ++n) sum += int(f[n + 2]) >> 2;
  o[7] = sum;
  atomicAdd(&counted, f[2]);
}
int main() {
  float *f; int *o, *table;
  cudaMallocManaged(&f, 24); cudaMallocManaged(&o, 36); cudaMallocManaged(&table, 8);
  for (int i = 0; i < 6; ++i) f[i] = i == 1 ? 1e30f : 3e9f + i;
  o[8] = 0; table[0] = 5; table[1] = 6;
  k<<<1, 1>>>(f, o, table); cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) printf("%d ", o[i]);
  printf("%d\\n", whole(f[0]));
  cudaFree(f); cudaFree(o); cudaFree(table);
}
"""

QUANTIZE = """__global__ void quantize(float const* x, unsigned char* q, float scale) {
  int const i = threadIdx.x;
  q[i] = (unsigned char)(x[i] * scale);
}
int main() {
  float* x; unsigned char* q;
  cudaMallocManaged(&x, 256); cudaMallocManaged(&q, 64);
  for (int i = 0; i < 64; ++i) x[i] = i - 3;
  for (int times = 0; times < 3; ++times) quantize<<<1, 64>>>(x, q, 1.f);
  cudaDeviceSynchronize(); cudaFree(x); cudaFree(q);
}
"""


class Casts(unittest.TestCase):
    def simulate(self, text: str, compiler: str, *options: str):
        with tempfile.TemporaryDirectory() as folder:
            source, found = pathlib.Path(folder) / "own.cu", pathlib.Path(folder) / "found.json"
            source.write_text(text)
            r = run("sim", str(source), "--cxx", compiler, "--json", str(found), *options)
            self.assertIn(r.returncode, (CLEAN, ERROR), r.stderr[-3000:])
            return r, json.loads(found.read_text())

    def check(self, casts: dict, r, out: dict, compiler: str):
        """Each number is a GPU's, or a note of its line tells both."""
        self.assertEqual((r.returncode, out["verdict"], out["hazards"]), (CLEAN, "clean", []), r.stderr[-2000:])
        notes = {n["line"]: n["message"] for n in out["notes"]}
        self.assertEqual(len(notes), len(out["notes"]))
        wrong = 0
        for (line, (name, bits, signed, of_double, x)), told in zip(casts.items(), r.stdout.splitlines()):
            whole = int(told) & (1 << bits) - 1
            whole -= 1 << bits if signed and whole >> bits - 1 else 0
            gpu = on_gpu(x if of_double else struct.unpack("f", struct.pack("f", x))[0], bits, signed, of_double)
            with self.subTest(compiler=compiler, type=name, number=x, of_double=of_double):
                self.assertEqual(whole != gpu, line in notes, (whole, gpu, notes.get(line)))
                if line not in notes:
                    continue
                wrong += 1
                # Where compilers differ, the number of this run is not told.
                told_here = "another number" if compiler != "g++" and (bits, signed) == (64, False) and x >= 2.0**64 else whole
                self.assertIn(f"a GPU gives {gpu}, this run gives {told_here}, ", notes[line])
                self.assertIn(f" is cast to {'unsigned int' if name == 'unsigned' else name}, ", notes[line])
                self.assertIn(f"__{'double' if of_double else 'float'}2{WORDS[max(bits, 32), signed]}_rz(x)", notes[line])
                if compiler == "g++":
                    self.assertFalse(signed)
        return wrong

    def test_each_number_is_that_of_a_gpu_or_is_told(self):
        text, casts = program("(T)x")
        for compiler in COMPILERS:
            for optimization in ("-O0", "-O2"):
                r, out = self.simulate(text, compiler, optimization, "--quiet")
                wrong = self.check(casts, r, out, compiler)
                self.assertGreater(wrong, 20)
                self.assertEqual(out["reasons"], [f"{wrong} casts gave another number than on a GPU: what follows from them is not a GPU's"])

    @unittest.skipUnless("avx512f" in pathlib.Path("/proc/cpuinfo").read_text(), "the processor has no AVX-512")
    def test_avx_512_has_instructions_for_unsigned_integers(self):
        text, casts = program("(T)x")
        r, out = self.simulate(text, "g++", "--quiet", "-Xcompiler", "-mavx512f")
        self.check(casts, r, out, "g++")
        self.assertEqual({casts[n["line"]][0] for n in out["notes"]}, {"unsigned char", "unsigned short"})

    def test_the_remedy_gives_a_gpus_number(self):
        text, casts = program("static_cast<T>(W(x))")
        for compiler in COMPILERS:
            r, out = self.simulate(text, compiler, "--quiet")
            self.assertEqual((self.check(casts, r, out, compiler), out["reasons"]), (0, []))

    def test_casts_of_all_forms(self):
        most = 2**31 - 1
        for compiler in COMPILERS:
            r, out = self.simulate(FORMS, compiler, "--quiet")
            lines = sorted(n["line"] for n in out["notes"])
            if compiler == "g++":
                self.assertEqual((r.returncode, out["hazards"], lines), (CLEAN, [], []))
                *of_kernel, of_host = map(int, r.stdout.split())
                self.assertEqual(of_kernel, [most, most, most, 0, most, 1, 6, 4 * (most >> 2), most])
                self.assertEqual(of_host, -most - 1)
            else:  # the index is wrong as well
                self.assertEqual(([h["line"] for h in out["hazards"]], lines), ([13], [3, 6, 8, 10, 11, 13]))

    def test_a_note_does_not_change_the_verdict(self):
        for compiler in COMPILERS:
            r, out = self.simulate(QUANTIZE, compiler)
            self.assertEqual((r.returncode, out["verdict"], out["hazards"]), (CLEAN, "clean", []), r.stdout + r.stderr)
            self.assertEqual([(n["kind"], n["severity"], n["line"]) for n in out["notes"]], [("conversion", "note", 3)])
            self.assertEqual(out["notes"][0]["message"].split("; own.cu")[0],
                             "-3 is cast to unsigned char, which does not hold it: a GPU gives 0, this run gives 253, and what follows from it is not a "
                             "GPU's; write static_cast<unsigned char>(__float2uint_rz(x)), which gives a GPU's number here too")
            self.assertIn("note: conversion at ", r.stdout)
            self.assertIn("1 cast gave another number than on a GPU: what follows from it is not a GPU's", r.stdout)
        r, _ = self.simulate(QUANTIZE, "g++", "--fail-on", "conversion")
        self.assertEqual(r.returncode, ERROR)
        r, _ = self.simulate(QUANTIZE, "g++", "--annotations", "--quiet")
        self.assertRegex(r.stdout, re.compile(r"^::notice file=.*own.cu,line=3,title=conversion::-3 is cast", re.M))


if __name__ == "__main__":
    unittest.main()
