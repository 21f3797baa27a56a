// SPDX-License-Identifier: Apache-2.0
/// @file
/// Kernels whose time on the simulated device run.py measures:  bench_sim CASE REPETITIONS
///
/// It prints a line for each repetition: processor seconds and clock seconds of one barrier, copy, instruction or
/// transpose, or of one step of a reference loop of the host. `bench_sim compiler` prints the compiler that compiled
/// it. The exit status is 1 if a result is wrong.
#include <chrono>
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using namespace cosmati;

namespace {

constexpr int tiles = 64;  // tiles of 128 floats, which a warp moves with one 16-byte instruction
using stage_layout = Layout<Shape<_128, _8>>;
using warp_copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32, _1>>{},
                                           Layout<Shape<_4, _1>>{}));
using rows_copy =
    decltype(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}));
using columns_copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _8>>{}));

__global__ void barriers(int count, int* done) {
  for (int k = 0; k < count; ++k) __syncthreads();
  if (threadIdx.x == 0) *done = count;
}

/// Each lane writes and reads only its own part of the stage, so no barrier is needed.
__global__ void copies(float const* in, float* out, int count) {
  alignas(16) __shared__ float stage[1024];
  auto const sT = make_tensor(make_smem_ptr(stage), stage_layout{});
  auto const mIn = make_tensor(make_gmem_ptr(in), Layout<Shape<_128, C<tiles>>>{});
  auto const mOut = make_tensor(make_gmem_ptr(out), stage_layout{});
  auto const thread = warp_copy{}.get_slice(threadIdx.x);
  auto const tIn = thread.partition_S(mIn);
  auto const tStage = thread.partition_D(sT);
  for (int k = 0; k < count; ++k) copy(warp_copy{}, tIn(_, _, k % tiles), tStage(_, _, k % 8));
  copy(warp_copy{}, thread.partition_S(sT), thread.partition_D(mOut));
}

/// Loads 32 rows of 16 bytes each time. Every eighth time the result is read.
__global__ void matrices(int count, std::uint32_t* out) {
  alignas(16) __shared__ std::uint16_t stage[32 * 8];
  for (unsigned i = 0; i < 8; ++i) stage[8 * threadIdx.x + i] = static_cast<std::uint16_t>(threadIdx.x);
  __syncwarp();
  std::uint32_t held[4] = {}, sum = 0;
  for (int k = 0; k < count; ++k) {
    ldmatrix<4>(held, stage + 8 * threadIdx.x);
    if (k % 8 == 7) sum += held[0] + held[1] + held[2] + held[3];
  }
  out[threadIdx.x] = sum;
}

