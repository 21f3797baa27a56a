// SPDX-License-Identifier: Apache-2.0
// The driver interface beside the runtime, and ranges for profilers.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>
#include <cstring>

__global__ void add_one(int* p) { p[threadIdx.x] += 1; }

int main() {
  nvtxRangePushA("all");
  cudaProfilerStart();
  CUdevice device;
  CUcontext context = nullptr;
  char name[100];
  int major = 0, threads = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
  cuDeviceGetName(name, sizeof name, device);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
  if (threads != 1024 || major < 5 || strlen(name) == 0) return 2;
  if (cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS) return 3;
  CUdeviceptr p;
  int host[32] = {}, back[32];
  if (cuMemAlloc(&p, sizeof host) != CUDA_SUCCESS) return 4;
  cuMemcpyHtoD(p, host, sizeof host);
  add_one<<<1, 32>>>((int*)p);
  cuCtxSynchronize();
  cuMemcpyDtoH(back, p, sizeof back);
  if (back[31] != 1) return 5;
  cuMemsetD32(p, 9, 32);
  cuMemcpyDtoH(back, p, sizeof back);
  if (back[17] != 9) return 6;
  CUdeviceptr first = 0;
  size_t range = 0;
  if (cuMemGetAddressRange(&first, &range, p + 5) != CUDA_SUCCESS || first != p || range < sizeof back) return 12;
  CUmemorytype kind;
  unsigned managed = 0;
  if (cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p) != CUDA_SUCCESS || kind != CU_MEMORYTYPE_DEVICE)
    return 13;
  if (cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p) != CUDA_SUCCESS || managed != 0) return 14;
  if (cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)back) != CUDA_ERROR_INVALID_VALUE)
    return 15;
  char const* text;
  cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text);
  if (strcmp(text, "invalid argument") != 0) return 7;
  cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text);
  if (strcmp(text, "CUDA_ERROR_INVALID_VALUE") != 0) return 8;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
  if (function == nullptr || found != cudaDriverEntryPointSuccess) return 9;
  auto encode = (PFN_cuTensorMapEncodeTiled_v12000)function;
  float* matrix;
  cudaMalloc(&matrix, 64 * 64 * sizeof(float));
  CUtensorMap map;
  cuuint64_t extents[2] = {64, 64}, strides[1] = {64 * sizeof(float)};
  cuuint32_t box[2] = {32, 8}, steps[2] = {1, 1};
  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, extents, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 10;
#ifdef PLANTED
  CUtensorMap other;
  strides[0] = 60;
  if (encode(&other, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, extents, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_ERROR_INVALID_VALUE)
    return 11;
#endif
  void *pinned, *of_device;
  if (cudaHostAlloc(&pinned, 64, CU_MEMHOSTALLOC_DEVICEMAP) != cudaSuccess) return 16;
  if (cudaHostGetDevicePointer(&of_device, pinned, 0) != cudaSuccess) return 17;
  cudaFreeHost(pinned);
  cudaFree(matrix);
  cuMemFree(p);
  cuDevicePrimaryCtxRelease(device);
  cudaProfilerStop();
  nvtxRangePop();
  printf("%s\n", "done");
  return 0;
}
