// SPDX-License-Identifier: Apache-2.0
// CUDA's description of the device and of kernels.
#include <algorithm>
#include <cosmati/cuda/function.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdio>
#include <map>
#include <mutex>

#include "cuda_state.hpp"

namespace cosmati_sim {
namespace {

constexpr int kilobyte = 1024;

std::mutex attributes_mutex;
std::map<void const*, int>& most_shared_bytes() {
  static auto* const all = new std::map<void const*, int>;
  return *all;
}
std::map<cudaLimit, std::size_t>& limits() {
  static auto* const all = new std::map<cudaLimit, std::size_t>{
      {cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 1 << 20}, {cudaLimitMallocHeapSize, 8 << 20}};
  return *all;
}

/// A card of compute capability 9.0 with 132 multiprocessors.
cudaDeviceProp make_properties() {
  cudaDeviceProp p = {};
  std::snprintf(p.name, sizeof p.name, "Simulated device");
  p.totalGlobalMem = std::size_t{80} << 30;
  p.sharedMemPerBlock = 48 * kilobyte;
  p.sharedMemPerBlockOptin = 227 * kilobyte;
  p.sharedMemPerMultiprocessor = 228 * kilobyte;
  p.reservedSharedMemPerBlock = kilobyte;
  p.totalConstMem = 64 * kilobyte;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.major = 9;
  p.multiProcessorCount = 132;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = p.deviceOverlap = 1;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.concurrentManagedAccess = p.computePreemptionSupported = p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = p.clusterLaunch = p.unifiedFunctionPointers = 1;
  p.asyncEngineCount = 3;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 << 20;
  p.clockRate = 1980000;
  p.memoryClockRate = 2619000;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

}  // namespace

cudaDeviceProp const& cuda_properties() {
  static cudaDeviceProp const p = make_properties();
  return p;
}

std::size_t cuda_most_shared_bytes(void const* kernel) {
  std::lock_guard const lock(attributes_mutex);
  auto const found = most_shared_bytes().find(kernel);
  std::size_t const given = found != most_shared_bytes().end() ? static_cast<std::size_t>(found->second) : 0;
  return std::max(given, cuda_properties().sharedMemPerBlock);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaSetDevice(int device) { return cuda_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  *out = cuda_properties();
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  cudaDeviceProp const& p = cuda_properties();
  switch (attribute) {
#define COSMATI_CASE(name, number, member) \
  case cudaDevAttr##name:                  \
    *value = static_cast<int>(p.member);   \
    return cuda_result(cudaSuccess);
    COSMATI_CUDA_ATTRIBUTES_(COSMATI_CASE)
#undef COSMATI_CASE
  }
  return cuda_result(cudaErrorInvalidValue);
}
cudaError_t cudaDeviceSynchronize() {
  cosmati_sim_host_waits(2, nullptr);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceReset() {
  cosmati_sim_host_waits(2, nullptr);
  cuda_reset_errors();
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  std::lock_guard const lock(attributes_mutex);
  limits()[limit] = value;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  std::lock_guard const lock(attributes_mutex);
  *value = limits()[limit];
  return cuda_result(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cuda_result(cudaSuccess);
  if (value < 0 || static_cast<std::size_t>(value) > cuda_properties().sharedMemPerBlockOptin)
    return cuda_result(cudaErrorInvalidValue);
  std::lock_guard const lock(attributes_mutex);
  most_shared_bytes()[kernel] = value;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, void const* kernel) {
  *out = {};
  out->maxThreadsPerBlock = 1024;
  out->numRegs = 32;
  out->ptxVersion = out->binaryVersion = 90;
  out->maxDynamicSharedSizeBytes = static_cast<int>(cuda_most_shared_bytes(kernel));
  return cuda_result(cudaSuccess);
}

cudaError_t cosmati_cuda::occupancy(int* blocks, int threads, std::size_t shared_bytes) {
  cudaDeviceProp const& p = cuda_properties();
  if (blocks == nullptr || threads <= 0) return cuda_result(cudaErrorInvalidValue);
  *blocks = 0;
  if (threads > p.maxThreadsPerBlock || shared_bytes > p.sharedMemPerBlockOptin) return cuda_result(cudaSuccess);
  int const whole_warps = (threads + p.warpSize - 1) / p.warpSize * p.warpSize;
  auto const by_memory = static_cast<int>(p.sharedMemPerMultiprocessor / (shared_bytes + p.reservedSharedMemPerBlock));
  *blocks = std::min({p.maxBlocksPerMultiProcessor, p.maxThreadsPerMultiProcessor / whole_warps, by_memory});
  return cuda_result(cudaSuccess);
}
