// SPDX-License-Identifier: Apache-2.0
// Thrust's reductions and scans by key, scans of transformed elements, and differences of neighbours.
#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>
#include <cstdio>

#include "expectations.cuh"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

void by_key() {
  int const keys[] = {1, 1, 2, 3, 3, 3}, values[] = {1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> k(keys, keys + 6), v(values, values + 6), ok(6), ov(6);
  auto const end = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), ok.begin(), ov.begin());
  expect("reduce_by_key", end.first - ok.begin() == 3);
  expect("reduce_by_key's keys", ok, {1, 2, 3});
  expect("reduce_by_key's values", ov, {3, 3, 15});
  thrust::reduce_by_key(k.begin(), k.end(), v.begin(), thrust::make_discard_iterator(), ov.begin());
  thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), ov.begin());
  expect("inclusive_scan_by_key", ov, {1, 3, 3, 4, 9, 15});
  thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), ov.begin());
  expect("exclusive_scan_by_key", ov, {0, 1, 0, 0, 4, 9});
  thrust::transform_inclusive_scan(v.begin(), v.end(), ov.begin(), Square(), thrust::plus<int>());
  expect("transform_inclusive_scan", ov, {1, 5, 14, 30, 55, 91});
  thrust::adjacent_difference(ov.begin(), ov.end(), ov.begin());
  expect("adjacent_difference", ov, {1, 4, 9, 16, 25, 36});
}

int main() {
  by_key();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
