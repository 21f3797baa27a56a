// SPDX-License-Identifier: Apache-2.0
// Device buffers: elements there and back, moved but never copied, alignment, and sizes that cannot be.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>

#include "sim/message.hpp"

#include <array>
#include <utility>

using namespace cosmati;

namespace {

TEST(DeviceBuffer, OfNothing) {
  device_buffer<int> const none, zero(std::size_t{0}), from_empty(std::vector<int>{});
  for (auto const* b : {&none, &zero, &from_empty}) {
    EXPECT_TRUE(b->empty());
    EXPECT_EQ(b->data(), nullptr);
    EXPECT_EQ(b->bytes(), 0u);
    EXPECT_TRUE(b->download().empty());
  }
  device_buffer<int> cleared;
  cleared.clear();
  cleared.upload(std::vector<int>{});
}

TEST(DeviceBuffer, ThereAndBack) {
  std::array<short, 3> const host{1, -2, 3};
  device_buffer b(host);
  static_assert(std::is_same_v<decltype(b), device_buffer<short>>);
  EXPECT_EQ(b.size(), 3u);
  EXPECT_EQ(b.bytes(), 6u);
  EXPECT_EQ(b.download(), (std::vector<short>{1, -2, 3}));
  b.upload(std::vector<short>{7});
  EXPECT_EQ(b.download(), (std::vector<short>{7, -2, 3})) << "its first elements";
  b.fill(5);
  short target[3];
  b.download_to(target);
  EXPECT_EQ(target[2], 5);
  b.clear();
  EXPECT_EQ(b.download(), std::vector<short>(3, 0));
}

TEST(DeviceBuffer, IsMovedNotCopied) {
  static_assert(!std::is_copy_constructible_v<device_buffer<int>> && !std::is_copy_assignable_v<device_buffer<int>>);
  device_buffer<int> a(std::vector<int>{1, 2}), b(std::vector<int>{3});
  int* const of_a = a.data();
  device_buffer<int> c(std::move(a));
  EXPECT_EQ(c.data(), of_a);
  EXPECT_TRUE(a.empty() && a.data() == nullptr);  // NOLINT(bugprone-use-after-move): what is left is empty
  b = std::move(c);
  EXPECT_EQ(b.download(), (std::vector<int>{1, 2}));
}

TEST(DeviceBuffer, IsAlignedTo256Bytes) {
  for (std::size_t n : {1, 3, 257, 1000}) {
    device_buffer<char> const b(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 256, 0u) << n;
  }
}

TEST(DeviceBuffer, RefusesWhatDoesNotFit) {
  device_buffer<int> b(2);
  EXPECT_MESSAGE(b.upload(std::vector<int>(3)), "3 elements do not fit in a buffer of 2");
  EXPECT_MESSAGE(device_buffer<double>(static_cast<std::size_t>(-1) / 8), "are more than any device has");
}

}  // namespace
