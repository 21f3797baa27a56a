// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/int_tuple.hpp>
#include <cosmati/core/refused.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// Result of an ill-formed call: a type derived from `refused`.
struct wrong : refused {};
constexpr wrong x{};

TEST(RefusedCallsOfIntegers, GiveAStandInForAStandIn) {
  static_assert(refusal<decltype(shape(x))>);
  static_assert(refusal<decltype(shape<0>(x))>);
  static_assert(refusal<decltype(rank(x))>);
  static_assert(refusal<decltype(rank<1>(x))>);
  static_assert(refusal<decltype(depth(x))>);
  static_assert(refusal<decltype(product(x))>);
  static_assert(refusal<decltype(ceil_div(x, 4))>);
  static_assert(refusal<decltype(ceil_div(4, x))>);
  static_assert(refusal<decltype(idx2crd(3, x))>);
  static_assert(refusal<decltype(crd2idx(3, x))>);
  static_assert(refusal<decltype(crd2idx(x, 3, 1))>);
  static_assert(refusal<decltype(slice(x, 3))>);
  static_assert(refusal<decltype(dice(3, x))>);
  static_assert(size(x) == 1 && size<0>(x) == 1);
  static_assert(!elem_less(x, 1) && !elem_leq(1, x) && !elem_gtr(x, x) && !elem_geq(x, 1));
  static_assert(!congruent(x, 1) && !weakly_congruent(1, x) && !compatible(x, x));
}

TEST(Refused, AnswersEveryUse) {
  static_assert(refusal<decltype(x + 1)> && refusal<decltype(2 * x)> && refusal<decltype(x(1, 2))> &&
                refusal<decltype(x[3])>);
  static_assert(refusal<decltype(x.get_slice(0).partition_S(1))> && refusal<decltype(x.layout().shape<0>())>);
  static_assert(!(x == 1) && !(1 < x) && static_cast<int>(x) == 0);
  static_assert(!refusal<int> && any_refusal<int, wrong> && !any_refusal<int, float>);
  int passes = 0;
  for ([[maybe_unused]] refused const& each : x) ++passes;
  EXPECT_EQ(passes, 0);
}

}  // namespace
