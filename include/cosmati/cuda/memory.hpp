// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's allocations and copies on the simulated device. A copy out of bounds, from freed memory, or in the wrong
/// direction is a hazard with the line of the call, and an error code.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cstddef>

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

#define cudaHostAllocDefault 0u
#define cudaHostAllocPortable 1u
#define cudaHostAllocMapped 2u
#define cudaHostAllocWriteCombined 4u
#define cudaHostRegisterDefault 0u
#define cudaHostRegisterPortable 1u
#define cudaHostRegisterMapped 2u
#define cudaHostRegisterIoMemory 4u
#define cudaHostRegisterReadOnly 8u
#define cudaMemAttachGlobal 1u
#define cudaMemAttachHost 2u
#define cudaMemAttachSingle 4u

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};
/// A device or the host.
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

// Memory of the device is poison until something writes it. The host may access memory of the host and managed memory.
COSMATI_CUDA_API_(cudaError_t, cudaMalloc, (void** out, std::size_t bytes));
COSMATI_CUDA_API_(cudaError_t, cudaMallocPitch,
                  (void** out, std::size_t* pitch, std::size_t width, std::size_t height));
COSMATI_CUDA_API_(cudaError_t, cudaMallocHost, (void** out, std::size_t bytes));
COSMATI_CUDA_API_(cudaError_t, cudaFree, (void* pointer));
COSMATI_CUDA_API_(cudaError_t, cudaFreeHost, (void* pointer));
COSMATI_CUDA_API_(cudaError_t, cudaFreeAsync, (void* pointer, cudaStream_t stream));
namespace cosmati_cuda {
COSMATI_CUDA_API_(cudaError_t, allocate_managed, (void** out, std::size_t bytes));
COSMATI_CUDA_API_(cudaError_t, allocate_async, (void** out, std::size_t bytes, cudaStream_t stream));
extern "C" {
/// Counts what this host thread does for the device, as an algorithm of Thrust does: while the count is above zero, its
/// accesses to device memory are the device's, and only their bounds are checked. @param change added to the count
void cosmati_sim_device_work(int change);
/// Whether the host thread that calls may not access what a pointer points to, because it is memory of the device.
int cosmati_sim_is_device_memory(void const* pointer);
}
}  // namespace cosmati_cuda
namespace cosmati_cuda {
/// The place of a pointer of any type, which may be one to constants.
template <class Pointer>
void** untyped(Pointer** out) {
  return const_cast<void**>(reinterpret_cast<void const* const*>(out));
}
}  // namespace cosmati_cuda
template <class Pointer>
cudaError_t cudaMalloc(Pointer** out, std::size_t bytes) {
  return cudaMalloc(cosmati_cuda::untyped(out), bytes);
}
template <class Pointer>
cudaError_t cudaMallocPitch(Pointer** out, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(cosmati_cuda::untyped(out), pitch, width, height);
}
template <class Pointer>
cudaError_t cudaMallocHost(Pointer** out, std::size_t bytes, unsigned = 0) {
  return cudaMallocHost(cosmati_cuda::untyped(out), bytes);
}
template <class Pointer>
cudaError_t cudaHostAlloc(Pointer** out, std::size_t bytes, unsigned) {
  return cudaMallocHost(cosmati_cuda::untyped(out), bytes);
}
template <class Pointer>
cudaError_t cudaMallocManaged(Pointer** out, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
  return cosmati_cuda::allocate_managed(cosmati_cuda::untyped(out), bytes);
}
template <class Pointer>
cudaError_t cudaMallocAsync(Pointer** out, std::size_t bytes, cudaStream_t stream) {
  return cosmati_cuda::allocate_async(cosmati_cuda::untyped(out), bytes, stream);
}
/// The address for kernels of memory from cudaHostAlloc, which is the host's.
COSMATI_CUDA_API_(cudaError_t, cudaHostGetDevicePointer, (void** out, void* host, unsigned flags));
template <class Pointer>
cudaError_t cudaHostGetDevicePointer(Pointer** out, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(cosmati_cuda::untyped(out), host, flags);
}
COSMATI_CUDA_API_(cudaError_t, cudaHostGetFlags, (unsigned* flags, void* host));
/// Registers memory of the host: copies from it and to it are asynchronous then. Kernels cannot access it here.
COSMATI_CUDA_API_(cudaError_t, cudaHostRegister, (void* memory, std::size_t bytes, unsigned flags));
COSMATI_CUDA_API_(cudaError_t, cudaHostUnregister, (void* memory));
COSMATI_CUDA_API_(cudaError_t, cudaMemGetInfo, (std::size_t * free_bytes, std::size_t* all_bytes));
COSMATI_CUDA_API_(cudaError_t, cudaPointerGetAttributes, (cudaPointerAttributes * out, void const* pointer));

