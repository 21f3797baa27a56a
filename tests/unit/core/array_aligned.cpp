// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/array.hpp>

#include <gtest/gtest.h>

namespace cosmati {
namespace {

static_assert(alignof(array_aligned<char, 5>) == 16 && sizeof(array_aligned<char, 5>) == 16);
static_assert(alignof(array_aligned<int, 3, 32>) == 32 && tuple_size_v<array_aligned<int, 3>> == 3);

TEST(ArrayAligned, IsAnArray) {
  array_aligned<int, 3> a{{1, 2, 3}};
  a[1] = 7;
  auto const [x, y, z] = a;
  EXPECT_EQ(x + y + z, 11);
  EXPECT_EQ(get<1>(a), 7);
  EXPECT_EQ(a.size(), 3u);
}

}  // namespace
}  // namespace cosmati
