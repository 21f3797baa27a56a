// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's pools of memory on the simulated device. A pool counts its bytes; each allocation is new, so that a use after
/// its end is found.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/memory.hpp>
#include <cstddef>

struct CUmemPoolHandle_st;
using cudaMemPool_t = CUmemPoolHandle_st*;

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8
};
enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeManaged = 2,
  cudaMemAllocationTypeMax = 0x7fffffff
};
enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0,
  cudaMemHandleTypePosixFileDescriptor = 1,
  cudaMemHandleTypeWin32 = 2,
  cudaMemHandleTypeWin32Kmt = 4,
  cudaMemHandleTypeFabric = 8
};
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetDefaultMemPool, (cudaMemPool_t * out, int device));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetMemPool, (cudaMemPool_t * out, int device));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceSetMemPool, (int device, cudaMemPool_t pool));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolCreate, (cudaMemPool_t * out, cudaMemPoolProps const* properties));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolDestroy, (cudaMemPool_t pool));
/// @param value a `cuuint64_t`, or an `int` for the three attributes of reuse
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolSetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolGetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolTrimTo, (cudaMemPool_t pool, std::size_t bytes));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolSetAccess,
                  (cudaMemPool_t pool, cudaMemAccessDesc const* access, std::size_t count));
COSMATI_CUDA_API_(cudaError_t, cudaMemPoolGetAccess,
                  (cudaMemAccessFlags * flags, cudaMemPool_t pool, cudaMemLocation* location));
COSMATI_CUDA_API_(cudaError_t, cudaMallocFromPoolAsync,
                  (void** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream));
template <class Pointer>
cudaError_t cudaMallocFromPoolAsync(Pointer** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(cosmati_cuda::untyped(out), bytes, pool, stream);
}
template <class Pointer>
cudaError_t cudaMallocAsync(Pointer** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(cosmati_cuda::untyped(out), bytes, pool, stream);
}

// Other processes cannot reach the simulated device.
struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
};
inline cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*) { return cudaErrorNotSupported; }
inline cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, cudaMemPoolPtrExportData*) {
  return cudaErrorNotSupported;
}

#endif

#include <cosmati/core/macros_end.hpp>
