// SPDX-License-Identifier: Apache-2.0
// Thrust's copies of what is kept or replaced, partitions into two outputs, and shuffles.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>
#include <thrust/unique.h>
#include <cstdio>

#include "expectations.cuh"

using vec = thrust::device_vector<int>;

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct same_tens {
  __host__ __device__ bool operator()(int x, int y) const { return x / 10 == y / 10; }
};
struct one {
  __host__ __device__ int operator()() const { return 1; }
};

void with_stencil() {
  vec const v{1, 2, 3, 4, 5, 6}, stencil{0, 1, 2, 3, 4, 5}, map{5, 4, 3, 2, 1, 0};
  vec out(6, 0);
  expect("copy_if", thrust::copy_if(v.begin(), v.end(), stencil.begin(), out.begin(), is_even()) - out.begin() == 3);
  expect("copy_if's values", out, {1, 3, 5, 0, 0, 0});
  auto end = thrust::remove_copy_if(thrust::device, v.begin(), v.end(), stencil.begin(), out.begin(), is_even());
  expect("remove_copy_if", end - out.begin() == 3);
  expect("remove_copy_if's values", out, {2, 4, 6, 0, 0, 0});
  vec changed = v;
  thrust::replace_if(changed.begin(), changed.end(), stencil.begin(), is_even(), 9);
  expect("replace_if", changed, {9, 2, 9, 4, 9, 6});
  changed = v;
  end = thrust::remove_if(changed.begin(), changed.end(), stencil.begin(), is_even());
  changed.resize(end - changed.begin());
  expect("remove_if", changed, {2, 4, 6});
  thrust::fill(out.begin(), out.end(), 7);
  thrust::gather_if(map.begin(), map.end(), stencil.begin(), v.begin(), out.begin());
  expect("gather_if", out, {7, 5, 4, 3, 2, 1});
  thrust::fill(out.begin(), out.end(), 7);
  thrust::gather_if(map.begin(), map.end(), stencil.begin(), v.begin(), out.begin(), is_even());
  expect("gather_if with a predicate", out, {6, 7, 4, 7, 2, 7});
}

void kept_and_replaced() {
  vec const v{1, 2, 3, 4, 2, 6};
  vec out(6, 0), other(6, 0);
  expect("remove_copy", thrust::remove_copy(v.begin(), v.end(), out.begin(), 2) - out.begin() == 4);
  expect("remove_copy's values", out, {1, 3, 4, 6, 0, 0});
  thrust::remove_copy_if(v.begin(), v.end(), out.begin(), is_even());
  expect("remove_copy_if without stencil", out, {1, 3, 4, 6, 0, 0});
  thrust::replace_copy(thrust::device, v.begin(), v.end(), out.begin(), 2, 20);
  expect("replace_copy", out, {1, 20, 3, 4, 20, 6});
  thrust::replace_copy_if(v.begin(), v.end(), out.begin(), is_even(), 0);
  expect("replace_copy_if", out, {1, 0, 3, 0, 0, 0});
  thrust::swap_ranges(out.begin(), out.begin() + 2, other.begin());
  expect("swap_ranges", out, {0, 0, 3, 0, 0, 0});
  expect("swap_ranges's other", other, {1, 0, 0, 0, 0, 0});
  thrust::generate_n(out.begin() + 1, 2, one());
  expect("generate_n", out, {0, 1, 1, 0, 0, 0});
  thrust::uninitialized_copy(v.begin(), v.end(), out.begin());
  thrust::uninitialized_fill_n(out.begin(), 2, 5);
  thrust::uninitialized_fill(out.begin() + 2, out.begin() + 3, 8);
  thrust::uninitialized_copy_n(v.begin(), 1, out.begin() + 5);
  expect("uninitialized", out, {5, 5, 8, 4, 2, 1});
}

void partitions() {
  vec const v{1, 2, 3, 4, 5, 6};
  vec even(6, 0), odd(6, 0);
  auto const ends = thrust::stable_partition_copy(v.begin(), v.end(), even.begin(), odd.begin(), is_even());
  expect("stable_partition_copy", ends.first - even.begin() == 3 && ends.second - odd.begin() == 3);
  expect("what it accepts", even, {2, 4, 6, 0, 0, 0});
  expect("what it does not", odd, {1, 3, 5, 0, 0, 0});
  thrust::partition_copy(v.begin(), v.end(), even.begin(), odd.begin(), is_even());
  expect("is_partitioned", !thrust::is_partitioned(v.begin(), v.end(), is_even()));
  vec const parted{2, 4, 6, 1, 3};
  expect("is_partitioned of a partition", thrust::is_partitioned(parted.begin(), parted.end(), is_even()));
  expect("partition_point", thrust::partition_point(parted.begin(), parted.end(), is_even()) - parted.begin() == 3);
}

void unique_elements() {
  vec v{11, 12, 21, 22, 13}, out(5, 0);
  expect("unique_copy", thrust::unique_copy(v.begin(), v.end(), out.begin(), same_tens()) - out.begin() == 3);
  expect("unique_copy's values", out, {11, 21, 13, 0, 0});
  expect("unique_count", thrust::unique_count(v.begin(), v.end(), same_tens()) == 3);
  expect("unique_count of other elements", thrust::unique_count(v.begin(), v.end()) == 5);
  v.resize(thrust::unique(v.begin(), v.end(), same_tens()) - v.begin());
  expect("unique", v, {11, 21, 13});
}

void shuffles() {
  vec v{1, 2, 3, 4, 5, 6}, out(6, 0);
  thrust::default_random_engine engine(3);
  thrust::shuffle_copy(v.begin(), v.end(), out.begin(), engine);
  thrust::sort(out.begin(), out.end());
  expect("shuffle_copy", out, {1, 2, 3, 4, 5, 6});
  thrust::shuffle(v.begin(), v.end(), engine);
  thrust::sort(v.begin(), v.end());
  expect("shuffle", v, {1, 2, 3, 4, 5, 6});
}

int main() {
  with_stencil();
  kept_and_replaced();
  partitions();
  unique_elements();
  shuffles();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
