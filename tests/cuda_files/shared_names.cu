// SPDX-License-Identifier: Apache-2.0
// Shared memory in every form: several extern names, alignments, classes, arrays of classes, in functions and
// templates.
#include <cstdio>

extern __shared__ float4 at_file_level[];

struct Pair {
  int first, second;
  __device__ Pair() {}
  __device__ Pair(int a, int b) : first(a), second(b) {}
  __device__ int sum() const { return first + second; }
};
template <int Count>
struct Storage {
  union {
    float values[Count];
    int counts[Count];
  };
};
class Scratch {
 public:
  int lines[4][33];
};

template <class T>
__device__ T* dynamic_of() {
  extern __shared__ __align__(16) unsigned char bytes_of_any_type[];
  return reinterpret_cast<T*>(bytes_of_any_type);
}
__device__ int& counter() {
  static __shared__ int count;
  return count;
}

template <int Count>
__global__ void uses_all(int* out) {
  extern __shared__ volatile int __smem[];
  __shared__ Pair pairs[32];
  __shared__ Storage<Count> storage;
  __shared__ alignas(128) float aligned[8];
  __shared__ __align__(16) Scratch scratch;
  __shared__ union {
    double d;
    int i[2];
  } both;
  int const t = threadIdx.x;
  if (t == 0) counter() = 0, both.i[0] = 7, both.i[1] = 0;
  pairs[t] = Pair(t, 1);
  storage.counts[t] = 2 * t;
  scratch.lines[t % 4][t] = t;
  if (t < 8) aligned[t] = t;
  __smem[t] = 2;
  __smem[t] += 1;
  __syncthreads();
  atomicAdd(&counter(), pairs[31 - t].sum() + storage.counts[31 - t] + scratch.lines[t % 4][t]);
  if (t < 8) atomicAdd(&counter(), static_cast<int>(aligned[7 - t]));
  dynamic_of<int>()[32 + t] = __smem[31 - t];
  __syncthreads();
  int const same = reinterpret_cast<int*>(at_file_level)[32 + (t + 1) % 32];
  atomicAdd(out, same);
  if (t == 0) atomicAdd(out, counter() + both.i[0] + (reinterpret_cast<size_t>(aligned) % 128 == 0));
}

namespace inner {
namespace {
int const shift = 5;
__device__ int plus_shift(int i) { return i + shift; }
template <class T>
__global__ void reversed(T* out) {
  extern __shared__ __align__(1024) unsigned char of_unnamed_namespace[];
  __shared__ alignas(16) T from[4];
  auto const keep = [&](int i, T value) { reinterpret_cast<T*>(of_unnamed_namespace)[i] = value; };
  if (threadIdx.x < 4) from[threadIdx.x] = plus_shift(threadIdx.x);
  keep(threadIdx.x, from[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<T*>(of_unnamed_namespace)[3 - threadIdx.x];
}
}  // namespace
int ends() {
  int *out, host[4];
  cudaMalloc(&out, sizeof host);
  reversed<<<1, 4, sizeof host>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host[0] * 10 + host[3];
}
}  // namespace inner

int main() {
  int *out, host = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  uses_all<32><<<1, 32, 64 * sizeof(int)>>>(out);
  cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  int const expected = 496 + 32 + 2 * 496 + 496 + 28 + 96 + 7 + 1;
  if (host != expected) printf("%d, expected %d\n", host, expected);
  return host != expected || inner::ends() != 85;
}
