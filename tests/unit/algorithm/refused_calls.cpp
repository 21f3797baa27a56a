// SPDX-License-Identifier: Apache-2.0
#include <cosmati/algorithm/cooperative_copy.hpp>

#include <gtest/gtest.h>
#include <cosmati/algorithm/axpby.hpp>
#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/copy_if.hpp>
#include <cosmati/algorithm/gemm.hpp>

using namespace cosmati;

namespace {

/// Result of an ill-formed call: a type derived from `refused`.
struct wrong : refused {};
constexpr wrong x{};

TEST(RefusedCallsOfAlgorithms, GiveAStandInForAStandIn) {
  static_assert(refusal<decltype(copy(x, 1))>);
  static_assert(refusal<decltype(copy(1, x))>);
  static_assert(refusal<decltype(copy(1, 2, x))>);
  static_assert(refusal<decltype(copy_if(1, x, 2))>);
  static_assert(refusal<decltype(axpby(1, x, 2, x))>);
  static_assert(refusal<decltype(gemm(x, 1, 2, 3))>);
  static_assert(refusal<decltype(fill(x, 0))>);
  static_assert(refusal<decltype(clear(x))>);
  static_assert(refusal<decltype((cooperative_copy<32, 128>(0, x, 1)))>);
}

}  // namespace
