// SPDX-License-Identifier: Apache-2.0
// mma.sp in inline PTX: two of four elements of A are stored, of tf32 one of two. Both shapes of a type, each selector.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

// The place of stored element i in chunk c of row m, and the elements of the sparse A, of B and of C.
__host__ __device__ int place(int m, int c, int i, int bytes) {
  int const places[4][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 3}};
  return bytes == 4 ? (m + c) % 2 : places[(m + c) % 4][i];
}
__host__ __device__ int stored(int m, int k) { return (m * 5 + k * 3) % 7 - 3; }
__host__ __device__ int of_b(int n, int k) { return (n * 3 + k * 5) % 9 - 4; }
__host__ __device__ int of_c(int m, int n) { return m - 2 * n; }

__device__ uint32_t metadata(int m, int first_chunk, int chunks, int bytes) {
  uint32_t bits = 0;
  for (int c = first_chunk; c < first_chunk + chunks; ++c) {
    uint32_t const four =
        bytes == 4 ? (place(m, c, 0, 4) ? 0xe : 0x4) : place(m, c, 0, bytes) | place(m, c, 1, bytes) << 2;
    bits |= four << 4 * (c - first_chunk);
  }
  return bits;
}
/// The metadata of a lane, and what nobody reads where the selector takes other lanes.
__device__ uint32_t metadata_of_lane(int k_bytes, int bytes, int selector) {
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  if (bytes == 1 && k_bytes == 64) return metadata(g + 8 * (t % 2), t / 2 * 8, 8, 1);
  if (bytes == 1) return t / 2 == selector ? metadata(g + 8 * (t % 2), 0, 8, 1) : 0;
  if (k_bytes == 64) {
    if (t / 2 != selector) return 0;
    return metadata(g, t % 2 * 4, 4, bytes) | metadata(g + 8, t % 2 * 4, 4, bytes) << 16;
  }
  return t == selector ? metadata(g, 0, 4, bytes) | metadata(g + 8, 0, 4, bytes) << 16 : 0;
}
__device__ uint32_t word_of(int bytes, int const* values) {
  if (bytes == 4) return __float_as_uint(float(values[0]));
  if (bytes == 2) {
    half2 const pair = __floats2half2_rn(values[0], values[1]);
    uint32_t word;
    memcpy(&word, &pair, 4);
    return word;
  }
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= (uint32_t)(uint8_t)values[i] << 8 * i;
  return word;
}
__device__ void operands(int bytes, uint32_t* a, uint32_t* b) {
  int const g = threadIdx.x / 4, t = threadIdx.x % 4, each = 4 / bytes;
  for (int r = 0; r < 4; ++r) {
    int of_a[4], of_column[4];
    for (int i = 0; i < each; ++i) {
      of_a[i] = stored(g + 8 * (r % 2), t * each + i + r / 2 * 4 * each);
      of_column[i] = of_b(g, t * each + i + r * 4 * each);
    }
    a[r] = word_of(bytes, of_a);
    b[r] = word_of(bytes, of_column);
  }
}

#define FOUR(text, D, C, selector)                                                                              \
  asm volatile("mma.sp::ordered_metadata.sync.aligned." text                                                    \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, " #selector ";" \
               : "+" C(D[0]), "+" C(D[1]), "+" C(D[2]), "+" C(D[3])                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e))
#define TWO(text, D, C, selector)                                                            \
  asm volatile("mma.sp::ordered_metadata.sync.aligned." text                                 \
               " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, " #selector ";" \
               : "+" C(D[0]), "+" C(D[1]), "+" C(D[2]), "+" C(D[3])                          \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e))
#define CASE(number, form, text, T, C, bytes, k_bytes, selector)                                  \
  {                                                                                               \
    T d[4];                                                                                       \
    for (int v = 0; v < 4; ++v) d[v] = of_c(g + 8 * (v / 2), 2 * t + v % 2);                      \
    operands(bytes, a, b);                                                                        \
    e = metadata_of_lane(k_bytes, bytes, selector);                                               \
    form(text, d, C, selector);                                                                   \
    for (int v = 0; v < 4; ++v) out[number * 128 + (g + 8 * (v / 2)) * 8 + 2 * t + v % 2] = d[v]; \
  }

__global__ void products(float* out) {
  int const g = threadIdx.x / 4, t = threadIdx.x % 4;
  uint32_t a[4], b[4], e;
  CASE(0, FOUR, "m16n8k32.row.col.f32.f16.f16.f32", float, "f", 2, 64, 0)
  CASE(1, FOUR, "m16n8k32.row.col.f32.f16.f16.f32", float, "f", 2, 64, 1)
  CASE(2, TWO, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", 2, 32, 0)
  CASE(3, TWO, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", 2, 32, 3)
  CASE(4, FOUR, "m16n8k16.row.col.f32.tf32.tf32.f32", float, "f", 4, 64, 1)
  CASE(5, TWO, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", 4, 32, 2)
  CASE(6, FOUR, "m16n8k64.row.col.s32.s8.s8.s32", int, "r", 1, 64, 0)
  CASE(7, TWO, "m16n8k32.row.col.s32.s8.s8.s32", int, "r", 1, 32, 0)
  CASE(8, TWO, "m16n8k32.row.col.s32.s8.s8.s32", int, "r", 1, 32, 1)
}

int main() {
  struct shape {
    int bytes, k_bytes;
  } const shapes[] = {{2, 64}, {2, 64}, {2, 32}, {2, 32}, {4, 64}, {4, 32}, {1, 64}, {1, 32}, {1, 32}};
  int const cases = sizeof shapes / sizeof shapes[0];
  float *out, got[cases][16][8];
  cudaMalloc(&out, sizeof got);
  products<<<1, 32>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(out);
  int wrong = 0;
  for (int i = 0; i < cases; ++i) {
    int const bytes = shapes[i].bytes, chunk = bytes == 4 ? 2 : 4, chunks = shapes[i].k_bytes / bytes / chunk;
    int of_case = 0;
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 8; ++n) {
        int sum = of_c(m, n);
        for (int c = 0; c < chunks; ++c)
          for (int j = 0; j < chunk / 2; ++j)
            sum += stored(m, c * chunk / 2 + j) * of_b(n, c * chunk + place(m, c, j, bytes));
        of_case += got[i][m][n] != sum;
      }
    }
    if (of_case != 0) printf("case %d: %d wrong\n", i, of_case);
    wrong += of_case;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
