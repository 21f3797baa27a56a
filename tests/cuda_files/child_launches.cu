// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: children run behind their parent, see what it wrote before the launch, and may launch
// further ones. A sum by recursion, and a fill whose grid depends on data.
#include <malloc.h>
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* out, int first, int count) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(PLANTED)
  out[first + i] = first;  // planted: out_of_bounds
#else
  if (i < count) out[first + i] = first;
#endif
}

__global__ void fill_rows(int const* begin, int rows, int* out) {
  int const row = threadIdx.x;
  if (row >= rows) return;
  int const count = begin[row + 1] - begin[row];
  if (count > 0) fill<<<(count + 31) / 32, 32>>>(out, begin[row], count);
}

template <class T>
__global__ void halve(T* values, int n, int const* unused) {
  int const i = threadIdx.x;
  if (i < n / 2) values[i] += values[i + n / 2];
  __syncthreads();
  if (i == 0 && n > 2) halve<T><<<1, n / 4>>>(values, n / 2, 0);
}

// A tail launch comes behind the other children, also those that are launched later.
__global__ void set(int* to, int value) { *to = value; }
__global__ void set_in_order(int* to) {
  set<<<1, 1, 0, cudaStreamTailLaunch>>>(to, 2);
  set<<<1, 1, 0, cudaStreamFireAndForget>>>(to, 1);
}

// The argument leads to memory of the host, which the lanes leave alone. What the library allocates for the launch lies
// behind it, where all threads of the host share one arena.
struct on_both {
  int* device;
  int* host;
};
__global__ void add(on_both p, int by) { *p.device += by; }
template <class T>
__global__ void add_any(on_both p, T by) {
  *p.device += by;
}
__global__ void launch_both(on_both p) {
  add<<<1, 1>>>(p, 1);
  add_any<int><<<1, 1>>>(p, 2);
}

int main() {
  mallopt(M_ARENA_MAX, 1);
  on_both both = {nullptr, static_cast<int*>(std::malloc(64))};
  int const rows = 5, begin[rows + 1] = {0, 3, 3, 40, 41, 96};
  int *d_begin, *d_out, out[96];
  cudaMalloc(&d_begin, sizeof begin);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_begin, begin, sizeof begin, cudaMemcpyHostToDevice);
  fill_rows<<<1, 32>>>(d_begin, rows, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = begin[row]; i < begin[row + 1]; ++i) bad += out[i] != begin[row];
  }

  float values[64], *d_values, want = 0;
  for (int i = 0; i < 64; ++i) want += values[i] = static_cast<float>(i * i % 7);
  cudaMalloc(&d_values, sizeof values);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  halve<float><<<1, 32>>>(d_values, 64, 0);
  cudaMemcpy(values, d_values, sizeof(float), cudaMemcpyDeviceToHost);
  bad += values[0] != want;

  cudaMalloc(&both.device, sizeof(int));
  cudaMemset(both.device, 0, sizeof(int));
  launch_both<<<1, 1>>>(both);
  int sum = 0;
  cudaMemcpy(&sum, both.device, sizeof sum, cudaMemcpyDeviceToHost);
  bad += sum != 3;
  cudaFree(both.device);
  std::free(both.host);

  set_in_order<<<1, 1>>>(d_out);
  cudaMemcpy(out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  bad += out[0] != 2;

  std::printf("%d wrong, sum %g\n", bad, values[0]);
  cudaFree(d_begin);
  cudaFree(d_out);
  cudaFree(d_values);
  return bad != 0 || cudaDeviceSynchronize() != cudaSuccess;
}
