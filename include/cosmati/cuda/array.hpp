// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's arrays, and the objects of textures and surfaces, on the simulated device: the host's functions.
///
/// The memory of an array is as long as its elements, row by row. Kernels reach it through texture and surface
/// functions only. A copy beyond an array, and an object of a wrong description, is a hazard with the line of the call,
/// and CUDA's error code.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/texture_types.hpp>
#include <cstddef>

/// Allocates an array of `width` elements, or of `height` rows of them. @param flags of cudaArrayDefault and its kin
COSMATI_CUDA_API_(cudaError_t, cudaMallocArray,
                  (cudaArray_t * out, cudaChannelFormatDesc const* format, std::size_t width, std::size_t height = 0,
                   unsigned flags = 0));
/// Allocates an array of `extent` elements. With cudaArrayLayered the depth is the number of layers, with
/// cudaArrayCubemap it is 6, or 6 for each layer.
COSMATI_CUDA_API_(cudaError_t, cudaMalloc3DArray,
                  (cudaArray_t * out, cudaChannelFormatDesc const* format, cudaExtent extent, unsigned flags = 0));
COSMATI_CUDA_API_(cudaError_t, cudaFreeArray, (cudaArray_t array));
/// Allocates an array with levels, each of half the extents of the one before. @param levels at most as many as lead to
/// one element
COSMATI_CUDA_API_(cudaError_t, cudaMallocMipmappedArray,
                  (cudaMipmappedArray_t * out, cudaChannelFormatDesc const* format, cudaExtent extent, unsigned levels,
                   unsigned flags = 0));
/// Gives an array that is freed with the others.
COSMATI_CUDA_API_(cudaError_t, cudaGetMipmappedArrayLevel,
                  (cudaArray_t * out, cudaMipmappedArray_const_t array, unsigned level));
COSMATI_CUDA_API_(cudaError_t, cudaFreeMipmappedArray, (cudaMipmappedArray_t array));
/// Each of the results may be null.
COSMATI_CUDA_API_(cudaError_t, cudaArrayGetInfo,
                  (cudaChannelFormatDesc * format, cudaExtent* extent, unsigned* flags, cudaArray_t array));
COSMATI_CUDA_API_(cudaError_t, cudaGetChannelDesc, (cudaChannelFormatDesc * format, cudaArray_const_t array));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetTexture1DLinearMaxWidth,
                  (std::size_t * elements, cudaChannelFormatDesc const* format, int device));

/// @name Copies from and to arrays
/// Offsets and widths along x are in bytes, those along y in rows.
/// @{
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DToArray,
                  (cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t pitch, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DToArrayAsync,
                  (cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t pitch, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DFromArray,
                  (void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DFromArrayAsync,
                  (void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DArrayToArray,
                  (cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t x,
                   std::size_t y, std::size_t width, std::size_t height,
                   cudaMemcpyKind kind = cudaMemcpyDeviceToDevice));
// CUDA deprecates these: they copy bytes that follow each other, row after row.
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyToArray,
                  (cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t bytes,
                   cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyToArrayAsync,
                  (cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t bytes,
                   cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyFromArray,
                  (void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                   cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyFromArrayAsync,
                  (void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                   cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyArrayToArray,
                  (cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from, std::size_t x,
                   std::size_t y, std::size_t bytes, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice));
/// @}

/// Makes a texture of an array, or of memory. @param view of an array, or null
COSMATI_CUDA_API_(cudaError_t, cudaCreateTextureObject,
                  (cudaTextureObject_t * out, cudaResourceDesc const* resource, cudaTextureDesc const* how,
                   cudaResourceViewDesc const* view));
COSMATI_CUDA_API_(cudaError_t, cudaDestroyTextureObject, (cudaTextureObject_t object));
COSMATI_CUDA_API_(cudaError_t, cudaGetTextureObjectResourceDesc, (cudaResourceDesc * out, cudaTextureObject_t object));
COSMATI_CUDA_API_(cudaError_t, cudaGetTextureObjectTextureDesc, (cudaTextureDesc * out, cudaTextureObject_t object));
/// All zeros if the texture has no view.
COSMATI_CUDA_API_(cudaError_t, cudaGetTextureObjectResourceViewDesc,
                  (cudaResourceViewDesc * out, cudaTextureObject_t object));
/// Makes a surface of an array that has the flag cudaArraySurfaceLoadStore.
COSMATI_CUDA_API_(cudaError_t, cudaCreateSurfaceObject, (cudaSurfaceObject_t * out, cudaResourceDesc const* resource));
COSMATI_CUDA_API_(cudaError_t, cudaDestroySurfaceObject, (cudaSurfaceObject_t object));
COSMATI_CUDA_API_(cudaError_t, cudaGetSurfaceObjectResourceDesc, (cudaResourceDesc * out, cudaSurfaceObject_t object));

#endif

#include <cosmati/core/macros_end.hpp>
