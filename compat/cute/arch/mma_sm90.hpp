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
