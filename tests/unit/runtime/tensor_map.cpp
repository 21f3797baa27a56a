// SPDX-License-Identifier: Apache-2.0
// Descriptors of tensor copies: every limit of the hardware, at its last good value and the first bad one.
#include <gtest/gtest.h>
#include <cosmati/runtime/tensor_map.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

alignas(16) unsigned char memory[4096];

tensor_map_config floats() {
  return {.data = memory,
          .element_bytes = 4,
          .extent = {64, 16, 1, 1},
          .stride = {1, 64, 1024, 1024},
          .box = {32, 8, 1, 1}};
}
/// The sentence that a changed configuration ends in; "" where it is right.
template <class Change>
std::string refusal_of(Change const& change) {
  tensor_map_config c = floats();
  change(c);
  try {
    static_cast<void>(make_tma_descriptor(c));
  } catch (error const& e) {
    return e.what();
  }
  return "";
}
#define EXPECT_REFUSAL(change, text) \
  EXPECT_NE(refusal_of([](tensor_map_config& c) { change; }).find(text), std::string::npos) << #change
#define EXPECT_NO_REFUSAL(change) EXPECT_EQ(refusal_of([](tensor_map_config& c) { change; }), "")

TEST(TensorMap, KeepsWhatItIsMadeOf) {
  EXPECT_TRUE(device_has_tensor_copies());
  TmaDescriptor const d = make_tma_descriptor(floats());
  EXPECT_EQ(d.data, memory);
  EXPECT_EQ(d.stride[0], 4) << "bytes";
  EXPECT_EQ(d.stride[1], 256);
  EXPECT_EQ(d.last[1], 15u) << "the extent, less one";
  EXPECT_EQ(d.box[0], 32);
}

TEST(TensorMap, Addresses) {
  EXPECT_REFUSAL(c.data = nullptr, "data is null");
  EXPECT_REFUSAL(c.data = memory + 8, "which is no multiple of 16");
  EXPECT_NO_REFUSAL(c.data = memory + 16);
}

TEST(TensorMap, BoxesAndExtents) {
  EXPECT_REFUSAL(c.element_bytes = 3, "element_bytes is 3");
  EXPECT_NO_REFUSAL(c.box[0] = 16);
  EXPECT_REFUSAL(c.box[0] = 3, "12 bytes of mode 0; multiples of 16");
  EXPECT_REFUSAL(c.box[0] = 64, "256 bytes of mode 0, and the swizzle exchanges chunks within rows of 128");
  EXPECT_REFUSAL(c.stride[0] = 2, "mode 0 has stride 2");
  EXPECT_NO_REFUSAL((c.element_bytes = 8, c.box[0] = 16));
  EXPECT_REFUSAL(c.extent[3] = 0, "mode 3 has 0 elements");
  EXPECT_NO_REFUSAL(c.box[1] = 256);
  EXPECT_REFUSAL(c.box[1] = 257, "the box has 257 elements of mode 1");
}

TEST(TensorMap, Strides) {
  EXPECT_REFUSAL(c.stride[1] = 2, "mode 1 has a stride of 8 bytes");
  EXPECT_NO_REFUSAL(c.stride[1] = 4);
  EXPECT_REFUSAL(c.stride[2] = 0, "mode 2 has a stride of 0 bytes");
  EXPECT_REFUSAL(c.stride[2] = -64, "mode 2 has a stride of -256 bytes");
  EXPECT_NO_REFUSAL(c.stride[2] = (std::int64_t{1} << 38) - 4);
  EXPECT_REFUSAL(c.stride[2] = std::int64_t{1} << 38, "mode 2 has a stride of 1099511627776 bytes");
  EXPECT_REFUSAL(c.stride[3] = INT64_MAX, "mode 3 has a stride of 9223372036854775807 elements");
}

}  // namespace
