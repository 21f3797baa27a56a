// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions (wgmma), their groups and waits.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/wgmma.hpp>
#include <cosmati/atom/mma_sm90_gmma.hpp>
#include <cute/arch/config.hpp>

namespace COSMATI_NAMESPACE::SM90 {
namespace GMMA = COSMATI_NAMESPACE::GMMA;
}  // namespace COSMATI_NAMESPACE::SM90

// CuTe's macro for the programs that use every N.
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/arch/mma_sm90_gmma_ext.hpp>
#endif
