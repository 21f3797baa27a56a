// SPDX-License-Identifier: Apache-2.0
// Thrust's iterators without memory of their own.
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <cstdio>

__global__ void fill(int* p, int value) { p[threadIdx.x] = value; }
struct square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};
struct product {
  __host__ __device__ int operator()(thrust::tuple<int, int> const& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};

int main() {
  auto counted = thrust::make_counting_iterator(1);
  if (counted[4] != 5 || *(counted + 2) != 3) return 1;
  auto squares = thrust::make_transform_iterator(counted, square());
  if (thrust::reduce(squares, squares + 4, 0) != 30) return 2;
  auto sevens = thrust::make_constant_iterator(7);
  if (thrust::reduce(sevens, sevens + 3, 0) != 21) return 3;
  thrust::device_vector<int> threes(5), out(5);
  fill<<<1, 5>>>(thrust::raw_pointer_cast(threes.data()), 3);
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(counted, threes.begin()));
  thrust::transform(pairs, pairs + 5, out.begin(), product());
  if (out[0] != 3 || out[4] != 15) return 4;
  printf("%s\n", "done");
  return 0;
}
