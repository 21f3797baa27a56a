// SPDX-License-Identifier: Apache-2.0
// Two wrong addresses of one source line are two hazards, if they are meant for different memory or are a load and a
// store. This holds for shared memory as for global memory.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void within_shared(int to, int from) {
  float* volatile const p = dynamic_shared<float>();
  p[0] = 1;
  p[to] = p[from];
}
__global__ void from_shared_to_global(float* out, int to, int from) {
  float* volatile const p = dynamic_shared<float>();
  p[0] = 1;
  out[to] = p[from];
}
__global__ void sum_within_shared(float* out, int a, int b) {
  float* volatile const p = dynamic_shared<float>();
  p[0] = 1;
  out[0] = p[a] + p[b];
}

constexpr launch_config one_thread = {.grid = 1, .block = 1, .shared_bytes = 64};

TEST(WrongAddresses, InSharedMemoryAreBothTold) {
  NEEDS_INSTRUMENTATION();
  EXPECT_NO_THROW(launch(within_shared, one_thread, 15, 0));
  EXPECT_MESSAGE(launch(within_shared, one_thread, 16, 20), "load of 4 bytes");
  EXPECT_MESSAGE(launch(within_shared, one_thread, 16, 20), "(and 1 more)");
  EXPECT_MESSAGE(launch(within_shared, one_thread, 16, 0), "just past the end of the block's 64 bytes of dynamic");
}

TEST(WrongAddresses, InSharedAndGlobalMemoryAreBothTold) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(4);
  EXPECT_MESSAGE(launch(from_shared_to_global, one_thread, out.data(), 4, 20), "(and 1 more)");
  EXPECT_MESSAGE(launch(from_shared_to_global, one_thread, out.data(), 100000, 20), "(and 1 more)");
}

TEST(WrongAddresses, OfTwoLoadsOfOneMemoryAreOne) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(4);
  try {
    launch(sum_within_shared, one_thread, out.data(), 16, 17);
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_EQ(std::string(e.what()).find("more)"), std::string::npos) << e.what();
  }
}

}  // namespace
