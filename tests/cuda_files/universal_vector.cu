// SPDX-License-Identifier: Apache-2.0
// A vector that the host and a kernel access in turn, and an algorithm over it from the back.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/universal_vector.h>
#include <cstdio>

__global__ void add(int* v, int n, int more) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] += more;
}

int main() {
  int const n = 100;
  thrust::universal_vector<int> v(n, 1);
  for (int i = 0; i < n; ++i) v[i] = i;
  add<<<1, 128>>>(thrust::raw_pointer_cast(v.data()), n, 5);
  int const sum = thrust::reduce(thrust::device, v.begin(), v.end());  // behind the kernel, without a wait of the host
  add<<<1, 128>>>(thrust::raw_pointer_cast(v.data()), n, 0);
#if defined(PLANTED)
  return v[0] + sum == 0;  // planted: missing_wait
#endif
  cudaDeviceSynchronize();
  int wrong = sum != n * (n - 1) / 2 + 5 * n;
  for (int i = 0; i < n; ++i) wrong += v[i] != i + 5;

  thrust::device_vector<int> d(v.begin(), v.begin() + 4), sums(4);  // 5 6 7 8
  auto const last = thrust::make_reverse_iterator(d.end());
  thrust::inclusive_scan(last, last + 4, sums.begin());
  wrong += sums[0] != 8 || sums[1] != 15 || sums[2] != 21 || sums[3] != 26;

  thrust::host_vector<int> h(d);  // algorithms over the iterators of the standard library's vector
  thrust::fill_n(h.begin(), 2, 9);
  thrust::sort(thrust::host, h.begin(), h.end());
  wrong += thrust::reduce(h.begin(), h.end()) != 33 || h[3] != 9;
  std::printf("%d wrong\n", wrong);
  return wrong;
}
