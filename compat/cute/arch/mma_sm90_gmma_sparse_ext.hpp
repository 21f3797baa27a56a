// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sparse warpgroup matrix instructions (wgmma.sp) of the N that <cute/arch/mma_sm90_gmma_sparse.hpp> leaves out.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/mma_sm90_gmma_sparse_ext.hpp>
#include <cute/arch/mma_sm90_gmma_sparse.hpp>
