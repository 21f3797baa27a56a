// SPDX-License-Identifier: Apache-2.0
// The product of two matrices through tiles in shared memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define TILE_WIDTH 16
#define M 40
#define N 56
#define K 72

__global__ void matrixMul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
  int row = blockIdx.y * TILE_WIDTH + threadIdx.y, col = blockIdx.x * TILE_WIDTH + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++t) {
    int a = t * TILE_WIDTH + threadIdx.x, b = t * TILE_WIDTH + threadIdx.y;
    ds_A[threadIdx.y][threadIdx.x] = row < m && a < k ? A[row * k + a] : 0.0f;
    ds_B[threadIdx.y][threadIdx.x] = b < k && col < n ? B[b * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE_WIDTH; ++i) sum += ds_A[threadIdx.y][i] * ds_B[i][threadIdx.x];
#ifndef PLANTED
    __syncthreads();
#endif
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

int main(int argc, char** argv) {
  float *h_A = (float*)malloc(M * K * sizeof(float)), *h_B = (float*)malloc(K * N * sizeof(float));
  float* h_C = (float*)malloc(M * N * sizeof(float));
  for (int i = 0; i < M * K; ++i) h_A[i] = (float)(i % 7) - 3;
  for (int i = 0; i < K * N; ++i) h_B[i] = (float)(i % 5) - 2;
  float *d_A, *d_B, *d_C;
  cudaMalloc(&d_A, M * K * sizeof(float));
  cudaMalloc(&d_B, K * N * sizeof(float));
  cudaMalloc(&d_C, M * N * sizeof(float));
  cudaMemcpy(d_A, h_A, M * K * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_B, h_B, K * N * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(TILE_WIDTH, TILE_WIDTH);
  dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
  matrixMul<<<grid, block>>>(d_A, d_B, d_C, M, N, K);
  cudaMemcpy(h_C, d_C, M * N * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += h_A[i * K + k] * h_B[k * N + j];
      if (fabsf(sum - h_C[i * N + j]) > 1e-3f) {
        fprintf(stderr, "wrong at (%d,%d): %f, expected %f\n", i, j, h_C[i * N + j], sum);
        exit(1);
      }
    }
  }
  cudaFree(d_A), cudaFree(d_B), cudaFree(d_C);
  free(h_A), free(h_B), free(h_C);
  puts("PASS");
  return argc > 1 ? atoi(argv[1]) : 0;
}
