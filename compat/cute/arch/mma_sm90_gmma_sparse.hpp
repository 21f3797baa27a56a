// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sparse warpgroup matrix instructions (wgmma.sp), in `SM90::GMMA::SPARSE`. A program that uses one includes this
/// header.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/mma_sm90_gmma_sparse.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>

// CuTe's macro for the programs that use every N.
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/arch/mma_sm90_gmma_sparse_ext.hpp>
#endif
