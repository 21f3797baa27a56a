// SPDX-License-Identifier: Apache-2.0
// wgmma in inline PTX (sm_90a): descriptors of operands without a swizzle, one group in flight.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int M = 64, N = 32, K = 64;

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
// 8 rows of 16 bytes follow each other; `leading` lies between such pieces along k, `stride` along m or n.
__device__ uint64_t descriptor(void const* p, uint32_t leading, uint32_t stride) {
  uint64_t const address = (static_cast<uint32_t>(__cvta_generic_to_shared(p)) & 0x3ffff) >> 4;
  return address | static_cast<uint64_t>(leading >> 4) << 16 | static_cast<uint64_t>(stride >> 4) << 32;
}

__device__ void product(float (&d)[16], uint64_t a, uint64_t b, int adds) {
  asm volatile(  // planted: missing_proxy_fence
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, %19, %20, %21, %22;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(adds), "n"(1), "n"(1), "n"(0), "n"(0));
}
__device__ void bytes_product(int (&d)[4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %5, 0;\n"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "l"(a), "l"(b));
}
#endif

__global__ void gemm(half const* a, half const* b, float* c, int* bytes) {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  __shared__ __align__(128) half s_a[M * K], s_b[N * K];
  __shared__ __align__(128) signed char s_bytes[(64 + 8) * 32];
  int const tid = threadIdx.x;
  // Element (m, k) of pieces of 8 rows and 8 columns; pieces along k follow each other.
  auto const place = [](int m, int k) { return (m / 8 * (K / 8) + k / 8) * 64 + m % 8 * 8 + k % 8; };
  for (int i = tid; i < M * K; i += 128) s_a[place(i / K, i % K)] = a[i];
  for (int i = tid; i < N * K; i += 128) s_b[place(i / K, i % K)] = b[i];
  for (int i = tid; i < 72 * 32; i += 128) {  // 16 columns of bytes a piece
    int const m = i / 32, k = i % 32;
    s_bytes[(m / 8 * 2 + k / 16) * 128 + m % 8 * 16 + k % 16] = static_cast<signed char>(m < 64        ? m - k
                                                                                         : k == m - 64 ? 3
                                                                                                       : -1);
  }
#ifndef PLANTED
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  float d[16];
  int e[4];
  for (int i = 0; i < 16; ++i) asm volatile("" : "+f"(d[i])::"memory");
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  for (int k = 0; k < K / 16; ++k)
    product(d, descriptor(s_a + 128 * k, 128, 1024), descriptor(s_b + 128 * k, 128, 1024), k != 0);
  bytes_product(e, descriptor(s_bytes, 128, 256), descriptor(s_bytes + 64 * 32, 128, 256));
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(0) : "memory");
  int const row = tid / 32 * 16 + tid % 32 / 4, column = tid % 4 * 2;
  for (int i = 0; i < 16; ++i) c[(row + 8 * (i / 2 % 2)) * N + 8 * (i / 4) + column + i % 2] = d[i];
  for (int i = 0; i < 4; ++i) bytes[(row + 8 * (i / 2)) * 8 + column + i % 2] = e[i];
#endif
}

int main() {
  std::vector<half> a(M * K), b(N * K);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6));
  for (int i = 0; i < N * K; ++i) b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5));
  half *da, *db;
  float* dc;
  int* de;
  cudaMalloc(&da, a.size() * 2);
  cudaMalloc(&db, b.size() * 2);
  cudaMalloc(&dc, M * N * 4);
  cudaMalloc(&de, 64 * 8 * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  gemm<<<1, 128>>>(da, db, dc, de);
  std::vector<float> c(M * N);
  std::vector<int> e(64 * 8);
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(e.data(), de, e.size() * 4, cudaMemcpyDeviceToHost);
  int failed = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += __half2float(a[m * K + k]) * __half2float(b[n * K + k]);
      failed += c[m * N + n] != sum;
    }
    for (int n = 0; n < 8; ++n) {
      int sum = 0;
      for (int k = 0; k < 32; ++k) sum += (m - k) * (k == n ? 3 : -1);
      failed += e[m * 8 + n] != sum;
    }
  }
  printf("%d wrong\n", failed);
  return failed != 0;
}
