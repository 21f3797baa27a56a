// SPDX-License-Identifier: Apache-2.0
// Copies of a tiled MMA's operands: a thread gets the elements that it multiplies, by each operand and atom; and which
// warp-wide instructions cannot feed one.
#include <gtest/gtest.h>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/atom/mma_sm70.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/tiled/mma_copy.hpp>

#include <numeric>
#include <vector>

using namespace cosmati;

namespace {

constexpr auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _1>>{}, Tile<_32, _16, _16>{});

/// The values that each thread's fragment takes by the copy are those of its partition. Elements are their own offset.
template <class TiledCopy, class Partition, class L>
void expect_the_same_values(TiledCopy const& copy, Partition const& partition, L const& layout) {
  std::vector<std::int16_t> memory(static_cast<std::size_t>(cosize(layout)));
  std::iota(memory.begin(), memory.end(), std::int16_t{0});
  auto const tensor = make_tensor(memory.data(), layout);
  for (int thread = 0; thread < static_cast<int>(size(mma)); ++thread) {
    auto const mine = partition(mma.get_slice(thread), tensor);
    auto fragment = make_tensor<std::int16_t>(shape(mine));
    auto const from = copy.get_slice(thread).partition_S(tensor);
    auto to = copy.get_slice(thread).retile_D(fragment);
    ASSERT_EQ(static_cast<int>(size(from)), static_cast<int>(size(to)));
    for (int i = 0; i < static_cast<int>(size(from)); ++i) to(i) = from(i);
    for (int i = 0; i < static_cast<int>(size(mine)); ++i) EXPECT_EQ(fragment(i), mine(i)) << thread << ", " << i;
  }
}

TEST(MmaCopy, AThreadGetsWhatItMultiplies) {
  using one = Copy_Atom<UniversalCopy<std::int16_t>, std::int16_t>;
  using two = Copy_Atom<UniversalCopy<std::uint32_t>, std::int16_t>;
  auto const a = [](auto const& t, auto const& x) { return t.partition_A(x); };
  auto const b = [](auto const& t, auto const& x) { return t.partition_B(x); };
  auto const c = [](auto const& t, auto const& x) { return t.partition_C(x); };
  using by_rows = Layout<Shape<_32, _32>, Stride<_32, _1>>;
  expect_the_same_values(make_tiled_copy_A(one{}, mma), a, by_rows{});
  expect_the_same_values(make_tiled_copy_A(two{}, mma), a, by_rows{});
  expect_the_same_values(make_tiled_copy_B(two{}, mma), b, by_rows{});
  expect_the_same_values(make_tiled_copy_C(two{}, mma), c, by_rows{});
  expect_the_same_values(make_tiled_copy_C(one{}, mma), c, Layout<Shape<_64, _32>>{});
}

template <class Mma>
using operand_A = typename Mma::operand_A;
template <class Atom, class Mma = std::remove_const_t<decltype(mma)>>
using check_A = detail::check_of_operand<Atom, Mma, operand_A<Mma>>;
template <class Check, class Mistake>
constexpr bool says = std::is_same_v<typename decltype(Check::find())::type, Mistake>;

static_assert(check_A<Copy_Atom<SM75_U32x4_LDSM_N, half_t>>::ok && check_A<Copy_Atom<SM75_U16x8_LDSM_T, half_t>>::ok);
static_assert(check_A<Copy_Atom<UniversalCopy<half_t>, half_t>>::ok, "no warp-wide instruction: anything");
static_assert(
    says<check_A<Copy_Atom<SM75_U16x8_LDSM_T, std::int8_t>>, detail::transposing_copy_needs_16_bit_values<8, 16>>);
// One multiply-add takes 4 x 1 values of A; ldmatrix.x4 gives a thread 8 halves.
using small = decltype(make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN{}));
static_assert(says<check_A<Copy_Atom<SM75_U32x4_LDSM_N, half_t>, small>, detail::copy_is_wider_than_the_operand<8, 4>>);
using quads = decltype(make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{}));
static_assert(!check_A<Copy_Atom<SM75_U32x2_LDSM_N, half_t>, quads>::ok, "quad pairs want values in other lanes");

// An epilogue in steps: one atom's values of a thread at a time.
TEST(MmaCopy, CInSteps) {
  auto const step = make_tiled_copy_C_atom(Copy_Atom<UniversalCopy<std::uint64_t>, float>{}, mma);
  EXPECT_EQ(static_cast<int>(size(step)), static_cast<int>(size(mma)));
  EXPECT_EQ(static_cast<int>(size<1>(step.get_layoutD_TV())), 2);
  auto const tv = step.get_layoutD_TV();
  std::vector<int> times(64 * 2, 0);
  for (int t = 0; t < 64; ++t)
    for (int v = 0; v < 2; ++v) ++times.at(static_cast<std::size_t>(static_cast<int>(tv(t, v))));
  EXPECT_EQ(times, std::vector<int>(128, 1)) << "each place of the step once";
}

}  // namespace
