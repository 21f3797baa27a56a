// SPDX-License-Identifier: Apache-2.0
// <curand.h>: arrays of numbers on the device and on the host, in cuRAND's order; statuses of wrong arguments.
#include <cuda_runtime.h>
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <vector>

#include "expectations.cuh"

#define RUN(...) EXPECT((__VA_ARGS__) == CURAND_STATUS_SUCCESS)

template <class T>
std::vector<T> from_device(T const* p, std::size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

// The expectations are what the host generators of CUDA 13.0 give for seed 1234.
void known_numbers(curandRngType_t type, std::vector<unsigned> const& first, unsigned at_4096, unsigned at_65536,
                   double uniform, float normal) {
  curandGenerator_t g;
  RUN(curandCreateGeneratorHost(&g, type));
  RUN(curandSetPseudoRandomGeneratorSeed(g, 1234ULL));
  std::vector<unsigned> v(70000);
  RUN(curandGenerate(g, v.data(), v.size()));
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT(v[i] == first[i]);
  EXPECT(v[4096] == at_4096 && v[65536] == at_65536);
  // An offset is a place in the array.
  unsigned next[3];
  RUN(curandSetGeneratorOffset(g, 5));
  RUN(curandGenerate(g, next, 3));
  EXPECT(next[0] == v[5] && next[2] == v[7]);
  double d[2];
  RUN(curandSetGeneratorOffset(g, 0));
  RUN(curandGenerateUniformDouble(g, d, 2));
  EXPECT(d[0] == uniform);
  float f[2];
  RUN(curandSetGeneratorOffset(g, 0));
  RUN(curandGenerateNormal(g, f, 2, 0, 1));
  EXPECT(std::fabs(f[0] - normal) < 1e-5f);
  RUN(curandDestroyGenerator(g));
}

__global__ void scale(float* v, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}

void on_device(curandRngType_t type) {
  int const n = 10000;
  float* f;
  double* d;
  unsigned* u;
  cudaMalloc(&f, n * sizeof *f), cudaMalloc(&d, n * sizeof *d), cudaMalloc(&u, n * sizeof *u);
  curandGenerator_t g, h;
  RUN(curandCreateGenerator(&g, type));
  RUN(curandCreateGeneratorHost(&h, type));
  RUN(curandSetPseudoRandomGeneratorSeed(g, 7));
  RUN(curandSetPseudoRandomGeneratorSeed(h, 7));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  RUN(curandSetStream(g, stream));
  // The order of the calls counts, too: each goes on where the last one ended.
  std::vector<unsigned> bits(n);
  RUN(curandGenerate(g, u, n));
  RUN(curandGenerate(h, bits.data(), n));
  cudaStreamSynchronize(stream);
  EXPECT(from_device(u, n) == bits);
  std::vector<float> uniform(n);
  RUN(curandGenerateUniform(g, f, n));
  RUN(curandGenerateUniform(h, uniform.data(), n));
  scale<<<(n + 255) / 256, 256, 0, stream>>>(f, n);
  cudaStreamSynchronize(stream);
  for (float& v : uniform) {
    EXPECT(v > 0 && v <= 1);
    v *= 2;
  }
  EXPECT(from_device(f, n) == uniform);
  double sums[3] = {};
  RUN(curandGenerateNormal(g, f, n, 3, 2));
  RUN(curandGenerateNormalDouble(g, d, n, 3, 2));
  cudaStreamSynchronize(stream);
  for (float v : from_device(f, n)) sums[0] += v / n, sums[1] += (v - 3.) * (v - 3.) / n;
  for (double v : from_device(d, n)) sums[2] += v / n;
  EXPECT(std::fabs(sums[0] - 3) < .1 && std::fabs(sums[1] - 4) < .3 && std::fabs(sums[2] - 3) < .1);
  RUN(curandGenerateLogNormal(g, f, n, 0, .5f));
  RUN(curandGenerateLogNormalDouble(g, d, n, 0, .5));
  RUN(curandGenerateUniformDouble(g, d, n));
  cudaStreamSynchronize(stream);
  for (float v : from_device(f, n)) EXPECT(v > 0);
  RUN(curandDestroyGenerator(g));
  RUN(curandDestroyGenerator(h));
  cudaStreamDestroy(stream);
  cudaFree(f), cudaFree(d), cudaFree(u);
}

void statuses() {
  curandGenerator_t g;
  int version = 0;
  RUN(curandGetVersion(&version));
  EXPECT(version >= 10000);
  EXPECT(curandCreateGenerator(&g, static_cast<curandRngType_t>(7)) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED);
  RUN(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
  RUN(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST));
  EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
  float* f;
  cudaMalloc(&f, 16);
  EXPECT(curandGenerateNormal(g, f, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RUN(curandGenerateUniform(g, f, 0));
  RUN(curandDestroyGenerator(g));
  cudaFree(f);
}

int main() {
  known_numbers(CURAND_RNG_PSEUDO_XORWOW, {0x253d5e15u, 0xd1f7605au, 0x8ce6f6f8u, 0x4b79ff67u}, 0x6f558604u,
                0x245d7680u, 0.43489880438841294, 0.780974f);
  known_numbers(CURAND_RNG_PSEUDO_PHILOX4_32_10, {0x2090b348u, 0xda7cf0abu, 0x4401906fu, 0xcbca470eu}, 0x7a6635c0u,
                0xdf22962du, 0.85346899543001431, -1.6164905f);
  on_device(CURAND_RNG_PSEUDO_DEFAULT);
  on_device(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  statuses();
  return wrong != 0;
}
