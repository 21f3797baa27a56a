// SPDX-License-Identifier: Apache-2.0
// Sums and filters with cooperative groups: tiles, coalesced threads, scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdio.h>

using namespace cooperative_groups;
namespace cg = cooperative_groups;

template <typename group_t>
__device__ int reduce_sum(group_t g, int* temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}

__global__ void sum_kernel_block(int* sum, int* input, int n) {
  extern __shared__ int temp[];
  int my_sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 in = ((int4*)input)[i];
    my_sum += in.x + in.y + in.z + in.w;
  }
  auto g = this_thread_block();
  int block_sum = reduce_sum(g, temp, my_sum);
  if (g.thread_rank() == 0) atomicAdd(sum, block_sum);
}

template <int tile_sz>
__device__ int reduce_sum_tile_shfl(thread_block_tile<tile_sz> g, int val) {
  for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
  return val;
}

template <int tile_sz>
__global__ void sum_kernel_tile(int* sum, int* input, int n) {
  int my_sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) my_sum += input[i];
  auto tile = tiled_partition<tile_sz>(this_thread_block());
  int tile_sum = reduce_sum_tile_shfl<tile_sz>(tile, my_sum);
  if (tile.thread_rank() == 0) atomicAdd(sum, tile_sum);
}

__device__ int atomicAggInc(int* ptr) {
  cg::coalesced_group g = cg::coalesced_threads();
  int prev = 0;
  if (g.thread_rank() == 0) prev = atomicAdd(ptr, g.size());
  return g.thread_rank() + g.shfl(prev, 0);
}

__global__ void filter(int* dst, int* count, const int* src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n && src[i] > 5) dst[atomicAggInc(count)] = src[i];
}

__global__ void scans(int* data, int* totals) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int const value = data[threadIdx.x];
  data[threadIdx.x] = cg::exclusive_scan(tile, value, cg::plus<int>());
  int4 const four = tile.shfl_xor(make_int4(value, 1, 2, 3), 1);
  int const most = cg::reduce(tile, value, cg::greater<int>()) + (four.x + four.w < 3 ? 1000 : 0);
  if (tile.thread_rank() == 0) totals[tile.meta_group_rank()] = most;
}

int main() {
  int n = 1 << 12, blockSize = 256, nBlocks = 4, *sum, *data, *filtered, *count, expected = 0, kept = 0;
  cudaMallocManaged(&sum, sizeof(int));
  cudaMallocManaged(&data, n * sizeof(int));
  cudaMallocManaged(&filtered, n * sizeof(int));
  cudaMallocManaged(&count, sizeof(int));
  for (int i = 0; i < n; ++i) {
    expected += data[i] = i % 9;
    kept += data[i] > 5;
  }
  *sum = *count = 0;
  sum_kernel_block<<<nBlocks, blockSize, blockSize * sizeof(int)>>>(sum, data, n);
  cudaDeviceSynchronize();
  if (*sum != expected) return 1;
  *sum = 0;
  sum_kernel_tile<16><<<nBlocks, blockSize>>>(sum, data, n);
  cudaDeviceSynchronize();
  if (*sum != expected) return 2;
  filter<<<n / blockSize, blockSize>>>(filtered, count, data, n);
  cudaDeviceSynchronize();
  if (*count != kept) return 3;
  for (int i = 0; i < kept; ++i) {
    if (filtered[i] <= 5) return 4;
  }
  scans<<<1, 32>>>(data, filtered);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) {
    int before = 0;
    for (int j = i / 8 * 8; j < i; ++j) before += j % 9;
    if (data[i] != before) return 5;
  }
  if (filtered[0] != 7 || filtered[1] != 8) return 6;
  cudaFree(sum), cudaFree(data), cudaFree(filtered), cudaFree(count);
}
