// SPDX-License-Identifier: Apache-2.0
// Every other header by CUDA's name, and one word of each.
#include <builtin_types.h>
#include <cuda_device_runtime_api.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_types.h>
#include <driver_types.h>
#include <host_defines.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.h>
#include <vector_types.h>
#if __has_include(<nvToolsExt.h>)
#include <nvToolsExt.h>  // CUDA 12 and older
#endif

#include <cstdio>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/latch>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/semaphore>
#include <cuda/std/span>
#include <cuda/std/variant>
#include <cuda/std/version>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

template <cuda::std::integral T>
__host__ __device__ T twice(T v) {
  return T(2 * v);
}

__global__ void standard(float* numbers) {
  EXPECT(cuda::std::popcount(0xf0u) == 4 && cuda::std::bit_cast<unsigned>(1.f) == 0x3f800000u);
  EXPECT(FLT_MAX > 1e38f && INT_MAX == 0x7fffffff && cuda::std::fabs(-2.f) == 2.f && twice(3) == 6);
  cuda::std::size_t const n = 4;
  cuda::std::span<float> const all(numbers, n);
  cuda::std::optional<int> maybe;
  EXPECT(all.size() == 4 && all[2] == 2.f && !maybe && maybe.value_or(7) == 7);
  cuda::std::variant<int, float> either(2.5f);
  EXPECT(cuda::std::holds_alternative<float>(either) && cuda::std::get<1>(either) == 2.5f);
  EXPECT(cuda::std::plus<int>{}(2, 3) == 5 && cuda::std::gcd(12, 18) == 6 &&
         cuda::std::accumulate(numbers, numbers + n, 0.f) == 6.f);
  char text[4];
  cuda::std::memcpy(text, "abc", 4);
  EXPECT(text[1] == 'b' && cuda::std::chrono::milliseconds(2) == cuda::std::chrono::microseconds(2000));
  EXPECT(cuda::std::ratio<2, 4>::den == 2 && cuda::std::distance(numbers, numbers + 3) == 3);
  cuda::std::initializer_list<int> const list = {1, 2, 3};
  EXPECT(list.size() == 3);
  assert(n == 4);
}

// The classes of cuda::std have the scope of the system.
__global__ void classes(cuda::std::binary_semaphore* lock, cuda::std::latch* all, int* sum) {
  lock->acquire();
  *sum += threadIdx.x;
  lock->release();
  all->arrive_and_wait();
  EXPECT(*sum == 31 * 16);
}
__global__ void make(cuda::std::binary_semaphore* lock, cuda::std::latch* all, int* sum) {
  new (lock) cuda::std::binary_semaphore(1);
  new (all) cuda::std::latch(32);
  *sum = 0;
}

int main() {
  cudaProfilerStart();
  float const host[4] = {0, 1, 2, 3};
  float4 const vector = make_float4(1, 2, 3, 4);
  float* numbers;
  char* memory;
  cudaMalloc(&numbers, sizeof host);
  cudaMalloc(&memory, 256);
  cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
  standard<<<1, 1>>>(numbers);
  auto* const lock = reinterpret_cast<cuda::std::binary_semaphore*>(memory);
  auto* const all = reinterpret_cast<cuda::std::latch*>(memory + 64);
  make<<<1, 1>>>(lock, all, (int*)(memory + 128));
  classes<<<1, 32>>>(lock, all, (int*)(memory + 128));
  unsigned failed = 1;
  cudaError_t const error = cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  cudaFree(numbers), cudaFree(memory);
  cudaProfilerStop();
  return failed != 0 || error != cudaSuccess || vector.w != 4;
}
