// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's streams and events on the simulated device, which finishes each launch inside the call. It reports kernels of
/// two streams that access the same memory without an event or a wait in between.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error.hpp>

struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);
using cudaHostFn_t = void (*)(void* data);

#define cudaStreamDefault 0u
#define cudaStreamNonBlocking 1u
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))
// Of a kernel that launches kernels: all children run behind it, and those of the first kind behind the others.
#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(3))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(4))
#define cudaEventDefault 0u
#define cudaEventBlockingSync 1u
#define cudaEventDisableTiming 2u
#define cudaEventInterprocess 4u

COSMATI_CUDA_API_(cudaError_t, cudaStreamCreate, (cudaStream_t * out));
COSMATI_CUDA_API_(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags));
COSMATI_CUDA_API_(cudaError_t, cudaStreamCreateWithPriority, (cudaStream_t * out, unsigned flags, int priority));
COSMATI_CUDA_API_(cudaError_t, cudaStreamDestroy, (cudaStream_t stream));
COSMATI_CUDA_API_(cudaError_t, cudaStreamSynchronize, (cudaStream_t stream));
COSMATI_CUDA_API_(cudaError_t, cudaStreamQuery, (cudaStream_t stream));
COSMATI_CUDA_API_(cudaError_t, cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags = 0));
COSMATI_CUDA_API_(cudaError_t, cudaStreamGetFlags, (cudaStream_t stream, unsigned* flags));
COSMATI_CUDA_API_(cudaError_t, cudaStreamGetPriority, (cudaStream_t stream, int* priority));
COSMATI_CUDA_API_(cudaError_t, cudaStreamAddCallback,
                  (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags));
COSMATI_CUDA_API_(cudaError_t, cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data));
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

COSMATI_CUDA_API_(cudaError_t, cudaEventCreate, (cudaEvent_t * out));
COSMATI_CUDA_API_(cudaError_t, cudaEventCreateWithFlags, (cudaEvent_t * out, unsigned flags));
inline cudaError_t cudaEventCreate(cudaEvent_t* out, unsigned flags) { return cudaEventCreateWithFlags(out, flags); }
COSMATI_CUDA_API_(cudaError_t, cudaEventDestroy, (cudaEvent_t event));
COSMATI_CUDA_API_(cudaError_t, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream = nullptr));
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0) {
  return cudaEventRecord(event, stream);
}
COSMATI_CUDA_API_(cudaError_t, cudaEventSynchronize, (cudaEvent_t event));
COSMATI_CUDA_API_(cudaError_t, cudaEventQuery, (cudaEvent_t event));
/// The host's time between two events, at least 1 us. It says nothing of a GPU.
COSMATI_CUDA_API_(cudaError_t, cudaEventElapsedTime, (float* milliseconds, cudaEvent_t start, cudaEvent_t end));

#endif

#include <cosmati/core/macros_end.hpp>
