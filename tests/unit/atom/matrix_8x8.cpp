// SPDX-License-Identifier: Apache-2.0
// The layouts that ldmatrix, stmatrix and movmatrix share, for one, two and four matrices.
#include <gtest/gtest.h>

#include <cosmati/atom/matrix_8x8.hpp>

#include "unit/atom/matrix_8x8.hpp"

using namespace cosmati;

namespace {

template <int matrices>
void expect_layouts() {
  expect_rows(typename detail::matrix_rows<matrices>::type{}, matrices);
  expect_registers(typename detail::matrix_registers<matrices, false>::type{}, matrices, false);
  expect_registers(typename detail::matrix_registers<matrices, true>::type{}, matrices, true);
}
TEST(Matrix8x8, EveryLaneAndBit) {
  expect_layouts<1>();
  expect_layouts<2>();
  expect_layouts<4>();
}

}  // namespace
