// SPDX-License-Identifier: Apache-2.0
// The atomic functions that nvcc itself provides, by all threads of a grid; one publishes data for another block.
#include <cstdio>

enum { added, largest, smallest, both, either, odd, exchanged, swapped, doubled, words };

__global__ void count(unsigned* out, double* sum, long long* least) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(out + added, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(out + largest, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(out + smallest, i + 5u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_and(out + both, ~(i & 3u), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(out + either, i & 12u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(out + odd, i == 7 ? 9u : 0u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  if (i == 0) __nv_atomic_exchange_n(out + exchanged, 77u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  unsigned expected = 0;
  if (__nv_atomic_compare_exchange_n(out + swapped, &expected, 1u, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE,
                                     __NV_THREAD_SCOPE_DEVICE))
    __nv_atomic_add(out + doubled, 2u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(sum, 0.5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(least, -static_cast<long long>(i), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void hand_over(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
#if defined(PLANTED)
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
#endif
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) __nanosleep(20);
    *out = *data;  // planted: race
  }
}

int main() {
  unsigned *d_out, out[words] = {};
  double *d_sum, sum = 0;
  long long *d_least, least = 0;
  out[smallest] = ~0u;
  out[both] = ~0u;
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_sum, sizeof sum);
  cudaMalloc(&d_least, sizeof least);
  cudaMemcpy(d_out, out, sizeof out, cudaMemcpyHostToDevice);
  cudaMemcpy(d_sum, &sum, sizeof sum, cudaMemcpyHostToDevice);
  cudaMemcpy(d_least, &least, sizeof least, cudaMemcpyHostToDevice);
  count<<<4, 64>>>(d_out, d_sum, d_least);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&least, d_least, sizeof least, cudaMemcpyDeviceToHost);
  unsigned const want[words] = {256 * 255 / 2, 255, 5, ~3u, 12, 9, 77, 1, 2};
  int bad = sum != 128 || least != -255;
  for (int k = 0; k < words; ++k) bad += out[k] != want[k];

  int *memory, got = 0;
  cudaMalloc(&memory, 3 * sizeof(int));
  cudaMemset(memory, 0, 3 * sizeof(int));
  hand_over<<<2, 1>>>(memory, memory + 1, memory + 2);
  cudaMemcpy(&got, memory + 2, sizeof got, cudaMemcpyDeviceToHost);
  bad += got != 42;
  std::printf("%d wrong\n", bad);
  cudaFree(d_out);
  cudaFree(d_sum);
  cudaFree(d_least);
  cudaFree(memory);
  return bad;
}
