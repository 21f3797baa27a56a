// SPDX-License-Identifier: Apache-2.0
// Products of complex matrices: types and extents of the names, and the number that Gauss's three sums stand for.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_complex.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaComplex, RowsAreWhatTheNamesSay) {
  EXPECT_WHAT_THE_NAME_SAYS(SM80_8x8x4_C64C64C64C64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_8x8x4_GC64C64C64GC64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x4_C64C64C64C64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x8_C64C64C64C64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x16_C64C64C64C64_TN);
}

// As many registers as the real instruction, each of a complex number; the layouts are the real one's.
using four = SM90_16x8x8_C64C64C64C64_TN;
static_assert(std::extent_v<four::ARegisters> == 4 && std::extent_v<four::BRegisters> == 2);
static_assert(std::is_same_v<MMA_Traits<four>::ALayout, MMA_Traits<SM90_16x8x8_F64F64F64F64_TN>::ALayout>);
static_assert(std::is_same_v<std::remove_extent_t<SM80_8x8x4_GC64C64C64GC64_TN::DRegisters>, gauss_complex>);

// (a + bi)(c + di) has the real part t0 - t1 and the imaginary part t0 + t2.
TEST(MmaComplex, GausssSumsAreTheComplexNumber) {
  double const a = 3, b = -5, c = 7, d = 11;
  gauss_complex const sums{a * c, b * d, a * d + b * c - a * c};
  complex<double> const product = sums;
  EXPECT_EQ(product.real(), a * c - b * d);
  EXPECT_EQ(product.imag(), a * d + b * c);
}

}  // namespace
