// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions (wgmma, sm_90a) as MMA atoms, with tiled MMAs and gemm. Opt-in: neither
/// cosmati/cosmati.hpp nor cosmati/mma.hpp includes it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

// IWYU pragma: begin_exports
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/arch/wgmma_traits.hpp>
#include <cosmati/atom/mma_sm90_gmma.hpp>
#include <cosmati/atom/mma_sm90_gmma_ext.hpp>
#include <cosmati/atom/wgmma_selector.hpp>
#include <cosmati/tiled/tiled_mma.hpp>
// IWYU pragma: end_exports

#include <cosmati/core/macros_end.hpp>
