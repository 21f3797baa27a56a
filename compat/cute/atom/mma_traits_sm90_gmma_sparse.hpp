// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of sparse warpgroup matrix instructions: types, shapes, and who holds which elements and metadata.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/wgmma_sparse_traits.hpp>
#include <cute/arch/mma_sm90_gmma_sparse.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
