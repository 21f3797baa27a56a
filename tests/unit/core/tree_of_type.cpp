// SPDX-License-Identifier: Apache-2.0
// What a type says, as one constant: nesting, integers, run-time inputs in their order, bases, and tilers' units.
#include <gtest/gtest.h>
#include <cosmati/core/tree_of_type.hpp>
#include <cosmati/core/tuple.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;
using detail::read_as;
using detail::tree_of;

namespace {

template <class T>
std::string text_of() {
  return algebra_test::tuple_str(detail::lifted<std::int64_t, T>());
}

TEST(TreeOfType, HasTheNestingAndTheIntegers) {
  EXPECT_EQ((text_of<tuple<_2, tuple<_3, tuple<>, _4>>>()), "(2,(3,(),4))");
  EXPECT_EQ(text_of<Int<-7>>(), "-7");
  EXPECT_EQ((text_of<tuple<Underscore, _1>>()), "(_,1)");
  EXPECT_EQ((text_of<C<std::int64_t{1} << 40>>()), "1099511627776");
}

static_assert(detail::is_simple<tuple<_1, tuple<_2>>> && !detail::is_simple<tuple<_1, int>>);
static_assert(!detail::is_simple<ScaledBasis<_1, 0>>, "a basis is more than an integer");
static_assert(detail::leaves_of<tuple<_1, tuple<int, _2>>> == 3 && detail::leaves_of<tuple<>> == 0);
static_assert(!detail::is_tree<std::remove_const_t<decltype(tree_of<double>)>>, "the algebra does not know it");
static_assert(detail::is_tree<std::remove_const_t<decltype(tree_of<unsigned>)>>);

TEST(TreeOfType, NumbersRunTimeIntegersInTheOrderOfTheType) {
  algebra::expression_list list;
  auto const f =
      detail::lift<algebra::symbolic_integer>(tree_of<tuple<int, tuple<_5, long>>>, &list, 3, read_as::layout);
  ASSERT_EQ(list.size, 2);
  EXPECT_EQ(list.step[0].op, algebra::expression::input);
  EXPECT_EQ(list.step[0].a, 3) << "the argument";
  EXPECT_EQ(list.step[0].b, 0) << "its leaf";
  EXPECT_EQ(list.step[1].b, 2);
  EXPECT_FALSE(algebra::is_known(f.shape[0]));
  EXPECT_EQ(algebra::known(f.shape[1], "it"), 5);
  EXPECT_FALSE(algebra::is_known(f.shape[2]));
}

TEST(TreeOfType, KeepsBases) {
  auto const f = detail::lifted<algebra::symbolic_integer, tuple<ScaledBasis<_4, 1, 0>, _3>>();
  EXPECT_EQ(algebra_test::tuple_str(f), "(4@0@1,3)");
}

// A tiler's integer n is n:1; a divisor's 1 is 1:0.
TEST(TreeOfType, UnitsOfTilersAndDivisors) {
  auto const as_tiler = detail::lifted<std::int64_t, tuple<_1, _8>>(read_as::tiler);
  EXPECT_TRUE(as_tiler.is_tiler());
  EXPECT_EQ(as_tiler.stride[0], 1);
  EXPECT_EQ(as_tiler.stride[1], 1);
  auto const as_divisor = detail::lifted<std::int64_t, tuple<_1, _8>>(read_as::divisor);
  EXPECT_EQ(as_divisor.stride[0], 0);
  EXPECT_EQ(as_divisor.stride[1], 1);
  EXPECT_FALSE((detail::lifted<std::int64_t, tuple<_1, _8>>().is_tiler()));
}

static_assert(detail::operand_forms{read_as::layout, read_as::tiler}.of(1) == read_as::tiler);
static_assert(detail::operand_forms{}.of(7) == read_as::layout, "operands behind the fifth");

}  // namespace
