// SPDX-License-Identifier: Apache-2.0
// Launching on the simulated device: arguments, configurations, errors, printed lines.
#include <cosmati/runtime/launch.hpp>
//
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/device.hpp>
#include <stdexcept>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void indices(unsigned* out) {
  unsigned const block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned const thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned const i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[i] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y + 100000 * blockIdx.z;
}

TEST(Launch, NumbersThreadsAndBlocksAsCudaDoes) {
  device_buffer<unsigned> out(2 * 3 * 2 * 4 * 2 * 3);
  launch(indices, {.grid = dim3(2, 3, 2), .block = dim3(4, 2, 3)}, out.data());
  std::vector<unsigned> const got = out.download();
  std::size_t i = 0;
  for (unsigned bz = 0; bz < 2; ++bz)
    for (unsigned by = 0; by < 3; ++by)
      for (unsigned bx = 0; bx < 2; ++bx)
        for (unsigned z = 0; z < 3; ++z)
          for (unsigned y = 0; y < 2; ++y)
            for (unsigned x = 0; x < 4; ++x, ++i)
              ASSERT_EQ(got[i], x + 10 * y + 100 * z + 1000 * bx + 10000 * by + 100000 * bz) << i;
}

struct pair_of {
  int a;
  double b;
};
__global__ void arguments(double* out, long n, pair_of p, float f, char const* text) {
  out[0] = static_cast<double>(n);
  out[1] = p.a + p.b;
  out[2] = f;
  out[3] = text[1];
}

TEST(Launch, ConvertsArgumentsToTheKernelsParameters) {
  device_buffer<double> out(4);
  launch(arguments, {.grid = 1, .block = 1}, out.data(), 7, pair_of{1, 0.5}, 2, "xyz");
  EXPECT_EQ(out.download(), (std::vector<double>{7, 1.5, 2, 'y'}));
}

template <class T, int N>
__global__ void templated(T* out) {
  out[threadIdx.x] = static_cast<T>(threadIdx.x * N);
}

TEST(Launch, TakesTemplatesAndIntegersOfAnyType) {
  device_buffer<float> out(8);
  std::size_t const blocks = 1;
  int const threads = 8;
  launch(templated<float, 3>, {.grid = blocks, .block = threads}, out.data());
  EXPECT_EQ(out.download()[7], 21.f);
}

__global__ void nothing() {}

TEST(Launch, RefusesImpossibleConfigurationsWithTheirNumbers) {
  EXPECT_MESSAGE(launch(nothing, {.grid = 0, .block = 32}), "grid is (0,1,1)");
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = dim3(32, 0)}), "block is (32,0,1)");
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = 1025}), "1025 threads, the most is 1024");
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = dim3(64, 32)}), "2048 threads");
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = dim3(1, 1, 128)}), "64 along z");
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = 1, .shared_bytes = 232449}), "232449 bytes");
  EXPECT_MESSAGE(launch(nothing, {.grid = dim3(1, 65536), .block = 1}), "(1,65536,1)");
  EXPECT_MESSAGE(launch(nothing, {.grid = 3, .block = 1, .cluster = 2}), "clusters of (2,1,1)");
  EXPECT_NO_THROW(launch(nothing, {.grid = 1, .block = 1024, .shared_bytes = 232448}));
  EXPECT_NO_THROW(launch(nothing, {.grid = 4, .block = 1, .cluster = 2}));
}

__global__ void throws(int which, int kind) {
  __syncthreads();
  if (static_cast<int>(threadIdx.x) == which && blockIdx.x >= 2) {
    if (kind == 0) throw std::runtime_error("a reason");
    if (kind == 1) fail("sizes %d and %d differ", 3, 4);
    if (kind == 2) throw 7;
    if (kind == 3) __trap();
    if (kind == 4) assert(which < 0);
    if (kind == 5) {
      int volatile zero = 0;
      int volatile quotient = which / zero;
      (void)quotient;
    }
  }
  __syncthreads();
}

