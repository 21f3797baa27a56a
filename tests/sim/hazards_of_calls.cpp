// SPDX-License-Identifier: Apache-2.0
// The call of a barrier at which a thread stands. Two calls on one line are two; copies of one call that the compiler
// makes are one. Then warps that have exited before a barrier.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

/// What is thrown, and what is to be reviewed.
template <class Body>
std::pair<std::string, std::string> said_by(Body body) {
  testing::internal::CaptureStderr();
  std::string thrown;
  try {
    body();
  } catch (error const& e) {
    thrown = e.what();
  }
  return {thrown, testing::internal::GetCapturedStderr()};
}

#define EITHER(condition) \
  if (condition)          \
    __syncthreads();      \
  else                    \
    __syncthreads()
#define TWICE(condition, call) \
  if (condition) {             \
    call;                      \
  } else {                     \
    call;                      \
  }

// clang-format off
__global__ void on_one_line() { if (threadIdx.x % 32 < 16) __syncthreads(); else __syncthreads(); }
__global__ void counts_on_one_line(int* out) { *out = threadIdx.x % 32 < 16 ? __syncthreads_count(1) : __syncthreads_count(1); }
__global__ void named_on_one_line() { if (threadIdx.x < 5) NamedBarrier::sync(32, 1); else NamedBarrier::sync(32, 1); }
// clang-format on
#if !defined(__clang__)
__global__ void in_a_macro() { EITHER(threadIdx.x < 7); }
__global__ void as_an_argument() { TWICE(threadIdx.x == 3, __syncthreads()) }
#endif
template <class T>
__global__ void in_a_template(T limit) {
  EITHER(threadIdx.x < static_cast<unsigned>(limit));
}
__global__ void named_and_not() {
  if (threadIdx.x < 16) {
    NamedBarrier(32, 2).sync();
  } else {
    NamedBarrier(32, 3).sync();
  }
}

TEST(HazardsOfCalls, TwoOnOneLine) {
  device_buffer<int> out(1);
  constexpr char const* said = "threads of one warp wait at different calls on one line, thread";
  EXPECT_MESSAGE(launch(on_one_line, {.grid = 1, .block = 64}), said);
  EXPECT_MESSAGE(launch(counts_on_one_line, {.grid = 1, .block = 64}, out.data()), said);
  EXPECT_MESSAGE(launch(named_on_one_line, {.grid = 1, .block = 32}), said);
#if !defined(__clang__)  // arch/simulated.hpp says why
  EXPECT_MESSAGE(launch(in_a_macro, {.grid = 1, .block = 32}), said);
  EXPECT_MESSAGE(launch(as_an_argument, {.grid = 1, .block = 32}), said);
  EXPECT_MESSAGE(launch(in_a_template<int>, {.grid = 1, .block = 32}, 9), said);
  EXPECT_MESSAGE(launch(in_a_template<long>, {.grid = 1, .block = 32}, 31l), said);
#endif
  EXPECT_MESSAGE(launch(named_and_not, {.grid = 1, .block = 32}), "threads of one warp wait at different calls: ");
}

