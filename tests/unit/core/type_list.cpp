// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/type_list.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

using List = type_list<int, C<3>, float, int>;
static_assert(tuple_size_v<List> == 4 && std::tuple_size_v<List> == 4);
static_assert(std::is_same_v<tuple_element_t<2, List>, float> && std::is_same_v<std::tuple_element_t<1, List>, C<3>>);
static_assert(std::is_same_v<decltype(get<1>(List{})), C<3>>);
static_assert(decltype(find<int>(List{}))::value == 0 && decltype(find<float>(List{}))::value == 2);
static_assert(decltype(find<double>(List{}))::value == 4 && decltype(find<int>(type_list<>{}))::value == 0);

TEST(type_list, finds_types_in_tuples_too) {
  auto const t = make_tuple(2.0, C<3>{}, 4);
  EXPECT_EQ(decltype(find<int>(t))::value, 2u);
  EXPECT_EQ(decltype(find<C<3>>(t))::value, 1u);
  EXPECT_EQ(decltype(find<C<4>>(t))::value, 3u);
}

}  // namespace
