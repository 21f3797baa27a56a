// SPDX-License-Identifier: Apache-2.0
// fill, clear, axpby, transform, for_each, reduce, batch_reduce, prefetch.
#include <gtest/gtest.h>
#include <cosmati/algorithm/axpby.hpp>
#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/for_each.hpp>
#include <cosmati/algorithm/prefetch.hpp>
#include <cosmati/algorithm/reduce.hpp>
#include <cosmati/algorithm/transform.hpp>
#include <cosmati/atom/copy_atom.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

using namespace cosmati;

namespace {

template <class T>
std::vector<float> values(T const& t) {
  std::vector<float> v;
  for (int i = 0; i < static_cast<int>(size(t)); ++i)
    v.push_back(static_cast<float>(static_cast<typename T::value_type>(t(i))));
  return v;
}

TEST(Fill, EveryElementAndNoOther) {
  float data[12] = {};
  fill(make_tensor(&data[0], Layout<Shape<_2, _3>, Stride<_1, _4>>{}), 3);
  EXPECT_EQ(std::vector<float>(data, data + 12), (std::vector<float>{3, 3, 0, 0, 3, 3, 0, 0, 3, 3, 0, 0}));
  int const n = 2;
  fill(make_tensor(make_gmem_ptr(&data[0]), make_shape(n)), 5.0);
  EXPECT_EQ(data[0], 5);
  EXPECT_EQ(data[2], 0);
  fill(make_tensor(&data[0], make_shape(0)), 9);
  EXPECT_EQ(data[0], 5);
}

TEST(Fill, PackedAndSmallTypes) {
  auto nibbles = make_tensor<uint4_t>(Layout<Shape<_5>>{});
  fill(nibbles, 9);
  EXPECT_EQ(values(nibbles), std::vector<float>(5, 9));
  clear(nibbles);
  EXPECT_EQ(values(nibbles), std::vector<float>(5, 0));
  auto halves = make_tensor<half_t>(Layout<Shape<_3, _3>>{});
  fill(halves, 1.5f);
  EXPECT_EQ(values(halves), std::vector<float>(9, 1.5f));
  clear(halves(_, 1));
  EXPECT_EQ(values(halves), (std::vector<float>{1.5f, 1.5f, 1.5f, 0, 0, 0, 1.5f, 1.5f, 1.5f}));
}

TEST(Axpby, WithAndWithoutBeta) {
  auto x = make_tensor<float>(Layout<_4>{});
  auto y = make_tensor<float>(Layout<_4>{});
  for (int i = 0; i < 4; ++i) x(i) = static_cast<float>(i), y(i) = 10;
  axpby(2.f, x, 3.f, y);
  EXPECT_EQ(values(y), (std::vector<float>{30, 32, 34, 36}));
  fill(y, std::numeric_limits<float>::quiet_NaN());
  axpby(2, x, 0, y);  // y is not read
  EXPECT_EQ(values(y), (std::vector<float>{0, 2, 4, 6}));
  fill(y, std::numeric_limits<float>::quiet_NaN());
  axpby(1, x, _0{}, y);
  EXPECT_EQ(values(y), (std::vector<float>{0, 1, 2, 3}));
}

TEST(Axpby, WherePredicatesHold) {
  auto x = make_tensor<double>(Layout<_4>{});
  auto y = make_tensor<double>(Layout<_4>{});
  auto p = make_tensor<bool>(Layout<_4>{});
  fill(x, 1);
  fill(y, 10);
  for (int i = 0; i < 4; ++i) p(i) = i % 2 == 0;
  axpby(1.0, x, 1.0, y, p);
  EXPECT_EQ(values(y), (std::vector<float>{11, 10, 11, 10}));
  axpby(1.0, x, 1.0, y, [](int i) { return i == 1; });
  EXPECT_EQ(values(y), (std::vector<float>{11, 11, 11, 10}));
}

TEST(Transform, InPlaceUnaryBinary) {
  auto a = make_tensor<int>(Layout<Shape<_2, _2>>{});
  auto b = make_tensor<float>(Layout<Shape<_2, _2>, Stride<_2, _1>>{});
  for (int i = 0; i < 4; ++i) a(i) = i;
  transform(a, [](int x) { return x * x; });
  EXPECT_EQ(values(a), (std::vector<float>{0, 1, 4, 9}));
  transform(a, b, [](int x) { return static_cast<float>(x) / 2; });
  EXPECT_EQ(values(b), (std::vector<float>{0, 0.5f, 2, 4.5f}));
  transform(a, b, b, plus{});
  EXPECT_EQ(values(b), (std::vector<float>{0, 1.5f, 6, 13.5f}));
  EXPECT_EQ(values(lazy::transform(a, [](int x) { return -x; })), (std::vector<float>{0, -1, -4, -9}));
}

TEST(Transform, DifferentSizesAreAnError) {
  float data[8] = {};
  int const n = 4;
  auto const four = make_tensor(&data[0], make_shape(n));
  auto const eight = make_tensor(&data[0], make_shape(2 * n));
  EXPECT_THROW(transform(four, eight, negate{}), error);
  EXPECT_THROW(axpby(1, four, 1, eight), error);
}

TEST(ForEach, ReachesEveryElement) {
  auto t = make_tensor<uint4_t>(Layout<Shape<_3, _5>>{});
  int next = 0;
  for_each(t, [&](auto&& x) { x = static_cast<uint4_t>(next++ % 16); });
  int sum = 0;
  for_each(t, [&](auto const& x) { sum += static_cast<int>(static_cast<uint4_t>(x)); });
  EXPECT_EQ(sum, 105);
}

TEST(Reduce, SumsAndOthers) {
  auto t = make_tensor<int>(Layout<Shape<_3, _4>>{});
  for (int i = 0; i < 12; ++i) t(i) = i;
  EXPECT_EQ(reduce(t, 0), 66);
  EXPECT_EQ(reduce(t, 100, max_fn{}), 100);
  auto columns = make_tensor<int>(Layout<_4>{});
  fill(columns, 1000);
  batch_reduce(t, columns);
  EXPECT_EQ(values(columns), (std::vector<float>{1003, 1012, 1021, 1030}));
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
    EXPECT_EQ(values(dst), expected);
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

TEST(Prefetch, ChangesNothing) {
  float data[4] = {1, 2, 3, 4};
  prefetch(make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  prefetch(Copy_Atom<DefaultCopy, float>{}, make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  cooperative_prefetch<32>(3, make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  EXPECT_EQ(data[3], 4);
}
/// Every line that the tensor touches is asked for, no other one, and by `threads` threads as by one.
template <class Layout>
void check_prefetched(Layout const& layout, int first, std::size_t at_most) {
  alignas(128) static float data[4096];
  auto t = make_tensor(make_gmem_ptr(&data[first]), layout);
  auto const line = [](void const* p) {
    return (reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(&data[0])) / 128;
  };
  std::set<std::uintptr_t> wanted, got, together;
  std::size_t count = 0;
  for (int i = 0; i < size(t); ++i) wanted.insert(line(&t(i)));
  detail::for_each_prefetch(t, 0, 1, [&](float const* p) { got.insert(line(p)), ++count; });
  for (int thread = 0; thread < 32; ++thread)
    detail::for_each_prefetch(t, thread, 32, [&](float const* p) { together.insert(line(p)); });
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(together, wanted);
  EXPECT_LE(count, at_most);
}
TEST(Prefetch, EveryLineOfATensor) {
  check_prefetched(Layout<_4>{}, 0, 1);
  check_prefetched(Layout<_32>{}, 0, 2);
  check_prefetched(Layout<_32>{}, 5, 2);
  check_prefetched(Layout<Int<100>>{}, 3, 5);
  check_prefetched(Layout<Int<1024>>{}, 0, 33);
  check_prefetched(Layout<Shape<_8, _32>, Stride<Int<100>, _1>>{}, 4, 256);
  check_prefetched(Layout<Shape<_32, _8>, Stride<_1, Int<100>>>{}, 4, 16);
  check_prefetched(Layout<Shape<_4, _8>, Stride<_1, Int<100>>>{}, 4, 8);
  check_prefetched(make_layout(make_shape(7, 5), make_stride(1, 9)), 0, 35);
  check_prefetched(make_layout(make_shape(Int<40>{}, 5), make_stride(_1{}, 200)), 7, 15);
}

}  // namespace
