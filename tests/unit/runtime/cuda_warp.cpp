// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, matches and reductions of a warp, by the definitions of the CUDA programming guide, lane by lane;
// counts of a block.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cuda_warp.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

__global__ void shuffles(int width, int by, int* out) {
  int const lane = static_cast<int>(threadIdx.x), value = 100 + lane;
  out[4 * lane] = __shfl_sync(0xffffffffu, value, by, width);
  out[4 * lane + 1] = __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(by), width);
  out[4 * lane + 2] = __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(by), width);
  out[4 * lane + 3] = __shfl_xor_sync(0xffffffffu, value, by, width);
}
TEST(CudaWarp, ShufflesStayInTheirPart) {
  device_buffer<int> out(128);
  for (int const width : {4, 16, 32}) {
    for (int const by : {0, 1, 3, 5, 17}) {
      launch(shuffles, {.grid = 1, .block = 32}, width, by, out.data());
      auto const got = out.download();
      for (int lane = 0; lane < 32; ++lane) {
        int const first = lane / width * width, last = first + width - 1;
        auto const at = static_cast<std::size_t>(4 * lane);
        EXPECT_EQ(got[at], 100 + first + by % width);
        EXPECT_EQ(got[at + 1], 100 + (lane - by >= first ? lane - by : lane));
        EXPECT_EQ(got[at + 2], 100 + (lane + by <= last ? lane + by : lane));
        EXPECT_EQ(got[at + 3], 100 + ((lane ^ by) <= last ? lane ^ by : lane)) << width << ", " << by << ": " << lane;
      }
    }
  }
}

__global__ void of_64_bits(double* out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, 1e100 * (1 + static_cast<double>(threadIdx.x)), 31);
}
TEST(CudaWarp, ShufflesOf64Bits) {
  device_buffer<double> out(32);
  launch(of_64_bits, {.grid = 1, .block = 32}, out.data());
  EXPECT_EQ(out.download(), std::vector<double>(32, 32e100));
}

__global__ void votes(unsigned* out) {
  unsigned const lane = threadIdx.x, mask = 0x0000ffffu;
  if (lane < 16) {
    out[8 * lane] = __ballot_sync(mask, lane % 3 == 0);
    out[8 * lane + 1] = static_cast<unsigned>(__any_sync(mask, lane == 15));
    out[8 * lane + 2] = static_cast<unsigned>(__all_sync(mask, lane != 15));
    out[8 * lane + 3] = __match_any_sync(mask, lane / 4);
    int all = 7;
    out[8 * lane + 4] = __match_all_sync(mask, 1.5f, &all);
    out[8 * lane + 5] = static_cast<unsigned>(all);
    out[8 * lane + 6] = __match_all_sync(mask, lane, &all);
    out[8 * lane + 7] = static_cast<unsigned>(all);
  }
}
TEST(CudaWarp, VotesAndMatchesOfAMask) {
  device_buffer<unsigned> out(128);
  launch(votes, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (std::size_t lane = 0; lane < 16; ++lane) {
    std::vector<unsigned> const mine(got.begin() + static_cast<long>(8 * lane),
                                     got.begin() + static_cast<long>(8 * lane + 8));
    EXPECT_EQ(mine, (std::vector<unsigned>{0x9249u, 1, 0, 0xfu << (lane / 4 * 4), 0xffffu, 1, 0, 0})) << lane;
  }
}

__global__ void reductions(unsigned* out) {
  int const x = static_cast<int>(threadIdx.x) - 10;
  auto const u = static_cast<unsigned>(x);
  unsigned const all = 0xffffffffu;
  unsigned const r[] = {__reduce_add_sync(all, u),
                        static_cast<unsigned>(__reduce_add_sync(all, x)),
                        __reduce_min_sync(all, u),
                        static_cast<unsigned>(__reduce_min_sync(all, x)),
                        __reduce_max_sync(all, u),
                        static_cast<unsigned>(__reduce_max_sync(all, x)),
                        __reduce_and_sync(all, threadIdx.x | 64u),
                        __reduce_or_sync(all, threadIdx.x),
                        __reduce_xor_sync(all, threadIdx.x == 5 ? 9u : 0u)};
  if (threadIdx.x == 31)
    for (int k = 0; k < 9; ++k) out[k] = r[k];
}
TEST(CudaWarp, Reductions) {
  device_buffer<unsigned> out(9);
  launch(reductions, {.grid = 1, .block = 32}, out.data());
  unsigned const sum = static_cast<unsigned>(31 * 32 / 2 - 320);
  EXPECT_EQ(out.download(),
            (std::vector<unsigned>{sum, sum, 0, static_cast<unsigned>(-10), static_cast<unsigned>(-1), 21, 64, 31, 9}));
}

__global__ void counts(int* out) {
  int const count = __syncthreads_count(threadIdx.x % 3 == 0);
  int const all = __syncthreads_and(threadIdx.x < 70), any = __syncthreads_or(threadIdx.x == 69);
  if (threadIdx.x == 40) out[0] = count, out[1] = all, out[2] = any;
}
TEST(CudaWarp, CountsOfABlock) {
  device_buffer<int> out(3);
  launch(counts, {.grid = 1, .block = 70}, out.data());
  auto const got = out.download();
  EXPECT_EQ(got[0], 24);
  EXPECT_NE(got[1], 0);
  EXPECT_NE(got[2], 0);
}

__global__ void traps() {
  if (threadIdx.x == 3) __trap();
}
TEST(CudaWarp, ATrapIsAnErrorWithItsPlace) {
  EXPECT_MESSAGE(launch(traps, {.grid = 1, .block = 32}), "__trap() was executed");
  EXPECT_MESSAGE(launch(traps, {.grid = 1, .block = 32}), "cuda_warp.cpp");
}

}  // namespace
