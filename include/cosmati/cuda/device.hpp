// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's description of the device: properties, attributes, limits, occupancy. The simulated device answers as a card
/// of compute capability 9.0.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cstddef>

struct CUuuid_st {
  char bytes[16];
};
using cudaUUID_t = CUuuid_st;

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
  int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
  int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
  int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
  int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  char luid[8];
  unsigned luidDeviceNodeMask;
  int multiProcessorCount, integrated, canMapHostMemory;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
  int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, memoryPoolsSupported, clusterLaunch, unifiedFunctionPointers;
  // CUDA 13 has these no more; programs for earlier versions read them.
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, cooperativeMultiDeviceLaunch;
  int singleToDoublePrecisionPerfRatio, maxTexture1DLinear;
};

/// The attributes with their numbers and the members of `cudaDeviceProp` that they equal.
#define COSMATI_CUDA_ATTRIBUTES_(attribute)                                                                            \
  attribute(MaxThreadsPerBlock, 1, maxThreadsPerBlock) attribute(MaxBlockDimX, 2, maxThreadsDim[0]) attribute(         \
      MaxBlockDimY, 3, maxThreadsDim[1]) attribute(MaxBlockDimZ, 4, maxThreadsDim[2]) attribute(MaxGridDimX, 5,        \
                                                                                                maxGridSize[0])        \
      attribute(MaxGridDimY, 6, maxGridSize[1]) attribute(MaxGridDimZ, 7, maxGridSize[2]) attribute(                   \
          MaxSharedMemoryPerBlock, 8, sharedMemPerBlock) attribute(TotalConstantMemory, 9,                             \
                                                                   totalConstMem) attribute(WarpSize, 10, warpSize)    \
          attribute(MaxPitch, 11, memPitch) attribute(MaxRegistersPerBlock, 12, regsPerBlock) attribute(               \
              ClockRate, 13, clockRate) attribute(TextureAlignment, 14, textureAlignment) attribute(GpuOverlap, 15,    \
                                                                                                    deviceOverlap)     \
              attribute(MultiProcessorCount, 16, multiProcessorCount) attribute(                                       \
                  KernelExecTimeout, 17, kernelExecTimeoutEnabled) attribute(Integrated, 18, integrated)               \
                  attribute(CanMapHostMemory, 19, canMapHostMemory) attribute(ComputeMode, 20, computeMode) attribute( \
                      ConcurrentKernels, 31, concurrentKernels) attribute(EccEnabled, 32, ECCEnabled)                  \
                      attribute(PciBusId, 33, pciBusID) attribute(PciDeviceId, 34, pciDeviceID) attribute(             \
                          TccDriver, 35,                                                                               \
                          tccDriver) attribute(MemoryClockRate, 36,                                                    \
                                               memoryClockRate) attribute(GlobalMemoryBusWidth, 37, memoryBusWidth)    \
                          attribute(L2CacheSize, 38,                                                                   \
                                    l2CacheSize) attribute(MaxThreadsPerMultiProcessor, 39,                            \
                                                           maxThreadsPerMultiProcessor) attribute(AsyncEngineCount,    \
                                                                                                  40,                  \
                                                                                                  asyncEngineCount)    \
                              attribute(UnifiedAddressing, 41, unifiedAddressing) attribute(                           \
                                  PciDomainId, 50, pciDomainID) attribute(ComputeCapabilityMajor, 75, major)           \
                                  attribute(ComputeCapabilityMinor, 76,                                                \
                                            minor) attribute(StreamPrioritiesSupported, 78, streamPrioritiesSupported) \
                                      attribute(GlobalL1CacheSupported, 79, globalL1CacheSupported) attribute(         \
                                          LocalL1CacheSupported, 80,                                                   \
                                          localL1CacheSupported) attribute(MaxSharedMemoryPerMultiprocessor, 81,       \
                                                                           sharedMemPerMultiprocessor)                 \
                                          attribute(MaxRegistersPerMultiprocessor, 82,                                 \
                                                    regsPerMultiprocessor) attribute(ManagedMemory, 83, managedMemory) \
                                              attribute(IsMultiGpuBoard, 84, isMultiGpuBoard)                          \
                                                  attribute(PageableMemoryAccess, 88, pageableMemoryAccess) attribute( \
                                                      ConcurrentManagedAccess, 89, concurrentManagedAccess)            \
                                                      attribute(ComputePreemptionSupported, 90,                        \
                                                                computePreemptionSupported)                            \
                                                          attribute(CooperativeLaunch, 95, cooperativeLaunch)          \
                                                              attribute(MaxSharedMemoryPerBlockOptin, 97,              \
                                                                        sharedMemPerBlockOptin)                        \
                                                                  attribute(HostRegisterSupported, 99,                 \
                                                                            hostRegisterSupported)                     \
                                                                      attribute(MaxBlocksPerMultiprocessor, 106,       \
                                                                                maxBlocksPerMultiProcessor)            \
                                                                          attribute(MaxPersistingL2CacheSize, 108,     \
                                                                                    persistingL2CacheMaxSize)          \
                                                                              attribute(ReservedSharedMemoryPerBlock,  \
                                                                                        111,                           \
                                                                                        reservedSharedMemPerBlock)     \
                                                                                  attribute(MemoryPoolsSupported, 115, \
                                                                                            memoryPoolsSupported)      \
                                                                                      attribute(ClusterLaunch, 120,    \
                                                                                                clusterLaunch)