/// Sums of products of ones. Each time adds 16 of them to each element.
__global__ void products(int count, float* out) {
  using op = SM80_16x8x16_F32F16F16F32_TN;
  std::uint32_t const ones = 0x3c003c00;  // two halves of value 1
  float d[4] = {};
  for (int k = 0; k < count; ++k)
    op::fma(d[0], d[1], d[2], d[3], ones, ones, ones, ones, ones, ones, d[0], d[1], d[2], d[3]);
  for (unsigned i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}

__global__ void transpose(float const* in, float* out, int rows, int columns) {
  __shared__ float stage[32 * 33];
  auto const sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(_1{}, rows));
  auto const gIn = local_tile(mIn, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const in_thread = rows_copy{}.get_slice(threadIdx.x);
  auto const out_thread = columns_copy{}.get_slice(threadIdx.x);
  copy(rows_copy{}, in_thread.partition_S(gIn), in_thread.partition_D(sT));
  __syncthreads();
  copy(columns_copy{}, out_thread.partition_S(sT), out_thread.partition_D(gOut));
}

std::vector<float> numbers(int count) {
  std::vector<float> told(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < told.size(); ++k) told[k] = static_cast<float>(k);
  return told;
}

/// Launches `work` repeatedly, after one warm-up launch. @param units the number of units in one launch
template <class Work>
void take_times(int repetitions, int units, Work const& work) {
  for (int k = -1; k < repetitions; ++k) {
    auto const begin = std::chrono::steady_clock::now();
    std::clock_t const processor = std::clock();
    work();
    double const used = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    double const passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (k >= 0) std::printf("%.9g %.9g\n", used / units, passed / units);
  }
}

/// Each of these times one kernel, and returns whether its results are right.
bool run_barriers(int repetitions) {
  int const count = 4000;
  device_buffer<int> done(1);
  take_times(repetitions, count, [&] { launch(barriers, {.grid = 1, .block = 256}, count, done.data()); });
  return done.download()[0] == count;
}
bool run_copies(int repetitions) {
  int const count = 20000;
  auto const host = numbers(128 * tiles);
  device_buffer<float> in(host), out(1024);
  take_times(repetitions, count, [&] { launch(copies, {.grid = 1, .block = 32}, in.data(), out.data(), count); });
  auto const got = out.download();
  bool right = true;
  for (int k = 0; k < 8; ++k) {
    int const last = (count - 1 - k) % tiles;  // the last tiles that were copied, each to its number modulo 8
    for (int i = 0; i < 128; ++i) {
      right = right && got[static_cast<std::size_t>(last % 8 * 128 + i)] == static_cast<float>(last * 128 + i);
    }
  }
  return right;
}
bool run_matrices(int repetitions) {
  int const count = 20000;
  device_buffer<std::uint32_t> out(32);
  take_times(repetitions, count, [&] { launch(matrices, {.grid = 1, .block = 32}, count, out.data()); });
  auto const got = out.download();
  bool right = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t sum = 0;  // register j holds two elements of row 8 j + lane / 4
    for (std::uint32_t j = 0; j < 4; ++j) {
      sum += count / 8 * (8 * j + lane / 4) * 0x10001u;
    }
    right = right && got[lane] == sum;
  }
  return right;
}
bool run_products(int repetitions) {
  int const count = 20000;
  device_buffer<float> out(128);
  take_times(repetitions, count, [&] { launch(products, {.grid = 1, .block = 32}, count, out.data()); });
  bool right = true;
  for (float const sum : out.download()) right = right && sum == 16.f * static_cast<float>(count);
  return right;
}
bool run_transpose(int repetitions) {
  int const n = 1024;
  auto const host = numbers(n * n);
  device_buffer<float> in(host), out(host.size());
  take_times(repetitions, 1,
             [&] { launch(transpose, {.grid = dim3(n / 32, n / 32), .block = 256}, in.data(), out.data(), n, n); });
  auto const got = out.download();
  bool right = true;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      right = right && got[static_cast<std::size_t>(j * n + i)] == host[static_cast<std::size_t>(i * n + j)];
    }
  }
  return right;
}

/// A loop of the host that the other times are compared with: numbers decide where it reads and whether it adds, as the
/// simulated device looks up what a lane may access. It is not instrumented, and so calls nothing of the device.
__attribute__((noinline, no_sanitize("thread", "alignment", "bounds"))) std::uint32_t walk(std::uint32_t* table,
                                                                                           std::uint32_t mask,
                                                                                           int steps) {
  std::uint32_t x = 2463534242u, sum = 0;
  for (int k = 0; k < steps; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    std::uint32_t& entry = table[(x ^ sum) & mask];
    if ((entry & 7u) == 0) {
      sum += entry;
    } else {
      entry = entry * 5u + 1u;
    }
  }
  return x;
}
bool run_reference(int repetitions) {
  int const steps = 4000000;
  std::vector<std::uint32_t> table(16384);
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = static_cast<std::uint32_t>(k * 2654435761u);
  std::uint32_t x = 0;
  take_times(repetitions, steps, [&] { x = walk(table.data(), static_cast<std::uint32_t>(table.size() - 1), steps); });
  return x != 0;  // the generator never comes to 0
}

bool run(char const* name, int repetitions) {
  if (std::strcmp(name, "reference") == 0) return run_reference(repetitions);
  if (std::strcmp(name, "barrier_256") == 0) return run_barriers(repetitions);
  if (std::strcmp(name, "copy_warp_16") == 0) return run_copies(repetitions);
  if (std::strcmp(name, "ldmatrix_x4") == 0) return run_matrices(repetitions);
  if (std::strcmp(name, "mma_16x8x16_f16") == 0) return run_products(repetitions);
  if (std::strcmp(name, "transpose_1024") == 0) return run_transpose(repetitions);
  std::fputs(
      "usage: bench_sim barrier_256|copy_warp_16|ldmatrix_x4|mma_16x8x16_f16|transpose_1024|reference REPETITIONS, or "
      "bench_sim compiler\n",
      stderr);
  std::exit(2);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "compiler") == 0) {
#if defined(__clang__)
    std::printf("clang++ %d.%d\n", __clang_major__, __clang_minor__);
#else
    std::printf("g++ %d.%d\n", __GNUC__, __GNUC_MINOR__);
#endif
    return 0;
  }
  if (count != 3) return run("", 0), 2;
  if (run(arguments[1], std::atoi(arguments[2]))) return 0;
  std::fprintf(stderr, "bench_sim: %s: the result is wrong\n", arguments[1]);
  return 1;
}
