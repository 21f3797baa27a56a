// SPDX-License-Identifier: Apache-2.0
// Thrust's merges and sets of sorted keys with values, orders of the program, and unique keys.
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <cstdio>

#include "expectations.cuh"

using vec = thrust::device_vector<int>;

struct same_tens {
  __host__ __device__ bool operator()(int x, int y) const { return x / 10 == y / 10; }
};

void merges_and_sets_by_key() {
  vec const a{1, 3, 3, 5}, va{10, 30, 31, 50}, b{1, 2, 3}, vb{100, 200, 300};
  vec k(7, 0), v(7, 0);
  auto const end =
      thrust::merge_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), k.begin(), v.begin());
  expect("merge_by_key", end.first - k.begin() == 7 && end.second - v.begin() == 7);
  expect("merge_by_key's keys", k, {1, 1, 2, 3, 3, 3, 5});
  expect("merge_by_key's values", v, {10, 100, 200, 30, 31, 300, 50});
  auto const fresh = [&] {
    thrust::fill(k.begin(), k.end(), 0);
    thrust::fill(v.begin(), v.end(), 0);
  };
  fresh();
  thrust::set_union_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), k.begin(), v.begin());
  expect("set_union_by_key's keys", k, {1, 2, 3, 3, 5, 0, 0});
  expect("set_union_by_key's values", v, {10, 200, 30, 31, 50, 0, 0});
  fresh();
  thrust::set_intersection_by_key(thrust::device, a.begin(), a.end(), b.begin(), b.end(), va.begin(), k.begin(),
                                  v.begin());
  expect("set_intersection_by_key's keys", k, {1, 3, 0, 0, 0, 0, 0});
  expect("set_intersection_by_key's values", v, {10, 30, 0, 0, 0, 0, 0});
  fresh();
  thrust::set_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), k.begin(), v.begin());
  expect("set_difference_by_key's keys", k, {3, 5, 0, 0, 0, 0, 0});
  fresh();
  thrust::set_symmetric_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), k.begin(),
                                          v.begin());
  expect("set_symmetric_difference_by_key's keys", k, {2, 3, 5, 0, 0, 0, 0});
  expect("set_symmetric_difference_by_key's first value", v[0] == 200 && v[2] == 50);
}

void orders() {
  vec const a{5, 3, 1}, b{4, 3, 2};
  vec out(6, 0);
  thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin(), thrust::greater<int>());
  expect("set_union", out, {5, 4, 3, 2, 1, 0});
  thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin(), thrust::greater<int>());
  expect("set_intersection", out, {3, 4, 3, 2, 1, 0});
  thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin(), thrust::greater<int>());
  expect("set_difference", out, {5, 1, 3, 2, 1, 0});
  thrust::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin(), thrust::greater<int>());
  expect("set_symmetric_difference", out, {5, 4, 2, 1, 1, 0});
  vec const v{1, 3, 3, 3, 7, 2};
  expect("is_sorted_until", thrust::is_sorted_until(v.begin(), v.end()) - v.begin() == 5);
  auto const range = thrust::equal_range(v.begin(), v.begin() + 5, 3);
  expect("equal_range", range.first - v.begin() == 1 && range.second - v.begin() == 4);
  vec k{2, 1, 2, 1}, of_keys{0, 1, 2, 3};
  thrust::stable_sort_by_key(k.begin(), k.end(), of_keys.begin(), thrust::greater<int>());
  expect("stable_sort_by_key", of_keys, {0, 2, 1, 3});
}

void unique_keys() {
  vec k{11, 12, 21, 22, 13}, v{1, 2, 3, 4, 5}, ok(5, 0), ov(5, 0);
  auto const end = thrust::unique_by_key_copy(k.begin(), k.end(), v.begin(), ok.begin(), ov.begin(), same_tens());
  expect("unique_by_key_copy", end.first - ok.begin() == 3 && end.second - ov.begin() == 3);
  expect("unique_by_key_copy's keys", ok, {11, 21, 13, 0, 0});
  expect("unique_by_key_copy's values", ov, {1, 3, 5, 0, 0});
  thrust::unique_by_key_copy(thrust::device, k.begin(), k.end(), v.begin(), ok.begin(), ov.begin());
  expect("unique_by_key_copy of other keys", ok, {11, 12, 21, 22, 13});
  thrust::unique_by_key(k.begin(), k.end(), v.begin(), same_tens());
  expect("unique_by_key", k[2] == 13 && v[2] == 5);
}

int main() {
  merges_and_sets_by_key();
  orders();
  unique_keys();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
