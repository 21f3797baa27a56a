#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim names the program's own lines: whatever is wrong inside of the library is told of the line that called it,
with each compiler, however much was inlined."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from support.command import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]

# Each kernel has other calls of the library beside the one that is wrong, whose line ends with the kernel's name.
PROGRAM = r"""
#include <cosmati/cosmati.hpp>
using namespace cosmati;
using one = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _2>>{}, Layout<_1>{}));
using async = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, Layout<Shape<_32, _2>>{}, Layout<_1>{}));

// Several calls of the library in each kernel, so that a neighbouring line is a wrong answer.
__global__ void tile_to_fragment(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(rows, _8{}));
  auto thread = one{}.get_slice(threadIdx.x);
  auto first = thread.partition_S(local_tile(m, Shape<_32, _8>{}, make_coord(0, _0{})));
  auto last = thread.partition_S(local_tile(m, Shape<_32, _8>{}, make_coord(1, _0{})));
  auto held = make_fragment_like(first);
  copy(one{}, first, held);
  copy(one{}, last, held);  // tile_to_fragment
  out[threadIdx.x] = held(0);
}
__global__ void tile_to_shared(float const* in, float*, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(rows, _8{}));
  auto s = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_32, _8>>{});
  auto thread = one{}.get_slice(threadIdx.x);
  copy(one{}, thread.partition_S(local_tile(m, Shape<_32, _8>{}, make_coord(0, _0{}))), thread.partition_D(s));
  copy(one{}, thread.partition_S(local_tile(m, Shape<_32, _8>{}, make_coord(1, _0{}))),  // tile_to_shared
       thread.partition_D(s));
}
__global__ void no_barrier(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(_32{}, _8{}));
  auto o = make_tensor(make_gmem_ptr(out), make_shape(_32{}, _8{}));
  auto s = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_32, _8>>{});
  auto there = one{}.get_slice(threadIdx.x), back = one{}.get_slice(63 - threadIdx.x);
  copy(one{}, there.partition_S(m), there.partition_D(s));  // no_barrier
  copy(one{}, back.partition_S(s), back.partition_D(o));    // no_barrier
}
__global__ void not_waited_for(float const* in, float* out, int) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(_32{}, _8{}));
  auto o = make_tensor(make_gmem_ptr(out), make_shape(_32{}, _8{}));
  auto s = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_32, _8>>{});
  auto there = async{}.get_slice(threadIdx.x);
  auto back = one{}.get_slice(threadIdx.x);
  copy(async{}, there.partition_S(m), there.partition_D(s));
  cp_async_fence();
  copy(one{}, back.partition_S(s), back.partition_D(o));  // not_waited_for
  cp_async_wait_all();
}
__global__ void beyond_the_memory(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(rows));
  auto o = make_tensor(make_gmem_ptr(out), make_shape(100 * rows));
  o(static_cast<int>(threadIdx.x)) = m(0);
  copy(make_tensor(&m(0), Layout<_4>{}), make_tensor(&o(0) + 99 * rows, Layout<_4>{}));  // beyond_the_memory
}
__global__ void nothing_written(float const*, float* out, int) {
  auto s = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_8, _8>>{});
  auto o = make_tensor(make_gmem_ptr(out), Layout<Shape<_8, _8>>{});
  if (threadIdx.x == 0) axpby(2.f, s, 0.f, o);  // nothing_written
}
__global__ void beyond_the_threads(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(_32{}, _8{}));
  auto o = make_tensor(make_gmem_ptr(out), make_shape(_32{}, _8{}));
  auto thread = one{}.get_slice(threadIdx.x);
  copy(one{}, thread.partition_S(m), thread.partition_D(o));
  auto other = one{}.get_slice(static_cast<int>(threadIdx.x) + rows);  // beyond_the_threads
  copy(one{}, other.partition_S(m), other.partition_D(o));
}
__global__ void refused_at_run_time(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(rows, rows));
  out[threadIdx.x] = m(0);
  auto c = composition(make_layout(make_shape(rows - 3, 4)), make_layout(make_shape(rows - 4), make_stride(3)));  // refused_at_run_time
  out[threadIdx.x + 64] = m(c(1));
}
__global__ void sizes_differ(float const* in, float* out, int rows) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(rows));
  auto o = make_tensor(make_gmem_ptr(out), make_shape(rows + 1));
  if (threadIdx.x == 0) {
    copy(m, make_tensor(make_gmem_ptr(out), make_shape(rows)));
    copy(m, o);  // sizes_differ
  }
}

__global__ void misaligned_vector(float const* in, float* out, int rows) {
  using four = Copy_Atom<UniversalCopy<uint128_t>, float>;
  auto m = make_tensor(make_gmem_ptr(in + rows % 2), Layout<_4>{});
  copy(four{}, make_tensor(make_gmem_ptr(in), Layout<_4>{}), make_tensor(make_gmem_ptr(out), Layout<_4>{}));
  copy(four{}, m, make_tensor(make_gmem_ptr(out), Layout<_4>{}));  // misaligned_vector
}
__global__ void half_a_block(float const*, float* out, int rows) {
  if (static_cast<int>(threadIdx.x) < rows) __syncthreads();  // half_a_block
  out[threadIdx.x] = 1.f;
}

template <class Kernel>
void run(Kernel kernel, int rows) {
  try {
    device_buffer<float> in(std::vector<float>(2048, 1.f)), out(std::vector<float>(2048, 0.f));
    launch(kernel, {.grid = 1, .block = 64, .shared_bytes = 4096}, in.data(), out.data(), rows);
  } catch (std::exception const& e) {
    std::puts(e.what());
  }
}
int main() {
  run(tile_to_fragment, 40);
  run(tile_to_shared, 40);
  run(no_barrier, 40);
  run(not_waited_for, 40);
  run(beyond_the_memory, 40);
  run(nothing_written, 40);
  run(beyond_the_threads, 40);
  run(refused_at_run_time, 40);
  run(sizes_differ, 40);
  run(misaligned_vector, 41);
  run(half_a_block, 40);
}
"""
# A program for CuTe calls the library by its headers of compat/.
CUTE_PROGRAM = r"""
#include <cute/tensor.hpp>
#include <cutlass/arch/barrier.h>
#include <vector>
using namespace cute;
using async = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, Layout<Shape<_32, _2>>{}, Layout<_1>{}));

__global__ void not_waited_for(float const* in, float* out) {
  __shared__ float memory[256];
  Tensor m = make_tensor(make_gmem_ptr(in), make_shape(_32{}, _8{}));
  Tensor o = make_tensor(make_gmem_ptr(out), make_shape(_32{}, _8{}));
  Tensor s = make_tensor(make_smem_ptr(memory), Layout<Shape<_32, _8>>{});
  auto thread = async{}.get_slice(threadIdx.x);
  copy(async{}, thread.partition_S(m), thread.partition_D(s));
  cp_async_fence();
  Tensor mine = thread.partition_D(s);
  Tensor there = thread.partition_D(o);
  axpby(1.f, mine, 0.f, there);  // not_waited_for
  cp_async_wait<0>();
}
__global__ void beyond_the_memory(float const* in, float* out) {
  Tensor m = make_tensor(make_gmem_ptr(in), make_shape(_32{}, _80{}));
  Tensor o = make_tensor(make_gmem_ptr(out), make_shape(_32{}, _8{}));
  Tensor held = make_fragment_like(local_partition(o, Layout<Shape<_32, _2>>{}, threadIdx.x));
  copy(local_partition(local_tile(m, Shape<_32, _8>{}, make_coord(0, 0)), Layout<Shape<_32, _2>>{}, threadIdx.x), held);
  copy(local_partition(local_tile(m, Shape<_32, _8>{}, make_coord(0, 9)), Layout<Shape<_32, _2>>{}, threadIdx.x), held);  // beyond_the_memory
  copy(held, local_partition(o, Layout<Shape<_32, _2>>{}, threadIdx.x));
}
__global__ void arrives_unasked(float const*, float*) {
  __shared__ uint64_t barrier;
  cutlass::arch::ClusterBarrier::arrive(&barrier);  // arrives_unasked
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  cudaMemset(in, 0, 1024);
  not_waited_for<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  beyond_the_memory<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaDeviceReset();
  arrives_unasked<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
}
"""
# What ends a launch and is no hazard: nothing is said of a line.
MAY_BE_SILENT = {"beyond_the_threads", "refused_at_run_time", "sizes_differ"}
A_LIBRARY_LINE = re.compile(r"\w+\.hpp:\d+")


