// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/print_element.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

using namespace cosmati;

namespace {

template <class T>
std::string column(T const& x) {
  testing::internal::CaptureStdout();
  detail::print_element(x);
  return testing::internal::GetCapturedStdout();
}

TEST(PrintElement, TheTypeChoosesTheWidth) {
  EXPECT_EQ(column(7), "    7");
  EXPECT_EQ(column(std::int8_t{7}), "  7");
  EXPECT_EQ(column(1.5f), "  1.50e+00");
  EXPECT_EQ(column(1.5), "  1.500e+00");
  EXPECT_EQ(column(half_t(1.5f)), "    1.50");
}

TEST(PrintElement, IntegersNarrowerThanAByteAreAsWideAsInt) {
  EXPECT_EQ(column(int4_t(-3)), "   -3");
  EXPECT_EQ(column(uint2_t(3)), "    3");
  EXPECT_EQ(column(uint1_t(1)), "  1");
}

}  // namespace
