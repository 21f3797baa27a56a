// SPDX-License-Identifier: Apache-2.0
// Without checks, lanes pass from one meeting to the next by short ways. They meet as they do with checks.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdlib>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

bool const checks_are_off = setenv("COSMATI_SIM_CHECKS", "0", 1) == 0;

__global__ void rotate_by_one(int* out, int rounds) {
  __shared__ int held[96];
  unsigned const t = threadIdx.x;
  held[t] = static_cast<int>(t);
  __syncthreads();
  for (int k = 0; k < rounds; ++k) {
    int const next = held[(t + 1) % 96];
    __syncthreads();
    held[t] = next;
    __syncthreads();
  }
  out[t] = held[t];
}

TEST(Unchecked, ThreadsMeetAtEachBarrier) {
  ASSERT_TRUE(checks_are_off);
  device_buffer<int> out(96);
  launch(rotate_by_one, {.grid = 1, .block = 96}, out.data(), 100);
  auto const got = out.download();
  for (int t = 0; t < 96; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], (t + 100) % 96);
}

/// Barriers of the block, of some of its threads, and with a count; instructions of whole and partial warps; mbarriers.
__global__ void all_kinds(int* out) {
  __shared__ int sum;
  __shared__ std::uint64_t phase;
  alignas(16) __shared__ std::uint16_t stage[4][32 * 8];
  int const t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  if (t == 0) {
    sum = 0;
    initialize_barrier(phase, 128);
  }
  __syncthreads();
  int told = 0;
  for (int k = 0; k < 5; ++k) {
    told += __shfl_xor_sync(~0u, t, 1);
    told += __shfl_xor_sync(~0u, told, 2);
    if (lane < 16) told += __shfl_down_sync(0xffffu, lane, 1, 16);
    __syncwarp();
    if (warp < 2) {
      NamedBarrier::sync(64, 1);
    } else {
      __syncthreads_count(0);
    }
    if (warp < 2) __syncthreads_count(0);
    if (warp % 2 == 0) {
      __syncthreads();
    } else {
      __syncthreads();
    }
    told += __syncthreads_count(t % 2);
    if (warp == k % 4) atomicAdd(&sum, 1);
    for (int i = 0; i < 8; ++i) stage[warp][8 * lane + i] = static_cast<std::uint16_t>(lane);
    __syncwarp();
    std::uint32_t row[4], turned[2];
    ldmatrix<4>(row, &stage[warp][8 * lane]);
    ldmatrix<2, true>(turned, &stage[warp][8 * (lane % 16)]);
    told += static_cast<int>(row[2] & 0xffff) + static_cast<int>(turned[1] >> 16);
    arrive_barrier(phase);
    wait_barrier(phase, k % 2);
    __syncthreads();
  }
  try {
    if (warp == 2) throw t;
    __syncthreads();
  } catch (int thrown) {
    told += thrown;
    __syncthreads();
    told += thrown;
  }
  __syncthreads();
  out[t] = told + 1000 * sum;
}

TEST(Unchecked, MeetingsOfAllKindsFollowEachOther) {
  device_buffer<int> out(128);
  launch(all_kinds, {.grid = 1, .block = 128}, out.data());
  auto const got = out.download();
  for (int t = 0; t < 128; ++t) {
    int const lane = t % 32;
    // Of four lanes that meet by xor, lane j has `after[j]`.
    int after[4] = {};
    for (int k = 0; k < 5; ++k) {
      int first[4];
      for (int j = 0; j < 4; ++j) {
        first[j] = after[j] + ((t & ~3) + (j ^ 1));
      }
      for (int j = 0; j < 4; ++j) {
        int const l = (lane & ~3) + j;
        after[j] = first[j] + first[j ^ 2] + (l < 16 ? (l == 15 ? 15 : l + 1) : 0) + 64;
        after[j] += 16 + l / 4 + 8 + 2 * (l % 4) + 1;
      }
    }
    int const told = after[t & 3] + (t / 32 == 2 ? 2 * t : 0);
    EXPECT_EQ(got[static_cast<std::size_t>(t)], told + 1000 * 160) << t;
  }
}

__global__ void one_warp_stays_away(int* out) {
  for (int k = 0; k < 3; ++k) __syncthreads();
  if (threadIdx.x < 65) __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void a_lane_stays_away(int* out) {
  for (int k = 0; k < 3; ++k) __syncwarp();
  if (threadIdx.x == 7) __syncthreads();
  __syncwarp();
  out[threadIdx.x] = 1;
}
__global__ void two_calls(int* out) {
  for (int k = 0; k < 3; ++k) __syncthreads();
  if (threadIdx.x < 40) {
    __syncthreads();
    *out = 1;
  } else {
    __syncthreads();
  }
}

TEST(Unchecked, WhoIsMissedIsSaid) {
  device_buffer<int> out(96);
  EXPECT_MESSAGE(launch(one_warp_stays_away, {.grid = 1, .block = 96}, out.data()),
                 "threads 0-64: at __syncthreads (unchecked.cpp:");
  EXPECT_MESSAGE(launch(one_warp_stays_away, {.grid = 1, .block = 96}, out.data()), "threads 65-95: exited");
  EXPECT_MESSAGE(launch(two_calls, {.grid = 1, .block = 96}, out.data()),
                 "threads of one warp wait at different calls");
  EXPECT_MESSAGE(launch(two_calls, {.grid = 1, .block = 96}, out.data()),
                 "threads 32-39: at __syncthreads (unchecked.cpp:");
  EXPECT_MESSAGE(launch(a_lane_stays_away, {.grid = 1, .block = 32}, out.data()),
                 "threads 0-6, 8-31: at __syncwarp with mask 0xffffffff (unchecked.cpp:");
}

}  // namespace
