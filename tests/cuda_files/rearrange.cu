// SPDX-License-Identifier: Apache-2.0
// Thrust's gathers, scatters, partitions and merges.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/unique.h>
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

void chosen() {
  int const values[] = {10, 11, 12, 13, 14, 15}, places[] = {5, 0, 4, 1, 3, 2}, stencil[] = {1, 0, 1, 0, 0, 1};
  thrust::device_vector<int> v(values, values + 6), p(places, places + 6), s(stencil, stencil + 6), out(6, -1),
      no(6, -1);
  auto end = thrust::copy_if(v.begin(), v.end(), s.begin(), out.begin(), IsOdd());
  expect("copy_if with a stencil", end - out.begin() == 3);
  expect("copy_if with a stencil", out, {10, 12, 15});
  end = thrust::remove_copy_if(v.begin(), v.end(), s.begin(), out.begin(), IsOdd());
  expect("remove_copy_if", out, {11, 13, 14});
  auto const ends = thrust::partition_copy(thrust::device, v.begin(), v.end(), out.begin(), no.begin(), IsOdd());
  expect("partition_copy", ends.first - out.begin() == 3 && ends.second - no.begin() == 3);
  expect("partition_copy", out, {11, 13, 15});
  expect("partition_copy", no, {10, 12, 14});
  thrust::replace_copy(v.begin(), v.end(), out.begin(), 13, 7);
  expect("replace_copy", out, {10, 11, 12, 7, 14, 15});
  thrust::replace_copy_if(v.begin(), v.end(), out.begin(), IsOdd(), 0);
  expect("replace_copy_if", out, {10, 0, 12, 0, 14, 0});
  thrust::gather_if(p.begin(), p.end(), s.begin(), v.begin(), out.begin(), IsOdd());
  expect("gather_if", out, {15, 0, 14, 0, 14, 12});
  thrust::swap_ranges(v.begin(), v.begin() + 2, v.begin() + 4);
  expect("swap_ranges", v, {14, 15, 12, 13, 10, 11});
}

void keys() {
  int const first[] = {1, 1, 3, 3, 3, 5}, second[] = {1, 2, 3};
  thrust::device_vector<int> a(first, first + 6), b(second, second + 3), va(6), vb(3), keys(9), out(9);
  thrust::sequence(va.begin(), va.end(), 10);
  thrust::sequence(vb.begin(), vb.end(), 20);
  auto const ends = thrust::unique_by_key_copy(a.begin(), a.end(), va.begin(), keys.begin(), out.begin());
  expect("unique_by_key_copy", ends.first - keys.begin() == 3 && ends.second - out.begin() == 3);
  expect("unique_by_key_copy", keys, {1, 3, 5});
  expect("unique_by_key_copy", out, {10, 12, 15});
  thrust::merge_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), keys.begin(), out.begin());
  expect("merge_by_key", keys, {1, 1, 1, 2, 3, 3, 3, 3, 5});
  expect("merge_by_key", out, {10, 11, 20, 21, 12, 13, 14, 22, 15});
  thrust::stable_sort_by_key(keys.begin(), keys.end(), out.begin(), thrust::greater<int>());
  expect("stable_sort_by_key", out, {15, 12, 13, 14, 22, 21, 10, 11, 20});
}

int main() {
  moves();
  chosen();
  keys();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
