// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/alignment.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(alignment, of_addresses) {
  alignas(64) char memory[64];
  for (int offset = 0; offset < 64; ++offset) {
    EXPECT_EQ(is_byte_aligned<16>(memory + offset), offset % 16 == 0) << offset;
    EXPECT_EQ(is_byte_aligned<4>(memory + offset), offset % 4 == 0) << offset;
    EXPECT_TRUE(is_byte_aligned<1>(memory + offset));
  }
}

struct aligned : aligned_struct<128> {
  char c;
};
struct two : aligned_struct<8, int>, aligned_struct<16, float> {};
static_assert(alignof(aligned) == 128 && sizeof(aligned) == 128 && alignof(two) == 16);

}  // namespace
