// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Error, SaysTheSentenceWithItsNumbers) {
  try {
    cosmati::fail("mode %d has %d values, the atom moves %d", 1, 3, 4);
    FAIL() << "fail() returned";
  } catch (cosmati::error const& e) {
    EXPECT_STREQ(e.what(), "mode 1 has 3 values, the atom moves 4");
  }
}

TEST(Error, ASentenceWithoutArgumentsIsNotAFormat) { EXPECT_STREQ(cosmati::error("100 % sure").what(), "100 % sure"); }

TEST(Error, LongTextIsCut) {
  std::string const text(5000, 'x');
  EXPECT_EQ(std::string(cosmati::error("%s", text.c_str()).what()).size(), 1023u);
}

}  // namespace
