#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati sim: whatever ends a launch is a hazard with a kind and the program's line, and so is an instruction that is
given an address of the wrong memory; instances of one template are kernels of their own."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from support.command import run

COMPILERS = [c for c in ("g++", "clang++") if shutil.which(c)]
ERROR = 3

HEAD = """
#include <cosmati/cosmati.hpp>
#include <cosmati/arch/streaming.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cosmati/mma.hpp>
#include <stdexcept>
using namespace cosmati;
"""

# Each kernel fails at the line that bears its name in brackets, with the kind before it.
FAILURES = HEAD + """
__global__ void asserts(int n) { assert(n < 3); }                         // [assertion asserts]
__global__ void traps(int n) { if (n > 3) __trap(); }                     // [trap traps]
__global__ void waits_at_16(int id) { NamedBarrier::sync(64, id); }       // [invalid_argument waits_at_16]
__global__ void arrives_at_40(int id) { NamedBarrier::arrive(64, id); }   // [invalid_argument arrives_at_40]
__global__ void arrives_33(int n) { NamedBarrier::arrive(n, 3); }         // [invalid_argument arrives_33]
__global__ void shuffles(int* out, int width) {
  out[threadIdx.x] = __shfl_sync(~0u, 3, 2, width);                       // [invalid_argument shuffles]
}
template <class Copy>
__global__ void slices(int* out, int thread, Copy tiled_copy) {
  auto const mine = tiled_copy.get_slice(thread);                         // [invalid_argument slices]
  auto const part = mine.partition_S(make_tensor(make_gmem_ptr(out), Layout<Shape<_32, _4>>{}));
  out[threadIdx.x] = static_cast<int>(size(part));
}
template <class Mma>
__global__ void slices_mma(int* out, int thread, Mma mma) {
  auto const mine = mma.get_thread_slice(thread);                         // [invalid_argument slices_mma]
  out[0] = static_cast<int>(size(mine.partition_C(make_tensor(make_gmem_ptr(out), Layout<Shape<_16, _8>>{}))));
}
__global__ void copies(float const* in, float* out, int n) {
  auto const from = make_tensor(make_gmem_ptr(in), make_shape(n));
  auto to = make_tensor(make_gmem_ptr(out), make_shape(n + 1));
  copy(from, to);                                                         // [invalid_argument copies]
}
__global__ void divided(int* out, int zero) { out[threadIdx.x] = 7 / zero; }       // [division_by_zero divided]
__global__ void rest(long* out, long zero) { out[threadIdx.x] = 7 % zero; }        // [division_by_zero rest]
__global__ void throws(int n) { if (n > 0) throw std::runtime_error("a reason"); } // [exception throws]
__global__ void throws_seven(int n) { if (n > 0) throw 7; }                        // [exception throws_seven]
__global__ void aborts(int n) { if (n > 0) std::abort(); }                         // [trap aborts]
__attribute__((noinline)) void ends(int n) noexcept { if (n > 0) throw n; }        // [trap terminates]
__global__ void terminates(int n) { ends(n); }
__global__ void box(TmaDescriptor const __grid_constant__ from, int shift, int x) {
  auto* const tile = dynamic_shared<unsigned char>();
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    arrive_and_expect_bytes(full, 1024);
    tensor_copy_g2s(tile + shift, from, {x, 0, 0, 0}, full);              // [misaligned box] [invalid_argument box]
  }
}
__global__ void few(std::uint32_t* out) {
  __shared__ __align__(16) std::uint16_t tile[64];
  for (int i = 0; i < 8; ++i) tile[8 * (threadIdx.x % 8) + i] = 1;
  __syncwarp(0xffffffu);
  std::uint32_t registers[1];
  ldmatrix(registers, tile + 8 * (threadIdx.x % 8));                      // [divergence few]
  out[threadIdx.x] = registers[0];
}
// What calls it is on the same line, as is what it calls.
__global__ void deep(int* out, int n) { int volatile held[4000]; held[n % 4000] = n; void (*volatile self)(int*, int) = deep; if (n > 0) self(out, n - 1); out[0] = held[3]; }  // [stack_overflow deep]
__global__ void nothing() {}
__global__ void launches() { launch(nothing, {.grid = 1, .block = 32}); } // [invalid_launch launches]

int main() {
  device_buffer<int> out(64), u(64);
  device_buffer<long> wide(64);
  device_buffer<std::uint32_t> words(32);
  device_buffer<float> in(std::vector<float>(64 * 64, 1.f)), other(64);
  auto const by_four = make_tiled_copy(Copy_Atom<UniversalCopy<int>, int>{}, Layout<Shape<_32>>{}, Layout<Shape<_1, _4>>{});
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
  launch_config const one = {.grid = 1, .block = 32}, two = {.grid = 1, .block = 64};
  launch(asserts, one, 4);
  launch(traps, one, 4);
  launch(waits_at_16, two, 16);
  launch(arrives_at_40, two, 40);
  launch(arrives_33, two, 33);
  launch(shuffles, one, out.data(), 12);
  launch(slices<decltype(by_four)>, two, out.data(), 32, by_four);
  launch(slices_mma<decltype(mma)>, two, out.data(), 32, mma);
  launch(copies, one, in.data(), other.data(), 20);
  launch(divided, one, out.data(), 0);
  launch(rest, one, wide.data(), 0);
  launch(throws, one, 5);
  launch(throws_seven, one, 5);
  launch(aborts, one, 1);
  launch(terminates, one, 1);
  tensor_map_config matrix{.data = in.data(), .element_bytes = 4, .extent = {64, 64, 1, 1}, .stride = {1, 64, 4096, 4096}, .box = {32, 8, 1, 1}};
  TmaDescriptor const from = make_tma_descriptor(matrix);
  matrix.rank = 2;
  TmaDescriptor const of_two_modes = make_tma_descriptor(matrix);
  launch(box, {.grid = 1, .block = 32, .shared_bytes = 4096}, from, 128, 0);
  launch(box, {.grid = 1, .block = 32, .shared_bytes = 4096}, of_two_modes, 0, 0);
  launch(few, {.grid = 1, .block = 24}, words.data());
  launch(deep, one, out.data(), 100000);
  launch(launches, one);
}
"""

