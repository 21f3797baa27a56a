// SPDX-License-Identifier: Apache-2.0
// A product of halves by cp.async, ldmatrix and mma.sync in inline PTX, in the macros that such kernels use.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <vector>

#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_ALL() asm volatile("cp.async.wait_all;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
#define CP_ASYNC_CG(dst, src, bytes) \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                           \
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
               : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                             \
               : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr) \
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(R0), "=r"(R1) : "r"(addr))
#define HMMA16816F32(RD0, RD1, RD2, RD3, RA0, RA1, RA2, RA3, RB0, RB1, RC0, RC1, RC2, RC3)                          \
  asm volatile(                                                                                                     \
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, " \
      "%12, "                                                                                                       \
      "%13};\n"                                                                                                     \
      : "=f"(RD0), "=f"(RD1), "=f"(RD2), "=f"(RD3)                                                                  \
      : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1), "f"(RC0), "f"(RC1), "f"(RC2), "f"(RC3))

constexpr int M = 64, N = 32, K = 96, BK = 32, STAGES = 2;

// 128 threads, a warp for 16 rows. A is row-major, B is row-major too (k by n).
__global__ void hgemm(half const* a, half const* b, float* c) {
  __shared__ __align__(16) half s_a[STAGES][M][BK + 8];
  __shared__ __align__(16) half s_b[STAGES][BK][N + 8];
  int const tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  auto load = [&](int stage, int k) {
    for (int i = tid; i < M * BK / 8; i += 128) {
      int const row = i / (BK / 8), col = i % (BK / 8) * 8;
      CP_ASYNC_CG((uint32_t)__cvta_generic_to_shared(&s_a[stage][row][col]), a + row * K + k * BK + col, 16);
    }
    for (int i = tid; i < BK * N / 8; i += 128) {
      int const row = i / (N / 8), col = i % (N / 8) * 8;
      CP_ASYNC_CG((uint32_t)__cvta_generic_to_shared(&s_b[stage][row][col]), b + (k * BK + row) * N + col, 16);
    }
    CP_ASYNC_COMMIT_GROUP();
  };
  float d[N / 8][4] = {};
  load(0, 0);
  for (int k = 0; k < K / BK; ++k) {
    if (k + 1 < K / BK) {
      load((k + 1) % STAGES, k + 1);
#ifdef PLANTED
      CP_ASYNC_WAIT_GROUP(2);
#else
      CP_ASYNC_WAIT_GROUP(1);
#endif
    } else {
      CP_ASYNC_WAIT_ALL();
    }
    __syncthreads();
    for (int kk = 0; kk < BK; kk += 16) {
      uint32_t ra[4];
      uint32_t const at =
          (uint32_t)__cvta_generic_to_shared(&s_a[k % STAGES][16 * warp + lane % 16][kk + lane / 16 * 8]);
      LDMATRIX_X4(ra[0], ra[1], ra[2], ra[3], at);  // planted: missing_wait
      for (int n = 0; n < N / 8; ++n) {
        uint32_t rb[2];
        LDMATRIX_X2_T(rb[0], rb[1], (uint32_t)__cvta_generic_to_shared(&s_b[k % STAGES][kk + lane % 16][8 * n]));
        HMMA16816F32(d[n][0], d[n][1], d[n][2], d[n][3], ra[0], ra[1], ra[2], ra[3], rb[0], rb[1], d[n][0], d[n][1],
                     d[n][2], d[n][3]);
      }
    }
    __syncthreads();
  }
  for (int n = 0; n < N / 8; ++n) {
    float* const row = c + (16 * warp + lane / 4) * N + 8 * n + lane % 4 * 2;
    asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(row), "f"(d[n][0]), "f"(d[n][1]) : "memory");
    asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(row + 8 * N), "f"(d[n][2]), "f"(d[n][3]) : "memory");
  }
}

int main() {
  std::vector<half> a(M * K), b(K * N);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half((float)(i * 7 % 13 - 6));
  for (int i = 0; i < K * N; ++i) b[i] = __float2half((float)(i * 5 % 11 - 5));
  half *da, *db;
  float* dc;
  cudaMalloc(&da, a.size() * 2);
  cudaMalloc(&db, b.size() * 2);
  cudaMalloc(&dc, M * N * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  hgemm<<<1, 128>>>(da, db, dc);
  std::vector<float> c(M * N);
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  int failed = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += __half2float(a[m * K + k]) * __half2float(b[k * N + n]);
      failed += c[m * N + n] != sum;
    }
  }
  printf("%d wrong\n", failed);
  return failed != 0;
}
