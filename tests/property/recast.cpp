// SPDX-License-Identifier: Apache-2.0
// upcast, downcast and recast_layout, against the layouts' values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/recast.hpp>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// Layouts whose strides divide n or are multiples of it.
tree random_upcastable(choices& c, integer n) {
  tree f = random_shape(c, 3, 512);
  for (int i = 0; i < f.leaves; ++i) {
    f.stride[i] = c.chance(15) ? 0 : c.chance(50) ? c.divisor(n) : n * (1 + c.below(5));
    if (c.chance(20)) f.stride[i] *= -1;
  }
  return f;
}

void is_upcast(tree const& r, tree const& f, integer n) {
  auto const about = [&] { return str(f) + " by " + std::to_string(n) + " = " + str(r); };
  RC_ASSERT(algebra::congruent(r, f));
  for (int i = 0; i < f.leaves; ++i) {
    integer const d = f.stride[i] < 0 ? -f.stride[i] : f.stride[i];
    // So many steps of this mode make one wide element.
    integer const together = d == 0 || d >= n ? 1 : n / d;
    same(r.shape[i], (f.shape[i] + together - 1) / together, about);
    if (f.shape[i] != 1) same(r.stride[i] * n, f.stride[i] * together, about);
  }
}

TEST(Upcast, JoinsNElements) {
  EXPECT_TRUE(holds("upcast", [](choices& c) {
    integer const n = std::vector<integer>{2, 1, 4, 8, 3, 6}[std::size_t(c.below(6))];
    tree const f = random_upcastable(c, n);
    is_upcast(accepted([&] { return algebra::upcast(f, n); }, str(f)), f, n);
  }));
}

TEST(Upcast, RefusesStridesThatDoNotDivide) {
  EXPECT_TRUE(holds("upcast of any strides", [](choices& c) {
    integer const n = 1 + c.below(8);
    tree const f = random_layout(c, laid::any, 2, 512);
    bool possible = true;
    for (int i = 0; i < f.leaves; ++i) {
      possible = possible && (f.shape[i] == 1 || f.stride[i] == 0 || f.stride[i] % n == 0 || n % f.stride[i] == 0);
    }
    bool refused = false;
    tree r;
    try {
      r = algebra::upcast(f, n);
    } catch (cosmati::error const&) {
      refused = true;
    }
    same(refused, !possible, [&] { return str(f) + " by " + std::to_string(n); });
    if (!refused) is_upcast(r, f, n);
  }));
}

TEST(Downcast, SplitsEachElement) {
  EXPECT_TRUE(holds("downcast", [](choices& c) {
    integer const n = 1 + c.below(8);
    tree f = random_layout(c, laid::compact, 3, 512);
    int const contiguous = c.below(f.leaves);
    bool const has_one = c.chance(80);
    for (int i = 0; i < f.leaves; ++i) {
      if (f.stride[i] == 1) f.stride[i] = 2;
      if (c.chance(10)) f.stride[i] = -1;
    }
    if (has_one) f.stride[contiguous] = 1;
    bool refused = false;
    tree r;
    try {
      r = algebra::downcast(f, n);
    } catch (cosmati::error const&) {
      refused = true;
    }
    same(refused, !has_one, [&] { return str(f); });
    if (refused) return;
    for (int i = 0; i < f.leaves; ++i) {
      bool const split = f.stride[i] == 1 || f.stride[i] == -1;
      same(r.shape[i], split ? f.shape[i] * n : f.shape[i], [&] { return str(f); });
      same(r.stride[i], split ? f.stride[i] : f.stride[i] * n, [&] { return str(f); });
    }
  }));
}

TEST(Recast, GoesOverTheCommonBits) {
  EXPECT_TRUE(holds("recast_layout", [](choices& c) {
    static std::vector<integer> const bits{8, 16, 4, 32, 1, 2, 6, 64, 128, 24};
    integer const old_bits = c.of(bits), new_bits = c.of(bits);
    tree f = random_shape(c, 3, 512);
    // Contiguous, and the rest multiples of what any of the elements needs.
    for (int i = 0; i < f.leaves; ++i) f.stride[i] = i == 0 ? 1 : 128 * 3 * (1 + c.below(4));
    if (f.shape[0] == 1) f.shape[0] = 2;
    f.shape[0] *= 384;
    tree const r = accepted([&] { return algebra::recast_layout(f, old_bits, new_bits); }, str(f));
    auto const about = [&] { return str(f) + " from " + std::to_string(old_bits) + " to " + std::to_string(new_bits); };
    for (int i = 0; i < f.leaves; ++i) {
      if (i == 0) {
        same(r.shape[i] * new_bits, f.shape[i] * old_bits, about);
        same(r.stride[i], 1, about);
      } else {
        same(r.shape[i], f.shape[i], about);
        same(r.stride[i] * new_bits, f.stride[i] * old_bits, about);
      }
    }
  }));
}

}  // namespace