/// All that a compiler may copy a call for: loops that it unrolls or peels, branches that meet behind.
__global__ void copies_of_one(int* out, int rounds) {
  __shared__ int s[64];
  int sum = 0;
#pragma unroll 4
  for (int i = 0; i < rounds; ++i) {
    if ((threadIdx.x + static_cast<unsigned>(i)) % 3 == 0) {
      sum += 5 * i;
    } else {
      sum ^= i;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    sum += s[63 - threadIdx.x];
    __syncthreads();
  }
  auto const wait = [] { __syncthreads(); };
  wait();
  wait();
  out[threadIdx.x] = sum;
}
inline void wait_here() { __syncthreads(); }
__global__ void calls_of_one() {
  if (threadIdx.x < 32) {
    wait_here();
  } else {
    wait_here();
  }
  for (int i = 0; i < 3; ++i) EITHER(i == 1);
}
TEST(HazardsOfCalls, CopiesOfOneCall) {
  device_buffer<int> out(64);
  for (int const rounds : {1, 2, 4, 7}) {
    auto const [thrown, review] = said_by([&] { launch(copies_of_one, {.grid = 1, .block = 64}, out.data(), rounds); });
    EXPECT_EQ(thrown + review, "") << rounds;
  }
  auto const [thrown, review] = said_by([&] { launch(calls_of_one, {.grid = 1, .block = 64}); });
  EXPECT_EQ(thrown + review, "");
}

constexpr int left_at = __LINE__ + 5;
__global__ void warps_leave(int* out, unsigned threads) {
  __shared__ int s[128];
  if (threadIdx.x >= threads) return;
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threads - 1 - threadIdx.x];
  __syncthreads();
}
__global__ void tiles_by_warps(int* out, unsigned tiles) {
  for (unsigned tile = threadIdx.x / 32; tile < tiles; tile += 4) {
    out[32 * tile + threadIdx.x % 32] = 1;
    __syncthreads();
  }
}
__global__ void a_warp_passes_by(int* out) {
  if (threadIdx.x < 32) __syncthreads();
  __syncthreads();
  out[threadIdx.x] = 1;
}
TEST(HazardsOfCalls, WholeWarpsThatHaveExited) {
  device_buffer<int> out(256);
  for (unsigned const threads : {32u, 96u}) {
    auto const [thrown, review] = said_by([&] { launch(warps_leave, {.grid = 1, .block = 128}, out.data(), threads); });
    EXPECT_EQ(thrown, "");
    EXPECT_NE(review.find("to be reviewed: kernel warps_leave, block (0,0,0): divergence: whole warps have exited"),
              review.npos)
        << review;
    EXPECT_NE(review.find("COSMATI_EXITED_MAY_SKIP_BARRIERS=1"), review.npos) << review;
    EXPECT_NE(review.find("hazards_of_calls.cpp:" + std::to_string(left_at)), review.npos) << review;
  }
  auto const [thrown, review] = said_by([&] { launch(tiles_by_warps, {.grid = 1, .block = 128}, out.data(), 6u); });
  EXPECT_EQ(thrown, "");
  EXPECT_NE(review.find("whole warps have exited"), review.npos);
  // A block whose last warp is short.
  auto const [none, short_warp] = said_by([&] { launch(warps_leave, {.grid = 1, .block = 112}, out.data(), 96u); });
  EXPECT_EQ(none, "");
  EXPECT_NE(short_warp.find("threads 96-111: exited"), short_warp.npos) << short_warp;
  // The switch says that it is meant.
  setenv("COSMATI_EXITED_MAY_SKIP_BARRIERS", "1", 1);
  auto const [meant, nothing] = said_by([&] { launch(warps_leave, {.grid = 1, .block = 128}, out.data(), 96u); });
  unsetenv("COSMATI_EXITED_MAY_SKIP_BARRIERS");
  EXPECT_EQ(meant + nothing, "");
  EXPECT_EQ(said_by([&] { launch(warps_leave, {.grid = 1, .block = 128}, out.data(), 128u); }).second, "");
}
/// Whole warps stay away first, half of a warp later, at the same call.
__global__ void halves() {
  for (unsigned half = 64; half >= 16; half /= 2) {
    if (threadIdx.x < half) __syncthreads();
  }
}
TEST(HazardsOfCalls, LanesThatHaveExitedAreAnError) {
  EXPECT_MESSAGE(launch(halves, {.grid = 1, .block = 128}), "threads 0-15: at __syncthreads");
  device_buffer<int> out(256);
  for (unsigned const threads : {1u, 40u, 127u}) {
    EXPECT_MESSAGE(launch(warps_leave, {.grid = 1, .block = 128}, out.data(), threads),
                   "barrier divergence, not all threads of the block come to the barrier");
  }
  EXPECT_MESSAGE(launch(a_warp_passes_by, {.grid = 1, .block = 64}, out.data()),
                 "before, some threads were at the one of");
}

}  // namespace
