// SPDX-License-Identifier: Apache-2.0
/// @file
/// The part of CUDA's driver interface that programs use beside the runtime, on the simulated device: devices,
/// contexts, memory, streams, descriptors of tensors. Modules are absent.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/driver_types.hpp>
#include <cosmati/cuda/error.hpp>
#include <cstddef>

COSMATI_CUDA_API_(CUresult, cuInit, (unsigned flags));
COSMATI_CUDA_API_(CUresult, cuDriverGetVersion, (int* version));
COSMATI_CUDA_API_(CUresult, cuDeviceGet, (CUdevice * device, int number));
COSMATI_CUDA_API_(CUresult, cuDeviceGetCount, (int* count));
COSMATI_CUDA_API_(CUresult, cuDeviceGetName, (char* name, int bytes, CUdevice device));
COSMATI_CUDA_API_(CUresult, cuDeviceTotalMem, (std::size_t * bytes, CUdevice device));
COSMATI_CUDA_API_(CUresult, cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device));
COSMATI_CUDA_API_(CUresult, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device));
COSMATI_CUDA_API_(CUresult, cuDevicePrimaryCtxRelease, (CUdevice device));
COSMATI_CUDA_API_(CUresult, cuCtxCreate, (CUcontext * context, unsigned flags, CUdevice device));
COSMATI_CUDA_API_(CUresult, cuCtxDestroy, (CUcontext context));
COSMATI_CUDA_API_(CUresult, cuCtxGetCurrent, (CUcontext * context));
COSMATI_CUDA_API_(CUresult, cuCtxSetCurrent, (CUcontext context));
COSMATI_CUDA_API_(CUresult, cuCtxPushCurrent, (CUcontext context));
COSMATI_CUDA_API_(CUresult, cuCtxPopCurrent, (CUcontext * context));
COSMATI_CUDA_API_(CUresult, cuCtxGetDevice, (CUdevice * device));
COSMATI_CUDA_API_(CUresult, cuCtxSynchronize, (void));
COSMATI_CUDA_API_(CUresult, cuMemAlloc, (CUdeviceptr * out, std::size_t bytes));
COSMATI_CUDA_API_(CUresult, cuMemFree, (CUdeviceptr pointer));
COSMATI_CUDA_API_(CUresult, cuMemGetInfo, (std::size_t * free_bytes, std::size_t* all_bytes));
COSMATI_CUDA_API_(CUresult, cuMemcpyHtoD, (CUdeviceptr to, void const* from, std::size_t bytes));
COSMATI_CUDA_API_(CUresult, cuMemcpyDtoH, (void* to, CUdeviceptr from, std::size_t bytes));
COSMATI_CUDA_API_(CUresult, cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes));
COSMATI_CUDA_API_(CUresult, cuMemcpyHtoDAsync, (CUdeviceptr to, void const* from, std::size_t bytes, CUstream stream));
COSMATI_CUDA_API_(CUresult, cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream));
COSMATI_CUDA_API_(CUresult, cuMemsetD8, (CUdeviceptr to, unsigned char value, std::size_t count));
COSMATI_CUDA_API_(CUresult, cuMemsetD32, (CUdeviceptr to, unsigned value, std::size_t count));
COSMATI_CUDA_API_(CUresult, cuStreamCreate, (CUstream * out, unsigned flags));
COSMATI_CUDA_API_(CUresult, cuStreamDestroy, (CUstream stream));
COSMATI_CUDA_API_(CUresult, cuStreamSynchronize, (CUstream stream));
COSMATI_CUDA_API_(CUresult, cuEventCreate, (CUevent * out, unsigned flags));
COSMATI_CUDA_API_(CUresult, cuEventDestroy, (CUevent event));
COSMATI_CUDA_API_(CUresult, cuEventRecord, (CUevent event, CUstream stream));
COSMATI_CUDA_API_(CUresult, cuEventSynchronize, (CUevent event));
COSMATI_CUDA_API_(CUresult, cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end));
COSMATI_CUDA_API_(CUresult, cuGetErrorString, (CUresult error, char const** text));
COSMATI_CUDA_API_(CUresult, cuGetErrorName, (CUresult error, char const** text));
/// Makes the descriptor of a tensor. What no descriptor can say is a hazard with its rule, and
/// CUDA_ERROR_INVALID_VALUE.
/// @param extents in elements; @param strides of all modes but the first, in bytes
COSMATI_CUDA_API_(CUresult, cuTensorMapEncodeTiled,
                  (CUtensorMap * out, CUtensorMapDataType type, cuuint32_t rank, void* data, cuuint64_t const* extents,
                   cuuint64_t const* strides, cuuint32_t const* box, cuuint32_t const* steps,
                   CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                   CUtensorMapFloatOOBfill fill));
/// Makes the descriptor of a batch of images for copies of the mode im2col. @param lower, upper the corners of the box
/// of pixels, width first
COSMATI_CUDA_API_(CUresult, cuTensorMapEncodeIm2col,
                  (CUtensorMap * out, CUtensorMapDataType type, cuuint32_t rank, void* data, cuuint64_t const* extents,
                   cuuint64_t const* strides, int const* lower, int const* upper, cuuint32_t channels,
                   cuuint32_t pixels, cuuint32_t const* steps, CUtensorMapInterleave interleave,
                   CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill));
inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}

#endif

#include <cosmati/core/macros_end.hpp>