/// Further attributes, of textures, surfaces and memory.
// clang-format off
#define COSMATI_CUDA_MORE_ATTRIBUTES_(attribute) \
  attribute(MaxTexture1DWidth, 21, maxTexture1D) \
  attribute(MaxTexture2DWidth, 22, maxTexture2D[0]) \
  attribute(MaxTexture2DHeight, 23, maxTexture2D[1]) \
  attribute(MaxTexture3DWidth, 24, maxTexture3D[0]) \
  attribute(MaxTexture3DHeight, 25, maxTexture3D[1]) \
  attribute(MaxTexture3DDepth, 26, maxTexture3D[2]) \
  attribute(MaxTexture2DLayeredWidth, 27, maxTexture2DLayered[0]) \
  attribute(MaxTexture2DLayeredHeight, 28, maxTexture2DLayered[1]) \
  attribute(MaxTexture2DLayeredLayers, 29, maxTexture2DLayered[2]) \
  attribute(SurfaceAlignment, 30, surfaceAlignment) \
  attribute(MaxTexture1DLayeredWidth, 42, maxTexture1DLayered[0]) \
  attribute(MaxTexture1DLayeredLayers, 43, maxTexture1DLayered[1]) \
  attribute(MaxTexture2DGatherWidth, 45, maxTexture2DGather[0]) \
  attribute(MaxTexture2DGatherHeight, 46, maxTexture2DGather[1]) \
  attribute(MaxTexture3DWidthAlt, 47, maxTexture3DAlt[0]) \
  attribute(MaxTexture3DHeightAlt, 48, maxTexture3DAlt[1]) \
  attribute(MaxTexture3DDepthAlt, 49, maxTexture3DAlt[2]) \
  attribute(TexturePitchAlignment, 51, texturePitchAlignment) \
  attribute(MaxTextureCubemapWidth, 52, maxTextureCubemap) \
  attribute(MaxTextureCubemapLayeredWidth, 53, maxTextureCubemapLayered[0]) \
  attribute(MaxTextureCubemapLayeredLayers, 54, maxTextureCubemapLayered[1]) \
  attribute(MaxSurface1DWidth, 55, maxSurface1D) \
  attribute(MaxSurface2DWidth, 56, maxSurface2D[0]) \
  attribute(MaxSurface2DHeight, 57, maxSurface2D[1]) \
  attribute(MaxSurface3DWidth, 58, maxSurface3D[0]) \
  attribute(MaxSurface3DHeight, 59, maxSurface3D[1]) \
  attribute(MaxSurface3DDepth, 60, maxSurface3D[2]) \
  attribute(MaxSurface1DLayeredWidth, 61, maxSurface1DLayered[0]) \
  attribute(MaxSurface1DLayeredLayers, 62, maxSurface1DLayered[1]) \
  attribute(MaxSurface2DLayeredWidth, 63, maxSurface2DLayered[0]) \
  attribute(MaxSurface2DLayeredHeight, 64, maxSurface2DLayered[1]) \
  attribute(MaxSurface2DLayeredLayers, 65, maxSurface2DLayered[2]) \
  attribute(MaxSurfaceCubemapWidth, 66, maxSurfaceCubemap) \
  attribute(MaxSurfaceCubemapLayeredWidth, 67, maxSurfaceCubemapLayered[0]) \
  attribute(MaxSurfaceCubemapLayeredLayers, 68, maxSurfaceCubemapLayered[1]) \
  attribute(MaxTexture1DLinearWidth, 69, maxTexture1DLinear) \
  attribute(MaxTexture2DLinearWidth, 70, maxTexture2DLinear[0]) \
  attribute(MaxTexture2DLinearHeight, 71, maxTexture2DLinear[1]) \
  attribute(MaxTexture2DLinearPitch, 72, maxTexture2DLinear[2]) \
  attribute(MaxTexture2DMipmappedWidth, 73, maxTexture2DMipmap[0]) \
  attribute(MaxTexture2DMipmappedHeight, 74, maxTexture2DMipmap[1]) \
  attribute(MaxTexture1DMipmappedWidth, 77, maxTexture1DMipmap) \
  attribute(MultiGpuBoardGroupID, 85, multiGpuBoardGroupID) \
  attribute(HostNativeAtomicSupported, 86, hostNativeAtomicSupported) \
  attribute(SingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio) \
  attribute(CanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem) \
  attribute(PageableMemoryAccessUsesHostPageTables, 100, pageableMemoryAccessUsesHostPageTables) \
  attribute(DirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost) \
  attribute(MaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)
