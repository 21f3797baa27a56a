// SPDX-License-Identifier: Apache-2.0
// The loop of a copy under a condition. Every element that meets the condition arrives, alone or in its vector.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy_if.hpp>

#include <cstring>
#include <vector>

using namespace cosmati;

namespace {

template <int vector, bool uniform, class N, class Holds>
void check(N const& n, Holds const& holds) {
  auto const count = static_cast<std::size_t>(n);
  std::vector<int> from(count), to(count, -1);
  for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<int>(i);
  auto const src = make_tensor(make_gmem_ptr(from.data()), make_layout(n));
  auto dst = make_tensor(make_gmem_ptr(to.data()), make_layout(n));
  detail::copy_vectors_where<4 * vector, vector, uniform>(holds, src, dst);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(to[i], holds(i) ? from[i] : -1) << "element " << i;
}

TEST(CopyVectorsWhere, AnyNumberAndAnyCondition) {
  auto const below = [](auto i) { return i < 21; };
  auto const odd = [](auto i) { return i % 2 == 1; };
  auto const pairs = [](auto i) { return i / 4 % 2 == 0; };
  check<4, false>(Int<64>{}, below);
  check<4, false>(Int<64>{}, odd);
  check<4, true>(Int<64>{}, pairs);
  check<1, true>(Int<19>{}, odd);
  check<2, false>(Int<1024>{}, below);
  check<4, true>(Int<2048>{}, pairs);
  check<4, false>(64, below);
  check<4, true>(128, pairs);
}

/// The bits of a float, or a float of that value. An atom moves bits, however much of its vector it moves.
template <class Copy>
void expect_bits(Copy const& how, int elements) {
  alignas(16) int from[4] = {1, 2, 3, 4};
  alignas(16) float to[4] = {};
  how(make_tensor(make_gmem_ptr(&from[0]), Layout<_4>{}), make_tensor(make_gmem_ptr(&to[0]), Layout<_4>{}));
  EXPECT_EQ(std::memcmp(from, to, 4 * static_cast<std::size_t>(elements)), 0);
  for (int i = elements; i < 4; ++i) EXPECT_EQ(to[i], 0.f);
}
TEST(CopyVectorsWhere, AnAtomMovesBits) {
  for (int n = 0; n <= 4; ++n) {
    auto const below = [n](int i) { return i < n; };
    expect_bits([&](auto const& s, auto d) { copy_if(Copy_Atom<UniversalCopy<uint128_t>, int>{}, below, s, d); }, n);
    expect_bits([&](auto const& s, auto d) { copy_if(Copy_Atom<UniversalCopy<uint64_t>, int>{}, below, s, d); }, n);
    expect_bits([&](auto const& s, auto d) { copy_if(Copy_Atom<UniversalCopy<int>, int>{}, below, s, d); }, n);
  }
}
TEST(CopyVectorsWhere, WithoutAnAtomCppConverts) {
  int from[4] = {1, 2, 3, 4};
  float to[4] = {};
  copy_if([](int i) { return i != 2; }, make_tensor(make_gmem_ptr(&from[0]), Layout<_4>{}),
          make_tensor(make_gmem_ptr(&to[0]), Layout<_4>{}));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(to[i], i == 2 ? 0.f : static_cast<float>(i + 1));
}

}  // namespace
