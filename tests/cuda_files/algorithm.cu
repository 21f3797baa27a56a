// SPDX-License-Identifier: Apache-2.0
// Thrust's algorithms on what a kernel wrote.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstdio>

__global__ void squares(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i * i;
}
struct triple {
  __host__ __device__ int operator()(int v) const { return 3 * v; }
};

/// Counts its calls as those of threads of a grid, whose extents are never 0.
struct number_of_call {
  unsigned so_far = 0;
  __device__ int operator()() {
    so_far += blockDim.x * gridDim.x;
    return static_cast<int>(so_far + threadIdx.x);
  }
};
/// Numbers of Thrust of CUDA 13.0, on the host.
static int random_numbers() {
  thrust::minstd_rand small(1234567);
  small.discard(1000);
  if (small() != 1692076327u) return 1;
  thrust::random::uniform_real_distribution<float> real(-1.f, 3.f);
  if (real(small) != 0x1.113554p-1f) return 2;
  thrust::random::taus88 taus;
  if (taus() != 45438212u || taus() != 1409544450u) return 3;
  thrust::ranlux24 lux(1234567);
  lux.discard(1000);
  thrust::uniform_int_distribution<int> integer(5, 17);
  if (lux() != 10512280u) return 4;
  if (thrust::minstd_rand0::max != 2147483646u || thrust::default_random_engine::min != 1) return 5;
  thrust::default_random_engine engine(7);
  thrust::random::normal_distribution<float> normal(1.f, 2.f);
  float const first = normal(engine);
  return first > -6.2059f && first < -6.2057f && integer(engine) == 12 ? 0 : 6;
}

int main() {
  int const n = 8;  // 0 1 4 9 16 25 36 49
  thrust::device_vector<int> x(n), y(n), z(n);
  squares<<<1, 32>>>(thrust::raw_pointer_cast(x.data()), n);
  if (thrust::reduce(x.begin(), x.end()) != 140) return 1;
  if (thrust::reduce(thrust::device, x.begin(), x.end(), 0, thrust::maximum<int>()) != 49) return 2;
  thrust::transform(x.begin(), x.end(), y.begin(), triple());
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), thrust::plus<int>());
  if (z[7] != 4 * 49) return 3;
  thrust::sequence(y.begin(), y.end());
  thrust::transform(y.begin(), y.end(), y.begin(), thrust::negate<int>());
  thrust::sort(y.begin(), y.end());
  if (y.front() != -7 || y.back() != 0) return 4;
  thrust::sort_by_key(y.begin(), y.end(), x.begin(), thrust::greater<int>());
  if (y.front() != 0 || x.front() != 49) return 5;
  thrust::fill(y.begin(), y.end(), 2);
  thrust::exclusive_scan(y.begin(), y.end(), z.begin());
  if (z[0] != 0 || z[7] != 14) return 6;
  thrust::inclusive_scan(thrust::device, y.begin(), y.end(), z.begin());
  if (z[7] != 16) return 7;
  if (thrust::inner_product(y.begin(), y.end(), z.begin(), 0) != 2 * 72) return 8;
  if (thrust::max_element(z.begin(), z.end()) - z.begin() != 7) return 9;
  if (thrust::count(y.begin(), y.end(), 2) != 8) return 10;
  thrust::host_vector<float> h(100);
  thrust::default_random_engine engine(7);
  thrust::uniform_real_distribution<float> uniform(0.f, 1.f);
  thrust::generate(h.begin(), h.end(), [&] { return uniform(engine); });
  thrust::device_vector<float> d = h;
  float const smallest = *thrust::min_element(d.begin(), d.end());
  if (smallest < 0 || smallest > 1) return 11;
  thrust::device_vector<int> calls(2);
  thrust::generate(calls.begin(), calls.end(), number_of_call());
  if (calls[0] == 0) return 20;
  if (int const fault = random_numbers()) return 11 + fault;
  printf("%s\n", "done");
  return 0;
}
