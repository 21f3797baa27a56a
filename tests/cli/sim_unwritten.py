#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: local variables and fragments that some threads use without having written them, whichever instruction
that is; and none where a program holds such values on purpose, or uses the variable only where it has written it."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, ERROR = 0, 3

HEAD = """
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
using namespace cosmati;
"""

# The line of each kernel that uses what nobody has written bears its name; g++ alone tells of comparisons at run time.
LOCALS = HEAD + """
__global__ void scalar(float* out, int n) {
  float x;
  if (threadIdx.x < n) x = 1;
  out[threadIdx.x] = x;                                                   // [scalar]
}
__global__ void added_to(int* out, int n) {
  int x;
  if (threadIdx.x < n) x = 1;
  out[threadIdx.x] = x + 3;                                               // [added_to]
}
__global__ void last_of_array(int* out, int n) {
  int a[4];
  for (int i = 0; i < n / 5; ++i) a[i] = i;
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = a[i];            // [last_of_array]
}
__global__ void sum_of_array(float* out, int n) {
  float a[4];
  for (int i = 0; i < n / 5; ++i) a[i] = i;
  float s = 0;
  for (int i = 0; i < 4; ++i) s += a[i];
  out[threadIdx.x] = s;                                                   // [sum_of_array]
}
__global__ void accumulators(float* out, int n) {
  float acc[8];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 8; ++i) acc[i] += 0.5f * k;
  for (int i = 0; i < 8; ++i) out[8 * threadIdx.x + i] = acc[i];          // [accumulators]
}
__global__ void to_shared(float* out, int n) {
  __shared__ float s[32];
  float x;
  if (threadIdx.x < n) x = 3;
  s[threadIdx.x] = x;                                                     // [to_shared]
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s[1] + s[2];
}
__global__ void by_atomic(int* out, int n) {
  int x;
  if (threadIdx.x < n) x = 3;
  atomicMax(out, x);                                                      // [by_atomic]
}
__global__ void reduced(int* out, int n) {
  int x;
  if (threadIdx.x < n) x = 3;
  int const s = __reduce_max_sync(0xffffffffu, x);                        // [reduced]
  if (threadIdx.x == 0) *out = s > 7;
}
__global__ void wide(double* out, int n) {
  double x;
  if (threadIdx.x < n) x = 1;
  out[threadIdx.x] = x * 2 + 1;                                           // [wide]
}
__global__ void vector(float4* out, int n) {
  float4 x;
  if (threadIdx.x < n) x = make_float4(1, 2, 3, 4);
  out[threadIdx.x] = x;                                                   // [vector]
}
__global__ void multiplied(float* out, int n) {
  unsigned const ones = 0x3c003c00;
  float d[4];
  if (n < 5) d[0] = d[1] = d[2] = d[3] = 0;
  SM80_16x8x16_F32F16F16F32_TN::fma(d[0], d[1], d[2], d[3], ones, ones, ones, ones, ones, ones, d[0], d[1], d[2], d[3]);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];            // [multiplied]
}
__global__ void compared(int* out, int n) {
  int x;
  if (threadIdx.x < n) x = 3;
  if (x > 0)                                                              // [compared]
    out[threadIdx.x] = 5;
}
__global__ void chosen_by(float* out, int n) {
  float x;
  if (threadIdx.x < n) x = 3;
  out[threadIdx.x] = x > 0 ? 1 : 2;                                       // [chosen_by]
}
int main() {
  device_buffer<float> f(std::vector<float>(512, 0.f)), known(std::vector<float>(512, 0.f));
  device_buffer<int> i(512);
  device_buffer<double> d(64);
  device_buffer<float4> v(64);
  auto const run = [](auto kernel, auto& out) {
    out.clear();
    launch(kernel, {.grid = 1, .block = 32}, out.data(), 16);
  };
  run(scalar, f);
  run(added_to, i);
  run(last_of_array, i);
  run(sum_of_array, f);
  run(accumulators, f);
  run(to_shared, f);
  run(by_atomic, i);
  run(reduced, i);
  run(wide, d);
  run(vector, v);
  run(multiplied, f);
  run(compared, i);
  run(chosen_by, f);
}
"""
FRAGMENTS = HEAD + """
using four = Layout<_4>;
__global__ void compared(int* out) {
  auto r = make_tensor<float>(Shape<_4>{});
  if (threadIdx.x < 16) clear(r);
  if (r(1) > 0)                                                           // [compared]
    out[threadIdx.x] = 1;
}
__global__ void counted(int* out) {
  auto r = make_tensor<int>(Shape<_4>{});
  if (threadIdx.x < 16) clear(r);
  int n = 0;
  for (int i = 0; i < 4; ++i) n += r(i) == 3;                             // [counted]
  out[threadIdx.x] = n;
}
__global__ void scaled(int* out) {
  auto x = make_tensor<int>(Shape<_4>{}), y = make_tensor<int>(Shape<_4>{});
  fill(x, 1);
  axpby(2, x, 1, y);
  copy(y, make_tensor(make_gmem_ptr(out), four{}));                       // [scaled]
}
__global__ void transformed(int* out) {
  auto r = make_tensor<int>(Shape<_4>{});
  transform(r, [](int x) { return x * 3 + 17; });
  copy(r, make_tensor(make_gmem_ptr(out), four{}));                       // [transformed]
}
__global__ void reduced(int* out) {
  auto r = make_tensor<int>(Shape<_4>{});
  r(0) = 1;
  *out = reduce(r, 10000000);                                             // [reduced]
}
__global__ void multiplied(int* out) {
  auto a = make_tensor<int>(Shape<_2>{}), b = make_tensor<int>(Shape<_2>{});
  auto c = make_tensor<int>(Shape<_2, _2>{});
  fill(a, 3);
  fill(b, 5);
  gemm(a, b, c);
  copy(c, make_tensor(make_gmem_ptr(out), Layout<Shape<_2, _2>>{}));      // [multiplied]
}
__global__ void by_atomic(int* out) {
  auto r = make_tensor<int>(Shape<_4>{});
  if (threadIdx.x < 16) clear(r);
  atomicAdd(out, r(0));                                                   // [by_atomic]
}
__global__ void partly_filled(int* out, int n) {
  auto const in = make_tensor(make_gmem_ptr(out + 64), make_shape(n));
  auto r = make_tensor<int>(Shape<_4>{});
  copy_if([&](auto i) { return i < n; }, make_tensor(make_gmem_ptr(out + 64), four{}), r);
  *out = reduce(r, 0);                                                    // [partly_filled]
}
int main() {
  device_buffer<int> out(std::vector<int>(128, 0));
  for (auto kernel : {compared, counted, scaled, transformed, reduced, multiplied, by_atomic}) {
    out.upload(std::vector<int>(128, 0));
    launch(kernel, {.grid = 1, .block = kernel == compared || kernel == counted || kernel == by_atomic ? 32u : 1u},
           out.data());
  }
  launch(partly_filled, {.grid = 1, .block = 1}, out.data(), 3);
}
"""
ON_PURPOSE = HEAD + """
struct pair { double v; int i; };
struct best { int i; double v; };
__global__ void purpose(unsigned* out, float* f, pair* p, best* b, int* m, unsigned const* in) {
  out[threadIdx.x] = 0xFEFEFEFEu;
  out[32 + threadIdx.x] = 0xAAAAAAAAu;
  out[64 + threadIdx.x] = in[threadIdx.x];
  m[threadIdx.x] = -1;
  f[threadIdx.x] = __uint_as_float(0xFEFEFEFEu);
  pair x;  // structures have room that nobody writes
  x.v = 1, x.i = 2;
  p[threadIdx.x] = x;
  best y;
  y.i = 2, y.v = 3;
  b[threadIdx.x] = y;
  __shared__ unsigned s[32];
  s[threadIdx.x] = in[threadIdx.x];
  if (in[threadIdx.x] == 0xFEFEFEFEu) m[threadIdx.x] = 7;
  atomicMax(out + 96, in[threadIdx.x]);
}
__global__ void guarded(int* out, int* count, int n) {
  int v;
  if (threadIdx.x == 0) v = atomicAdd(count, 32);
  v = __shfl_sync(0xffffffffu, v, 0);
  out[threadIdx.x] = v;
  int w;
  bool const in = threadIdx.x < n;
  if (in) w = out[threadIdx.x];
  if (in && w > 3) out[threadIdx.x] = w;
  float a[8];
  int have = 0;
  for (int i = 0; i < n / 4; ++i) a[have++] = i;
  float sum = 0;
  for (int i = 0; i < have; ++i) sum += a[i];
  out[threadIdx.x] = sum;
}
int main() {
  device_buffer<unsigned> out(std::vector<unsigned>(128, 0u)), in(std::vector<unsigned>(64, 0xFEFEFEFEu));
  device_buffer<float> f(64);
  device_buffer<pair> p(64);
  device_buffer<best> b(64);
  device_buffer<int> m(std::vector<int>(64, 0)), count(std::vector<int>(1, 0));
  launch(purpose, {.grid = 1, .block = 32}, out.data(), f.data(), p.data(), b.data(), m.data(), in.data());
  launch(guarded, {.grid = 1, .block = 32}, m.data(), count.data(), 16);
}
"""


