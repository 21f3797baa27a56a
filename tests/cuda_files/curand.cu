// SPDX-License-Identifier: Apache-2.0
// <curand_kernel.h>: numbers that cuRAND gives, steps over numbers, and the moments of many numbers.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

// The expectations are what cuRAND of CUDA 13.0 gives.
__global__ void known_numbers() {
  curandState x;
  curand_init(1234, 5, 7, &x);
  EXPECT(curand(&x) == 0xc7c04273u);
  EXPECT(curand(&x) == 0xd8577152u);
  curand_init(99, 0, 0, &x);
  EXPECT(curand(&x) == 0x0fcd73c0u);
  EXPECT(curand(&x) == 0x926ce86bu);
  EXPECT(curand(&x) == 0xb63f8241u);
  EXPECT(fabsf(curand_uniform(&x) - 0.117382877f) < 1e-9f);
  EXPECT(fabs(curand_uniform_double(&x) - 0.97584823281959143) < 1e-16);
  skipahead(1000000007ull, &x);
  EXPECT(curand(&x) == 0x4b363e88u);
  skipahead_sequence(9ull, &x);
  EXPECT(curand(&x) == 0xfb211ab9u);

  curandStatePhilox4_32_10_t p;
  curand_init(1234, 5, 7, &p);
  EXPECT(curand(&p) == 0x72c26332u);
  EXPECT(curand(&p) == 0x26a9bd1bu);
  curand_init(99, 0, 0, &p);
  uint4 const four = curand4(&p);
  EXPECT(four.x == 0xb4e69ac8u && four.y == 0xce226d6cu && four.z == 0x635989a1u && four.w == 0xf57b32fbu);
  EXPECT(fabsf(curand_uniform(&p) - 0.726325095f) < 1e-7f);
  EXPECT(fabs(curand_uniform_double(&p) - 0.59544939990155399) < 1e-16);
  skipahead(1000000007ull, &p);
  EXPECT(curand(&p) == 0xa71f09e0u);
  skipahead_sequence(9ull, &p);
  EXPECT(curand(&p) == 0x10c1cf6eu);
  curand_init(3, 0, 0, &p);
  EXPECT(fabsf(curand_normal(&p) - 0.426345f) < 1e-4f);
  EXPECT(fabsf(curand_normal(&p) - 0.472554f) < 1e-4f);
  EXPECT(fabs(curand_normal_double(&p) + 0.232750635) < 1e-8);
}

// A step over n numbers is n calls.
template <class State>
__global__ void steps() {
  for (unsigned n : {1u, 2u, 5u, 33u, 1000u}) {
    State called, stepped, from_start;
    curand_init(42, 3, 0, &called);
    curand_init(42, 3, 0, &stepped);
    curand_init(42, 3, n, &from_start);
    for (unsigned i = 0; i < n; ++i) curand(&called);
    skipahead((unsigned long long)n, &stepped);
    unsigned const expected = curand(&called);
    EXPECT(curand(&stepped) == expected && curand(&from_start) == expected);
  }
}

// Each thread keeps its state in memory between kernels.
__global__ void seed(curandState* states) {
  int const t = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef PLANTED
  if (t == 70) return;
#endif
  curand_init(7, t, 0, &states[t]);
}
__global__ void moments(curandState* states, double* sums) {
  int const t = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[t];  // planted: uninitialized
  double uniform = 0, normal = 0, square = 0;
  for (int i = 0; i < 64; ++i) {
    uniform += curand_uniform(&state);
    float const v = curand_normal(&state);
    normal += v, square += double(v) * v;
  }
  states[t] = state;
  atomicAdd(&sums[0], uniform), atomicAdd(&sums[1], normal), atomicAdd(&sums[2], square);
}

int main() {
  curandState* states;
  double *sums, host[3];
  cudaMalloc(&states, 128 * sizeof *states);
  cudaMalloc(&sums, sizeof host);
  cudaMemset(sums, 0, sizeof host);
  seed<<<2, 64>>>(states);
  moments<<<2, 64>>>(states, sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(states), cudaFree(sums);
#ifdef PLANTED
  return 0;
#endif
  double const n = 128 * 64;
  if (fabs(host[0] / n - 0.5) > 0.02 || fabs(host[1] / n) > 0.05 || fabs(host[2] / n - 1) > 0.06)
    return printf("moments: %f %f %f\n", host[0] / n, host[1] / n, host[2] / n), 1;
  known_numbers<<<1, 1>>>();
  steps<curandStateXORWOW_t><<<1, 1>>>();
  steps<curandStatePhilox4_32_10_t><<<1, 1>>>();
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  return failed != 0;
}
