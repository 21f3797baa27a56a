// SPDX-License-Identifier: Apache-2.0
// Tiles of two warps and more, which meet at barriers of their own.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace cg = cooperative_groups;

// The tiles take different numbers of steps, so a barrier of the block would hang.
template <unsigned size>
__global__ void rotate(int* out) {
  __shared__ int cells[256];
  auto const block = cg::this_thread_block();
  auto const tile = cg::tiled_partition<size>(block);
  unsigned const first = tile.meta_group_rank() * size;
  int value = threadIdx.x;
  for (unsigned step = 0; step <= tile.meta_group_rank(); ++step) {
    cells[threadIdx.x] = value;  // planted: missing_barrier
    tile.sync();
    value = cells[first + (tile.thread_rank() + 40) % size];
#ifndef PLANTED
    tile.sync();
#endif
  }
  bool const right =
      tile.size() == size && tile.meta_group_size() == 256 / size && tile.thread_rank() == threadIdx.x % size;
  bool const votes = tile.any(tile.thread_rank() == size - 1) && !tile.all(tile.thread_rank() > 0);
  auto const warp = cg::tiled_partition<32>(tile);
  out[threadIdx.x] = right && votes && warp.meta_group_size() == size / 32 ? value : -1;
}

// Two reductions one after the other, of which each tile has other sums.
template <unsigned size>
__global__ void reduce_twice(int* out) {
  auto const tile = cg::tiled_partition<size>(cg::this_thread_block());
  int const sum = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
  double const most = cg::reduce(tile, double(threadIdx.x), cg::greater<double>());
  out[threadIdx.x] = sum + int(most);
}

template <unsigned size>
static bool reduces_right(int* device) {
  int host[256];
  reduce_twice<size><<<1, 256>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 256; ++t) {
    int const first = t / int(size) * int(size), last = first + int(size) - 1;
    int const expected = (first + last) * int(size) / 2 + last;
    if (host[t] != expected)
      return printf("reduction of %u, thread %d: %d, not %d\n", size, t, host[t], expected), false;
  }
  return true;
}

template <unsigned size>
static bool is_right(int* device) {
  int host[256];
  rotate<size><<<1, 256>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (unsigned t = 0; t < 256; ++t) {
    unsigned const tile = t / size, expected = tile * size + (t % size + 40 * (tile + 1)) % size;
    if (host[t] != int(expected))
      return printf("tiles of %u, thread %u: %d, not %u\n", size, t, host[t], expected), false;
  }
  return true;
}

int main() {
  int* device;
  cudaMalloc(&device, 256 * sizeof(int));
#ifdef PLANTED
  rotate<64><<<1, 256>>>(device);  // the next step's store meets loads of this one
  cudaDeviceSynchronize();
  return 0;
#endif
  bool const right = is_right<64>(device) && is_right<128>(device) && is_right<256>(device) &&
                     reduces_right<32>(device) && reduces_right<64>(device) && reduces_right<256>(device);
  cudaFree(device);
  return right ? 0 : 1;
}
