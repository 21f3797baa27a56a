// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/overflow.hpp>

#include <gtest/gtest.h>
#include <limits>

using namespace cosmati;

namespace {

template <class Narrow>
void expect_as_wide_arithmetic_says() {
  int const low = std::numeric_limits<Narrow>::min(), high = std::numeric_limits<Narrow>::max();
  auto const fits = [&](int x) { return low <= x && x <= high; };
  for (int a = low; a <= high; ++a) {
    for (int b = low; b <= high; ++b) {
      Narrow const x = static_cast<Narrow>(a), y = static_cast<Narrow>(b);
      if (detail::product_fits(x, y) != fits(a * b)) ADD_FAILURE() << a << " * " << b;
      if (detail::sum_fits(x, y) != fits(a + b)) ADD_FAILURE() << a << " + " << b;
      if (detail::difference_fits(x, y) != fits(a - b)) ADD_FAILURE() << a << " - " << b;
    }
  }
}
TEST(Overflow, OfEveryPairOfBytes) { expect_as_wide_arithmetic_says<signed char>(); }
TEST(Overflow, AtTheEndsOf64Bits) {
  std::int64_t const high = std::numeric_limits<std::int64_t>::max(), low = std::numeric_limits<std::int64_t>::min();
  static_assert(detail::product_fits(std::int64_t{1} << 31, std::int64_t{1} << 31));
  EXPECT_FALSE(detail::product_fits(std::int64_t{1} << 32, std::int64_t{1} << 31));
  EXPECT_FALSE(detail::product_fits(low, std::int64_t{-1}));
  EXPECT_TRUE(detail::sum_fits(high, low) && !detail::sum_fits(high, std::int64_t{1}));
  EXPECT_TRUE(detail::difference_fits(std::int64_t{-1}, high) && !detail::difference_fits(std::int64_t{-2}, high));
}

}  // namespace
