#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: all wrong addresses of one source line are reported; and what a copy that arrives at a cuda::barrier lacks names the barrier's functions."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
ERROR = 3

BOUNDS = """#include <cstdlib>
__global__ void two_loads(int const* a, int const* b, int* out, int n) { out[threadIdx.x] = a[threadIdx.x + n] + b[threadIdx.x + n]; }
__global__ void load_and_store(int const* a, int const* b, int* out, int n) { out[threadIdx.x + n] = a[threadIdx.x + n] + b[threadIdx.x]; }
__global__ void before(int const* a, int const* b, int* out, int n) { out[threadIdx.x] = a[(int)threadIdx.x - n] + b[(int)threadIdx.x - n]; }
__global__ void index(int const* a, int const* b, int* out, int n) { out[threadIdx.x] = b[a[threadIdx.x + n]]; }
__global__ void one(int const* a, int const* b, int* out, int n) {
  int const x = a[threadIdx.x + n];
  out[threadIdx.x + n] = x + b[threadIdx.x];
}
__global__ void barrier_behind(int const* a, int const* b, int* out, int n) {
  int const x = a[threadIdx.x + n];
  __syncthreads();
  if (x == 12345) out[0] = b[0];
}
int main(int, char** argv) {
  int *first, *a, *b, *out;
  cudaMalloc(&first, 4096); cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); cudaMalloc(&out, 4096);
  cudaMemset(a, 0, 4096); cudaMemset(b, 0, 4096);
  void (*const kernels[])(int const*, int const*, int*, int) = {two_loads, load_and_store, before, index, one, barrier_behind};
  int const which = std::atoi(argv[1]);
  kernels[which]<<<1, 64>>>(a, b, out, which == 2 ? 8 : 1000);
  cudaDeviceSynchronize();
  cudaFree(first); cudaFree(a); cudaFree(b); cudaFree(out);
  return 0;
}
"""
# The accesses that each kernel's report has: the line, the kind of the access, the number of the allocation.
FOUND = ([(2, "load", 2), (2, "load", 3)], [(3, "load", 2), (3, "store", 4)], [(4, "load", 2), (4, "load", 3)], [(5, "load", 2)],
         [(7, "load", 2)], [(11, "load", 2)])

SHARED = """#include <cstdlib>
__device__ int apart(int const* a, int const* b, int i) { return a[i] + b[i]; }
__device__ void copy(int* to, int const* from, int i, int j) { to[i] = from[j]; }
__global__ void k(int* out, int which, int n) {
  __shared__ int a[64], b[64];
  extern __shared__ int c[];
  int* volatile const pa = a;
  int* volatile const pb = b;
  int* volatile const pc = c;
  int const t = threadIdx.x;
  pa[t] = pb[t] = pc[t] = t;
  __syncthreads();
  switch (which) {
    case 0: out[t] = apart(pa, pb, t + n); break;
    case 1: out[t] = apart(pa, pc, t + n); break;
    case 2: out[t] = apart(pa, pa, t + n); break;
    case 3: copy(pc, pc, t + n, t + n); break;
    case 4: out[t] = apart(pa, pb, t + 1); break;
    case 5: copy(pa, pb, t, t + n); break;
    case 6: copy(out, pa, t + 100 * n, t + 2 * n); break;
  }
}
int main(int, char** argv) {
  int* out;
  cudaMalloc(&out, 256);
  k<<<1, 64, 256>>>(out, std::atoi(argv[1]), 40);
  cudaDeviceSynchronize();
  return 0;
}
"""
# The accesses that each report has: the kind of the access, and the memory that it was meant for.
FOUND_IN_SHARED = ([("load", "__shared__ a"), ("load", "__shared__ b")], [("load", "__shared__ a"), ("load", "dynamic")], [("load", "__shared__ a")],
                   [("load", "dynamic"), ("store", "dynamic")], [("load", "__shared__ a"), ("load", "__shared__ b")], [("load", "__shared__ b")],
                   [("load", "__shared__ a"), ("store", "allocation 1")])

