// SPDX-License-Identifier: Apache-2.0
// a * x + y of pairs of halves and of bfloat16, with operators and intrinsics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <vector>

__global__ void haxpy(int n, half a, const half* x, half* y) {
  int start = threadIdx.x + blockDim.x * blockIdx.x, stride = blockDim.x * gridDim.x;
  int n2 = n / 2;
  half2 *x2 = (half2*)x, *y2 = (half2*)y;
  for (int i = start; i < n2; i += stride) y2[i] = __hfma2(__halves2half2(a, a), x2[i], y2[i]);
  if (start == 0 && (n % 2)) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void baxpy(int n, float a, const __nv_bfloat162* x, __nv_bfloat162* y) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
#ifdef PLANTED
  auto two = reinterpret_cast<unsigned long long*>(y + i);
  if (i < n - 1) *two += static_cast<unsigned long long>(a);  // planted: misaligned
#else
  if (i < n) y[i] = __float2bfloat162_rn(a) * x[i] + y[i];
#endif
}

int main() {
  int const n = 101, pairs = 64;
  std::vector<half> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = __float2half(0.25f * i);
    y[i] = half(1.0f);
  }
  half *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(half));
  cudaMalloc(&d_y, n * sizeof(half));
  cudaMemcpy(d_x, x.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  haxpy<<<2, 32>>>(n, __float2half(2.0f), d_x, d_y);
  cudaMemcpy(y.data(), d_y, n * sizeof(half), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (__half2float(y[i]) != 0.5f * i + 1) return printf("half %d: %f\n", i, __half2float(y[i])), 1;
  }
  __nv_bfloat162 h[pairs], *b_x, *b_y;
  for (int i = 0; i < pairs; ++i) h[i] = __floats2bfloat162_rn(i, -i);
  cudaMalloc(&b_x, sizeof h);
  cudaMalloc(&b_y, sizeof h);
  cudaMemcpy(b_x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b_y, h, sizeof h, cudaMemcpyHostToDevice);
  baxpy<<<1, pairs>>>(pairs, 2.f, b_x, b_y);
  cudaMemcpy(h, b_y, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < pairs; ++i) {
    float2 const got = __bfloat1622float2(h[i]);
    if (got.x != 3 * i || got.y != -3 * i) return printf("bfloat16 %d: %f %f\n", i, got.x, got.y), 2;
  }
  cudaFree(d_x), cudaFree(d_y), cudaFree(b_x), cudaFree(b_y);
}
