// SPDX-License-Identifier: Apache-2.0
// dim3 and uint3 are tuples of three, read and written.
#include <gtest/gtest.h>
#include <cosmati/runtime/cuda_tuples.hpp>

#include <type_traits>

using namespace cosmati;

namespace {

static_assert(tuple_size_v<::dim3> == 3 && tuple_size_v<::uint3> == 3);
static_assert(std::is_same_v<tuple_element<2, ::uint3>::type, unsigned>);
static_assert(std::is_same_v<decltype(get<0>(std::declval<::dim3 const&>())), unsigned const&>);

TEST(CudaTuples, ElementsAndTheirProduct) {
  ::dim3 extents(4, 5);
  EXPECT_EQ(get<0>(extents), 4u);
  EXPECT_EQ(get<2>(extents), 1u);
  get<2>(extents) = 6;
  EXPECT_EQ(extents.z, 6u);
  EXPECT_EQ(size(extents), 120u);
  ::uint3 const place{7, 8, 9};
  EXPECT_EQ(get<1>(place), 8u);
  EXPECT_EQ(product(place), 504u);
}

}  // namespace
