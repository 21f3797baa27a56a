#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: asynchronous copies and fills beside kernels and copies of other streams, with the lines of both, and what orders them."""
import json
import pathlib
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
CLEAN, ERROR = 0, 3

PROGRAM = """#include <cstdlib>
#include <cstring>
__global__ void makes(int* p) { p[threadIdx.x] = threadIdx.x; }   // [kernel_writes]
__global__ void uses(int const* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }   // [kernel_reads]
int main(int, char** argv) {
  char const* const what = argv[1];
  auto const is = [&](char const* name) { return std::strcmp(what, name) == 0; };
  int *d, *out, *other, *pinned, pageable[32] = {};
  cudaMalloc(&d, 256); cudaMalloc(&out, 128); cudaMalloc(&other, 256); cudaMallocHost(&pinned, 256);
  std::memset(pinned, 0, 256);
  cudaMemset(d, 0, 256); cudaMemset(other, 0, 256);
  cudaDeviceSynchronize();
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t e;
  cudaEventCreate(&e);
  if (is("copy_then_kernel")) {
    cudaMemcpyAsync(d, pinned, 128, cudaMemcpyHostToDevice, a);   // [copy_then_kernel]
    uses<<<1, 32, 0, b>>>(d, out);
  } else if (is("fill_then_kernel")) {
    cudaMemsetAsync(d, 0, 128, a);   // [fill_then_kernel]
    makes<<<1, 32, 0, b>>>(d);
  } else if (is("plain_fill_then_kernel")) {
    cudaMemset(d, 0, 128);   // [plain_fill_then_kernel]
    makes<<<1, 32, 0, b>>>(d);
  } else if (is("kernel_then_plain_fill")) {
    uses<<<1, 32, 0, b>>>(d, out);
    cudaMemset2D(d, 16, 0, 4, 2);   // [kernel_then_plain_fill]
  } else if (is("source_then_kernel")) {
    cudaMemcpyAsync(other, d, 128, cudaMemcpyDeviceToDevice, a);   // [source_then_kernel]
    makes<<<1, 32, 0, b>>>(d);
  } else if (is("kernel_then_copy")) {
    makes<<<1, 32, 0, a>>>(d);
    cudaMemcpyAsync(pinned, d, 128, cudaMemcpyDeviceToHost, b);   // [kernel_then_copy]
  } else if (is("kernel_then_pageable")) {
    makes<<<1, 32, 0, a>>>(d);
    cudaMemcpyAsync(pageable, d, 128, cudaMemcpyDeviceToHost, b);   // [kernel_then_pageable]
  } else if (is("reader_then_fill")) {
    uses<<<1, 32, 0, a>>>(d, out);
    cudaMemsetAsync(d, 1, 4, b);   // [reader_then_fill]
  } else if (is("rows_then_kernel")) {
    cudaMemcpy2DAsync(d, 16, pinned, 16, 4, 8, cudaMemcpyHostToDevice, a);   // [rows_then_kernel]
    uses<<<1, 32, 0, b>>>(d, out);
  } else if (is("copy_then_copy")) {
    cudaMemcpyAsync(d, pinned, 128, cudaMemcpyHostToDevice, a);
    cudaMemcpyAsync(other, d + 31, 8, cudaMemcpyDeviceToDevice, b);   // [copy_then_copy]
  } else if (is("ordered")) {
    cudaMemcpyAsync(d, pinned, 128, cudaMemcpyHostToDevice, a);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e);
    uses<<<1, 32, 0, b>>>(d, out);                                  // an event
    cudaMemcpyAsync(pinned + 32, d, 128, cudaMemcpyDeviceToHost, a);  // both read
    cudaMemcpyAsync(other, pinned, 64, cudaMemcpyHostToDevice, b);
    makes<<<1, 16, 0, a>>>(other + 16);                             // other bytes
    cudaStreamSynchronize(b);
    makes<<<1, 16, 0, a>>>(other);                                  // the host has waited
    cudaDeviceSynchronize();
    cudaStream_t c;
    cudaStreamCreate(&c);
    cudaMemsetAsync(d, 0, 128, c);
    makes<<<1, 32>>>(d);                                            // the default stream waits for c
    cudaMemcpyAsync(pinned, d, 128, cudaMemcpyDeviceToHost, c);
    cudaMemcpy2DAsync(other, 16, pinned + 32, 16, 8, 8, cudaMemcpyHostToDevice, a);
    cudaMemcpy2DAsync(other + 2, 16, pinned + 34, 16, 8, 8, cudaMemcpyHostToDevice, b);  // rows between these
    cudaDeviceSynchronize();
    makes<<<1, 32, 0, c>>>(d);
    cudaMemset(d, 0, 128);                                          // the default stream waits for c
    makes<<<1, 32, 0, c>>>(d);                                      // and c for it
    cudaMemset(other, 0, 128);
    cudaMemcpy(pageable, out, 4, cudaMemcpyDeviceToHost);           // the host waits for the default stream
    makes<<<1, 32, 0, a>>>(other);
    int* managed;
    cudaMallocManaged(&managed, 128);
    cudaMemset(managed, 0, 128);                                    // over when it returns
    makes<<<1, 32, 0, a>>>(managed);
    cudaDeviceSynchronize();
    cudaFree(managed);
    cudaStreamDestroy(c);
  }
  cudaDeviceSynchronize();
  cudaFree(d); cudaFree(out); cudaFree(other); cudaFreeHost(pinned);
  return 0;
}
"""
# What is run, and the mark of the kernel's line; None for another copy.
BUGS = {"copy_then_kernel": "kernel_reads", "fill_then_kernel": "kernel_writes", "source_then_kernel": "kernel_writes",
        "plain_fill_then_kernel": "kernel_writes", "kernel_then_plain_fill": "kernel_reads", "kernel_then_copy": "kernel_writes", "kernel_then_pageable": "kernel_writes", "reader_then_fill": "kernel_reads",
        "rows_then_kernel": "kernel_reads", "copy_then_copy": None}