// clang-format on

enum cudaDeviceAttr {
#define COSMATI_CUDA_ATTRIBUTE_(name, number, member) cudaDevAttr##name = number,
  COSMATI_CUDA_ATTRIBUTES_(COSMATI_CUDA_ATTRIBUTE_) COSMATI_CUDA_MORE_ATTRIBUTES_(COSMATI_CUDA_ATTRIBUTE_)
#undef COSMATI_CUDA_ATTRIBUTE_
};
enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

#define cudaDeviceScheduleAuto 0u
#define cudaDeviceScheduleSpin 1u
#define cudaDeviceScheduleYield 2u
#define cudaDeviceScheduleBlockingSync 4u
#define cudaDeviceBlockingSync 4u
#define cudaDeviceScheduleMask 7u
#define cudaDeviceMapHost 8u
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

COSMATI_CUDA_API_(cudaError_t, cudaGetDeviceCount, (int* count));
COSMATI_CUDA_API_(cudaError_t, cudaGetDevice, (int* device));
COSMATI_CUDA_API_(cudaError_t, cudaSetDevice, (int device));
COSMATI_CUDA_API_(cudaError_t, cudaGetDeviceProperties, (cudaDeviceProp * out, int device));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceSynchronize, (void));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceReset, (void));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetPCIBusId, (char* text, int bytes, int device));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetByPCIBusId, (int* device, char const* text));
COSMATI_CUDA_API_(cudaError_t, cudaDriverGetVersion, (int* version));
COSMATI_CUDA_API_(cudaError_t, cudaRuntimeGetVersion, (int* version));
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
COSMATI_CUDA_API_(cudaError_t, cudaDeviceSetLimit, (cudaLimit limit, std::size_t value));
COSMATI_CUDA_API_(cudaError_t, cudaDeviceGetLimit, (std::size_t * value, cudaLimit limit));

// Wishes, which the simulated device needs not. It is the only device, so that it has no peers.
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const*) { return cudaGetDevice(device); }
inline cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}
inline cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
inline cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorPeerAccessNotEnabled; }
// Other processes cannot reach the simulated device.
struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};
#define cudaIpcMemLazyEnablePeerAccess 1u
inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcCloseMemHandle(void*) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) { return cudaErrorNotSupported; }
inline cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) { return cudaErrorNotSupported; }
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4,
  cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5
};
inline cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}

#endif

#include <cosmati/core/macros_end.hpp>
