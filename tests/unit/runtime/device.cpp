// SPDX-License-Identifier: Apache-2.0
// The simulated device says what it is, and is always there.
#include <gtest/gtest.h>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

#include <cstring>

using namespace cosmati;

namespace {

__global__ void nothing() {}

TEST(Device, DescribesItself) {
  static_assert(is_simulated());
  EXPECT_TRUE(device_is_available());
  device_info const info = current_device();
  EXPECT_NE(std::strlen(info.name), 0u);
  EXPECT_LT(std::strlen(info.name), sizeof info.name);
  EXPECT_EQ(info.compute_capability, 0) << "of the simulated device";
  EXPECT_GE(info.multiprocessors, 1);
  EXPECT_EQ(multiprocessors(), info.multiprocessors);
  EXPECT_NO_THROW(synchronize());
}

TEST(Device, SharedMemoryIsAsMuchAsItSays) {
  std::size_t const most = current_device().shared_bytes_per_block;
  EXPECT_NO_THROW(launch(nothing, {.grid = 1, .block = 32, .shared_bytes = most}));
  EXPECT_MESSAGE(launch(nothing, {.grid = 1, .block = 32, .shared_bytes = most + 1}), std::to_string(most));
}

}  // namespace