class Unwritten(unittest.TestCase):
    def simulate(self, text, compiler, *options):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cpp"
            source.write_text(text)
            found = pathlib.Path(folder) / "found.json"
            r = run("sim", str(source), "--cxx", compiler, "--json", str(found), "--quiet", *options)
            self.assertNotIn(r.returncode, (1, 2), r.stderr[-2000:])
            return r.returncode, json.loads(found.read_text())

    def check(self, text, compiler, level):
        """Each marked line is an error there and nowhere else."""
        if compiler == "clang++":  # it settles comparisons when it compiles
            text = re.sub(r"// \[(compared|chosen_by|counted)\]", "", text)
        status, found = self.simulate(text, compiler, "-O", level)
        self.assertEqual(status, ERROR)
        lines = text.split("\n")
        marked = {m.group(1): i for i, line in enumerate(lines, 1) for m in [re.search(r"// \[(\w+)\]$", line)] if m}
        seen = {h["line"] for h in found["hazards"] if h["severity"] == "error" and h["kind"] == "uninitialized"}
        for name, line in marked.items():
            with self.subTest(compiler=compiler, level=level, kernel=name):
                self.assertIn(line, seen, found["hazards"])
        # What follows from a value that was stored to shared memory or reduced may be told of, too.
        others = {h["kernel"].split("(")[0] for h in found["hazards"] if h["line"] not in marked.values()}
        self.assertLessEqual(others, {"to_shared", "reduced"})

    def test_locals(self):
        for compiler in COMPILERS:
            # At -O2 clang++ writes the loop over an array out, whose odd elements may then be a structure's room.
            for level in ("0", "1", "2") if compiler == "g++" else ("0", "1"):
                self.check(LOCALS, compiler, level)

    def test_fragments(self):
        for compiler in COMPILERS:
            self.check(FRAGMENTS, compiler, "1")

    def test_a_later_kernel_passes_memory_on(self):
        text = ("__global__ void sum(int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"
                "__global__ void copy(int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"
                "int main() {\n  int *a, *b;\n  cudaMalloc(&a, 128);\n  cudaMalloc(&b, 128);\n"
                "  sum<<<1, 32>>>(a, b);\n  copy<<<1, 32>>>(a, b);\n  cudaFree(a);\n  cudaFree(b);\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.cu"
            path.write_text(text)
            out = json.loads(run("sim", str(path), "--json", "-").stdout)
        self.assertEqual([h["line"] for h in out["hazards"]], [1, 2])
        for h in out["hazards"]:
            self.assertIn("nobody has written", h["message"])
            self.assertIn("upload, clear or write it first", h["message"])
            self.assertNotIn("fragment", h["message"])

    def test_on_purpose(self):
        for compiler in COMPILERS:
            for level in ("0", "1", "2"):
                status, found = self.simulate(ON_PURPOSE, compiler, "-O", level)
                self.assertEqual((status, found["hazards"]), (CLEAN, []), (compiler, level))


if __name__ == "__main__":
    unittest.main()
