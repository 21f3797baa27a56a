// SPDX-License-Identifier: Apache-2.0
/// @file
/// Matrix products: every matrix instruction, tiled MMAs, gemm. This header is opt-in: cosmati/cosmati.hpp does not
/// include it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

// IWYU pragma: begin_exports
#include <cosmati/algorithm/cooperative_gemm.hpp>
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_atom.hpp>
#include <cosmati/atom/mma_complex.hpp>
#include <cosmati/atom/mma_sm61.hpp>
#include <cosmati/atom/mma_sm70.hpp>
#include <cosmati/atom/mma_sm75.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/atom/mma_sm89.hpp>
#include <cosmati/atom/mma_sm90.hpp>
#include <cosmati/tiled/mma_copy.hpp>
#include <cosmati/tiled/mma_print.hpp>
#include <cosmati/tiled/tiled_mma.hpp>
// IWYU pragma: end_exports

#include <cosmati/core/macros_end.hpp>
