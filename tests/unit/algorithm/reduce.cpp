// SPDX-License-Identifier: Apache-2.0
// reduce, batch_reduce, logical_reduce, transform_reduce: by their definitions, element by element.
#include <cosmati/algorithm/reduce.hpp>

#include <gtest/gtest.h>
#include <cosmati/algorithm/fill.hpp>

#include "unit/values_of.hpp"

namespace cosmati {
namespace {

TEST(Reduce, SumsAndOthers) {
  auto t = make_tensor<int>(Layout<Shape<_3, _4>>{});
  for (int i = 0; i < 12; ++i) t(i) = i;
  EXPECT_EQ(reduce(t, 0), 66);
  EXPECT_EQ(reduce(t, 100, max_fn{}), 100);
  auto columns = make_tensor<int>(Layout<_4>{});
  fill(columns, 1000);
  batch_reduce(t, columns);
  EXPECT_EQ(values_of(columns), (std::vector<float>{1003, 1012, 1021, 1030}));
}

TEST(LogicalReduce, AlongChosenModes) {
  auto t = make_tensor<int>(Layout<Shape<_2, Shape<_3, _2>, _2>>{});
  for (int i = 0; i < 24; ++i) t(i) = i;
  // By the definition: every element goes to the place of its kept coordinates.
  auto const sums = [&](auto place, int places) {
    std::vector<float> v(static_cast<std::size_t>(places), 100);
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 2; ++c)
          for (int d = 0; d < 2; ++d)
            v[static_cast<std::size_t>(place(a, b, c, d))] += static_cast<float>(a + 2 * b + 6 * c + 12 * d);
    return v;
  };
  auto const check = [&](auto dst, auto const& targets, std::vector<float> const& expected) {
    fill(dst, 100);
    logical_reduce(t, dst, targets);
    EXPECT_EQ(values_of(dst), expected);
  };
  check(make_tensor<int>(Layout<_2>{}), make_coord(_, 0, 0), sums([](int a, int, int, int) { return a; }, 2));
  check(make_tensor<int>(Layout<Shape<_2, _2>>{}), make_coord(_, _0{}, _),
        sums([](int a, int, int, int d) { return a + 2 * d; }, 4));
  check(make_tensor<int>(Layout<Shape<_3, _2>>{}), make_coord(0, make_coord(_, 0), _),
        sums([](int, int b, int, int d) { return b + 3 * d; }, 6));
  check(make_tensor<int>(Layout<_1>{}), make_coord(0, 0, 0), sums([](int, int, int, int) { return 0; }, 1));
  auto all = make_tensor<int>(shape(t));
  fill(all, 1);
  logical_reduce(t, all, make_coord(_, _, _), max_fn{});
  for (int i = 0; i < 24; ++i) EXPECT_EQ(all(i), i > 1 ? i : 1);
}

TEST(TransformReduce, OfOneAndOfTwoTensors) {
  float a[6] = {1, -2, 3, -4, 5, -6}, b[6] = {1, 2, 3, 4, 5, 6};
  auto const ta = make_tensor(&a[0], Layout<Shape<_2, _3>>{}), tb = make_tensor(&b[0], Layout<Shape<_2, _3>>{});
  EXPECT_EQ(transform_reduce(ta, 0.f, max_fn{}, [](float x) { return x * x; }), 36.f);
  EXPECT_EQ(transform_reduce(ta, 10.f, plus{}, [](float x) { return x < 0 ? -x : x; }), 31.f);
  EXPECT_EQ(transform_reduce(ta, tb, 0.f), 1.f - 4 + 9 - 16 + 25 - 36);
  EXPECT_EQ(transform_reduce(ta, tb, 0.f, plus{}, minus{}), -24.f);  // of 1 - 1, -2 - 2, ...
  // By coordinates, not by addresses: rows beside columns.
  auto const turned = make_tensor(&b[0], Layout<Shape<_2, _3>, Stride<_3, _1>>{});
  EXPECT_EQ(transform_reduce(ta, turned, 0.f), 1.f * 1 - 2 * 4 + 3 * 2 - 4 * 5 + 5 * 3 - 6 * 6);
}

}  // namespace
}  // namespace cosmati
