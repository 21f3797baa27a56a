// SPDX-License-Identifier: Apache-2.0
// What a program asks of a device and of kernels: attributes, limits, occupancy, attributes of launches, errors.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void fill(int* p, int value) {
  extern __shared__ int s[];
  s[threadIdx.x] = value;
  __syncthreads();
  p[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
__global__ void dependent(int* p) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  p[threadIdx.x] += 1;
}

struct words_of_block {
  __host__ __device__ size_t operator()(int threads) const { return threads * sizeof(int); }
};

static int device() {
  cudaDeviceProp prop;
  int value = 0, count = 0, current = -1, version = 0, least = 1, greatest = 1, can = 1;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 1;
  if (cudaGetDevice(&current) != cudaSuccess || current != 0) return 2;
  cudaGetDeviceProperties(&prop, 0);
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  if (value != prop.multiProcessorCount) return 3;
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  if (value != (int)prop.sharedMemPerBlockOptin || prop.warpSize != 32) return 4;
  cudaDeviceGetAttribute(&value, cudaDevAttrHostNativeAtomicSupported, 0);
  if (value != prop.hostNativeAtomicSupported) return 30;
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DHeight, 0);
  if (value != prop.maxTexture2D[1]) return 31;
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxSurface3DDepth, 0);
  if (value != prop.maxSurface3D[2]) return 32;
  cudaDriverGetVersion(&version);
  if (version < 11000) return 5;
  cudaRuntimeGetVersion(&version);
  if (version < 11000) return 6;
  size_t bytes = 0, all = 0, free_bytes = 0;
  if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) != cudaSuccess) return 7;
  cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
  if (bytes < (16 << 20)) return 8;
  cudaMemGetInfo(&free_bytes, &all);
  if (free_bytes > all || all == 0) return 9;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (least < greatest) return 10;
  char bus[20];
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, 0) != cudaSuccess || strlen(bus) != 12) return 11;
  if (cudaSetDevice(count) != cudaErrorInvalidDevice) return 12;
  if (cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can) return 13;
  cudaGetLastError();
  return cudaSetDevice(0);
}

static int kernels() {
  int blocks = 0, grid = 0, block = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0) != cudaSuccess || blocks < 1) return 21;
  int few = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, fill, 256, 40 << 10);
  if (few < 1 || few > blocks) return 22;
  if (cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0) != cudaSuccess || block < 32 || grid < 1) return 23;
  if (cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, words_of_block(), 512) != cudaSuccess ||
      block > 512)
    return 24;
  cudaFuncAttributes a;
  if (cudaFuncGetAttributes(&a, fill) != cudaSuccess || a.maxThreadsPerBlock < 32) return 25;
  if (cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) != cudaSuccess) return 26;
  cudaFuncGetAttributes(&a, fill);
  if (a.maxDynamicSharedSizeBytes != 64 << 10) return 27;
  if (cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 10 << 20) != cudaErrorInvalidValue)
    return 28;
  cudaGetLastError();
  return 0;
}

static int launches() {
  int *p, host[64];
  cudaMalloc(&p, sizeof host);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = 32 * sizeof(int);
  config.stream = stream;
  if (cudaLaunchKernelEx(&config, fill, p, 5) != cudaSuccess) return 31;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  config.gridDim = dim3(1);
  config.dynamicSmemBytes = 0;
  if (cudaLaunchKernelEx(&config, dependent, p) != cudaSuccess) return 32;
  cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  if (host[0] != 6 || host[63] != 5) return 33;
  void* arguments[] = {&p, &host[0]};
  if (cudaLaunchKernel((void*)fill, dim3(1), dim3(32), arguments, 128, stream) != cudaSuccess) return 34;
  if (cudaStreamQuery(stream) != cudaSuccess && cudaStreamSynchronize(stream) != cudaSuccess) return 35;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  fill<<<1, 32, 128, stream>>>(p, 1);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  float ms = -1;
  if (cudaEventElapsedTime(&ms, start, stop) != cudaSuccess || ms < 0) return 36;
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamAttrValue window = {};
  window.accessPolicyWindow.base_ptr = p;
  window.accessPolicyWindow.num_bytes = sizeof host;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
  cudaStreamDestroy(stream);
  if (cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 37;
  return cudaFree(p);
}

int main() {
  int bad = device();
  if (!bad) bad = kernels();
  if (!bad) bad = launches();
  if (!bad) bad = cudaDeviceReset();
  printf("%d\n", bad);
  return bad;
}
