// SPDX-License-Identifier: Apache-2.0
// Thrust's searches, questions about ranges, and sorted ranges as sets.
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/find.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <cstdio>

#include "expectations.cuh"

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

void sorted_ranges() {
  int const first[] = {1, 3, 5, 7}, second[] = {3, 4, 5, 6};
  thrust::device_vector<int> a(first, first + 4), b(second, second + 4), out(8);
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  expect("merge", out, {1, 3, 3, 4, 5, 5, 6, 7});
  auto const end = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  expect("set_intersection", end - out.begin() == 2 && out[0] == 3 && out[1] == 5);
  thrust::upper_bound(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  expect("upper_bound", out, {2, 2, 3, 3});
  expect("any_of", thrust::any_of(b.begin(), b.end(), IsOdd()));
  expect("all_of", !thrust::all_of(b.begin(), b.end(), IsOdd()));
  expect("find", thrust::find(b.begin(), b.end(), 5) - b.begin() == 2);
  expect("lower_bound", thrust::lower_bound(a.begin(), a.end(), 5) - a.begin() == 2);
}

int main() {
  sorted_ranges();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
