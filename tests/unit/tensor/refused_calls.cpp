// SPDX-License-Identifier: Apache-2.0
#include <cosmati/tensor/local_tile.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// Result of an ill-formed call: a type derived from `refused`.
struct wrong : refused {};
constexpr wrong x{};

TEST(RefusedCallsOfTensors, GiveAStandInForAStandIn) {
  static_assert(refusal<decltype(make_tensor(static_cast<float*>(nullptr), x))>);
  static_assert(refusal<decltype(make_tensor<float>(x))>);
  static_assert(refusal<decltype(local_tile(x, 2, 0))>);
  static_assert(refusal<decltype(local_partition(x, Layout<_4>{}, 0))>);
  static_assert(refusal<decltype(make_tensor_like(x))>);
  static_assert(refusal<decltype(make_fragment_like(x))>);
  static_assert(refusal<decltype(make_identity_tensor(x))>);
  static_assert(refusal<decltype(print_tensor(x))>);
  static_assert(refusal<decltype(recast<int>(x))>);
}

}  // namespace
