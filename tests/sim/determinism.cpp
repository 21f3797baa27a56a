// SPDX-License-Identifier: Apache-2.0
// The same launch gives the same result, the same error and the same trace, however blocks fall on host threads.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/trace.hpp>
#include <functional>
#include <string>
#include <thread>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void mixes(float const* in, float* out, int* histogram) {
  __shared__ float partial[8];
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int step = 16; step != 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v * 1.25f, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  for (float const p : partial) v += p;
  out[i] = v;
  atomicAdd(&histogram[i % 16], static_cast<int>(i));
}

__global__ void fails(int const* when, int* out) {
  __syncthreads();
  if (static_cast<int>(blockIdx.x) >= when[0] && static_cast<int>(threadIdx.x) >= when[1]) out[1 << 20] = 1;
}

TEST(Determinism, ResultsRepeatBitForBit) {
  std::vector<float> host(64 * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = 1.f / static_cast<float>(i + 1);
  device_buffer<float> in(host), out(host.size());
  device_buffer<int> histogram(16);
  std::vector<float> first;
  std::vector<int> counts;
  for (int repeat = 0; repeat < 10; ++repeat) {
    histogram.clear();
    launch(mixes, {.grid = 64, .block = 256}, in.data(), out.data(), histogram.data());
    if (repeat == 0) {
      first = out.download();
      counts = histogram.download();
    }
    EXPECT_EQ(out.download(), first);
    EXPECT_EQ(histogram.download(), counts);
  }
}

TEST(Determinism, TheErrorIsThatOfTheLowestBlockAndThread) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> when(std::vector<int>{5, 33}), out(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::string text;
    try {
      launch(fails, {.grid = 40, .block = 64}, when.data(), out.data());
    } catch (error const& e) {
      text = e.what();
    }
    ASSERT_NE(text.find("block (5,0,0), thread (33,0,0)"), std::string::npos) << text;
  }
}

TEST(Determinism, LaunchesFromSeveralHostThreadsDoNotDisturbOneAnother) {
  std::vector<float> const host(16 * 256, 1.f);
  auto const work = [&host](std::vector<float>& result) {
    device_buffer<float> in(host), out(host.size());
    device_buffer<int> histogram(std::vector<int>(16, 0));
    for (int repeat = 0; repeat < 20; ++repeat) {
      launch(mixes, {.grid = 16, .block = 256}, in.data(), out.data(), histogram.data());
    }
    result = out.download();
  };
  std::vector<float> results[4];
  std::vector<std::thread> threads;
  for (auto& r : results) threads.emplace_back(work, std::ref(r));
  for (std::thread& t : threads) t.join();
  for (auto const& r : results) EXPECT_EQ(r, results[0]);
}

}  // namespace
