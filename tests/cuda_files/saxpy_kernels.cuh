// SPDX-License-Identifier: Apache-2.0
// Kernels with the functions that launch them, for saxpy_main.cu.
#pragma once

#ifdef __CUDACC__
namespace blas {

template <typename T>
__global__ void axpy_kernel(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
#ifdef PLANTED
    y[i] = y[i + 1] + a * x[i];  // planted: missing_barrier
#else
    y[i] += a * x[i];
#endif
  }
}

template <typename T>
void axpy(int n, T a, const T* x, T* y, cudaStream_t stream = 0) {
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, axpy_kernel<T>, 0, 0);
  grid = min((n + block - 1) / block, grid);
  axpy_kernel<<<grid, block, 0, stream>>>(n, a, x, y);
}

}  // namespace blas
#endif
