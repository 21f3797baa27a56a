// SPDX-License-Identifier: Apache-2.0
// A program whose kernels and launches are in a header of its own folder.
#include "saxpy_kernels.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef N
#define N 5000
#endif

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : N;
  std::vector<double> x(n, 3), y(n + 1, 1);
  double *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMalloc(&d_y, (n + 1) * sizeof(double));
  cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), (n + 1) * sizeof(double), cudaMemcpyHostToDevice);
  blas::axpy(n, 2.0, d_x, d_y);
  cudaMemcpy(y.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost);
  double error = 0;
  for (int i = 0; i < n; i++) error = std::max(error, std::abs(y[i] - 7));
  printf("%d elements, max error: %f\n", n, error);
  cudaFree(d_x);
  cudaFree(d_y);
  return error == 0 ? 0 : 1;
}
