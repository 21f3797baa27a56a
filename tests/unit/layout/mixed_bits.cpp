// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/mixed_bits.hpp>

#include <gtest/gtest.h>

#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/print.hpp>

namespace {

using namespace cosmati;

template <class T>
struct static_part;
template <std::uint32_t S, std::uint32_t F>
struct static_part<MixedBits<S, F>> {
  static constexpr std::uint32_t ones = S, open = F;
};
template <auto v>
struct static_part<C<v>> {
  static constexpr std::uint32_t ones = static_cast<std::uint32_t>(v), open = 0;
};

/// Checks the result's value, and checks that all its known bits hold for every run-time part of the operands.
template <class R>
void check(R const& r, std::uint32_t expected, char const* what) {
  ASSERT_EQ(static_cast<std::uint32_t>(r), expected) << what;
  ASSERT_EQ(static_part<R>::ones & expected, static_part<R>::ones) << what;
  ASSERT_EQ(expected & ~(static_part<R>::ones | static_part<R>::open), 0u) << what;
}

/// Every run-time value of two operands whose bits are known to be 1 (S) or unknown (F).
template <std::uint32_t S0, std::uint32_t F0, std::uint32_t S1, std::uint32_t F1>
void check_pair() {
  for (std::uint32_t d0 = 0; d0 < 32; ++d0) {
    for (std::uint32_t d1 = 0; d1 < 32; ++d1) {
      auto const a = make_mixed_bits(C<S0>{}, d0, C<F0>{});
      auto const b = make_mixed_bits(C<S1>{}, d1, C<F1>{});
      std::uint32_t const x = S0 | (d0 & F0), y = S1 | (d1 & F1);
      check(a, x, "a");
      check(a & b, x & y, "&");
      check(a | b, x | y, "|");
      check(a ^ b, x ^ y, "^");
    }
  }
}

TEST(MixedBits, bit_operations_know_what_is_static) {
  check_pair<0b00001, 0b00110, 0b01000, 0b10010>();
  check_pair<0b00101, 0b00010, 0b00001, 0b00110>();
  check_pair<0b11000, 0b00111, 0b00000, 0b11111>();
  check_pair<0b00000, 0b00010, 0b10101, 0b00000>();  // with a static integer
  check_pair<0b00110, 0b00000, 0b00010, 0b01001>();
}

TEST(MixedBits, as_much_as_possible_is_static) {
  using M = MixedBits<0b0101, 0b0010>;
  static_assert(std::is_same_v<decltype(M{} & C<0b0101u>{}), C<0b0101u>>);
  static_assert(std::is_same_v<decltype(M{} | C<0b0010u>{}), C<0b0111u>>);
  static_assert(std::is_same_v<decltype(M{} ^ C<0b1000u>{}), MixedBits<0b1101, 0b0010>>);
  static_assert(std::is_same_v<decltype(make_mixed_bits(C<1>{}, 7, C<1>{})), C<1>>);
  static_assert(std::is_same_v<decltype(make_mixed_bits(C<1>{}, C<6>{}, C<4>{})), C<5>> ||
                std::is_same_v<decltype(make_mixed_bits(C<1>{}, C<6>{}, C<4>{})), C<5u>>);
  EXPECT_TRUE((M{0b0010} == C<7>{}));
  EXPECT_FALSE((M{0} == C<7>{}));
}

TEST(MixedBits, shifts_and_units) {
  for (std::uint32_t d = 0; d < 16; ++d) {
    auto const m = make_mixed_bits(C<4u>{}, d, C<0b11000u>{});
    std::uint32_t const value = 4u | (d & 0b11000u);
    check(m << C<3>{}, value << 3, "<<");
    check(m >> C<3>{}, value >> 3, ">>");
    check(shiftl(m, C<-2>{}), value >> 2, "shiftl");
    check(shiftr(m, C<-2>{}), value << 2, "shiftr");
    check(safe_div(m, C<4>{}), value / 4, "safe_div");
    check(upcast<2>(m), value / 2, "upcast");
    check(downcast<8>(m), value * 8, "downcast");
  }
  static_assert(decltype(max_alignment(MixedBits<12, 16>{}))::value == 4);
}

TEST(MixedBits, swizzles_and_layouts) {
  auto const layout = Layout<Shape<_4, _8>, Stride<_8, _1>>{};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 8; ++j) {
      auto const m = to_mixed_bits(layout, make_coord(i, j));
      check(m, static_cast<std::uint32_t>(8 * i + j), "to_mixed_bits");
      auto const fixed = to_mixed_bits(layout.shape(), layout.stride(), make_coord(i, _5{}));
      check(fixed, static_cast<std::uint32_t>(8 * i + 5), "a static coordinate");
      check(Swizzle<2, 0, 3>{}(m), static_cast<std::uint32_t>(8 * i + (j ^ i)), "swizzle");
    }
  }
}

}  // namespace
