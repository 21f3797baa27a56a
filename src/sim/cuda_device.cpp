// SPDX-License-Identifier: Apache-2.0
// CUDA's description of the device and of kernels.
#include <algorithm>
#include <cosmati/cuda/cluster_occupancy.hpp>
#include <cosmati/cuda/function.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "cuda_allocations.hpp"
#include "cuda_array.hpp"
#include "cuda_cards.hpp"
#include "cuda_state.hpp"
#include "resident_blocks.hpp"

namespace cosmati_sim {
namespace {

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

}  // namespace

cudaDeviceProp const& cuda_properties() {
  static cudaDeviceProp const p = properties_of_card(std::getenv("COSMATI_DEVICE_MODEL"));
  return p;
}

unsigned resident_blocks(unsigned threads, std::size_t shared_bytes) {
  cudaDeviceProp const& p = cuda_properties();
  if (threads == 0 || threads > static_cast<unsigned>(p.maxThreadsPerBlock) || shared_bytes > p.sharedMemPerBlockOptin)
    return 0;
  auto const warp = static_cast<unsigned>(p.warpSize), whole_warps = (threads + warp - 1) / warp * warp;
  auto const by_memory =
      static_cast<unsigned>(p.sharedMemPerMultiprocessor / (shared_bytes + p.reservedSharedMemPerBlock));
  return std::min({static_cast<unsigned>(p.maxBlocksPerMultiProcessor),
                   static_cast<unsigned>(p.maxThreadsPerMultiProcessor) / whole_warps, by_memory});
}
unsigned resident_blocks_of_card(unsigned threads, std::size_t shared_bytes) {
  return resident_blocks(threads, shared_bytes) * static_cast<unsigned>(cuda_properties().multiProcessorCount);
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
    COSMATI_CUDA_MORE_ATTRIBUTES_(COSMATI_CASE)
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
  free_all_allocations();
  cuda_forget_arrays();
  cuda_reset_errors();
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  if (text == nullptr || bytes < 13) return cuda_result(cudaErrorInvalidValue);
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:01:00.0");
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, char const* text) {
  if (device == nullptr || text == nullptr) return cuda_result(cudaErrorInvalidValue);
  *device = 0;
  return cuda_result(std::strcmp(text, "0000:01:00.0") == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (static_cast<unsigned>(limit) > cudaLimitPersistingL2CacheSize) return cuda_result(cudaErrorUnsupportedLimit);
  std::lock_guard const lock(attributes_mutex);
  limits()[limit] = value;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (static_cast<unsigned>(limit) > cudaLimitPersistingL2CacheSize) return cuda_result(cudaErrorUnsupportedLimit);
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
  out->ptxVersion = out->binaryVersion = 10 * cuda_properties().major + cuda_properties().minor;
  out->maxDynamicSharedSizeBytes = static_cast<int>(cuda_most_shared_bytes(kernel));
  return cuda_result(cudaSuccess);
}

cudaError_t cosmati_cuda::clusters(int* out, cudaLaunchConfig_t const* config) {
  if (out == nullptr || config == nullptr) return cuda_result(cudaErrorInvalidValue);
  cudaDeviceProp const& p = cuda_properties();
  if (p.clusterLaunch == 0) return cuda_result(cudaErrorNotSupported);
  dim3 const cluster = shape_of(*config).cluster;
  int const blocks = static_cast<int>(cluster.x * cluster.y * cluster.z);
  int resident = 0;
  int const threads = static_cast<int>(config->blockDim.x * config->blockDim.y * config->blockDim.z);
  if (cudaError_t const error = occupancy(&resident, threads, config->dynamicSmemBytes)) return error;
  // A cluster lies in one group of 16 multiprocessors; without another limit each group holds whole clusters.
  *out = blocks > 16 ? 0 : p.multiProcessorCount / 16 * (16 * resident / blocks);
  return cuda_result(cudaSuccess);
}

cudaError_t cosmati_cuda::occupancy(int* blocks, int threads, std::size_t shared_bytes) {
  if (blocks == nullptr || threads <= 0) return cuda_result(cudaErrorInvalidValue);
  *blocks = static_cast<int>(resident_blocks(static_cast<unsigned>(threads), shared_bytes));
  return cuda_result(cudaSuccess);
}