# A kernel that waits for a flag, of memory that the host may write, and of memory that it may not.
WAITING = """#include <cstdlib>
__global__ void waits(int volatile* flag, int* out) {
  while (*flag == 0) {}   // [poll]
  *out = *flag;
}
int main(int, char** argv) {
  int *flag, *out; bool const own = argv[1][0] == 'o';
  if (argv[1][0] == 'm') cudaMallocManaged(&flag, 4); else if (own) cudaMalloc(&flag, 4); else cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
  cudaMalloc(&out, 4);
  if (own) cudaMemset(flag, 0, 4); else *flag = 0;
  waits<<<1, 1>>>(flag, out);
  std::exit(0);
}
"""


class Waits(unittest.TestCase):
    def test_a_wait_for_the_host_is_no_deadlock(self):
        for i, (memory, kind) in enumerate({"pinned": "invalid_argument", "managed": "invalid_argument", "own": "deadlock"}.items()):
            with self.subTest(memory), tempfile.TemporaryDirectory() as folder:
                path, out = pathlib.Path(folder) / "own.cu", pathlib.Path(folder) / "out.json"
                path.write_text(WAITING)
                done = run("sim", str(path), "--quiet", "--json", str(out), "--cxx", COMPILERS[i % len(COMPILERS)], "--", memory)
                found = json.loads(out.read_text())["hazards"]
                self.assertEqual((done.returncode, [(h["kind"], h["line"]) for h in found]), (ERROR, [(kind, 3)]), found)
                self.assertEqual("which the host may write while the kernel runs" in found[0]["message"], memory != "own", found)


class Streams(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.source = pathlib.Path(self.folder.name) / "own.cu"
        self.source.write_text(PROGRAM)

    def tearDown(self):
        self.folder.cleanup()

    def simulate(self, compiler: str, what: str):
        found = pathlib.Path(self.folder.name) / "found.json"
        r = run("sim", str(self.source), "--cxx", compiler, "--json", str(found), "--quiet", "--", what)
        self.assertNotIn(r.returncode, (1, 2), r.stderr[-2000:])
        return r.returncode, json.loads(found.read_text())["hazards"]

    def line(self, mark: str) -> int:
        return next(n for n, text in enumerate(PROGRAM.split("\n"), 1) if f"// [{mark}]" in text)

    def test_unordered_work(self):
        for i, (what, kernel) in enumerate(BUGS.items()):
            with self.subTest(what):
                status, found = self.simulate(COMPILERS[i % len(COMPILERS)], what)
                self.assertEqual((status, [h["kind"] for h in found]), (ERROR, ["race"]), found)
                lines = {found[0]["line"], found[0]["other_line"]}
                self.assertEqual(lines, {self.line(what), self.line(kernel) if kernel else None}, found)
                self.assertIn("let the stream wait for an event", found[0]["message"])

    def test_ordered_work(self):
        for compiler in COMPILERS:
            self.assertEqual(self.simulate(compiler, "ordered"), (CLEAN, []), compiler)


if __name__ == "__main__":
    unittest.main()
