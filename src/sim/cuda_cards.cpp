// SPDX-License-Identifier: Apache-2.0
#include "cuda_cards.hpp"

#include <algorithm>
#include <cosmati/kernel/device_model.hpp>
#include <cstdio>
#include <string_view>

namespace cosmati_sim {
namespace {

constexpr int kilobyte = 1024;
constexpr std::size_t gigabyte = std::size_t{1} << 30;

/// What a card reports besides the numbers of its `device_model`.
struct card {
  char const* model;         // the name of the row
  char const* name;          // as the card reports it
  std::size_t memory_bytes;  // about; a card keeps some for itself
  int l2_bytes, bus_bits, clock_khz, memory_clock_khz;
  int most_threads, most_blocks;  // of a multiprocessor
  int single_to_double;           // the ratio of the rates of float and double
};
// The tables of compute capabilities in the CUDA C++ programming guide give threads and blocks, data sheets the rest.
constexpr card cards[] = {
    {"h200", "NVIDIA H200", 140 * gigabyte, 50 << 20, 6144, 1980000, 3201000, 2048, 32, 2},
    {"h100", "NVIDIA H100 80GB HBM3", 79 * gigabyte, 50 << 20, 5120, 1980000, 2619000, 2048, 32, 2},
    {"a100", "NVIDIA A100-SXM4-80GB", 79 * gigabyte, 40 << 20, 5120, 1410000, 1593000, 2048, 32, 2},
    {"l40s", "NVIDIA L40S", 44 * gigabyte, 96 << 20, 384, 2520000, 9001000, 1536, 24, 64},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 23 * gigabyte, 72 << 20, 384, 2520000, 10501000, 1536, 24, 64},
    {"b200", "NVIDIA B200", 178 * gigabyte, 126 << 20, 8192, 1965000, 3996000, 2048, 32, 2},
    {"rtx5090", "NVIDIA GeForce RTX 5090", 31 * gigabyte, 96 << 20, 512, 2407000, 14001000, 1536, 24, 64},
};

constexpr bool each_model_has_a_card() {
  for (cosmati::named_device_model const& m : cosmati::device_models) {
    bool found = false;
    for (card const& c : cards) found = found || std::string_view(c.model) == m.name;
    if (!found) return false;
  }
  return true;
}
static_assert(each_model_has_a_card());

/// What all cards have in common.
void set_common(cudaDeviceProp& p) {
  p.sharedMemPerBlock = 48 * kilobyte;
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
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  // The textures of the table of compute capabilities.
  p.maxTexture1D = p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  for (int& extent : p.maxTexture3D) extent = 16384;
  p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = p.maxTextureCubemap = p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
  p.maxSurface1D = p.maxSurface1DLayered[0] = p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  for (int& extent : p.maxSurface3D) extent = 16384;
  p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = 2048;
  p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxSurfaceCubemapLayered[1] = 2046;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = p.deviceOverlap = 1;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.concurrentManagedAccess = p.computePreemptionSupported = p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = p.unifiedFunctionPointers = p.cooperativeLaunch = 1;
  p.asyncEngineCount = 3;
}

}  // namespace

cudaDeviceProp properties_of_card(char const* name) {
  bool const is_named = name != nullptr && *name != 0;
  cosmati::named_device_model const* found = is_named ? cosmati::find_device_model(name) : nullptr;
  if (found == nullptr) found = cosmati::find_device_model("h100");
  cosmati::device_model const& m = found->model;
  auto const* const c = std::find_if(std::begin(cards), std::end(cards),
                                     [&](card const& one) { return std::string_view(one.model) == found->name; });
  cudaDeviceProp p = {};
  set_common(p);
  std::snprintf(p.name, sizeof p.name, "%s", is_named ? c->name : "Simulated device");
  p.major = m.compute_capability / 10;
  p.minor = m.compute_capability % 10;
  p.multiProcessorCount = static_cast<int>(m.multiprocessors);
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(m.block_bytes);
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(m.shared_bytes) + kilobyte;
  p.clusterLaunch = p.major >= 9 ? 1 : 0;
  p.totalGlobalMem = is_named ? c->memory_bytes : 80 * gigabyte;
  p.l2CacheSize = c->l2_bytes;
  p.persistingL2CacheMaxSize = c->l2_bytes / 4 * 3;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.memoryBusWidth = c->bus_bits;
  p.clockRate = c->clock_khz;
  p.memoryClockRate = c->memory_clock_khz;
  p.maxThreadsPerMultiProcessor = c->most_threads;
  p.maxBlocksPerMultiProcessor = c->most_blocks;
  p.singleToDoublePrecisionPerfRatio = c->single_to_double;
  return p;
}

}  // namespace cosmati_sim
