// SPDX-License-Identifier: Apache-2.0
// The remedy that a report names mends all hazards at its place, and the named line is the one to change. Then cases
// that need no proxy fence.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

std::string at(int line) { return "hazards_of_advice.cpp:" + std::to_string(line); }

// Barriers -----------------------------------------------------------------------------------------------------------

__global__ void neighbours(float* out, unsigned step) {
  __shared__ float row[64];
  unsigned const t = threadIdx.x;
  row[t] = static_cast<float>(t);
  out[t] = row[(t + step) % blockDim.x];
}
__global__ void pairs(float* out) {
  __shared__ float row[64];
  unsigned const t = threadIdx.x;
  row[t] = static_cast<float>(t);
  out[t] = row[t ^ 1];
}
// Line 2 of the three meets line 1 within a warp, line 3 meets it across warps: one barrier behind line 1 mends both.
constexpr int near_at = __LINE__ + 5;
__global__ void near_and_far(float* out) {
  __shared__ float row[64];
  unsigned const t = threadIdx.x;
  row[t] = static_cast<float>(t);
  out[t] = row[t ^ 1];
  out[64 + t] = row[t ^ 32];
}
__global__ void updates(int* bin) { bin[0] += static_cast<int>(threadIdx.x) + 1; }
TEST(HazardsOfAdvice, ABarrierThatMendsAllPairs) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(128);
  device_buffer<int> bin(std::vector<int>(1, 0));
  // The first pair that is met is one of a warp; lane 31 and lane 63 read what another warp wrote.
  EXPECT_MESSAGE(launch(neighbours, {.grid = 1, .block = 64}, out.data(), 1u), "; put __syncthreads() between the two");
  EXPECT_MESSAGE(launch(neighbours, {.grid = 1, .block = 64}, out.data(), 31u),
                 "; put __syncthreads() between the two");
  EXPECT_MESSAGE(launch(neighbours, {.grid = 1, .block = 32}, out.data(), 1u), "; put __syncwarp() between the two");
  EXPECT_MESSAGE(launch(pairs, {.grid = 1, .block = 64}, out.data()), "; put __syncwarp() between the two");
  EXPECT_MESSAGE(launch(near_and_far, {.grid = 1, .block = 64}, out.data()), at(near_at));
  EXPECT_MESSAGE(launch(near_and_far, {.grid = 1, .block = 64}, out.data()), "; put __syncthreads() between the two");
  EXPECT_MESSAGE(launch(near_and_far, {.grid = 1, .block = 64}, out.data()), "(and 1 more)");
  EXPECT_MESSAGE(launch(updates, {.grid = 1, .block = 64}, bin.data()), "; let one thread do it, or use an atomic");
}

constexpr int other_count_at = __LINE__ + 6;
__global__ void counts_differ(int* out) {
  if (threadIdx.x < 64) {
    NamedBarrier::sync(128, 1);
  } else {
    out[0] = 1;
    NamedBarrier::sync(64, 1);
  }
}
__global__ void part_of_a_warp(int* out) {
  if (threadIdx.x < 48) NamedBarrier::sync(48, 1);
  out[threadIdx.x] = 1;
}
__global__ void too_few_come(int* out) {
  if (threadIdx.x < 64) NamedBarrier::sync(96, 3);
  out[threadIdx.x] = 1;
}
TEST(HazardsOfAdvice, NamedBarriersSayHowManyHaveArrived) {
  device_buffer<int> out(128);
  EXPECT_MESSAGE(launch(counts_differ, {.grid = 1, .block = 128}, out.data()),
                 "barrier 1 is waited for with 64 threads here and 128 elsewhere (" + at(other_count_at - 3) +
                     "), of which 64 have arrived and 64 are expected yet");
  EXPECT_MESSAGE(launch(too_few_come, {.grid = 1, .block = 128}, out.data()), "where 64 of 96 threads have arrived");
  EXPECT_MESSAGE(launch(part_of_a_warp, {.grid = 1, .block = 128}, out.data()),
                 "barrier 1 is given 48 threads; a warp arrives as a whole, so that the number is a multiple of 32");
}

// Shuffles -----------------------------------------------------------------------------------------------------------

