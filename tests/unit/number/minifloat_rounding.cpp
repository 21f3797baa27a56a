// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/minifloat_rounding.hpp>

#include <gtest/gtest.h>

namespace {

struct toy {  // 1 + 2 + 1 bits: 0, 0.5, 1, 1.5, 2, 3, 4, 6
  static constexpr int bits = 8, exponent_bits = 2, mantissa_bits = 1, bias = 1;
  static constexpr bool is_signed = true, has_infinity = false, has_nan = false, saturates = true, ties_away = false;
};
struct toy_away : toy {
  static constexpr bool ties_away = true;
};

TEST(minifloat_rounding, codes_of_a_format) {
  using c = cosmati::minifloat_code<toy>;
  static_assert(c::width == 4 && c::magnitude == 7 && c::sign == 8 && c::max_finite == 7 && c::nan == 7);
  static_assert(!c::exponent_only && !c::is_binary16 && c::unused_low_bits == 0);
  float const values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (std::uint32_t code = 0; code < 8; ++code) {
    EXPECT_EQ(cosmati::code_to_float<toy>(code), values[code]);
    EXPECT_EQ(cosmati::round_to_code<toy>(values[code]), code);
    EXPECT_EQ(cosmati::round_to_code<toy>(-static_cast<double>(values[code])), code | 8);
  }
}

TEST(minifloat_rounding, ties) {
  struct row {
    double x;
    std::uint32_t even, away;
  };
  for (row const r : {row{0.25, 0, 1}, {0.75, 2, 2}, {1.25, 2, 3}, {1.75, 4, 4}, {2.5, 4, 5}, {3.5, 6, 6}, {5, 6, 7}}) {
    EXPECT_EQ(cosmati::round_to_code<toy>(r.x), r.even) << r.x;
    EXPECT_EQ(cosmati::round_to_code<toy>(static_cast<float>(r.x)), r.even) << r.x;
    EXPECT_EQ(cosmati::round_to_code<toy_away>(r.x), r.away) << r.x;
  }
  EXPECT_EQ(cosmati::round_integer_to_code<toy>(5), 6u);
  EXPECT_EQ(cosmati::round_integer_to_code<toy>(-3LL), 13u);
  EXPECT_EQ(cosmati::round_integer_to_code<toy>(~0ull), 7u);
}

}  // namespace
