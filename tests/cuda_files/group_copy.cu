// SPDX-License-Identifier: Apache-2.0
// cooperative_groups/memcpy_async.h: a block and its tiles copy to shared memory, with two copies in flight.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>
#include <vector>
namespace cg = cooperative_groups;

constexpr int tile = 96, tiles = 4;

__global__ void reverse(int const* in, int* out) {
  __shared__ int stage[2][tile];
  cg::thread_block const block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof(int) * tile);
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) {
      cg::memcpy_async(block, stage[(i + 1) % 2], size_t(tile), in + (i + 1) * tile, size_t(tile));
#ifdef PLANTED
      cg::wait_prior<2>(block);
#else
      cg::wait_prior<1>(block);
#endif
    } else {
      cg::wait(block);
    }
    for (unsigned k = block.thread_rank(); k < tile; k += block.size())
      out[i * tile + k] = stage[i % 2][tile - 1 - k];  // planted: missing_wait
    block.sync();
  }
}

// A tile of a warp copies with a promise of alignment.
__global__ void by_tiles(int4 const* in, int4* out) {
  __shared__ int4 stage[4][16];
  auto const part = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned const which = part.meta_group_rank();
  cg::memcpy_async(part, stage[which], in + 16 * which, cuda::aligned_size_t<16>(16 * sizeof(int4)));
  cg::wait(part);
  out[16 * which + part.thread_rank()] = stage[which][15 - part.thread_rank()];
}

int main() {
  int const n = tile * tiles;
  std::vector<int> host(n), got(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, 32>>>(in, out);
  cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
#ifndef PLANTED
  for (int i = 0; i < n; ++i)
    if (got[i] != i / tile * tile + tile - 1 - i % tile) return printf("element %d: %d\n", i, got[i]), 1;
#endif
  by_tiles<<<1, 64>>>((int4*)in, (int4*)out);
  cudaMemcpy(got.data(), out, 1024, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (got[4 * i] != 4 * (i / 16 * 16 + 15 - i % 16)) return printf("vector %d: %d\n", i, got[4 * i]), 2;
  cudaFree(in), cudaFree(out);
}