constexpr int shuffled_at = __LINE__ + 5;
__global__ void some_shuffle(int* out, int there, bool upper) {
  int v = static_cast<int>(threadIdx.x);
  bool const mine = upper ? threadIdx.x % 32 >= 16 : threadIdx.x % 32 < 16;
  if (mine) {
    v = __shfl_xor_sync(0xffffffffu, v, 1);
  } else if (there == 0) {
    __syncwarp();
  } else if (there == 1) {
    __syncthreads();
  } else if (there == 2) {
    NamedBarrier::sync(64, 1);
  }
  __syncthreads();
  out[threadIdx.x] = v;
}
TEST(HazardsOfAdvice, AShuffleThatLanesMissIsTheLine) {
  device_buffer<int> out(64);
  for (int const there : {0, 1, 2, 3}) {
    for (bool const upper : {false, true}) {
      SCOPED_TRACE(testing::Message() << there << upper);
      EXPECT_MESSAGE(launch(some_shuffle, {.grid = 1, .block = 64}, out.data(), there, upper),
                     "at __shfl_xor_sync with mask 0xffffffff (" + at(shuffled_at));
    }
  }
}

// Stages -------------------------------------------------------------------------------------------------------------

enum class fault { none, no_syncwarp, proxy_write, parity, barrier_only };
/// Warp 0 fills two stages by bulk copies, warp 1 reads them and releases each by one arrival.
__global__ void ring(float const* in, float* out, int tiles, fault what) {
  __shared__ __align__(128) float stage[2][32];
  __shared__ std::uint64_t full[2], empty[2];
  unsigned const t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      initialize_barrier(full[s], 1);
      initialize_barrier(empty[s], 1);
    }
    fence_barrier_init();
  }
  __syncthreads();
  if (t == 0) {
    for (int k = 0; k < tiles; ++k) {
      int const s = k % 2, round = k / 2;
      wait_barrier(empty[s], what == fault::parity ? 1 : (round + 1) % 2);
      arrive_and_expect_bytes(full[s], sizeof stage[0]);
      bulk_copy_g2s(stage[s], in + 32 * k, sizeof stage[0], full[s]);
    }
  } else if (t >= 32) {
    for (int k = 0; k < tiles; ++k) {
      int const s = k % 2;
      wait_barrier(full[s], k / 2 % 2);
      if (what == fault::proxy_write) stage[s][t - 32] += 1.f;
      float const sum =  // of two neighbours
          stage[s][t - 32] + (what == fault::proxy_write ? 0.f : stage[s][(t - 31) % 32]);
      out[32 * k + static_cast<int>(t) - 32] = sum;
      if (what != fault::no_syncwarp) __syncwarp();
      if (t == 32) arrive_barrier(empty[s]);
    }
  }
}
TEST(HazardsOfAdvice, AStageThatIsReleased) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(6 * 32, 1.f)), out(6 * 32);
  auto const run = [&](fault what) { launch(ring, {.grid = 1, .block = 64}, in.data(), out.data(), 6, what); };
  testing::internal::CaptureStderr();
  EXPECT_NO_THROW(run(fault::none));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // and nothing to be reviewed
  EXPECT_MESSAGE(run(fault::no_syncwarp), ": missing_barrier: ");
  EXPECT_MESSAGE(run(fault::no_syncwarp), "put __syncwarp() between their accesses and the release");
  EXPECT_MESSAGE(run(fault::proxy_write), ": missing_proxy_fence: ");
}
__global__ void refills(float const* in, float* out) {
  __shared__ __align__(128) float stage[32];
  __shared__ std::uint64_t full;
  unsigned const t = threadIdx.x;
  if (t == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  for (int k = 0; k < 2; ++k) {
    __syncthreads();
    if (t == 0) {
      arrive_and_expect_bytes(full, sizeof stage);
      bulk_copy_g2s(stage, in + 32 * k, sizeof stage, full);
    }
    wait_barrier(full, k);
    out[32 * k + static_cast<int>(t)] = stage[t];
  }
}
TEST(HazardsOfAdvice, ABarrierOfTheBlockAloneIsReviewed) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(64, 1.f)), out(64);
  testing::internal::CaptureStderr();
  EXPECT_NO_THROW(launch(refills, {.grid = 1, .block = 32}, in.data(), out.data()));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("missing_proxy_fence"), std::string::npos);
}
TEST(HazardsOfAdvice, AnOvertakenPhaseIsNamed) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(6 * 32, 1.f)), out(6 * 32);
  for (char const* const seed : {"0", "1"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    EXPECT_MESSAGE(launch(ring, {.grid = 1, .block = 64}, in.data(), out.data(), 6, fault::parity),
                   "had waited for before, so that it passed at once and the stage is overtaken");
  }
  unsetenv("COSMATI_SIM_SEED");
}

}  // namespace
