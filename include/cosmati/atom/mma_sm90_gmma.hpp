// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions (`wgmma`) by CuTe's names: `SM90_64x128x16_F32BF16BF16_SS<GMMA::Major::K,
/// GMMA::Major::K>`, and so on. `SS` takes A and B from shared memory, `RS` A from registers.
///
/// N is 8, 16, 32, 64, 96, 128, 192 or 256 here. `mma_sm90_gmma_ext.hpp` has the other N, as in CuTe. The names of all
/// N together cost nvcc more than half of the time of an empty kernel.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_instruction.hpp>

namespace COSMATI_NAMESPACE {

#include <cosmati/atom/macros_gmma_begin.hpp>
// clang-format off
COSMATI_GMMA_FLOATS_(8)
COSMATI_GMMA_FLOATS_(16)
COSMATI_GMMA_FLOATS_(32)
COSMATI_GMMA_FLOATS_(64)
COSMATI_GMMA_FLOATS_(96)
COSMATI_GMMA_FLOATS_(128)
COSMATI_GMMA_FLOATS_(192)
COSMATI_GMMA_FLOATS_(256)

COSMATI_GMMA_INTEGERS_(8)
COSMATI_GMMA_INTEGERS_(16)
COSMATI_GMMA_INTEGERS_(32)
COSMATI_GMMA_INTEGERS_(64)
COSMATI_GMMA_INTEGERS_(96)
COSMATI_GMMA_INTEGERS_(128)
COSMATI_GMMA_INTEGERS_(192)
COSMATI_GMMA_INTEGERS_(256)
// clang-format on
#include <cosmati/atom/macros_gmma_end.hpp>

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
