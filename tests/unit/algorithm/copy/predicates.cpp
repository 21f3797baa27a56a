// SPDX-License-Identifier: Apache-2.0
// Which predicate decides about an element, and how many elements share an answer.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/predicates.hpp>

using namespace cosmati;

namespace {

template <class T, class L>
using view = decltype(make_tensor(std::declval<T*>(), L{}));
template <class PredLayout, class SrcLayout>
using of = detail::predicates<view<bool, PredLayout>, view<float, SrcLayout>>;
using source = Layout<Shape<_8, _4>>;

static_assert(of<source, source>::each == 1 && of<source, source>::uniform == 1);
static_assert(of<Layout<_4>, source>::each == 8 && of<Layout<_4>, source>::uniform == 8);  // one answer for each column
// Predicates of stride 0 along a mode: the elements of the mode share one predicate.
static_assert(of<Layout<Shape<_8, _4>, Stride<_0, _1>>, source>::uniform == 8);
static_assert(of<Layout<Shape<_8, _4>, Stride<_1, _0>>, source>::uniform == 1);
static_assert(of<Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_0, _1>, _2>>, source>::uniform == 4);

// Elements 0, 4, 1, 5, ... in a new order. Four elements that share an answer are no longer adjacent.
static_assert(detail::share_in_order<Layout<Shape<_2, _4>, Stride<_4, _1>>, 4>::value == 1);
static_assert(detail::share_in_order<Layout<Shape<_2, _4>>, 4>::value == 4);

TEST(Predicates, EachOfItsElements) {
  bool flags[4] = {true, false, false, true};
  float x[32] = {};
  auto const src = make_tensor(&x[0], source{});
  auto const pred = make_tensor(&flags[0], Layout<_4>{});
  detail::predicates<std::remove_cvref_t<decltype(pred)>, std::remove_cvref_t<decltype(src)>> const holds(pred, src);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(holds(i), flags[i / 8]) << i;
}

}  // namespace