REFUSED = HEAD + """
__global__ void nothing() {}
template <class Config>
void try_to_launch(Config const& c) {
  try { launch(nothing, c); } catch (error const&) {}                     // [launch]
}
int main() {
  launch(nothing, {.grid = 1, .block = 32});
  try_to_launch(launch_config{.grid = 1, .block = 1025});
  try_to_launch(launch_config{.grid = 0, .block = 32});
  try { launch(nothing, {.grid = 1, .block = 32, .shared_bytes = 300000}); } catch (error const&) {}  // [shared]
  try { launch(nothing, {.grid = 3, .block = 32, .cluster = 2}); } catch (error const&) {}            // [cluster]
}
"""

# Each kernel gives an instruction an address of the wrong memory at the line that bears its name.
SPACES = HEAD + """
__global__ void ldm(std::uint16_t* in, std::uint32_t* out) {
  for (int i = 0; i < 16; ++i) in[16 * threadIdx.x + i] = 1;  // the memory is known before
  __syncwarp();
  std::uint32_t registers[4];
  ldmatrix(registers, in + 8 * threadIdx.x);                              // [ldm]
  out[threadIdx.x] = registers[0];
}
__global__ void stm(std::uint16_t* out) {
  std::uint32_t const registers[2] = {1, 2};
  stmatrix(out + 8 * threadIdx.x, registers);                             // [stm]
}
template <class Copy, class Mma>
__global__ void tagged(half_t const* in, half_t* out, Copy tiled_copy, Mma mma) {
  auto const tile = make_tensor(make_smem_ptr(in), Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  auto const mine = tiled_copy.get_slice(threadIdx.x);
  auto held = mma.get_slice(threadIdx.x).partition_fragment_A(tile);
  copy(tiled_copy, mine.partition_S(tile), mine.retile_D(held));          // [tagged]
  out[threadIdx.x] = held(0);
}
__global__ void async_to_global(float* out, float const* in) {
  cp_async<4>(out + threadIdx.x, in + threadIdx.x);                       // [async_to_global]
}
__global__ void async_from_shared(double* out) {
  __shared__ double a[32], b[32];
  a[threadIdx.x] = 1;
  cp_async<8>(b + threadIdx.x, a + threadIdx.x);                          // [async_from_shared]
  cp_async_wait<0>();
  out[threadIdx.x] = b[threadIdx.x];
}
__global__ void async_to_local(float* out, float const* in) {
  __align__(16) float held[4];
  cp_async<16>(held, in + 4 * threadIdx.x);                               // [async_to_local]
  cp_async_wait<0>();
  out[threadIdx.x] = held[1];
}
__global__ void bulk_to_global(float* out, float const* in) {
  __shared__ std::uint64_t full;
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  arrive_and_expect_bytes(full, 64);
  bulk_copy_g2s(out, in, 64, full);                                       // [bulk_to_global]
}
__global__ void bulk_from_global(float* out, float const* in) {
  if (threadIdx.x == 0) bulk_copy_s2g(out, in, 64);                       // [bulk_from_global]
}
__global__ void bulk_to_shared() {
  __shared__ __align__(16) float a[32], b[32];
  a[threadIdx.x] = 1;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) bulk_copy_s2g(b, a, 64);                          // [bulk_to_shared]
}
__global__ void init_in_global(std::uint64_t* b) {
  if (threadIdx.x == 0) initialize_barrier(*b, 1);                        // [init_in_global]
}
__global__ void arrive_in_global(std::uint64_t* b) { arrive_barrier(*b); }  // [arrive_in_global]
__global__ void wait_in_local() {
  std::uint64_t b = 0;
  wait_barrier(b, 0);                                                     // [wait_in_local]
}
__global__ void prefetch_of_shared(float* out) {
  __shared__ float a[32];
  a[threadIdx.x] = 1;
  prefetch_l2(a + threadIdx.x);                                           // [prefetch_of_shared]
  out[threadIdx.x] = a[threadIdx.x];
}
__global__ void streamed_from_shared(float* out) {
  __shared__ __align__(16) float a[128];
  a[4 * threadIdx.x] = 1;
  auto const v = load_streaming<4>(a + 4 * threadIdx.x);                  // [streamed_from_shared]
  __builtin_memcpy(out + threadIdx.x, &v, 4);
}
__global__ void right(float* out, half_t const* in, float const* numbers) {
  __shared__ __align__(16) half_t tile[32 * 8];
  cp_async<16>(tile + 8 * threadIdx.x, in + 8 * threadIdx.x);
  prefetch_l2(numbers + threadIdx.x);
  cp_async_wait<0>();
  __syncwarp();
  std::uint32_t registers[4];
  ldmatrix(registers, tile + 8 * threadIdx.x);
  stmatrix(tile + 8 * threadIdx.x, registers);
  __syncwarp();
  auto const v = load_streaming<4>(numbers + threadIdx.x);
  float f;
  __builtin_memcpy(&f, &v, 4);
  out[threadIdx.x] = f + static_cast<float>(tile[threadIdx.x]);
}
int main() {
  device_buffer<float> in(std::vector<float>(256, 1.f)), out(256);
  device_buffer<double> wide(32);
  device_buffer<std::uint16_t> rows(std::vector<std::uint16_t>(1024, 1));
  device_buffer<std::uint32_t> words(32);
  device_buffer<std::uint64_t> barriers(std::vector<std::uint64_t>(4, 0));
  device_buffer<half_t> halves(std::vector<half_t>(256)), half_out(32);
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
  auto const by_rows = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  launch_config const one = {.grid = 1, .block = 32};
  launch(right, one, out.data(), halves.data(), in.data());
  launch(ldm, one, rows.data(), words.data());
  launch(stm, one, rows.data());
  launch(tagged<decltype(by_rows), decltype(mma)>, one, halves.data(), half_out.data(), by_rows, mma);
  launch(async_to_global, one, out.data(), in.data());
  launch(async_from_shared, one, wide.data());
  launch(async_to_local, one, out.data(), in.data());
  launch(bulk_to_global, one, out.data(), in.data());
  launch(bulk_from_global, one, out.data(), in.data());
  launch(bulk_to_shared, one);
  launch(init_in_global, one, barriers.data());
  launch(arrive_in_global, one, barriers.data());
  launch(wait_in_local, one);
  launch(prefetch_of_shared, one, out.data());
  launch(streamed_from_shared, one, out.data());
}
"""

