// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions (wgmma) of the N that <cute/arch/mma_sm90_gmma.hpp> leaves out.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/mma_sm90_gmma_ext.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
