// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's allocations, copies and fills of boxes on the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/memory.hpp>
#include <cstddef>

struct cudaArray;
using cudaArray_t = cudaArray*;
using cudaArray_const_t = cudaArray const*;

/// Rows of memory: `pitch` is the distance of two rows in bytes, `ysize` the rows of a slice.
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
/// The width is in bytes.
struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPos {
  std::size_t x, y, z;
};
/// A copy of a box. Each side is an array or memory. The extent and positions in arrays are in elements of the array,
/// and positions in memory in bytes; so is the extent's width if both sides are memory.
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

constexpr cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t x, std::size_t y) {
  return {pointer, pitch, x, y};
}
constexpr cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}
constexpr cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

COSMATI_CUDA_API_(cudaError_t, cudaMalloc3D, (cudaPitchedPtr * out, cudaExtent extent));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy3D, (cudaMemcpy3DParms const* copy));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy3DAsync, (cudaMemcpy3DParms const* copy, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemset3D, (cudaPitchedPtr to, int value, cudaExtent extent));
COSMATI_CUDA_API_(cudaError_t, cudaMemset3DAsync,
                  (cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = nullptr));

#endif

#include <cosmati/core/macros_end.hpp>
