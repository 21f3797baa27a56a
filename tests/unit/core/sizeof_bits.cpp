// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/sizeof_bits.hpp>

#include <gtest/gtest.h>

namespace {

struct three_floats {
  float x[3];
};
struct packed {};

}  // namespace

template <>
struct cosmati::sizeof_bits<packed> {
  static constexpr int value = 5;
};

namespace {

TEST(sizeof_bits, is_eight_times_the_size_unless_specialised) {
  static_assert(cosmati::sizeof_bits_v<char> == 8 && cosmati::sizeof_bits_v<bool> == 8);
  static_assert(cosmati::sizeof_bits_v<double const> == 64 && cosmati::sizeof_bits<three_floats>::value == 96);
  static_assert(cosmati::sizeof_bits_v<void> == 0);
  static_assert(cosmati::sizeof_bits_v<packed> == 5 && cosmati::sizeof_bits_v<packed const> == 5 &&
                cosmati::sizeof_bits_v<packed volatile> == 5 && cosmati::sizeof_bits_v<packed const volatile> == 5);
  static_assert(cosmati::is_subbyte_v<packed> && !cosmati::is_subbyte<float>::value);
}

}  // namespace
