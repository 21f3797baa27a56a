// SPDX-License-Identifier: Apache-2.0
// A sum in the way of the toolkit's samples: templates of type and block size, and dynamic shared memory of any type.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// An extern array of T in a template would have one name with several types.
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
  __device__ inline operator const T*() const {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};

template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};

template <class T>
__device__ __forceinline__ T warpReduceSum(unsigned int mask, T mySum) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mySum += __shfl_down_sync(mask, mySum, offset);
  return mySum;
}

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(const T* __restrict__ g_idata, T* __restrict__ g_odata, unsigned int n) {
  T* sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * gridDim.x;
  unsigned int i = blockIdx.x * blockSize + threadIdx.x;
  T mySum = 0;
  if (nIsPow2) {
    gridSize = gridSize << 1;
    i = blockIdx.x * blockSize * 2 + threadIdx.x;
    while (i < n) {
      mySum += g_idata[i];
      if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
      i += gridSize;
    }
  } else {
    while (i < n) {
      mySum += g_idata[i];
      i += gridSize;
    }
  }
  sdata[tid] = mySum;
#ifndef PLANTED
  __syncthreads();
#endif
  if (blockSize >= 256) {
    if (tid < 128) sdata[tid] = mySum = mySum + sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) sdata[tid] = mySum = mySum + sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    mySum += sdata[tid + 32];
    mySum = warpReduceSum(0xffffffffu, mySum);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}

template <class T>
void launch_reduce(int size, int threads, int blocks, T* d_idata, T* d_odata) {
  dim3 dimBlock(threads, 1, 1);
  dim3 dimGrid(blocks, 1, 1);
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  bool const power = (size & (size - 1)) == 0;
  switch (threads) {
    case 256:
      if (power)
        reduce<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      else
        reduce<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      break;
    case 128:
      if (power)
        reduce<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      else
        reduce<T, 128, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
      break;
  }
}

template <class T>
bool run(int size, int threads) {
  int const blocks = 4;
  T *h_idata = (T*)malloc(size * sizeof(T)), h_odata[blocks], *d_idata = NULL, *d_odata = NULL, expected = 0, got = 0;
  for (int i = 0; i < size; i++) expected += h_idata[i] = (T)(rand() & 0xFF);
  cudaMalloc((void**)&d_idata, size * sizeof(T));
  cudaMalloc((void**)&d_odata, blocks * sizeof(T));
  cudaMemcpy(d_idata, h_idata, size * sizeof(T), cudaMemcpyHostToDevice);
  launch_reduce<T>(size, threads, blocks, d_idata, d_odata);
  cudaMemcpy(h_odata, d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks; i++) got += h_odata[i];
  cudaFree(d_idata);
  cudaFree(d_odata);
  free(h_idata);
  return got == expected;
}

int main() {
  bool ok = run<int>(4096, 256) && run<float>(3000, 128) && run<double>(2048, 128) && run<int>(1000, 256);
  printf("%s\n", ok ? "Test passed" : "Test failed!");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
