// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: what blocks do with each other's data.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// All threads publish, one announces: the barrier hands the others' stores to it, its fence hands them on.
__global__ void last_block_of_many(int const* in, int* parts, unsigned* done, int* out) {
  __shared__ bool last;
  unsigned const t = threadIdx.x;
  parts[64 * blockIdx.x + t] = 2 * in[64 * blockIdx.x + t];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last = atomicAdd(done, 1u) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[64 * b + 63 - t];
  out[t] = sum;
}
/// A lock: whoever holds it changes plain memory.
__global__ void locked(int* lock, int* values) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  values[0] += 1;
  values[1] += values[0];
  __threadfence();
  atomicExch(lock, 0);
}
/// Blocks share words, not bytes.
__global__ void thirds(unsigned char* out) {
  out[3 * blockIdx.x + threadIdx.x] = static_cast<unsigned char>(blockIdx.x);
}
/// Every block stores the same table.
__global__ void same_table(int* table, int* out) {
  table[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
/// The next launch may read everything.
__global__ void reversed(int const* in, int* out) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[gridDim.x * blockDim.x - 1 - i];
}
/// In place, each block its own part, which another one has written in the launch before.
__global__ void in_place(int* v) {
  unsigned const n = gridDim.x * blockDim.x, i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  v[i] = v[i] * v[i] + 1;
}

int main() {
  std::vector<int> host(8 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), parts(host.size()), out(host.size());
  device_buffer<unsigned> done(1);
  done.clear();
  launch(last_block_of_many, {.grid = 8, .block = 64}, in.data(), parts.data(), done.data(), out.data());
  if (out.download()[63] != 2 * 64 * 28) return 1;
  device_buffer<int> lock(1), values(2);
  lock.clear();
  values.clear();
  launch(locked, {.grid = 8, .block = 32}, lock.data(), values.data());
  if (values.download()[0] != 8 || values.download()[1] != 36) return 1;
  device_buffer<unsigned char> bytes(24);
  launch(thirds, {.grid = 8, .block = 3}, bytes.data());
  if (bytes.download()[23] != 7) return 1;
  device_buffer<int> table(64);
  launch(same_table, {.grid = 8, .block = 64}, table.data(), out.data());
  if (table.download()[63] != 63 * 63) return 1;
  launch(reversed, {.grid = 8, .block = 64}, in.data(), out.data());
  launch(in_place, {.grid = 4, .block = 128}, out.data());
  return out.download()[0] == 511 * 511 + 1 ? 0 : 1;
}
