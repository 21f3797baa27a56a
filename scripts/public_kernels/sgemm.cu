// SPDX-License-Identifier: Apache-2.0
// Calls a kernel C = alpha A B + beta C of row-major floats that a header of a teaching repository has, and compares
// with a loop. -D HEADER names the header, -D LAUNCH the kernel with its configuration; the arguments are M, N and K.
#include HEADER
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  int const M = argc > 1 ? atoi(argv[1]) : 128, N = argc > 2 ? atoi(argv[2]) : 128, K = argc > 3 ? atoi(argv[3]) : 32;
  float const alpha = 0.5f, beta = 3.0f;
  std::vector<float> a(M * K), b(K * N), c(M * N), got(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = static_cast<float>((i * 7) % 13 - 6);
  for (int i = 0; i < K * N; ++i) b[i] = static_cast<float>((i * 5) % 11 - 5);
  for (int i = 0; i < M * N; ++i) c[i] = static_cast<float>(i % 5);
  float *A, *B, *C;
  cudaMalloc(&A, a.size() * sizeof(float));
  cudaMalloc(&B, b.size() * sizeof(float));
  cudaMalloc(&C, c.size() * sizeof(float));
  cudaMemcpy(A, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  LAUNCH(M, N, K, alpha, A, B, beta, C);
  cudaError_t const error = cudaDeviceSynchronize();
  cudaMemcpy(got.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = error != cudaSuccess;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
      wrong += got[m * N + n] != alpha * sum + beta * c[m * N + n];  // all numbers are small multiples of a half: exact
    }
  }
  printf("%d of %d wrong\n", wrong, M * N);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return wrong != 0;
}