NAMES = HEAD + """
template <class Tile, class Other, class Numbers, int pitch>
struct configuration {};
template <class Configuration>
struct pitch_of;
template <class T, class O, class N, int pitch>
struct pitch_of<configuration<T, O, N, pitch>> { static constexpr int value = pitch; };
template <class Configuration>
__global__ void turned(float const* in, float* out) {
  constexpr int pitch = pitch_of<Configuration>::value;
  __shared__ float tile[32 * pitch];
  for (unsigned r = threadIdx.y; r < 32; r += 8) tile[r * pitch + threadIdx.x] = in[r * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned r = threadIdx.y; r < 32; r += 8) out[r * 32 + threadIdx.x] = tile[threadIdx.x * pitch + r];
}
__global__ void twice(float* p) { p[threadIdx.x] *= 2; }
__global__ void twice(double* p) { p[threadIdx.x] *= 2; }
int main() {
  using shape = Shape<Shape<_1, _2, _4, _8>, Shape<_16, _32>>;
  device_buffer<float> in(std::vector<float>(1024, 1.f)), out(1024);
  device_buffer<double> wide(std::vector<double>(32, 1.));
  auto const go = [&](auto c) { launch(turned<decltype(c)>, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data()); };
  go(configuration<shape, shape, shape, 32>{});
  go(configuration<shape, shape, shape, 33>{});
  go(configuration<shape, shape, Shape<_1, _2>, 33>{});
  go(configuration<shape, Shape<_64, _64>, shape, 36>{});
  launch(static_cast<void (*)(float*)>(twice), {.grid = 1, .block = 32}, in.data());
  launch(static_cast<void (*)(double*)>(twice), {.grid = 1, .block = 32}, wide.data());
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cosmati-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def sim(self, text: str, *more: str):
        """Runs the program; returns what the command did, its JSON, and its page."""
        source, out, page = (self.folder / name for name in ("program.cpp", "out.json", "page.html"))
        source.write_text(text)
        done = run("sim", str(source), "--json", str(out), "--report", str(page), *more)
        self.assertTrue(out.exists(), done.stderr)
        return done, json.loads(out.read_text()), page.read_text()

    def with_compilers(self, text: str, judge):
        for compiler in COMPILERS:
            for level in ("0", "1", "3"):
                with self.subTest(compiler=compiler, level=level):
                    # addr2line does not know all lines of what clang has inlined.
                    self.lines_are_known = compiler != "clang++" or level == "0"
                    judge(*self.sim(text, "--cxx", compiler, "-O", level))

    def check(self, out: dict, expected: set, said: str):
        found = {(h["kind"], h["kernel"].split("<")[0], h["line"]) for h in out["hazards"]}
        if self.lines_are_known:
            self.assertEqual(found, expected, said)
        else:
            self.assertEqual({f[:2] for f in found}, {e[:2] for e in expected}, said)


def marks(text: str) -> dict[str, int]:
    """The lines of what stands in brackets in comments."""
    return {m: n for n, line in enumerate(text.splitlines(), 1) if "//" in line
            for m in re.findall(r"\[(\w+(?: \w+)?)\]", line[line.rindex("// ["):] if "// [" in line else "")}


class Failures(Case):
    def test_each_has_a_kind_and_a_line(self):
        expected = {(*m.split(), n) for m, n in marks(FAILURES).items()}
        self.assertEqual(len(expected), 20)

        def judge(done, out, page):
            self.check(out, expected, done.stdout)
            self.assertEqual(done.returncode, ERROR)
            self.assertTrue(all(h["file"].endswith("program.cpp") for h in out["hazards"]))
            # Each is said once: no launch has merely failed, and the library's own work is not code that was not seen.
            self.assertEqual(out["reasons"], [f"{len(expected)} hazards were found"])
            self.assertEqual(out["unseen"], [])
            self.assertIn("division_by_zero", page)

        self.with_compilers(FAILURES, judge)

    def test_a_launch_that_is_impossible(self):
        at = marks(REFUSED)

        def judge(done, out, page):
            found = [(h["kind"], h["kernel"]) for h in out["hazards"]]
            self.assertEqual(found, [("invalid_launch", "nothing")] * len(found), done.stdout)
            lines = {h["line"] for h in out["hazards"]}
            if self.lines_are_known:
                self.assertLessEqual({at["shared"], at["cluster"]}, lines)
            self.assertTrue(any("1025 threads" in h["message"] for h in out["hazards"]))
            self.assertEqual(out["counters"]["nothing"]["launches"], 1)
            self.assertIn("invalid_launch", page)

        self.with_compilers(REFUSED, judge)


class Spaces(Case):
    def test_an_address_of_the_wrong_memory(self):
        expected = {("wrong_space", m, n) for m, n in marks(SPACES).items()}
        self.assertEqual(len(expected), 14)

        def judge(done, out, ignored):
            self.check(out, expected, done.stdout)
            for h in out["hazards"]:
                self.assertRegex(h["message"], "goes to .*, it must go to (global|shared) memory; ")

        self.with_compilers(SPACES, judge)


class Names(Case):
    def test_instances_are_kernels_of_their_own(self):
        done, out, page = self.sim(NAMES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counters = out["counters"]
        # 32 wavefronts a load of a column where the pitch is 32, 1 where it is 33, 4 where it is 36.
        turned = {k: c["shared_bank_conflicts"] for k, c in counters.items() if k.startswith("turned<")}
        self.assertEqual(sorted(turned.values()), [0, 0, 3 * 32, 31 * 32])
        self.assertTrue(all(k.endswith(">") and "..." not in k for k in turned))
        self.assertEqual(sum(", 33>" in k for k in turned), 2)
        self.assertEqual({k for k in counters if k.startswith("twice")}, {"twice", "twice(double*)"})
        self.assertTrue(all(c["launches"] == 1 for c in counters.values()))
        # In the text and on the page they are short, and told apart.
        said = re.findall(r"^kernel (.*), 1 launch$", done.stdout, re.M)
        self.assertEqual(len(said), 6)
        self.assertEqual(len(set(said)), 6)
        self.assertLess(max(map(len, said)), 200)
        self.assertTrue(any("33" in name for name in said) and any("32>" in name for name in said))
        for name in said:
            self.assertIn(name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), page)


if __name__ == "__main__":
    unittest.main()
