// SPDX-License-Identifier: Apache-2.0
// CUB's segments, runs, histograms, partitions and sorts by comparison of arrays, compared with what the values give.
#include <cstdio>
#include <cub/cub.cuh>

struct Even {
  __host__ __device__ bool operator()(int a) const { return a % 2 == 0; }
};
struct Greater {
  __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

/// Calls a function of CUB twice: for the bytes of its storage, and for the work.
template <class Call>
void twice(Call call) {
  void* storage = nullptr;
  std::size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  call(storage, bytes);
  cudaFree(storage);
}
int differ(int const* device, std::initializer_list<int> want) {
  int got[16], bad = 0, k = 0;
  cudaMemcpy(got, device, want.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int const w : want) bad += got[k++] != w;
  return bad;
}

int main() {
  int const values[] = {4, 4, 7, 1, 1, 1, 8, 2}, begin[] = {0, 3, 3, 8}, order[] = {0, 1, 2, 3, 4, 5, 6, 7};
  int const n = 8, levels[] = {0, 2, 5, 9};
  int *in, *offsets, *bounds, *places, *a, *b, *c;
  for (int** p : {&in, &offsets, &bounds, &places, &a, &b, &c}) cudaMalloc(p, 16 * sizeof(int));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(offsets, begin, sizeof begin, cudaMemcpyHostToDevice);
  cudaMemcpy(bounds, levels, sizeof levels, cudaMemcpyHostToDevice);
  cudaMemcpy(places, order, sizeof order, cudaMemcpyHostToDevice);
  int bad = 0;
  twice(
      [=](void* s, std::size_t& bytes) { cub::DeviceSegmentedReduce::Sum(s, bytes, in, a, 3, offsets, offsets + 1); });
  bad += differ(a, {15, 0, 13});
  twice([=](void* s, std::size_t& bytes) { cub::DeviceRunLengthEncode::Encode(s, bytes, in, a, b, c, n); });
  bad += differ(a, {4, 7, 1, 8, 2}) + differ(b, {2, 1, 3, 1, 1}) + differ(c, {5});
  twice([=](void* s, std::size_t& bytes) { cub::DeviceHistogram::HistogramEven(s, bytes, in, a, 4, 0, 9, n); });
  bad += differ(a, {4, 2, 2});
  twice([=](void* s, std::size_t& bytes) { cub::DeviceHistogram::HistogramRange(s, bytes, in, a, 4, bounds, n); });
  bad += differ(a, {3, 3, 2});
  twice([=](void* s, std::size_t& bytes) { cub::DevicePartition::If(s, bytes, in, a, b, n, Even()); });
  bad += differ(a, {4, 4, 8, 2, 1, 1, 1, 7}) + differ(b, {4});
  twice(
      [=](void* s, std::size_t& bytes) { cub::DeviceMergeSort::StableSortPairs(s, bytes, in, places, n, Greater()); });
  bad += differ(in, {8, 7, 4, 4, 2, 1, 1, 1}) + differ(places, {6, 2, 0, 1, 7, 3, 4, 5});
  twice([=](void* s, std::size_t& bytes) {  // the keys are 8 7 4 | | 4 2 1 1 1 now
    cub::DeviceSegmentedRadixSort::SortPairs(s, bytes, in, a, places, b, n, 3, offsets, offsets + 1);
  });
  bad += differ(a, {4, 7, 8, 1, 1, 1, 2, 4}) + differ(b, {0, 2, 6, 3, 4, 5, 7, 1});
  twice([=](void* s, std::size_t& bytes) {
    cub::DeviceSegmentedRadixSort::SortKeysDescending(s, bytes, a, b, n, 3, offsets, offsets + 1);
  });
  bad += differ(b, {8, 7, 4, 4, 2, 1, 1, 1});
  std::printf("%d wrong\n", bad);
  for (int* p : {in, offsets, bounds, places, a, b, c}) cudaFree(p);
  return bad;
}