TEST(Launch, RethrowsWhatALaneThrewWithItsPlace) {
  std::string const place = "kernel throws, block (2,0,0), thread (5,0,0): ";
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 0), place + "a reason");
    EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 1), place + "sizes 3 and 4 differ");
  }
  EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 2), place + "an exception that is no std::exception");
  EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 3), place + "__trap() was executed (launch.cpp:");
  EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 4), place + "assertion `which < 0` failed (launch.cpp:");
  EXPECT_MESSAGE(launch(throws, {.grid = 8, .block = 64}, 5, 5), place + "integer division by zero");
  EXPECT_NO_THROW(launch(throws, {.grid = 8, .block = 64}, 64, 0));
}

__global__ void catches(int* out) {
  try {
    try {
      throw static_cast<int>(threadIdx.x);
    } catch (int value) {
      __syncthreads();  // other lanes throw while this lane handles its error
      out[threadIdx.x] = value;
      throw;
    }
  } catch (int value) {
    out[threadIdx.x] += value;
  }
}

TEST(Launch, KeepsExceptionsOfLanesApart) {
  device_buffer<int> out(64);
  launch(catches, {.grid = 1, .block = 64}, out.data());
  std::vector<int> const got = out.download();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 2 * i);
}

__global__ void overflows(int* out, int depth) {
  volatile char frame[1000];
  frame[depth % 1000] = static_cast<char>(depth);
  void (*volatile self)(int*, int) = overflows;
  if (threadIdx.x == 3 && depth != 0) self(out, depth - 1);
  out[threadIdx.x] += frame[depth % 1000];
}

TEST(Launch, ReportsAStackOverflow) {
  device_buffer<int> out(32);
  out.clear();
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_MESSAGE(launch(overflows, {.grid = 1, .block = 32}, out.data(), 1000000),
                   "kernel overflows, block (0,0,0), thread (3,0,0): stack overflow");
  }
  EXPECT_NO_THROW(launch(overflows, {.grid = 1, .block = 32}, out.data(), 100));
}

/// Small frames leave the end of the stack to the functions that they call: to the bookkeeping of calls, which
/// allocates.
template <int bytes>
__device__ int deep(int n, int* p) {
  volatile char frame[bytes];
  frame[n % bytes] = static_cast<char>(n);
  return n == 0 ? frame[0] : deep<bytes>(n - 1, p) + frame[n % bytes];
}
template <int bytes>
__global__ void recurses(int* out) {
  out[threadIdx.x] = deep<bytes>(1000000, out);
}

TEST(Launch, ReportsAStackOverflowOfSmallFrames) {
  device_buffer<int> out(32);
  auto const overflow = [&](auto kernel) {
    EXPECT_MESSAGE(launch(kernel, {.grid = 1, .block = 32}, out.data()),
                   ", block (0,0,0), thread (0,0,0): stack overflow");
  };
  overflow(recurses<16>);
  overflow(recurses<80>);
  overflow(recurses<208>);
  overflow(recurses<336>);
  overflow(recurses<512>);
}

__global__ void prints() {
  printf("block %u ", blockIdx.x);
  printf("thread %u\n", threadIdx.x);
}

TEST(Launch, PrintsWholeLinesInOrderOfTheBlocks) {
  testing::internal::CaptureStdout();
  launch(prints, {.grid = 50, .block = 4});
  std::string expected;
  for (int b = 0; b < 50; ++b)
    for (int t = 0; t < 4; ++t) expected += "block " + std::to_string(b) + " thread " + std::to_string(t) + "\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

__device__ int global_counter = 0;
__constant__ float table[4] = {1, 2, 3, 4};
__global__ void uses_globals(float* out) {
  atomicAdd(&global_counter, 1);
  out[threadIdx.x] = table[threadIdx.x % 4];
}

TEST(Launch, LetsKernelsUseGlobalsAndConstants) {
  device_buffer<float> out(32);
  global_counter = 0;
  launch(uses_globals, {.grid = 10, .block = 32}, out.data());
  EXPECT_EQ(global_counter, 320);
  EXPECT_EQ(out.download()[6], 3.f);
}

TEST(Device, SaysWhatItIs) {
  EXPECT_TRUE(is_simulated());
  EXPECT_TRUE(device_is_available());
  device_info const info = current_device();
  EXPECT_NE(std::string(info.name).find("simulated"), std::string::npos);
  EXPECT_EQ(info.shared_bytes_per_block, 232448u);
  EXPECT_GE(info.multiprocessors, 1);
  EXPECT_EQ(multiprocessors(), info.multiprocessors);
  synchronize();
}

}  // namespace
