// SPDX-License-Identifier: Apache-2.0
/// @file
/// The matrix instructions of sm_90 that a warp computes, and the selectors of those of a warpgroup, which have their
/// place in <cute/arch/mma_sm90_gmma.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_complex.hpp>
#include <cosmati/atom/mma_sm90.hpp>
#include <cosmati/atom/wgmma_selector.hpp>
#include <cute/arch/config.hpp>
#include <cute/arch/mma.hpp>
#include <cute/arch/mma_sm90_desc.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/arch/mma_sm90_gmma_sparse.hpp>
#include <cute/layout.hpp>
#include <cute/numeric/numeric_types.hpp>

namespace COSMATI_NAMESPACE::SM90 {
/// @name The names of CuTe's classes for the products of doubles
/// @{
using MMA_16x8x4_F64F64F64F64_TN = SM90_16x8x4_F64F64F64F64_TN;
using MMA_16x8x8_F64F64F64F64_TN = SM90_16x8x8_F64F64F64F64_TN;
using MMA_16x8x16_F64F64F64F64_TN = SM90_16x8x16_F64F64F64F64_TN;
using MMA_16x8x4_C64C64C64C64_TN = SM90_16x8x4_C64C64C64C64_TN;
using MMA_16x8x8_C64C64C64C64_TN = SM90_16x8x8_C64C64C64C64_TN;
using MMA_16x8x16_C64C64C64C64_TN = SM90_16x8x16_C64C64C64C64_TN;
/// @}
}  // namespace COSMATI_NAMESPACE::SM90
