// SPDX-License-Identifier: Apache-2.0
// Sizes whose difference is found at run time.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>

#include <string>

using namespace cosmati;

namespace {

TEST(SizesAgree, OrTheErrorNamesBoth) {
  float a[8] = {};
  int const four = 4;
  int const eight = 8;
  try {
    copy(make_tensor(&a[0], make_shape(eight)), make_tensor(&a[0], make_shape(four)));
    FAIL() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("the source has 8 elements and the destination 4"), std::string::npos)
        << e.what();
  }
  EXPECT_NO_THROW(copy(make_tensor(&a[0], make_shape(four)), make_tensor(&a[4], make_shape(four))));
}

}  // namespace
