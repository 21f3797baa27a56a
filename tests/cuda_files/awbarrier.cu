// SPDX-License-Identifier: Apache-2.0
// cuda_awbarrier.h and cuda_pipeline.h: barriers in shared memory by functions and as objects, with copies that they
// wait for.
#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <cstdio>

constexpr int threads = 96;

// The first warp produces, and the others consume by parity.
__global__ void by_functions(int* out) {
  __shared__ __mbarrier_t full, free;
  __shared__ int cell;
  if (threadIdx.x == 0) {
    __mbarrier_init(&full, 32);
    __mbarrier_init(&free, blockDim.x - 32);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x < 32) {
      while (i > 0 && !__mbarrier_try_wait_parity(&free, (i - 1) % 2, 100)) {
      }
      if (threadIdx.x == 0) cell = i + 1;
      __mbarrier_arrive(&full);
    } else {
#ifndef PLANTED
      while (!__mbarrier_try_wait_parity(&full, i % 2, 100)) {
      }
#endif
      sum += cell;  // planted: missing_barrier
      __mbarrier_arrive(&free);
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}

// Each copy completes an arrival, and a thread that leaves is expected no more.
__global__ void by_objects(int const* in, int* out) {
  using nvcuda::experimental::awbarrier;
  __shared__ awbarrier barrier;
  __shared__ int stage[threads];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  awbarrier::arrival_token token = barrier.arrive();
  barrier.wait(token);
  int const v = stage[threads - 1 - threadIdx.x];
  if (threadIdx.x >= 64) {
    barrier.arrive_and_drop();
    out[threadIdx.x] = v;
    return;
  }
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();
  out[threadIdx.x] = v;
}

int main() {
  int host[threads], *in, *out;
  for (int i = 0; i < threads; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  by_functions<<<1, threads>>>(out);
  cudaMemcpy(host, out, sizeof(int) * (threads - 32), cudaMemcpyDeviceToHost);
#ifdef PLANTED
  return 0;
#endif
  for (int i = 0; i < threads - 32; ++i)
    if (host[i] != 1 + 2 + 3 + 4) return printf("functions %d: %d\n", i, host[i]), 1;
  by_objects<<<1, threads>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads; ++i)
    if (host[i] != threads - 1 - i) return printf("objects %d: %d\n", i, host[i]), 2;
  cudaFree(in), cudaFree(out);
}
