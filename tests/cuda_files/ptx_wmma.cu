// SPDX-License-Identifier: Apache-2.0
// wmma.load, wmma.mma and wmma.store in inline PTX.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

// 16 x 16 x 16: A by rows, B by columns from global memory; the sum by rows to shared memory.
__global__ void halves(half const* a, half const* b, float* c) {
  __shared__ __align__(16) float sum[16 * 20];
  uint32_t fa[8], fb[8];
  float d[8] = {};
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]), "=r"(fa[4]), "=r"(fa[5]), "=r"(fa[6]), "=r"(fa[7])
               : "l"(a), "r"(24));
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]), "=r"(fb[4]), "=r"(fb[5]), "=r"(fb[6]), "=r"(fb[7])
               : "l"(b));
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, "
      "%14, %15}, "
      "{%16, %17, %18, %19, %20, %21, %22, %23}, {%0, %1, %2, %3, %4, %5, %6, %7};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fa[4]), "r"(fa[5]), "r"(fa[6]), "r"(fa[7]), "r"(fb[0]),
        "r"(fb[1]), "r"(fb[2]), "r"(fb[3]), "r"(fb[4]), "r"(fb[5]), "r"(fb[6]), "r"(fb[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"r"(
                   (uint32_t)__cvta_generic_to_shared(sum)),
               "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "r"(20)
               : "memory");
#ifndef PLANTED
  __syncwarp();
#endif
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = sum[i / 16 * 20 + i % 16];  // planted: missing_barrier
}

// 32 x 8 x 16 of bytes, A by columns, B by rows.
__global__ void bytes(signed char const* a, signed char const* b, int* c) {
  uint32_t fa[4], fb;
  int d[8];
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.s8 {%0, %1, %2, %3}, [%4], 32;"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "l"(a));
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.s8 {%0}, [%1], 16;" : "=r"(fb) : "l"(b));
  asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], 8;"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
               : "l"(c));
  asm volatile(
      "wmma.mma.sync.aligned.col.row.m32n8k16.s32.s8.s8.s32.satfinite {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, "
      "%11}, {%12}, "
      "{%0, %1, %2, %3, %4, %5, %6, %7};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb));
  asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, 8;" ::"l"(c),
               "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(d[4]), "r"(d[5]), "r"(d[6]), "r"(d[7])
               : "memory");
}

int main() {
  std::vector<half> a(16 * 24), b(16 * 16);
  for (size_t i = 0; i < a.size(); ++i) a[i] = __float2half((float)((int)i * 7 % 13 - 6));
  for (size_t i = 0; i < b.size(); ++i) b[i] = __float2half((float)((int)i * 5 % 11 - 5));
  signed char ba[32 * 16], bb[16 * 16];
  int bc[32 * 8], be[32 * 8];
  for (int i = 0; i < 32 * 16; ++i) ba[i] = (signed char)(i * 7 % 251);
  for (int i = 0; i < 16 * 16; ++i) bb[i] = (signed char)(i * 11 % 249);
  for (int i = 0; i < 32 * 8; ++i) bc[i] = i;
  char* memory;
  cudaMalloc(&memory, 8192);
  half *da = (half*)memory, *db = (half*)(memory + 1024);
  float* dc = (float*)(memory + 2048);
  signed char *dba = (signed char*)memory + 4096, *dbb = dba + 512;
  int* dbc = (int*)(memory + 5120);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(dba, ba, sizeof ba, cudaMemcpyHostToDevice);
  cudaMemcpy(dbb, bb, sizeof bb, cudaMemcpyHostToDevice);
  cudaMemcpy(dbc, bc, sizeof bc, cudaMemcpyHostToDevice);
  halves<<<1, 32>>>(da, db, dc);
  bytes<<<1, 32>>>(dba, dbb, dbc);
  float c[256];
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  cudaMemcpy(be, dbc, sizeof be, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += __half2float(a[m * 24 + k]) * __half2float(b[n * 16 + k]);
      wrong += c[m * 16 + n] != sum;
    }
  }
  for (int m = 0; m < 32; ++m) {
    for (int n = 0; n < 8; ++n) {
      int sum = bc[m * 8 + n];
      for (int k = 0; k < 16; ++k) sum += ba[k * 32 + m] * bb[k * 16 + n];
      wrong += be[m * 8 + n] != sum;
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
