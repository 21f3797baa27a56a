// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/operations.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// Result of an ill-formed call: a type derived from `refused`.
struct wrong : refused {};
constexpr wrong x{};

TEST(RefusedCallsOfLayouts, GiveAStandInForAStandIn) {
  static_assert(refusal<decltype(make_layout(x))>);
  static_assert(refusal<decltype(make_layout(x, 2))>);
  static_assert(refusal<decltype(composition(x, 2))>);
  static_assert(refusal<decltype(complement(x))>);
  static_assert(refusal<decltype(complement(x, 8))>);
  static_assert(refusal<decltype(coalesce(x))>);
  static_assert(refusal<decltype(right_inverse(x))>);
  static_assert(refusal<decltype(left_inverse(x))>);
  static_assert(refusal<decltype(logical_divide(x, 2))>);
  static_assert(refusal<decltype(zipped_divide(x, 2))>);
  static_assert(refusal<decltype(tiled_divide(x, 2))>);
  static_assert(refusal<decltype(flat_divide(x, 2))>);
  static_assert(refusal<decltype(logical_product(x, 2))>);
  static_assert(refusal<decltype(blocked_product(x, 2))>);
  static_assert(refusal<decltype(blocked_product(Layout<_4>{}, x))>);
  static_assert(refusal<decltype(raked_product(Layout<_4>{}, x))>);
  static_assert(refusal<decltype(layout(x))>);
  static_assert(refusal<decltype(layout<0>(x))>);
  static_assert(refusal<decltype(stride(x))>);
  static_assert(refusal<decltype(stride<1>(x))>);
  static_assert(refusal<decltype((recast_layout<int, float>(x)))>);
  static_assert(refusal<decltype(print_layout(x))>);
  static_assert(refusal<decltype(tile_to_shape(Layout<_4>{}, x))>);
  static_assert(refusal<decltype(with_shape(x, 2))>);
  static_assert(refusal<decltype(max_common_vector(x, Layout<_4>{}))>);
  static_assert(refusal<decltype(max_common_layout(Layout<_4>{}, x))>);
  static_assert(refusal<decltype(max_alignment(x))>);
  static_assert(refusal<decltype(nullspace(x))>);
  static_assert(refusal<decltype(filter(x))>);
  static_assert(refusal<decltype(filter_zeros(x))>);
  static_assert(refusal<decltype(upcast<2>(x))>);
  static_assert(refusal<decltype(downcast<2>(x))>);
  static_assert(refusal<decltype((group_modes<0, 2>(x)))>);
  static_assert(cosize(x) == 1 && cosize<0>(x) == 1);
}

}  // namespace
