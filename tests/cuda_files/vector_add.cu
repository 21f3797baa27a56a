// SPDX-License-Identifier: Apache-2.0
// Adds two vectors, with an error check around each call of the runtime.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    cudaError_t const status = (call);                                                            \
    if (status != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(status), #call); \
      exit(EXIT_FAILURE);                                                                         \
    }                                                                                             \
  } while (0)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef PLANTED
  if (i <= n) c[i] = a[i] + b[i];  // planted: out_of_bounds
#else
  if (i < n) c[i] = a[i] + b[i];
#endif
}

int main() {
  const int n = 1000;
  size_t bytes = n * sizeof(float);
  std::vector<float> h_a(n), h_b(n), h_c(n);
  for (int i = 0; i < n; ++i) {
    h_a[i] = i;
    h_b[i] = 2.f * i;
  }
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc((void**)&d_b, bytes));
  CHECK(cudaMalloc((void**)&d_c, bytes));
  CHECK(cudaMemcpy(d_a, h_a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, h_b.data(), bytes, cudaMemcpyHostToDevice));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  vector_add<<<blocks, threads>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h_c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (h_c[i] != 3.f * i) {
      printf("wrong at %d\n", i);
      return 1;
    }
  }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  printf("PASSED\n");
}
