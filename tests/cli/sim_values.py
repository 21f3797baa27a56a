#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: numbers that look like unwritten registers are no hazard where the program means them, and unwritten registers are still found."""
import json
import pathlib
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, ERROR = 0, 3

# Every number that reveals an unwritten fragment, as every type, stored, compared and given to atomics. One kernel
# computes them, one reads them, and one drops what a shuffle takes from an absent lane.
ON_PURPOSE = """#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>
__device__ unsigned const patterns[6] = {0x7FFD7FFD, 0xFFFD7FFD, 0x7FFFA000, 0xFFFFA000, 0x7FFD0000, 0xFFFD0000};
__global__ void computes(unsigned* u, int* i, float* f, __half2* h, unsigned long long* w, double* d, unsigned below) {
  unsigned const x = below + threadIdx.x;
  u[threadIdx.x] = x;
  i[threadIdx.x] = (int)x;
  f[threadIdx.x] = __uint_as_float(x);
  ((unsigned*)h)[threadIdx.x] = x;
  w[threadIdx.x] = (unsigned long long)x << 32 | x;
  d[threadIdx.x] = __longlong_as_double((long long)x << 32 | x);
  __shared__ unsigned s[32];
  s[threadIdx.x] = x;
  __syncwarp();
  if (s[threadIdx.x ^ 1] == below + 5 || x > below + 5) u[threadIdx.x] += 1;
  atomicMax(u + 32, x);
  atomicAdd(u + 33, x);
  atomicExch(w + 32, (unsigned long long)x);
  atomicCAS(u + 34, 0u, x);
  atomicXor(i + 32, (int)x);
}
__global__ void copies(unsigned const* in, unsigned* out, unsigned* bins) {
  unsigned const x = in[threadIdx.x];
  if (x == patterns[threadIdx.x % 6]) out[threadIdx.x] = x;
  switch (x) {
    case 0x7FFD7FFDu: atomicAdd(bins, 1u); break;
    case 0x7FFFA000u: atomicAdd(bins + 1, 1u); break;
  }
}
__global__ void drops(unsigned* out, unsigned base) {
  unsigned v = base + threadIdx.x;
  if (threadIdx.x < 16) {
    unsigned const got = __shfl_down_sync(0xffffu, v, 8);
    if (threadIdx.x < 8) v += got;
    out[threadIdx.x] = base + threadIdx.x;
  }
}
int main() {
  unsigned *u, *in, *bins; int* i; float* f; __half2* h; unsigned long long* w; double* d;
  cudaMalloc(&u, 160); cudaMalloc(&in, 128); cudaMalloc(&bins, 8); cudaMalloc(&i, 160); cudaMalloc(&f, 128);
  cudaMalloc(&h, 128); cudaMalloc(&w, 288); cudaMalloc(&d, 256);
  unsigned host[32];
  unsigned const numbers[6] = {0x7FFD7FFD, 0xFFFD7FFD, 0x7FFFA000, 0xFFFFA000, 0x7FFD0000, 0xFFFD0000};
  for (int n = 0; n < 32; ++n) host[n] = numbers[n % 6];
  cudaMemset(u, 0, 160); cudaMemset(i, 0, 160); cudaMemset(bins, 0, 8); cudaMemset(w, 0, 288);
  cudaMemcpy(in, host, 128, cudaMemcpyHostToDevice);
  for (unsigned x : numbers) computes<<<1, 32>>>(u, i, f, h, w, d, x - 5);
  copies<<<1, 32>>>(in, u, bins);
  for (unsigned times = 1; times <= 8; ++times) drops<<<1, 32>>>(u, times * 0x7FFD7FFDu);
  cudaMemcpy(host, u, 128, cudaMemcpyDeviceToHost);
  cudaFree(u); cudaFree(in); cudaFree(bins); cudaFree(i); cudaFree(f); cudaFree(h); cudaFree(w); cudaFree(d);
  return 0;
}
"""

