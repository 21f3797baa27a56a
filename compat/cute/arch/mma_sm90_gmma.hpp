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
