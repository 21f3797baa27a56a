// SPDX-License-Identifier: Apache-2.0
// Thrust's gathers, scatters, partitions and merges.
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <cstdio>

#include "expectations.cuh"

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

void moves() {
  int const values[] = {10, 11, 12, 13, 14, 15}, places[] = {5, 0, 4, 1, 3, 2};
  thrust::device_vector<int> v(values, values + 6), p(places, places + 6), out(6);
  thrust::gather(p.begin(), p.end(), v.begin(), out.begin());
  expect("gather", out, {15, 10, 14, 11, 13, 12});
  thrust::scatter(v.begin(), v.end(), p.begin(), out.begin());
  expect("scatter", out, {11, 13, 15, 14, 12, 10});
  auto const order = thrust::make_permutation_iterator(v.begin(), p.begin());
  expect("permutation", thrust::reduce(order, order + 2) == 25);
  thrust::stable_partition(v.begin(), v.end(), IsOdd());
  expect("stable_partition", v, {11, 13, 15, 10, 12, 14});
  thrust::reverse(v.begin(), v.end());
  expect("reverse", v, {14, 12, 10, 15, 13, 11});
}

int main() {
  moves();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
