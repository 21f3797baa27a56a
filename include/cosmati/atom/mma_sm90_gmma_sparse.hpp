// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sparse warpgroup matrix instructions (`wgmma.mma_async.sp`) by CuTe's names:
/// `SM90::GMMA::SPARSE::GMMA_64x128x32_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>` there, in the namespace
/// `GMMA::SPARSE` here. `SS` takes A and B from shared memory, `RS` A from registers.
///
/// N is 8, 16, 32, 64, 96, 128, 192 or 256. `mma_sm90_gmma_sparse_ext.hpp` has the other N.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_sparse_instruction.hpp>

namespace COSMATI_NAMESPACE::GMMA::SPARSE {

#include <cosmati/atom/macros_gmma_sparse_begin.hpp>
// clang-format off
COSMATI_GMMA_SPARSE_FLOATS_(8)
COSMATI_GMMA_SPARSE_FLOATS_(16)
COSMATI_GMMA_SPARSE_FLOATS_(32)
COSMATI_GMMA_SPARSE_FLOATS_(64)
COSMATI_GMMA_SPARSE_FLOATS_(96)
COSMATI_GMMA_SPARSE_FLOATS_(128)
COSMATI_GMMA_SPARSE_FLOATS_(192)
COSMATI_GMMA_SPARSE_FLOATS_(256)

COSMATI_GMMA_SPARSE_INTEGERS_(8)
COSMATI_GMMA_SPARSE_INTEGERS_(16)
COSMATI_GMMA_SPARSE_INTEGERS_(32)
COSMATI_GMMA_SPARSE_INTEGERS_(64)
COSMATI_GMMA_SPARSE_INTEGERS_(96)
COSMATI_GMMA_SPARSE_INTEGERS_(128)
COSMATI_GMMA_SPARSE_INTEGERS_(192)
COSMATI_GMMA_SPARSE_INTEGERS_(256)
// clang-format on
#include <cosmati/atom/macros_gmma_sparse_end.hpp>

}  // namespace COSMATI_NAMESPACE::GMMA::SPARSE

#include <cosmati/core/macros_end.hpp>
