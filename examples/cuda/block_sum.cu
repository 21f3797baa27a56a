// SPDX-License-Identifier: Apache-2.0
// An ordinary CUDA file: `cosmati sim block_sum.cu` runs it without a GPU, and `nvcc block_sum.cu` builds it for one.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                             \
  if (cudaError_t const status = (call); status != cudaSuccess) {               \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
    return 1;                                                                   \
  }

template <int Threads>
__global__ void block_sum(float const* in, float* sums) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = in[Threads * blockIdx.x + threadIdx.x];
  __syncthreads();
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

int main() {
  constexpr int blocks = 4, threads = 128;
  std::vector<float> host(blocks * threads, 0.5f), sums(blocks);
  float *in, *out;
  CHECK(cudaMalloc(&in, host.size() * sizeof(float)));
  CHECK(cudaMalloc(&out, blocks * sizeof(float)));
  CHECK(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  block_sum<threads><<<blocks, threads, threads * sizeof(float)>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%g %g %g %g\n", sums[0], sums[1], sums[2], sums[3]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
