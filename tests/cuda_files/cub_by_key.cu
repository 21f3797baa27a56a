// SPDX-License-Identifier: Apache-2.0
// CUB's algorithms of the device for runs of equal keys, scans and selections in place, and sums that are wider than
// their elements or initial values; each is compared with a loop of the host.
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#include "two_calls.cuh"

struct Even {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};
struct Plus {
  template <class T, class V>
  __host__ __device__ auto operator()(T a, V b) const {
    return a + b;
  }
};
struct Square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};

template <class T>
T* upload(std::vector<T> const& host) {
  T* p;
  cudaMalloc(&p, host.size() * sizeof(T));
  cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int wrong = 0;
template <class T>
void expect(T const* p, std::vector<T> const& right, char const* what) {
  std::vector<T> host(right.size());
  cudaMemcpy(host.data(), p, right.size() * sizeof(T), cudaMemcpyDeviceToHost);
  if (host == right) return;
  std::printf("%s is wrong\n", what);
  ++wrong;
}

// Expects `right` in `out` behind the two calls of CUB::NAME(storage, bytes, arguments).
#define EXPECT(out, right, name, ...)                                                                      \
  in_two_calls([&](void* storage, std::size_t& bytes) { return cub::name(storage, bytes, __VA_ARGS__); }); \
  expect(out, right, #name)

int main() {
  int const n = 7;
  int* const keys = upload<int>({3, 3, 5, 5, 5, 3, 4});
  int* const values = upload<int>({1, 2, 3, 4, 5, 6, 7});
  int* const out = upload<int>(std::vector<int>(n));
  int* const lengths = upload<int>(std::vector<int>(n));
  int* const number = upload<int>({0});
  using ints = std::vector<int>;
  EXPECT(out, (ints{0, 1, 0, 3, 7, 0, 0}), DeviceScan::ExclusiveSumByKey, keys, values, out, n);
  EXPECT(out, (ints{1, 3, 3, 7, 12, 6, 7}), DeviceScan::InclusiveSumByKey, keys, values, out, n);
  EXPECT(out, (ints{9, 10, 9, 12, 16, 9, 9}), DeviceScan::ExclusiveScanByKey, keys, values, out, Plus(), 9, n);
  EXPECT(out, (ints{1, 3, 3, 7, 12, 6, 7}), DeviceScan::InclusiveScanByKey, keys, values, out, Plus(), n);
  EXPECT(out, (ints{3, 12, 6, 7}), DeviceReduce::ReduceByKey, keys, lengths, values, out, number, Plus(), n);
  expect(lengths, ints{3, 5, 3, 4}, "unique keys");
  expect(number, ints{4}, "number of runs");
  EXPECT(out, (ints{3, 5, 3, 4}), DeviceSelect::UniqueByKey, keys, values, out, lengths, number, n);
  expect(lengths, ints{1, 3, 6, 7}, "values of unique keys");
  EXPECT(out, (ints{1, 2, 6}), DeviceSelect::FlaggedIf, values, keys, out, number, n,
         [] __host__ __device__(int key) { return key == 3; });
  EXPECT(out, (ints{140}), DeviceReduce::TransformReduce, values, out, n, Plus(), Square(), 0);
  EXPECT(out, (ints{101, 103, 106, 110, 115, 121, 128}), DeviceScan::InclusiveScanInit, values, out, Plus(), 100, n);
  EXPECT(values, (ints{0, 1, 3, 6, 10, 15, 21}), DeviceScan::ExclusiveSum, values, n);
  EXPECT(values, (ints{0, 1, 4, 10, 20, 35, 56}), DeviceScan::InclusiveSum, values, n);
  EXPECT(values, (ints{2, 2, 3, 7, 17, 37, 72}), DeviceScan::ExclusiveScan, values, Plus(), 2, n);
  EXPECT(values, (ints{2, 4, 7, 14, 31, 68, 140}), DeviceScan::InclusiveScan, values, Plus(), n);
  EXPECT(values, (ints{2, 4, 14, 68, 140}), DeviceSelect::If, values, number, n, Even());
  expect(number, ints{5}, "number of even ones");

  float* const halves = upload<float>({0.5f, 0.5f, 0.5f, 0.5f});
  float* const sums = upload<float>(std::vector<float>(4));
  EXPECT(sums, (std::vector<float>{0, 0.5f, 1, 1.5f}), DeviceScan::ExclusiveScan, halves, sums, Plus(), 0, 4);
  EXPECT(sums, (std::vector<float>{2}), DeviceReduce::Reduce, halves, sums, 4, Plus(), 0);
  signed char* const small = upload<signed char>({100, 100, 100, 100});
  EXPECT(out, (ints{100, 200, 300, 400}), DeviceScan::InclusiveSum, small, out, 4);
  for (void* p : {(void*)keys, (void*)values, (void*)out, (void*)lengths, (void*)number, (void*)halves, (void*)sums,
                  (void*)small})
    cudaFree(p);
  return wrong == 0 && FLT_MAX > 1 && INT_MAX > 1 ? 0 : 1;
}
