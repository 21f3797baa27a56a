// SPDX-License-Identifier: Apache-2.0
// CUB's algorithms of the device, by the protocol of two calls, and merge sorts, each compared with a loop of the host.
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#include "two_calls.cuh"

struct Positive {
  __host__ __device__ bool operator()(float v) const { return v > 0; }
};
struct Less {
  __device__ bool operator()(float a, float b) const { return a < b; }
};

__global__ void merge_sorts(float const* in, float* out) {
  using Block = cub::BlockMergeSort<float, 64, 3>;
  using Warp = cub::WarpMergeSort<float, 3, 32>;
  __shared__ typename Block::TempStorage block;
  __shared__ typename Warp::TempStorage warp[2];
  float keys[3], again[3];
  for (int i = 0; i < 3; ++i) keys[i] = again[i] = in[threadIdx.x * 3 + i];
  Block(block).Sort(keys, Less());
  Warp(warp[threadIdx.x / 32]).Sort(again, Less());
  for (int i = 0; i < 3; ++i) out[threadIdx.x * 3 + i] = keys[i], out[192 + threadIdx.x * 3 + i] = again[i];
}

__global__ void histogram(float const* in, int* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 3, 8, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage temp;
  __shared__ int bins[8];
  unsigned char samples[3];
  for (int i = 0; i < 3; ++i) samples[i] = in[threadIdx.x * 3 + i] > 0 ? 5 : 2;
  Histogram(temp).Histogram(samples, bins);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

template <class T>
std::vector<T> download(T const* p, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

int main() {
  constexpr int n = 192;
  std::vector<float> host(n);
  float sum = 0, least = 1000;
  int positive = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<float>((i * 37) % 101 - 50);
    sum += host[i];
    least = host[i] < least ? host[i] : least;
    positive += host[i] > 0;
  }
  float *in, *out;
  int *indices, *sorted, *number;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, 2 * n * sizeof(float));
  cudaMalloc(&indices, n * sizeof(int));
  cudaMalloc(&sorted, n * sizeof(int));
  cudaMalloc(&number, 8 * sizeof(int));
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(indices, order.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  in_two_calls([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in, out, n); });
  wrong += download(out, 1)[0] != sum;
  in_two_calls([&](void* s, std::size_t& b) { return cub::DeviceReduce::Min(s, b, in, out, n); });
  wrong += download(out, 1)[0] != least;
  in_two_calls([&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, n); });
  std::vector<float> got = download(out, n);
  float before = 0;
  for (int i = 0; i < n; before += host[i++]) wrong += got[i] != before;
  in_two_calls([&](void* s, std::size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(s, b, in, out, indices, sorted, n);
  });
  got = download(out, n);
  order = download(sorted, n);
  for (int i = 0; i < n; ++i) {
    wrong += got[i] != host[order[i]];
    wrong += i > 0 && (got[i - 1] < got[i] || (got[i - 1] == got[i] && order[i - 1] > order[i]));
  }
  in_two_calls([&](void* s, std::size_t& b) { return cub::DeviceSelect::If(s, b, in, out, number, n, Positive()); });
  wrong += download(number, 1)[0] != positive || !(download(out, positive)[positive - 1] > 0);

  merge_sorts<<<1, 64>>>(in, out);
  got = download(out, 2 * n);
  for (int i = 1; i < 2 * n; ++i) wrong += i % n != 0 && i != n + 96 && got[i - 1] > got[i];
  histogram<<<1, 64>>>(in, number);
  std::vector<int> const bins = download(number, 8);
  wrong += bins[5] != positive || bins[2] != n - positive || bins[0] != 0;

  for (void* p : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(indices),
                  static_cast<void*>(sorted), static_cast<void*>(number)})
    cudaFree(p);
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
