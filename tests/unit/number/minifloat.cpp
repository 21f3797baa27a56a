// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/minifloat.hpp>

#include <gtest/gtest.h>

namespace {

using cosmati::minifloat;

// A format with 1 + 3 + 4 bits and infinities, which the library does not have.
struct own_format {
  using storage_type = std::uint8_t;
  using cuda_type = cosmati::no_cuda_type;
  static constexpr int bits = 8, exponent_bits = 3, mantissa_bits = 4, bias = 3;
  static constexpr bool is_signed = true, has_infinity = true, has_nan = true, saturates = false, ties_away = false;
};
using own = minifloat<own_format>;

TEST(minifloat, a_program_may_define_a_format) {
  static_assert(float(own(1.5f)) == 1.5f && own(1.5f).raw() == 0x38);
  static_assert(float(own(2.5) * own(3)) == 7.5f);
  static_assert(own(15.75).raw() == 0x70 && isinf(own(15.75)) && own(15.7).raw() == 0x6f);
  static_assert(float(std::numeric_limits<own>::max()) == 15.5f);
  static_assert(float(std::numeric_limits<own>::denorm_min()) == 0.015625f);
  static_assert(cosmati::sizeof_bits_v<own> == 8 && sizeof(own) == 1);
  for (int code = 0; code < 256; ++code) {
    own const x = own::bitcast(static_cast<std::uint8_t>(code));
    ASSERT_EQ(own(float(x)).raw(), isnan(x) ? 0x7f : code);
  }
}

TEST(minifloat, only_numbers_of_one_format_are_added) {
  static_assert(std::is_same_v<decltype(own(1) + own(1)), own>);
  static_assert(std::is_same_v<decltype(own(1) + 1.0f), float>);
  static_assert(std::is_same_v<decltype(1.0 * own(1)), double>);
  static_assert(std::is_trivially_copyable_v<own> && std::is_trivially_default_constructible_v<own>);
}

}  // namespace
