// SPDX-License-Identifier: Apache-2.0
// Swizzles of run-time numbers: bits exclusive-ored, composed and recast, for every small swizzle and offset.
#include <gtest/gtest.h>
#include <cosmati/layout/any_swizzle.hpp>

#include "sim/message.hpp"

#include <vector>

using namespace cosmati;

namespace {

std::vector<AnySwizzle> small_swizzles() {
  std::vector<AnySwizzle> all;
  for (int bits = 0; bits <= 3; ++bits)
    for (int base = 0; base <= 3; ++base)
      for (int shift = -4; shift <= 4; ++shift)
        if ((shift < 0 ? -shift : shift) >= bits) all.emplace_back(bits, base, shift);
  return all;
}

TEST(AnySwizzle, ExclusiveOrsBitByBit) {
  for (AnySwizzle const& s : small_swizzles()) {
    for (std::int64_t x = 0; x < 2048; x += 3) {
      std::int64_t expected = x;
      for (int b = 0; b < s.bits; ++b) {  // bit base + b of the lower and of the upper part
        int const low = s.base + b, high = low + (s.shift < 0 ? -s.shift : s.shift);
        int const source = s.shift < 0 ? low : high, target = s.shift < 0 ? high : low;
        expected ^= (x >> source & 1) << target;
      }
      ASSERT_EQ(s(x), expected) << s.bits << ',' << s.base << ',' << s.shift << " at " << x;
      ASSERT_EQ(s(s(x)), x) << "its own inverse";
    }
    if (s.bits != 0) {
      EXPECT_EQ(make_swizzle(s.source_mask(), s.target_mask()), s);
    }
    EXPECT_EQ(s.is_identity(), s.bits == 0);
  }
}

TEST(AnySwizzle, RecastsCountOtherUnits) {
  for (AnySwizzle const& s : small_swizzles()) {
    for (std::int64_t const n : {1, 2, 8}) {
      AnySwizzle const down = downcast(s, n), up = upcast(s, n);
      for (std::int64_t x = 0; x < 512; ++x) {
        ASSERT_EQ(down(n * x), n * s(x)) << "parts of a unit";
        if (n <= std::int64_t{1} << s.base) {
          ASSERT_EQ(up(x), s(n * x) / n) << "groups that it keeps together";
        }
      }
    }
  }
  EXPECT_EQ(upcast(AnySwizzle(3, 1, 4), 8), AnySwizzle(1, 0, 4)) << "bits below a group fall away";
  EXPECT_TRUE(upcast(AnySwizzle(1, 0, 3), 4).is_identity());
}

TEST(AnySwizzle, OneAfterAnother) {
  AnySwizzle const low(1, 0, 4), high(2, 1, 4), both = composition(low, high);
  EXPECT_EQ(both, AnySwizzle(3, 0, 4));
  EXPECT_TRUE(composition(both, both).is_identity());
  for (std::int64_t x = 0; x < 512; ++x) EXPECT_EQ(both(x), low(high(x)));
}

TEST(AnySwizzle, TheLinearPartIsASliceOfIt) {
  AnySwizzle const s(2, 1, 3);
  for (std::int64_t offset : {0, 8, 0x30, 0x1a}) {
    auto const l = linear_part(s, offset);
    for (std::int64_t x = 0; x < 64; ++x) {
      if ((x & offset) != 0) continue;
      if ((x >> 3 & x & s.target_mask()) != 0) continue;  // a bit that is read, and the one that changes by it
      std::int64_t sum = 0;
      for (int b = 0; b < l.leaves; ++b) sum += (x >> b & 1) * l.stride[b].value;
      EXPECT_EQ(sum, s(offset + x) - s(offset)) << offset << ", " << x;
    }
  }
}

TEST(AnySwizzle, Refusals) {
  EXPECT_MESSAGE(AnySwizzle(3, 0, 2), "Swizzle<3,0,2>: bits and base must not be negative, |shift| >= bits");
  EXPECT_MESSAGE(AnySwizzle(-1, 0, 2), "Swizzle<-1,0,2>");
  EXPECT_MESSAGE(make_swizzle(5, 2), "masks 5 and 2 make no swizzle");
  EXPECT_MESSAGE(make_swizzle(6, 4), "masks 6 and 4 make no swizzle");
  EXPECT_MESSAGE(composition(AnySwizzle(1, 0, 3), AnySwizzle(1, 0, 4)), "that shift by 3 and 4 places");
  EXPECT_MESSAGE(upcast(AnySwizzle(1, 0, 3), 6), "by a power of two only, not by 6");
  EXPECT_MESSAGE(downcast(AnySwizzle(1, 0, 3), 0), "not by 0");
}

}  // namespace
