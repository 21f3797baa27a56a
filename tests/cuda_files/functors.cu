// SPDX-License-Identifier: Apache-2.0
// Functions that Thrust's algorithms call: they write through raw pointers and through tuples of iterators. Algorithms
// on raw pointers, and complex numbers.
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <cstdio>

#include "expectations.cuh"

struct Write {
  int* to;
  int shift;
  __host__ __device__ void operator()(int i) const { to[i + shift] = 2 * i; }
};
struct Add {
  template <class Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

void functions_that_write() {
  thrust::device_vector<int> v(100, -1);
#if defined(PLANTED)
  int const shift = 1;
#else
  int const shift = 0;
#endif
  thrust::counting_iterator<int> const first(0);
  thrust::for_each(thrust::device, first, first + 100, Write{thrust::raw_pointer_cast(v.data()), shift});
  expect("for_each", v[99] == 198 || shift == 1);
  thrust::device_vector<int> a(5, 1), b(5, 2), c(5);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())), Add());
  expect("for_each of tuples", c, {3, 3, 3, 3, 3});
  using Iterators = thrust::tuple<thrust::device_vector<int>::iterator, thrust::device_vector<int>::iterator>;
  thrust::zip_iterator<Iterators> const pairs(thrust::make_tuple(b.begin(), c.begin()));
  expect("an element of a zip_iterator", thrust::get<1>(static_cast<thrust::tuple<int, int>>(pairs[2])) == 3);
  thrust::tabulate(c.begin(), c.end(), Square());
  expect("tabulate", c, {0, 1, 4, 9, 16});
}

void raw_pointers() {
  int const host[6] = {5, 1, 4, 2, 8, 7};
  int* raw;
  cudaMalloc(&raw, sizeof host);
  cudaMemcpy(raw, host, sizeof host, cudaMemcpyHostToDevice);
  thrust::sort(thrust::device, raw, raw + 6);
  expect("reduce of raw pointers", thrust::reduce(thrust::device, raw, raw + 6) == 27);
  thrust::inclusive_scan(thrust::device, raw, raw + 6, raw);
  thrust::host_vector<int> got(6);
  cudaMemcpy(got.data(), raw, sizeof host, cudaMemcpyDeviceToHost);
  expect("sort and scan of raw pointers", got, {1, 3, 7, 12, 19, 27});
  cudaFree(raw);
}

__global__ void mandelbrot(int* steps) {
  thrust::complex<float> const c(-1.5f + 0.05f * threadIdx.x, 0.1f);
  thrust::complex<float> z = 0.0f;
  int n = 0;
  while (n < 50 && thrust::abs(z) < 2.0f) {
    z = z * z + c;
    ++n;
  }
  steps[threadIdx.x] = n;
}

void complex_numbers() {
  thrust::device_vector<int> steps(32);
  mandelbrot<<<1, 32>>>(thrust::raw_pointer_cast(steps.data()));
  expect("a point inside", steps[30] == 50);
  expect("a point outside", steps[31] > 0);
  thrust::complex<double> const z(3, 4);
  expect("complex", thrust::norm(z) == 25 && thrust::abs(z) == 5 && (2.0 * z / 2).real() == 3 && (-z).imag() == -4);
}

int main() {
  functions_that_write();
  raw_pointers();
  complex_numbers();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
