// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which thread speaks, where one is enough: `if (thread0()) print(layout);`
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE {

/// Whether the calling thread is in the first block of the grid. Only in kernels.
__device__ inline bool block0() { return (blockIdx.x | blockIdx.y | blockIdx.z) == 0; }
/// Whether the calling thread is the first of the first block. Only in kernels.
__device__ inline bool thread0() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0 && block0(); }

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
