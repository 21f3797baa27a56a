// SPDX-License-Identifier: Apache-2.0
// MMA atoms: the parts that they take from their traits, one thread's instructions on the host, registers for
// partitions.
#include <cosmati/atom/mma_atom.hpp>

#include <gtest/gtest.h>

#include <cosmati/atom/mma_sm61.hpp>
#include <cosmati/atom/mma_sm70.hpp>
#include <cosmati/tiled/mma_call.hpp>

using namespace cosmati;

namespace {

TEST(MmaAtom, OneThreadsInstructionsOnTheHost) {
  auto const a = make_tensor<float>(Layout<_1>{});
  auto b = a, c = a;
  MMA_Atom<UniversalFMA<float>> const atom;
  const_cast<float&>(a(0)) = 3;
  b(0) = 5;
  c(0) = 7;
  atom.call(a, b, c);
  EXPECT_EQ(c(0), 22.f);

  auto x = make_tensor<std::int8_t>(Layout<_4>{});
  auto y = make_tensor<std::int8_t>(Layout<_4>{});
  auto sum = make_tensor<std::int32_t>(Layout<_1>{});
  int expected = 1000;
  for (int i = 0; i < 4; ++i) {
    x(i) = static_cast<std::int8_t>(-128 + 60 * i);
    y(i) = static_cast<std::int8_t>(127 - 90 * i);
    expected += x(i) * y(i);
  }
  sum(0) = 1000;
  MMA_Atom<SM61_DP4A>{}.call(x, y, sum);
  EXPECT_EQ(sum(0), expected);

  auto p = make_tensor<std::int16_t>(Layout<_2>{});
  auto q = make_tensor<std::int8_t>(Layout<_2>{});
  p(0) = -32768;
  p(1) = 12345;
  q(0) = -128;
  q(1) = -7;
  sum(0) = -5;
  MMA_Atom<SM61_DP2A>{}.call(p, q, sum);
  EXPECT_EQ(sum(0), -5 + 32768 * 128 - 7 * 12345);
}

// D may lie otherwise than C: where the traits have no layout for it, it lies alike.
using half_to_float = MMA_Atom<SM70_8x8x4_F32F16F16F16_TN>;
static_assert(!std::is_same_v<half_to_float::LayoutD_TV, half_to_float::LayoutC_TV>);
using fma = MMA_Atom<UniversalFMA<float>>;
static_assert(std::is_same_v<fma::LayoutD_TV, fma::LayoutC_TV> && std::is_empty_v<fma>);
static_assert(std::is_same_v<fma::MMA_Op, UniversalFMA<float>>);

TEST(MmaAtom, FragmentsForPartitions) {
  half_t memory[24];
  auto const rows = make_tensor(&memory[0], Layout<Shape<_4, _3, _2>, Stride<_6, _1, _3>>{});
  using atom = MMA_Atom<SM70_8x8x4_F32F16F16F32_TN>;
  auto const a = atom::make_fragment_A(rows);
  static_assert(std::is_same_v<decltype(a)::value_type, half_t>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(a.shape())>, Shape<_4, _3, _2>>);
  auto const c = atom::make_fragment_C(rows);
  static_assert(std::is_same_v<decltype(c)::value_type, float>, "sums have the atom's type, not the tensor's");
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(c.stride())>, Stride<_1, _4, _12>>, "column by column");
}

}  // namespace
