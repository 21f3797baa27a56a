// SPDX-License-Identifier: Apache-2.0
// <cuda/atomic>, <cuda/semaphore>, <cuda/latch>, <cuda/annotated_ptr>, <cuda/cmath>, <cuda/functional> and
// <cuda/std/...>.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <new>
#pragma nv_diag_suppress static_var_with_dynamic_init

struct results {
  cuda::atomic<int, cuda::thread_scope_device> count, least, most;
  cuda::std::atomic<unsigned> bits;
  double sum;
  unsigned long long guarded;
};

__global__ void operations(results* r) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  r->count.fetch_add(2, cuda::memory_order_relaxed);
  ++r->count;
  r->least.fetch_min(i - 5);
  r->most.fetch_max(i);
  r->bits.fetch_or(1u << i % 32, cuda::std::memory_order_relaxed);
  static_cast<volatile cuda::std::atomic<unsigned>*>(&r->bits)->fetch_and(~0u, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_device>(r->sum).fetch_add(0.5);
  cuda::atomic_ref<unsigned long long> guarded(r->guarded);
  unsigned long long old = guarded.load();
  while (!guarded.compare_exchange_weak(old, old + 3)) {
  }
}

// The last block reads what all blocks have written. A relaxed count orders nothing.
__global__ void last_block(int* cells, cuda::atomic<unsigned, cuda::thread_scope_device>* done, int* out) {
  cells[blockIdx.x] = blockIdx.x + 1;
#ifdef PLANTED
  unsigned const before = done->fetch_add(1, cuda::memory_order_relaxed);
#else
  unsigned const before = done->fetch_add(1, cuda::memory_order_acq_rel);
#endif
  if (before + 1 != gridDim.x) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += cells[b];  // planted: race
  *out = sum;
}

__global__ void waiting(int* out) {
  __shared__ int inside, most_inside;
  if (threadIdx.x == 0) inside = most_inside = 0;
  using semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  using latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(16) unsigned char memory[128];
  semaphore& lock = *reinterpret_cast<semaphore*>(memory);
  latch& all = *reinterpret_cast<latch*>(memory + 64);
  if (threadIdx.x == 0) {
    new (&lock) semaphore(1);
    new (&all) latch(blockDim.x);
  }
  __syncthreads();
  lock.acquire();
  int const now = atomicAdd(&inside, 1) + 1;
  atomicMax(&most_inside, now);
  atomicSub(&inside, 1);
  lock.release();
  all.arrive_and_wait();
  if (threadIdx.x == 0) *out = atomicAdd(&most_inside, 0);
}

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__global__ void words(int const* in) {
  EXPECT(cuda::ceil_div(10, 4) == 3 && cuda::ceil_div(8u, 4u) == 2u && cuda::round_up(10, 4) == 12);
  EXPECT(cuda::round_down(10, 4) == 8 && cuda::ilog2(64u) == 6);
  EXPECT(cuda::maximum<int>{}(3, 4) == 4 && cuda::minimum<>{}(3, 4) == 3);
  cuda::std::array<int, 3> const a = {1, 2, 3};
  cuda::std::tuple<int, float> const t(4, 2.5f);
  EXPECT(a[2] == 3 && a.size() == 3 && cuda::std::get<1>(t) == 2.5f);
  EXPECT(cuda::std::numeric_limits<cuda::std::int16_t>::max() == 32767 &&
         cuda::std::is_same_v<int, decltype(a)::value_type>);
  cuda::std::complex<float> const z = cuda::std::complex<float>(1, 2) * cuda::std::complex<float>(3, -1);
  EXPECT(z.real() == 5 && z.imag() == 5);
  cuda::annotated_ptr<int const, cuda::access_property::persisting> const p(in);
  EXPECT(p[1] == 1 && *cuda::associate_access_property(in + 2, cuda::access_property::streaming{}) == 2);
}

int main() {
  results host{}, *r;
  cudaMalloc(&r, sizeof *r);
  cudaMemset(r, 0, sizeof *r);
  operations<<<4, 64>>>(r);
  cudaMemcpy((void*)&host, r, sizeof *r, cudaMemcpyDeviceToHost);
  if (host.count.load() != 768 || host.least.load() != -5 || host.most.load() != 255 || host.bits.load() != ~0u)
    return printf("integers\n"), 1;
  if (host.sum != 128 || host.guarded != 768) return printf("references\n"), 2;
  int *cells, sum = 0, most = 0;
  cudaMalloc(&cells, 64);
  cuda::atomic<unsigned, cuda::thread_scope_device>* done;
  cudaMalloc(&done, sizeof *done);
  cudaMemset((void*)done, 0, sizeof *done);
  last_block<<<8, 1>>>(cells, done, cells + 8);
  cudaMemcpy(&sum, cells + 8, sizeof sum, cudaMemcpyDeviceToHost);
#ifndef PLANTED
  if (sum != 36) return printf("last block: %d\n", sum), 3;
#endif
  waiting<<<1, 32>>>(cells);
  cudaMemcpy(&most, cells, sizeof most, cudaMemcpyDeviceToHost);
  if (most != 1) return printf("semaphore: %d inside\n", most), 4;
  int const numbers[4] = {0, 1, 2, 3};
  cudaMemcpy(cells, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  words<<<1, 1>>>(cells);
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  cudaFree(r), cudaFree(cells), cudaFree(done);
  return failed != 0;
}
