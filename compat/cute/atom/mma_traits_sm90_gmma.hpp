// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions as atoms, with descriptors made from layouts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/wgmma_traits.hpp>
#include <cosmati/tiled/tiled_mma.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/tensor_impl.hpp>
