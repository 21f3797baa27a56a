// SPDX-License-Identifier: Apache-2.0
// The algorithms of CUB's blocks and warps, each compared with a loop of the host.
#include <cstdio>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int threads = 96, items = 4, count = threads * items;

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Running {
  int sum;
  __device__ int operator()(int of_block) {
    int const before = sum;
    sum += of_block;
    return before;
  }
};
enum { sum_of_all, largest, sum_of_first, inclusive_total, results };

__global__ void reduce_and_scan(int const* in, int* out, int* exclusive, int* running) {
  using Reduce = cub::BlockReduce<int, threads>;
  using Scan = cub::BlockScan<int, threads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } temp;
  int const t = threadIdx.x;
  int const sum = Reduce(temp.reduce).Sum(in[t]);
  if (t == 0) out[sum_of_all] = sum;
#if !defined(PLANTED)
  __syncthreads();  // the storage is used again
#endif
  int const best = Reduce(temp.reduce).Reduce(in[t], Larger());
  if (t == 0) out[largest] = best;
  __syncthreads();
  int const first = Reduce(temp.reduce).Sum(in[t], 40);
  if (t == 0) out[sum_of_first] = first;
  __syncthreads();
  int value, total;
  Scan(temp.scan).ExclusiveSum(in[t], value, total);
  exclusive[t] = value;
  if (t == threads - 1) out[inclusive_total] = total;
  __syncthreads();
  int mine[items] = {in[t], 1, 2, 3};
  Running callback{1000};
  Scan(temp.scan).ExclusiveSum(mine, mine, callback);
  for (int i = 0; i < items; ++i) running[t * items + i] = mine[i];
}

__global__ void sort(int const* in, int* keys_out, int* values_out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, items, int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } temp;
  int keys[items], values[items];
  Load(temp.load).Load(in, keys, count - 1, 2000000);
  for (int i = 0; i < items; ++i) values[i] = threadIdx.x * items + i;
  __syncthreads();
  Sort(temp.sort).Sort(keys, values);
  __syncthreads();
  Store(temp.store).Store(keys_out, keys);
  __syncthreads();
  Store(temp.store).Store(values_out, values, count - 1);
}

__global__ void warps(int const* in, int* out) {
  __shared__ typename cub::WarpReduce<int, 16>::TempStorage reduce[threads / 16];
  __shared__ typename cub::WarpScan<int>::TempStorage scan[threads / 32];
  int const t = threadIdx.x;
  int const sum = cub::WarpReduce<int, 16>(reduce[t / 16]).Sum(in[t]);
  int before, total;
  cub::WarpScan<int>(scan[t / 32]).ExclusiveSum(in[t], before, total);
  out[t] = t % 16 == 0 ? sum : before + total;
}

__global__ void move(int* out) {
  using Exchange = cub::BlockExchange<int, threads, items>;
  using Shuffle = cub::BlockShuffle<int, threads>;
  __shared__ typename Exchange::TempStorage exchange;
  __shared__ typename Shuffle::TempStorage shuffle;
  int const t = threadIdx.x;
  int mine[items], next = -1;
  for (int i = 0; i < items; ++i) mine[i] = t * items + i;
  Exchange(exchange).BlockedToStriped(mine);
  Shuffle(shuffle).Offset(mine[0], next, 1);
  for (int i = 0; i < items; ++i) out[t * items + i] = mine[i];
  out[count + t] = next;
}

int main() {
  int *in, *out, host[count], got[4 * count], wrong = 0;
  for (int i = 0; i < count; ++i) host[i] = (i * 7919) % 1013 - 300;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof got);
  cudaMemset(out, 0, sizeof got);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  reduce_and_scan<<<1, threads>>>(in, out, out + 8, out + 8 + threads);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  int sum = 0, best = host[0], first = 0, run = 1000;
  for (int t = 0; t < threads; ++t) {
    wrong += got[8 + t] != sum;
    sum += host[t];
    if (host[t] > best) best = host[t];
    if (t < 40) first += host[t];
    int const mine[items] = {host[t], 1, 2, 3};
    for (int i = 0; i < items; run += mine[i++]) wrong += got[8 + threads + t * items + i] != run;
  }
  wrong += got[sum_of_all] != sum || got[largest] != best || got[sum_of_first] != first || got[inclusive_total] != sum;

  sort<<<1, threads>>>(in, out, out + count);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 1; i < count; ++i) wrong += got[i - 1] > got[i];
  for (int i = 0; i + 1 < count; ++i) wrong += got[count + i] >= count - 1 || host[got[count + i]] != got[i];
  wrong += got[count - 1] != 2000000;

  warps<<<1, threads>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    int of16 = 0, before = 0, total = 0;
    for (int i = 0; i < 16; ++i) of16 += host[t / 16 * 16 + i];
    for (int i = 0; i < 32; ++i) total += host[t / 32 * 32 + i], before += i < t % 32 ? host[t / 32 * 32 + i] : 0;
    wrong += got[t] != (t % 16 == 0 ? of16 : before + total);
  }

  move<<<1, threads>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    for (int i = 0; i < items; ++i) wrong += got[t * items + i] != i * threads + t;
    wrong += got[count + t] != (t + 1 < threads ? t + 1 : -1);
  }
  cudaFree(in);
  cudaFree(out);
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
