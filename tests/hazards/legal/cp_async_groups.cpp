// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: groups of cp.async.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// Who reads only what it has copied itself needs no barrier.
__global__ void own_copies(float const* in, float* out) {
  __shared__ __align__(16) float stage[256];
  unsigned const t = threadIdx.x;
  cp_async<16>(&stage[4 * t], in + 4 * t);
  cp_async_fence();
  cp_async_wait<0>();
  for (unsigned j = 0; j < 4; ++j) out[4 * t + j] = stage[4 * t + 3 - j];
}
/// Empty groups count; waiting for all needs no commit; waiting twice is free.
__global__ void odd_groups(float const* in, float* out) {
  __shared__ __align__(16) float stage[2][64];
  unsigned const t = threadIdx.x;
  cp_async_wait<0>();
  cp_async_fence();
  cp_async<4>(&stage[0][t], in + t);
  cp_async_fence();
  cp_async_fence();
  cp_async_fence();
  cp_async_wait<2>();
  __syncthreads();
  float const first = stage[0][63 - t];
  cp_async<4>(&stage[1][t], in + 64 + t);
  cp_async_wait_all();
  cp_async_wait_all();
  __syncthreads();
  out[t] = first + stage[1][63 - t];
}
/// Copies and plain stores to neighbouring words, and copies to a stage whose other half is in use.
__global__ void neighbours(float const* in, float* out) {
  __shared__ __align__(16) float stage[128];
  unsigned const t = threadIdx.x;
  if (t % 2 == 0) {
    cp_async<4>(&stage[t], in + t);
  } else {
    stage[t] = -1.f;
  }
  cp_async<4>(&stage[64 + t], in + 64 + t);
  cp_async_fence();
  float const mine = t % 2 != 0 ? stage[t] : 0.f;
  cp_async_wait<0>();
  __syncthreads();
  out[t] = mine + stage[63 - t] + stage[127 - t];
}
/// What the block has written to global memory itself comes back by cp.async.
__global__ void written_before(float* memory, float* out) {
  __shared__ float stage[64];
  unsigned const t = threadIdx.x;
  memory[t] = static_cast<float>(t);
  __syncthreads();
  cp_async<4>(&stage[t], memory + 63 - t);
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  out[t] = stage[t ^ 1];
}
/// Some threads have nothing to copy, and say so by an empty group.
__global__ void few_copy(float const* in, int n, float* out) {
  __shared__ float stage[2][64];
  int const t = static_cast<int>(threadIdx.x);
  for (int s = 0; s < 2; ++s) {
    stage[s][t] = 0.f;
    __syncwarp();
    if (64 * s + t < n) cp_async<4>(&stage[s][t], in + 64 * s + t);
    cp_async_fence();
  }
  cp_async_wait<1>();
  __syncthreads();
  float sum = stage[0][63 - t];
  cp_async_wait<0>();
  __syncthreads();
  sum += stage[1][63 - t];
  out[t] = sum;
}

int main() {
  std::vector<float> host(256);
  for (std::size_t i = 0; i < 256; ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(256), memory(64);
  launch(own_copies, {.grid = 1, .block = 64}, in.data(), out.data());
  if (out.download()[0] != 3.f) return 1;
  launch(odd_groups, {.grid = 1, .block = 64}, in.data(), out.data());
  if (out.download()[0] != 63.f + 127.f) return 1;
  launch(neighbours, {.grid = 1, .block = 64}, in.data(), out.data());
  if (out.download()[1] != -1.f + 62.f + 126.f) return 1;
  launch(written_before, {.grid = 1, .block = 64}, memory.data(), out.data());
  if (out.download()[0] != 62.f) return 1;
  launch(few_copy, {.grid = 1, .block = 64}, in.data(), 100, out.data());
  return out.download()[63] == 64.f ? 0 : 1;
}