def marked_lines(program: str) -> dict[str, set[int]]:
    """For each name in a comment at a line's end, the numbers of these lines."""
    lines = {}
    for number, line in enumerate(program.splitlines(), 1):
        if marked := re.search(r"// (\w+)$", line):
            lines.setdefault(marked.group(1), set()).add(number)
    return lines


class Lines(unittest.TestCase):
    wanted = marked_lines(PROGRAM)

    def look_at(self, compiler: str, level: int):
        with tempfile.TemporaryDirectory(prefix="cosmati-test-") as folder:
            source, out = pathlib.Path(folder, "lines.cpp"), pathlib.Path(folder, "out.json")
            source.write_text(PROGRAM)
            done = run("sim", str(source), "--cxx", compiler, "-O", str(level), "--json", str(out))
            self.assertEqual(done.returncode, 3, done.stderr)
            found = json.loads(out.read_text())
        self.assertEqual(found["unseen"], [])
        for h in found["hazards"]:
            with self.subTest(kernel=h["kernel"], kind=h["kind"]):
                self.assertTrue(h["file"] and h["file"].endswith("lines.cpp"), h)
                if compiler == "clang++" and level > 0 and h["kind"] == "invalid_argument":
                    # Of a check of the library that clang has inlined, its line table gives a line of the kernel near the call.
                    self.assertLessEqual(min(abs(h["line"] - n) for n in self.wanted[h["kernel"]]), 4, h)
                else:
                    self.assertIn(h["line"], self.wanted[h["kernel"]], h)
                self.assertNotRegex(h["message"], A_LIBRARY_LINE)
        self.assertEqual(set(self.wanted) - {h["kernel"] for h in found["hazards"]} - MAY_BE_SILENT, set())

    def test_gcc(self):
        for level in range(4):
            with self.subTest(level=level):
                self.look_at("g++", level)

    @unittest.skipUnless("clang++" in COMPILERS, "clang++ is not installed")
    def test_clang(self):
        for level in range(4):
            with self.subTest(level=level):
                self.look_at("clang++", level)

    def test_of_programs_for_cute(self):
        wanted = marked_lines(CUTE_PROGRAM)
        for compiler in COMPILERS:
            with self.subTest(compiler), tempfile.TemporaryDirectory(prefix="cosmati-test-") as folder:
                source, out = pathlib.Path(folder, "lines.cu"), pathlib.Path(folder, "out.json")
                source.write_text(CUTE_PROGRAM)
                done = run("sim", str(source), "--cxx", compiler, "-I", str(ROOT / "compat"), "--json", str(out))
                self.assertEqual(done.returncode, 3, done.stderr)
                found = json.loads(out.read_text())["hazards"]
                for h in found:
                    self.assertIn(h["line"], wanted[h["kernel"]], h)
                    self.assertTrue(h["file"].endswith("lines.cu"), h)
                    self.assertNotRegex(h["message"], A_LIBRARY_LINE)
                self.assertEqual({h["kernel"] for h in found}, set(wanted))


if __name__ == "__main__":
    unittest.main()
