// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions (wgmma), their groups and waits.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/wgmma.hpp>
#include <cosmati/atom/mma_sm90_gmma.hpp>
#include <cute/arch/config.hpp>

#include <cosmati/core/macros_begin.hpp>

namespace COSMATI_NAMESPACE::SM90 {
namespace GMMA = COSMATI_NAMESPACE::GMMA;
}  // namespace COSMATI_NAMESPACE::SM90

/// The names of CuTe's classes, `SM90::GMMA::MMA_64x128x16_F32F16F16_SS`: other names of the same instructions.
namespace COSMATI_NAMESPACE::GMMA {
#define COSMATI_GMMA_OWN_NAMES
#include <cosmati/atom/macros_gmma_begin.hpp>
// clang-format off
COSMATI_GMMA_FLOATS_(8) COSMATI_GMMA_INTEGERS_(8)
COSMATI_GMMA_FLOATS_(16) COSMATI_GMMA_INTEGERS_(16)
COSMATI_GMMA_FLOATS_(32) COSMATI_GMMA_INTEGERS_(32)
COSMATI_GMMA_FLOATS_(64) COSMATI_GMMA_INTEGERS_(64)
COSMATI_GMMA_FLOATS_(96) COSMATI_GMMA_INTEGERS_(96)
COSMATI_GMMA_FLOATS_(128) COSMATI_GMMA_INTEGERS_(128)
COSMATI_GMMA_FLOATS_(192) COSMATI_GMMA_INTEGERS_(192)
COSMATI_GMMA_FLOATS_(256) COSMATI_GMMA_INTEGERS_(256)
// clang-format on
#include <cosmati/atom/macros_gmma_end.hpp>
#undef COSMATI_GMMA_OWN_NAMES
}  // namespace COSMATI_NAMESPACE::GMMA

#include <cosmati/core/macros_end.hpp>

// CuTe's macro for the programs that use every N.
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/arch/mma_sm90_gmma_ext.hpp>
#endif
