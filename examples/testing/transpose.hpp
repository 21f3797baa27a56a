// SPDX-License-Identifier: Apache-2.0
// A kernel to be tested. A program for the GPU includes it too.
#pragma once

#include <cosmati/cosmati.hpp>

/// Transposes 32 x 32 floats. The rows of the tile are 33 floats apart, so a column lies in 32 banks.
__global__ inline void transpose(float const* in, float* out) {
  __shared__ float tile[32][33];
  for (unsigned r = threadIdx.y; r < 32; r += blockDim.y) tile[r][threadIdx.x] = in[32 * r + threadIdx.x];
  __syncthreads();
  for (unsigned r = threadIdx.y; r < 32; r += blockDim.y) out[32 * r + threadIdx.x] = tile[threadIdx.x][r];
}