COSMATI_CUDA_API_(cudaError_t, cudaMemcpy, (void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpyAsync,
                  (void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2D,
                  (void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaMemcpy2DAsync,
                  (void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                   std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemset, (void* to, int value, std::size_t bytes));
COSMATI_CUDA_API_(cudaError_t, cudaMemsetAsync,
                  (void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr));
COSMATI_CUDA_API_(cudaError_t, cudaMemset2D,
                  (void* to, std::size_t pitch, int value, std::size_t width, std::size_t height));
COSMATI_CUDA_API_(cudaError_t, cudaMemset2DAsync,
                  (void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                   cudaStream_t stream = nullptr));
inline cudaError_t cudaMemcpyPeer(void* to, int, void const* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, void const* from, int, std::size_t bytes,
                                       cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

// A variable of the device is a variable of the program here.
namespace cosmati_cuda {
COSMATI_CUDA_API_(cudaError_t, copy_symbol,
                  (void* symbol, std::size_t symbol_bytes, void* host, std::size_t bytes, std::size_t offset,
                   cudaMemcpyKind kind, int to_symbol));
COSMATI_CUDA_API_(cudaError_t, copy_symbol_async,
                  (void* symbol, std::size_t symbol_bytes, void* host, std::size_t bytes, std::size_t offset,
                   cudaMemcpyKind kind, int to_symbol, cudaStream_t stream));
template <class T>
void* address_of_symbol(T const& symbol) {
  return const_cast<void*>(static_cast<void const volatile*>(__builtin_addressof(symbol)));
}
}  // namespace cosmati_cuda
template <class T>
cudaError_t cudaMemcpyToSymbol(T const& symbol, void const* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cosmati_cuda::copy_symbol(cosmati_cuda::address_of_symbol(symbol), sizeof(T), const_cast<void*>(from), bytes,
                                   offset, kind, 1);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, T const& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cosmati_cuda::copy_symbol(cosmati_cuda::address_of_symbol(symbol), sizeof(T), to, bytes, offset, kind, 0);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T const& symbol, void const* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  return cosmati_cuda::copy_symbol_async(cosmati_cuda::address_of_symbol(symbol), sizeof(T), const_cast<void*>(from),
                                         bytes, offset, kind, 1, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, T const& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  return cosmati_cuda::copy_symbol_async(cosmati_cuda::address_of_symbol(symbol), sizeof(T), to, bytes, offset, kind, 0,
                                         stream);
}
template <class Pointer, class T>
cudaError_t cudaGetSymbolAddress(Pointer** out, T const& symbol) {
  *out = static_cast<Pointer*>(cosmati_cuda::address_of_symbol(symbol));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, T const&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

// Hints, which the simulated device needs not.
template <class Pointer>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, Pointer*, std::size_t = 0, unsigned = cudaMemAttachSingle) {
  return cudaSuccess;
}
/// Whether the range is managed memory. @return CUDA's error otherwise
COSMATI_CUDA_API_(cudaError_t, cosmati_managed_hint, (void const* pointer, std::size_t bytes));
inline cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, int, cudaStream_t = nullptr) {
  return cosmati_managed_hint(pointer, bytes);
}
inline cudaError_t cudaMemPrefetchAsync(void const* pointer, std::size_t bytes, cudaMemLocation, unsigned,
                                        cudaStream_t = nullptr) {
  return cosmati_managed_hint(pointer, bytes);
}
inline cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes, cudaMemoryAdvise, int) {
  return cosmati_managed_hint(pointer, bytes);
}
inline cudaError_t cudaMemAdvise(void const* pointer, std::size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  return cosmati_managed_hint(pointer, bytes);
}

#endif

#include <cosmati/core/macros_end.hpp>
