// SPDX-License-Identifier: Apache-2.0
// Sparse wgmma in inline PTX (sm_90a): A in registers, two of four elements stored, for halves and for bytes.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

constexpr int M = 64, N = 8, K = 32, K_of_bytes = 64;

// The places of the two stored elements in chunk c of row m, and the elements of the sparse A and of B.
__host__ __device__ int place(int m, int c, int i) {
  int const places[4][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 3}};
  return places[(m + c) % 4][i];
}
__host__ __device__ int stored(int m, int k) { return (m * 5 + k * 3) % 7 - 3; }
__host__ __device__ int of_b(int n, int k) { return (n * 3 + k * 5) % 9 - 4; }
__host__ __device__ uint32_t metadata(int m, int first_chunk, int chunks) {
  uint32_t bits = 0;
  for (int c = 0; c < chunks; ++c)
    bits |= (uint32_t)(place(m, first_chunk + c, 0) | place(m, first_chunk + c, 1) << 2) << 4 * c;
  return bits;
}

__global__ void products(float* out, int* out_bytes) {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  __shared__ __align__(128) half b[N * K];
  __shared__ __align__(128) signed char b_bytes[N * K_of_bytes];
  int const tid = threadIdx.x, lane = tid % 32, g = lane / 4, t = lane % 4, first_row = tid / 32 * 16;
  for (int i = tid; i < N * K; i += 128) b[i % K / 8 * 64 + i / K * 8 + i % 8] = __float2half(of_b(i / K, i % K));
  for (int i = tid; i < N * K_of_bytes; i += 128)
    b_bytes[i % K_of_bytes / 16 * 128 + i / K_of_bytes * 16 + i % 16] = of_b(i / K_of_bytes, i % K_of_bytes);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  auto const descriptor = [](void const* p) {  // pieces of 8 rows of 16 bytes follow each other along k
    return (uint64_t)((__cvta_generic_to_shared(p) & 0x3ffff) >> 4) | (uint64_t)(128 >> 4) << 16;
  };
  uint32_t a[4], a_bytes[4];
  for (int r = 0; r < 4; ++r) {
    int const m = first_row + g + 8 * (r % 2), k = t * 2 + r / 2 * 8;
    half2 const pair = __floats2half2_rn(stored(m, k), stored(m, k + 1));
    a[r] = *(uint32_t const*)&pair;
    a_bytes[r] = 0;
    for (int i = 0; i < 4; ++i) a_bytes[r] |= (uint32_t)(uint8_t)stored(m, t * 4 + r / 2 * 16 + i) << 8 * i;
  }
  // Halves: lanes 4 g and 4 g + 1 give rows g and g + 8, four chunks each. Bytes: each lane gives eight chunks of a
  // row.
  uint32_t const e = metadata(first_row + g, t % 2 * 4, 4) | metadata(first_row + g + 8, t % 2 * 4, 4) << 16;
  uint32_t const e_bytes = metadata(first_row + g + 8 * (t % 2), t / 2 * 8, 8);
  float d[4] = {};
  int d_bytes[4] = {};
  for (int i = 0; i < 4; ++i) asm volatile("" : "+f"(d[i]), "+r"(d_bytes[i])::"memory");
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 0, 1, 1, 1, "
      "0;\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b)), "r"(e));
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 0, 1;\n"
               : "+r"(d_bytes[0]), "+r"(d_bytes[1]), "+r"(d_bytes[2]), "+r"(d_bytes[3])
               : "r"(a_bytes[0]), "r"(a_bytes[1]), "r"(a_bytes[2]), "r"(a_bytes[3]), "l"(descriptor(b_bytes)),
                 "r"(e_bytes));
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    int const at = (first_row + g + 8 * (i / 2)) * N + t * 2 + i % 2;
    out[at] = d[i];
    out_bytes[at] = d_bytes[i];
  }
#endif
}

static int product(int m, int n, int extent) {
  int sum = 0;
  for (int c = 0; c < extent / 4; ++c)
    for (int i = 0; i < 2; ++i) sum += stored(m, 2 * c + i) * of_b(n, 4 * c + place(m, c, i));
  return sum;
}

int main() {
  float *out, got[M * N];
  int *out_bytes, got_bytes[M * N], wrong = 0;
  cudaMalloc(&out, sizeof got);
  cudaMalloc(&out_bytes, sizeof got_bytes);
  products<<<1, 128>>>(out, out_bytes);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_bytes, out_bytes, sizeof got_bytes, cudaMemcpyDeviceToHost);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n)
      wrong += (got[m * N + n] != product(m, n, K)) + (got_bytes[m * N + n] != product(m, n, K_of_bytes));
  cudaFree(out);
  cudaFree(out_bytes);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
