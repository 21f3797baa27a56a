// SPDX-License-Identifier: Apache-2.0
// mma.sync of several types, stmatrix and movmatrix; the layouts are those of the PTX ISA.
#include <cstdint>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__device__ int a_of(int m, int k) { return (m * 3 + k * 5) % 7 - 3; }
__device__ int b_of(int k, int n) { return (k * 2 + n * 11) % 5 - 2; }
__device__ int product(int m, int n, int depth) {
  int sum = 0;
  for (int k = 0; k < depth; ++k) sum += a_of(m, k) * b_of(k, n);
  return sum;
}

__global__ void bytes() {
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  uint32_t a[4] = {}, b[2] = {};
  for (int e = 0; e < 4; ++e) {
    for (int r = 0; r < 4; ++r) a[r] |= (uint32_t)(uint8_t)a_of(g + 8 * (r & 1), 4 * t + e + 16 * (r >> 1)) << (8 * e);
    for (int r = 0; r < 2; ++r) b[r] |= (uint32_t)(uint8_t)b_of(4 * t + e + 16 * r, g) << (8 * e);
  }
  int d[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) EXPECT(d[i] == product(g + 8 * (i >> 1), 2 * t + (i & 1), 32) + i + 1);
}

__global__ void tf32() {
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  float d[4];
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(__float_as_uint((float)a_of(g, t))), "r"(__float_as_uint((float)a_of(g + 8, t))),
                 "r"(__float_as_uint((float)b_of(t, g))), "f"(0.5f));
  for (int i = 0; i < 4; ++i) EXPECT(d[i] == product(g + 8 * (i >> 1), 2 * t + (i & 1), 4) + 0.5f);
}

__global__ void doubles() {
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  double d0, d1;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(d0), "=d"(d1)
               : "d"((double)a_of(g, t)), "d"((double)b_of(t, g)), "d"(0.25), "d"(0.75));
  EXPECT(d0 == product(g, 2 * t, 4) + 0.25 && d1 == product(g, 2 * t + 1, 4) + 0.75);
}

// Words of ones and zeros: a row of A has m ones, a column of B has its first 16 n bits.
__global__ void single_bits() {
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  auto const ones = [](int first, int count) {
    uint32_t x = 0;
    for (int i = 0; i < 32; ++i) x |= (uint32_t)(first + i < count) << i;
    return x;
  };
  int d[4];
  asm volatile("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(ones(32 * t, g)), "r"(ones(32 * t, g + 8)), "r"(ones(32 * t, 16 * g)), "r"(100));
  for (int i = 0; i < 4; ++i) {
    int const m = g + 8 * (i >> 1), n = 16 * (2 * t + (i & 1));
    EXPECT(d[i] == 100 + (m < n ? m : n));
  }
}

__global__ void matrices() {
  __shared__ __align__(16) uint16_t tile[64];
  int const lane = threadIdx.x, g = lane / 4, t = lane % 4;
  uint32_t const row = (uint32_t)__cvta_generic_to_shared(tile + 8 * (lane % 8));
  uint32_t const mine = (uint32_t)(8 * g + 2 * t) | (uint32_t)(8 * g + 2 * t + 1) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(mine) : "memory");
  __syncwarp();
  EXPECT(tile[2 * lane] == 2 * lane && tile[2 * lane + 1] == 2 * lane + 1);
  uint32_t turned, loaded;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(mine));
  EXPECT(turned == ((uint32_t)(16 * t + g) | (uint32_t)(16 * t + 8 + g) << 16));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(loaded) : "r"(row));
  EXPECT(loaded == turned);
#ifdef PLANTED
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(loaded) : "r"(row + 8));
  EXPECT(loaded != 0);
#endif
}

int main() {
  bytes<<<1, 32>>>();
  tf32<<<1, 32>>>();
  doubles<<<1, 32>>>();
  single_bits<<<1, 32>>>();
  matrices<<<1, 32>>>();
  unsigned failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%u failures\n", failed);
  return failed != 0;
}
