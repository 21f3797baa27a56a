// SPDX-License-Identifier: Apache-2.0
// CUB's differences and flags of neighbours in a block, and a reduction in a block that is smaller than its template
// says. Each is compared with a loop of the host.
#include <cstdio>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_reduce.cuh>

constexpr int threads = 64, items = 3, count = threads * items;

struct Minus {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};
struct Differ {
  __host__ __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Plus {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
enum { left, left_of, left_part, right, right_part, heads, tails, tails_of, kinds };

__global__ void neighbours(int const* in, int* out) {
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  using Discontinuity = cub::BlockDiscontinuity<int, threads>;
  __shared__ union {
    typename Difference::TempStorage difference;
    typename Discontinuity::TempStorage discontinuity;
  } temp;
  int const t = threadIdx.x;
  int mine[items], result[kinds][items];
  for (int i = 0; i < items; ++i) mine[i] = in[t * items + i];
  Difference(temp.difference).SubtractLeft(mine, result[left], Minus());
#if !defined(PLANTED)
  __syncthreads();
#endif
  Difference(temp.difference).SubtractLeft(mine, result[left_of], Minus(), 1000);  // planted: missing_barrier
  __syncthreads();
  Difference(temp.difference).SubtractLeftPartialTile(mine, result[left_part], Minus(), 100);
  __syncthreads();
  Difference(temp.difference).SubtractRight(mine, result[right], Minus());
  __syncthreads();
  Difference(temp.difference).SubtractRightPartialTile(mine, result[right_part], Minus(), 100);
  __syncthreads();
  Discontinuity(temp.discontinuity).FlagHeads(result[heads], mine, Differ());
  __syncthreads();
  Discontinuity(temp.discontinuity).FlagTails(result[tails], mine, Differ());
  __syncthreads();
  Discontinuity(temp.discontinuity).FlagTails(result[tails_of], mine, Differ(), 7);
  for (int k = 0; k < kinds; ++k) {
    for (int i = 0; i < items; ++i) out[k * count + t * items + i] = result[k][i];
  }
}

__global__ void sum_of_part(float const* in, float* out) {
  using Reduce = cub::BlockReduce<float, 1024>;
  __shared__ typename Reduce::TempStorage temp;
  float const sum = Reduce(temp).Reduce(in[threadIdx.x], Plus(), blockDim.x);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  static int in[count], out[kinds * count];
  float numbers[160], sum = 0, want_sum = 0;
  for (int i = 0; i < count; ++i) in[i] = i / 4 * 5 % 11;
  for (int i = 0; i < 160; ++i) want_sum += numbers[i] = static_cast<float>(i % 9);
  int *d_in, *d_out;
  float* d_numbers;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_numbers, sizeof numbers);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  neighbours<<<1, threads>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  sum_of_part<<<1, 160>>>(d_numbers, d_numbers);
  cudaMemcpy(&sum, d_numbers, sizeof sum, cudaMemcpyDeviceToHost);
  int bad = sum != want_sum;
  for (int i = 0; i < count; ++i) {
    bool const is_last = i + 1 == count;
    int const before = i > 0 ? in[i] - in[i - 1] : in[i], behind = is_last ? in[i] : in[i] - in[i + 1];
    int const want[kinds] = {before,
                             i > 0 ? before : in[0] - 1000,
                             i < 100 ? before : in[i],
                             behind,
                             i < 99 ? behind : in[i],
                             i == 0 || in[i] != in[i - 1],
                             is_last || in[i] != in[i + 1],
                             is_last ? in[i] != 7 : in[i] != in[i + 1]};
    for (int k = 0; k < kinds; ++k) bad += out[k * count + i] != want[k];
  }
  std::printf("%d wrong\n", bad);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_numbers);
  return bad;
}
