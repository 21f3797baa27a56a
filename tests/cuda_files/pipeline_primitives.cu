// SPDX-License-Identifier: Apache-2.0
// cuda_pipeline.h: two stages of cp.async that are filled while the other is read.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

constexpr int threads = 64, tiles = 5;

__global__ void scale(float4 const* in, float4* out) {
  __shared__ float4 stage[2][threads];
  int const t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles)
      __pipeline_memcpy_async(&stage[(tile + 1) % 2][t], &in[(tile + 1) * threads + t], sizeof(float4));
    __pipeline_commit();
#ifdef PLANTED
    __pipeline_wait_prior(2);  // one group too few
#else
    __pipeline_wait_prior(1);
#endif
    __syncthreads();
    float4 const v = stage[tile % 2][(t + 1) % threads];  // planted: missing_wait
    out[tile * threads + t] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    __syncthreads();
  }
}

// The last bytes are zero, and an mbarrier learns of the copy.
__global__ void narrow(int const* in, int* out) {
  __shared__ int stage[threads][2];
  __shared__ alignas(8) unsigned long long word;
  __mbarrier_t* const barrier = reinterpret_cast<__mbarrier_t*>(&word);
  if (threadIdx.x == 0) __mbarrier_init(barrier, threads);
  __syncthreads();
  __pipeline_memcpy_async(stage[threadIdx.x], in + 2 * threadIdx.x, 8, 4);
  __pipeline_arrive_on(barrier);
  __mbarrier_token_t const token = __mbarrier_arrive(barrier);
  while (!__mbarrier_test_wait(barrier, token)) {
  }
  int const other = threads - 1 - threadIdx.x;
  out[2 * threadIdx.x] = stage[other][0];
  out[2 * threadIdx.x + 1] = stage[other][1];
}

// The class counts the groups of a thread.
__global__ void by_class(int const* in, int* out) {
  __shared__ int stage[2][threads];
  int const t = threadIdx.x;
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(stage[0][t], in[t], pipe);
  pipe.commit();
  nvcuda::experimental::memcpy_async(stage[1][t], in[threads + t], pipe);
  size_t const second = pipe.commit();
  pipe.wait_prior<1>();
  int const first = stage[0][t];
  pipe.wait(second);
  out[t] = 10 * first + stage[1][t];
}

int main() {
  std::vector<float> host(4 * threads * tiles), got(host.size());
  for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  float *in, *out;
  cudaMalloc(&in, host.size() * 4);
  cudaMalloc(&out, host.size() * 4);
  cudaMemcpy(in, host.data(), host.size() * 4, cudaMemcpyHostToDevice);
  scale<<<1, threads>>>((float4*)in, (float4*)out);
  cudaMemcpy(got.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
#ifndef PLANTED
  for (int tile = 0; tile < tiles; ++tile)
    for (int t = 0; t < 4 * threads; ++t)
      if (got[tile * 4 * threads + t] != 2 * host[tile * 4 * threads + (t + 4) % (4 * threads)])
        return printf("tile %d, element %d: %f\n", tile, t, got[tile * 4 * threads + t]), 1;
#endif
  std::vector<int> numbers(2 * threads), results(2 * threads);
  for (int i = 0; i < 2 * threads; ++i) numbers[i] = i + 1;
  cudaMemcpy(in, numbers.data(), numbers.size() * 4, cudaMemcpyHostToDevice);
  narrow<<<1, threads>>>((int*)in, (int*)out);
  cudaMemcpy(results.data(), out, results.size() * 4, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t)
    if (results[2 * t] != numbers[2 * (threads - 1 - t)] || results[2 * t + 1] != 0)
      return printf("narrow %d: %d %d\n", t, results[2 * t], results[2 * t + 1]), 2;
  by_class<<<1, threads>>>((int*)in, (int*)out);
  cudaMemcpy(results.data(), out, threads * 4, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t)
    if (results[t] != 10 * numbers[t] + numbers[threads + t]) return printf("class %d: %d\n", t, results[t]), 3;
  cudaFree(in), cudaFree(out);
}
