// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/tensor/swizzle_tensor.hpp>
#include <type_traits>

using namespace cosmati;

namespace {

/// Expects that both tensors read the same addresses. The second one swizzles its layout alone.
template <class T, class S, class L>
void expect_same_places(S swizzle, L layout) {
  alignas(1024) static T memory[4096];
  auto const t = make_tensor(make_smem_ptr(&memory[0], swizzle), layout);
  auto const p = as_position_independent_swizzle_tensor(t);
  static_assert(std::is_void_v<pointer_swizzle_t<decltype(p.data())>>);
  static_assert(is_smem_v<decltype(p)>);
  for (int i = 0; i < size(layout); ++i) {
    // Computed by hand: the swizzle takes the address in bytes.
    std::uintptr_t const bytes =
        reinterpret_cast<std::uintptr_t>(&memory[0]) + sizeof(T) * static_cast<unsigned>(layout(i));
    auto const* const wanted = reinterpret_cast<T const*>(swizzle(bytes));
    ASSERT_EQ(&p(i), wanted) << i;
    ASSERT_EQ(&t(i), wanted) << i;
  }
}
TEST(SwizzleTensor, ReadsTheSamePlaces) {
  expect_same_places<std::uint8_t>(Swizzle<3, 4, 3>{}, Layout<Shape<_8, _128>, Stride<_128, _1>>{});
  expect_same_places<std::uint16_t>(Swizzle<3, 4, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  expect_same_places<std::uint16_t>(Swizzle<2, 4, 3>{}, Layout<Shape<_16, _32>, Stride<_32, _1>>{});
  expect_same_places<float>(Swizzle<3, 4, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
  expect_same_places<double>(Swizzle<1, 4, 3>{}, Layout<Shape<_4, _16>, Stride<_16, _1>>{});
}
TEST(SwizzleTensor, WithoutASwizzleItIsTheTensor) {
  static float memory[64];
  auto const t = make_tensor(make_smem_ptr(&memory[0]), Layout<Shape<_8, _8>>{});
  auto const p = as_position_independent_swizzle_tensor(t);
  static_assert(std::is_same_v<decltype(p), decltype(t)>);
  EXPECT_EQ(&p(3, 4), &t(3, 4));
}
#if !defined(NDEBUG) || defined(COSMATI_SIMULATED)
TEST(SwizzleTensor, MemoryInsideOfAPeriodIsRefused) {
  alignas(1024) static std::uint16_t memory[1024];
  auto const t = make_tensor(make_smem_ptr(&memory[8], Swizzle<3, 4, 3>{}), Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  EXPECT_THROW((void)as_position_independent_swizzle_tensor(t), error);
}
#endif

}  // namespace