# A launch that has fragments, all of them written, and computes such numbers.
FRAGMENTS = """#include <cosmati/cosmati.hpp>
using namespace cosmati;
template <class T>
__global__ void fills(T* out, unsigned below) {
  auto held = make_tensor<T>(Shape<_4>{});
  for (int i = 0; i < 4; ++i) held(i) = static_cast<T>(below + 4 * threadIdx.x + i);
  copy(held, make_tensor(make_gmem_ptr(out + 4 * threadIdx.x), Shape<_4>{}));
  if (threadIdx.x == 0 && held(0) == static_cast<T>(below)) atomicAdd(out, static_cast<T>(0));
}
__global__ void forgets(float* out, unsigned below) {
  auto held = make_tensor<float>(Shape<_2>{});
  if (threadIdx.x < 16) held(0) = held(1) = 1;
  out[threadIdx.x] = held(0) + held(1);  // [forgets]
}
__global__ void takes(unsigned* out, unsigned below) {
  unsigned v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_sync(0xffffu, v, 20);
  out[threadIdx.x] = v + 1;  // [takes]
}
int main() {
  device_buffer<int> i(128);
  device_buffer<unsigned> u(128);
  device_buffer<float> f(std::vector<float>(128, 0.f));
  for (unsigned x : {0x7FFD7FFDu, 0xFFFD7FFDu, 0x7FFFA000u, 0x7FFD0000u}) {
    launch(fills<int>, {.grid = 1, .block = 32}, i.data(), x - 5);
    launch(fills<unsigned>, {.grid = 1, .block = 32}, u.data(), x - 5);
  }
#ifdef BUGS
  launch(forgets, {.grid = 1, .block = 32}, f.data(), 0u);
  launch(takes, {.grid = 1, .block = 32}, u.data(), 0u);
#endif
}
"""

# A number that looks like an unwritten local variable, and that the program finds in one run of three: the first.
RANDOM = """#include <cstdio>
__global__ void k(unsigned* out, unsigned x) { out[threadIdx.x] = x; }
int main(int, char** argv) {
  bool const again = std::fopen(argv[1], "r") != nullptr;
  std::fclose(std::fopen(argv[1], "w"));
  unsigned* out;
  cudaMalloc(&out, 128);
  for (unsigned x : {0xFEFEFEFEu, 0xAAAAAAAAu}) k<<<1, 32>>>(out, again ? 7 : x);
  cudaFree(out);
}
"""


class Values(unittest.TestCase):
    def simulate(self, name: str, text: str, *options: str):
        with tempfile.TemporaryDirectory() as folder:
            source, found = pathlib.Path(folder) / name, pathlib.Path(folder) / "found.json"
            source.write_text(text)
            r = run("sim", str(source), "--json", str(found), "--quiet", *options)
            self.assertNotIn(r.returncode, (1, 2), r.stderr[-2000:])
            return r.returncode, json.loads(found.read_text())["hazards"]

    def test_numbers_on_purpose(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.assertEqual(self.simulate("own.cu", ON_PURPOSE, "--cxx", compiler), (CLEAN, []))
                self.assertEqual(self.simulate("own.cpp", FRAGMENTS, "--cxx", compiler), (CLEAN, []))

    def test_a_random_number(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(self.simulate("own.cu", RANDOM, "--cxx", compiler, "--", folder + "/seen"), (CLEAN, []))

    def test_registers_that_nobody_has_written(self):
        lines = FRAGMENTS.split("\n")
        for compiler in COMPILERS:
            status, found = self.simulate("own.cpp", FRAGMENTS, "--cxx", compiler, "-D", "BUGS")
            with self.subTest(compiler=compiler):
                self.assertEqual(status, ERROR)
                for name in ("forgets", "takes"):
                    line = next(n for n, text in enumerate(lines, 1) if f"// [{name}]" in text)
                    self.assertIn(("uninitialized", "error", line), [(h["kind"], h["severity"], h["line"]) for h in found])
                self.assertEqual({h["kind"] for h in found}, {"uninitialized"})


if __name__ == "__main__":
    unittest.main()
