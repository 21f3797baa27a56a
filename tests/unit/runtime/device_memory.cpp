// SPDX-License-Identifier: Apache-2.0
// Null and memory of the host are told from a buffer's, with the name of the argument.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/device_memory.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

TEST(DeviceMemory, IsABuffers) {
  device_buffer<int> const b(4);
  EXPECT_NO_THROW(detail::expect_device_memory("f", "x", b.data()));
  EXPECT_NO_THROW(detail::expect_device_memory("f", "x", b.data() + 3));
}

TEST(DeviceMemory, IsNeitherNullNorTheHosts) {
  EXPECT_MESSAGE(detail::expect_device_memory("copy_tensor", "the source", nullptr),
                 "copy_tensor: the source is null, and there are elements to move; use a device_buffer");
  int on_the_stack = 0;
  std::vector<int> const heap(100);
  EXPECT_MESSAGE(detail::expect_device_memory("f", "x", &on_the_stack), "is memory of the host; use a device_buffer");
  EXPECT_MESSAGE(detail::expect_device_memory("f", "x", &on_the_stack), "f: x, at 0x");
  EXPECT_MESSAGE(detail::expect_device_memory("f", "x", heap.data()), "is memory of the host");
}

}  // namespace
