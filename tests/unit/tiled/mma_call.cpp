// SPDX-License-Identifier: Apache-2.0
// One matrix instruction on fragments: registers gathered from fragments of any order and put back; checks of operands.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm61.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/tiled/mma_call.hpp>

using namespace cosmati;

namespace {

TEST(MmaCall, TakesRegistersWhereTheFragmentHasThem) {
  // Two registers of 4 bytes, the second before the first.
  alignas(4) std::int8_t memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  auto t = make_tensor(make_rmem_ptr(&memory[0]) + 4, Layout<Shape<_4, _2>, Stride<_1, Int<-4>>>{});
  std::uint32_t held[2];
  detail::registers_of<4>(t, held);
  EXPECT_EQ(held[0], 0x08070605u);
  EXPECT_EQ(held[1], 0x04030201u);
  std::uint32_t const given[2] = {0xfffefdfcu, 0x0u};
  detail::to_fragment<4>(given, t);
  EXPECT_EQ(memory[4], -4);
  EXPECT_EQ(memory[7], -1);
  EXPECT_EQ(memory[0], 0);
}

TEST(MmaCall, OfOneThreadsInstruction) {
  alignas(4) std::int8_t a[4] = {-128, 127, 3, -4}, b[4] = {2, -1, 100, 50};
  std::int32_t c[1] = {1000}, d[1] = {};
  auto const tA = make_tensor(make_rmem_ptr(&a[0]), Layout<_4>{}), tB = make_tensor(make_rmem_ptr(&b[0]), Layout<_4>{});
  auto tC = make_tensor(make_rmem_ptr(&c[0]), Layout<_1>{}), tD = make_tensor(make_rmem_ptr(&d[0]), Layout<_1>{});
  MMA_Atom<SM61_DP4A>{}.call(tD, tA, tB, tC);
  EXPECT_EQ(d[0], 1000 - 256 - 127 + 300 - 200);
  EXPECT_EQ(c[0], 1000) << "D apart from C";
}

// Values side by side, from index 0 on.
static_assert(detail::adjacent_values<Layout<_8>>::value == 8);
static_assert(detail::adjacent_values<Layout<Shape<_2, _4>, Stride<_1, _4>>>::value == 2);
static_assert(detail::adjacent_values<Layout<_4, _2>>::value == 1);

template <char which, class L, class Element>
using check = detail::operand_check<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, which, L, Element>;
template <class Check, class Mistake>
constexpr bool says = std::is_same_v<typename decltype(Check::find())::type, Mistake>;
// A has 8 halves in 4 registers, two a register.
static_assert(says<check<'A', Layout<_8>, half_t>, detail::nothing_wrong> && check<'A', Layout<_8>, half_t>::each == 2);
static_assert(
    says<check<'A', Layout<Shape<_2, _4>, Stride<_4, _8>>, half_t>, detail::values_of_a_register_are_apart<1, 2>>);
static_assert(says<check<'A', Layout<_4>, half_t>, detail::fragment_is_not_of_one_instruction<4, 8>>);
static_assert(says<check<'C', Layout<_4>, half_t>, detail::fragment_is_of_another_type<half_t, float, 16, 32>>);
static_assert(says<check<'C', Layout<_4, _7>, float>, detail::nothing_wrong>, "a register a value: anywhere");
static_assert(says<check<'B', Layout<_4>, bfloat16_t>, detail::nothing_wrong>, "bits count, not the type");

}  // namespace
