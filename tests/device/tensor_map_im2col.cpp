// SPDX-License-Identifier: Apache-2.0
// Descriptors of the mode im2col: each rule of the driver is checked on the host, by a message that names rule, mode
// and value.
#include <cosmati/runtime/tensor_map_im2col.hpp>

#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>

using namespace cosmati;

namespace {

alignas(32) float memory[64 * 64];

tensor_map_im2col_config good() {
  tensor_map_im2col_config c;
  c.data = memory;
  c.element_bytes = 4;
  c.rank = 4;
  std::int64_t const extent[] = {32, 8, 6, 2}, stride[] = {1, 32, 256, 1536};
  for (int i = 0; i < 4; ++i) c.extent[i] = extent[i], c.stride[i] = stride[i];
  c.channels = 32;
  c.pixels = 16;
  return c;
}

template <class Change>
std::string refused(Change const& change) {
  tensor_map_im2col_config c = good();
  change(c);
  try {
    (void)make_im2col_descriptor(c);
  } catch (error const& e) {
    return e.what();
  }
  return "";
}
bool says(std::string const& text, char const* what) { return text.find(what) != std::string::npos; }

#if defined(COSMATI_SIMULATED)
TEST(TensorMapIm2col, TakesWhatTheDriverTakes) {
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& c) { c.lower[0] = c.lower[1] = -3, c.upper[0] = 127, c.upper[1] = -8; }), "");
  EXPECT_EQ(refused([](auto& c) { c.rank = 3, c.lower[0] = -32768, c.upper[0] = 32767; }), "");
  EXPECT_EQ(
      refused([](auto& c) { c.rank = 5, c.extent[4] = 1, c.stride[4] = 3072, c.lower[2] = -16, c.upper[2] = 15; }), "");
  EXPECT_EQ(refused([](auto& c) { c.pixels = 1024, c.step[1] = 8; }), "");
  EXPECT_EQ(refused([](auto& c) { c.swizzle = TMA::SmemSwizzleBits::DISABLE, c.channels = 64; }), "");
}
#endif

TEST(TensorMapIm2col, RefusesWhatNoTensorCopyCanDo) {
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 2; }), "rank is 2; batches of images have 3 to 5 modes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 6; }), "rank is 6"));
  EXPECT_TRUE(says(refused([](auto& c) { c.pixels = 0; }), "a copy moves 0 pixels; 1 to 1024"));
  EXPECT_TRUE(says(refused([](auto& c) { c.pixels = 1025; }), "1025 pixels"));
  EXPECT_TRUE(says(refused([](auto& c) { c.channels = 257; }), "the box has 257 elements of mode 0"));
  EXPECT_TRUE(says(refused([](auto& c) { c.channels = 64; }), "256 bytes of mode 0, and the swizzle"));
  EXPECT_TRUE(says(refused([](auto& c) { c.channels = 3; }), "12 bytes of mode 0; multiples of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.lower[1] = -129; }), "lower corner -129 along mode 2; -128 to 127"));
  EXPECT_TRUE(says(refused([](auto& c) { c.upper[0] = 128; }), "upper corner 128 along mode 1; -128 to 127"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 5, c.extent[4] = 1, c.stride[4] = 3072, c.lower[0] = -17; }),
                   "lower corner -17 along mode 1; -16 to 15 are possible with 5 modes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 3, c.upper[0] = 32768; }), "-32768 to 32767"));
  EXPECT_TRUE(says(refused([](auto& c) { c.lower[1] = 2, c.upper[1] = -4; }),
                   "empty along mode 2: it goes from 2 to 1 (6 elements, upper corner -4)"));
  EXPECT_TRUE(says(refused([](auto& c) { c.step[1] = 9; }), "step 9 along mode 1"));
  EXPECT_TRUE(says(refused([](auto& c) { c.data = memory + 1; }), "no multiple of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[3] = 1537; }), "mode 3 has a stride of 6148 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.fill = TMA::OOBFill::CONSTANT; }), "give a `type` of floating point"));
}

}  // namespace