ARRIVALS = """#include <cuda/barrier>
__global__ void k(int const* in, int* out) {
  __shared__ int s[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, sizeof(int), bar);
  out[threadIdx.x] = s[threadIdx.x];  // no wait
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 512); cudaMalloc(&b, 512); cudaMemset(a, 0, 512);
  k<<<1, 128>>>(a, b);
  cudaDeviceSynchronize(); cudaFree(a); cudaFree(b);
}
"""


class Bounds(unittest.TestCase):
    def simulate(self, text: str, compiler: str, *arguments: str):
        with tempfile.TemporaryDirectory() as folder:
            source, found = pathlib.Path(folder) / "own.cu", pathlib.Path(folder) / "found.json"
            source.write_text(text)
            r = run("sim", str(source), "--cxx", compiler, "--json", str(found), "--quiet", "--", *arguments)
            self.assertNotIn(r.returncode, (1, 2), r.stderr[-2000:])
            return r.returncode, json.loads(found.read_text())["hazards"]

    def test_wrong_addresses_of_one_line(self):
        for compiler in COMPILERS:
            for which, wanted in enumerate(FOUND):
                status, found = self.simulate(BOUNDS, compiler, str(which))
                with self.subTest(which, compiler=compiler):
                    self.assertEqual(status, ERROR)
                    self.assertEqual({h["kind"] for h in found}, {"out_of_bounds"}, found)
                    told = {(h["line"], h["message"].split()[0], int(h["message"].split("allocation ")[1].split()[0])) for h in found}
                    self.assertEqual(told, set(wanted), found)
                    self.assertEqual(len(found), len(wanted))

    def test_wrong_addresses_of_one_line_in_shared_memory(self):
        for compiler in COMPILERS:
            for which, wanted in enumerate(FOUND_IN_SHARED):
                status, found = self.simulate(SHARED, compiler, str(which))
                with self.subTest(which, compiler=compiler):
                    self.assertEqual((status, {h["kind"] for h in found}), (ERROR, {"out_of_bounds"}), found)
                    told = [(h["message"].split()[0], re.search(r"__shared__ \w+|dynamic|allocation \d+", h["message"]).group()) for h in found]
                    self.assertEqual(sorted(told), sorted(wanted), found)

    def test_the_host_behind_memory_that_it_shares(self):
        # An 11th element of ten; memory of cudaMalloc has another sentence, as the host may not touch it at all.
        source = """int main(int argc, char** argv) {
  int *shared, *own; cudaMallocManaged(&shared, 40); cudaMalloc(&own, 40);
  int* const p = argv[1][0] == '0' ? shared : own;
  p[10 - (p == own)] = argc;
}
"""
        sentences = ("the host writes 4 bytes out of bounds, at byte 40 of an allocation of 40 bytes that it shares with the device (",
                     "the host writes 4 bytes of device memory by itself, at byte 36 of an allocation of 40 bytes (")
        for compiler in COMPILERS:
            for which, sentence in enumerate(sentences):
                with self.subTest(which, compiler=compiler):
                    status, found = self.simulate(source, compiler, str(which))
                    self.assertEqual((status, [(h["kind"], h["line"]) for h in found]), (ERROR, [("out_of_bounds", 4)]), found)
                    self.assertTrue(found[0]["message"].startswith(sentence), found)

    def test_a_copy_that_arrives_at_a_barrier(self):
        for compiler in COMPILERS:
            status, found = self.simulate(ARRIVALS, compiler)
            self.assertEqual((status, [(h["kind"], h["line"]) for h in found]), (ERROR, [("missing_wait", 8)]))
            for words in ("barrier.arrive_and_wait()", "barrier.wait(barrier.arrive())"):
                self.assertIn(words, found[0]["message"])
            self.assertNotIn("wait_group", found[0]["message"])


if __name__ == "__main__":
    unittest.main()
