// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/type_traits.hpp>

#include <gtest/gtest.h>

#include <cosmati/core/tuple.hpp>
#include <memory>

namespace {

TEST(type_traits, are_found_in_the_library_s_namespace) {
  static_assert(cosmati::is_same_v<cosmati::remove_cvref_t<int const&>, int>);
  static_assert(cosmati::is_same_v<cosmati::conditional_t<true, int, float>, int>);
  static_assert(cosmati::is_same_v<cosmati::enable_if_t<true, int>, int>);
  static_assert(cosmati::is_same_v<decltype(cosmati::declval<int&>()), int&>);
  static_assert(cosmati::is_any_of_v<int, float, int> && !cosmati::is_any_of<int, float>::value);
  static_assert(!cosmati::dependent_false<int> && sizeof(cosmati::uint64_t) == 8);
  auto a = std::make_unique<int>(3);
  auto const b = cosmati::move(a);
  EXPECT_EQ(*b, 3);
}

TEST(type_traits, do_not_hide_the_library_s_own) {
  using namespace cosmati;
  static_assert(cosmati::is_integral<C<3>>::value && is_same_v<true_type, C<true>>);
  static_assert(cosmati::tuple_size_v<cosmati::tuple<int, int>> == 2);
}

}  // namespace
