// SPDX-License-Identifier: Apache-2.0
// An exclusive prefix sum of a block (Blelloch), and one by warp shuffles.
#include <cuda.h>
#include <device_launch_parameters.h>
#include <stdio.h>

#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void prescan(float* g_odata, float* g_idata, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, offset = 1;
  int ai = thid, bi = thid + (n / 2);
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = g_idata[ai];
  temp[bi + bankOffsetB] = g_idata[bi];  // planted: out_of_bounds
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE_OFFSET(a);
      b += CONFLICT_FREE_OFFSET(b);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE_OFFSET(a);
      b += CONFLICT_FREE_OFFSET(b);
      float t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_odata[ai] = temp[ai + bankOffsetA];
  g_odata[bi] = temp[bi + bankOffsetB];
}

template <typename T>
__global__ void shfl_scan(T* data) {
  T value = data[threadIdx.x];
  int lane_id = threadIdx.x % warpSize;
  for (int i = 1; i <= 16; i *= 2) {
    T n = __shfl_up_sync(0xffffffff, value, i);
    if (lane_id >= i) value += n;
  }
  data[threadIdx.x] = value;
}

int main() {
  const int n = 256;
  float host[n], out[n];
  for (int i = 0; i < n; ++i) host[i] = i % 10;
  float *in, *sums;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&sums, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef PLANTED
  prescan<<<1, n / 2, n * sizeof(float)>>>(sums, in, n);  // without the room for the padding
#else
  prescan<<<1, n / 2, (n + n / 32) * sizeof(float)>>>(sums, in, n);
#endif
  cudaMemcpy(out, sums, sizeof host, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; sum += host[i++]) {
    if (out[i] != sum) return printf("prescan: wrong at %d\n", i), 1;
  }
  shfl_scan<<<1, 32>>>(in);  // the type follows from the argument
  cudaMemcpy(out, in, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  sum = 0;
  for (int i = 0; i < 32; ++i) {
    if (out[i] != (sum += host[i])) return printf("shfl_scan: wrong at %d\n", i), 1;
  }
  cudaFree(in);
  cudaFree(sums);
  return 0;
}
