// SPDX-License-Identifier: Apache-2.0
// Opaque integers have the same values. tests/cuda_code/index_arithmetic.py checks the code that nvcc generates for
// them.
#include <gtest/gtest.h>

#include <cosmati/layout/opaque.hpp>
#include <cosmati/layout/operations.hpp>

using namespace cosmati;

namespace {

static_assert(detail::opaque(5) == 5);
static_assert(detail::opaque(std::int64_t{1} << 40) == std::int64_t{1} << 40);
static_assert(detail::opaque(std::uint64_t{1} << 63) == std::uint64_t{1} << 63);
static_assert(std::is_same_v<decltype(detail::opaque(_5{})), C<5>>);

TEST(Opaque, LayoutsKeepTheirTypesAndOffsets) {
  auto const l = make_layout(make_shape(_4{}, make_shape(3, _2{})), make_stride(_1{}, make_stride(7, _32{})));
  auto const o = detail::with_opaque_strides(l);
  static_assert(std::is_same_v<decltype(o), decltype(l)>);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k) EXPECT_EQ(o(make_coord(i, make_coord(j, k))), i + 7 * j + 32 * k);
  auto const fixed = Layout<Shape<_4, _3>, Stride<_3, _1>>{};
  static_assert(std::is_same_v<std::remove_const_t<decltype(detail::with_opaque_strides(fixed))>,
                               Layout<Shape<_4, _3>, Stride<_3, _1>>>);
}

}  // namespace
