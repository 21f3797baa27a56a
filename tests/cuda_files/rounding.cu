// SPDX-License-Identifier: Apache-2.0
// Directed roundings: each result is the neighbour of the exact one on its side. The exact result of floats is compared
// in double, that of doubles by numbers whose exact result is known.
#include <cuda_runtime.h>
#include <cfloat>
#include <cmath>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__device__ unsigned random_bits(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state ^ (state >> 13);
}
// A float of a moderate exponent, so that doubles hold sums and products exactly.
__device__ float random_float(unsigned& state) {
  unsigned const bits = random_bits(state);
  return __uint_as_float((bits & 0x807fffffu) | (127 - 8 + random_bits(state) % 16) << 23);
}

/// down <= exact <= up, both are neighbours, and rz is the one towards zero. `exact` compares exactly with floats.
__device__ bool brackets(float down, float up, float to_zero, float nearest, double exact) {
  bool const sides = double(down) <= exact && exact <= double(up);
  bool const close = double(down) == exact ? up == down : nextafterf(down, INFINITY) == up;
  return sides && close && to_zero == (exact > 0 ? down : up) && (nearest == down || nearest == up);
}
#define BRACKETS(name, exact, ...) \
  EXPECT(                          \
      brackets(name##_rd(__VA_ARGS__), name##_ru(__VA_ARGS__), name##_rz(__VA_ARGS__), name##_rn(__VA_ARGS__), exact))

__global__ void floats() {
  unsigned state = threadIdx.x * 7919u + 1;
  for (int i = 0; i < 50; ++i) {
    float const a = random_float(state), b = random_float(state), c = random_float(state);
    double const x = a, y = b;
    BRACKETS(__fadd, x + y, a, b);
    BRACKETS(__fsub, x - y, a, b);
    BRACKETS(__fmul, x * y, a, b);
    // A quotient or root: a bound is on its side if the product is, which doubles hold exactly.
    float const low = __fdiv_rd(a, b), high = __fdiv_ru(a, b);
    EXPECT(b > 0 ? double(low) * y <= x && x <= double(high) * y : double(low) * y >= x && x >= double(high) * y);
    EXPECT(low == high || nextafterf(low, INFINITY) == high);
    float const positive = fabsf(a), root = __fsqrt_rd(positive), above = __fsqrt_ru(positive);
    EXPECT(double(root) * root <= positive && double(above) * above >= positive);
    EXPECT(root == above || nextafterf(root, INFINITY) == above);
    EXPECT(__fsqrt_rz(positive) == root && __frcp_rz(positive) == __frcp_rd(positive));
    EXPECT(double(__frcp_rd(positive)) * positive <= 1 && double(__frcp_ru(positive)) * positive >= 1);
    // c is a multiple of a * b's last bit here or the sum is rounded in double, on the same side.
    EXPECT(__fmaf_rd(a, b, c) <= fmaf(a, b, c) && fmaf(a, b, c) <= __fmaf_ru(a, b, c));
    EXPECT(__fmaf_rd(a, b, 0.f) == __fmul_rd(a, b) && __fmaf_ru(1.f, b, c) == __fadd_ru(b, c));
  }
  EXPECT(__fadd_rz(FLT_MAX, FLT_MAX) == FLT_MAX && isinf(__fadd_ru(FLT_MAX, FLT_MAX)));
  EXPECT(__fmul_ru(0x1p-100f, 0x1p-100f) == 0x1p-149f && __fmul_rd(0x1p-100f, 0x1p-100f) == 0.f);
}

__global__ void doubles() {
  double const ulp = 0x1p-52;
  EXPECT(__dadd_rn(1, 0x1p-80) == 1 && __dadd_ru(1, 0x1p-80) == 1 + ulp && __dadd_rd(1, -0x1p-80) == 1 - ulp / 2);
  EXPECT(__dadd_rz(-1, -0x1p-80) == -1 && __dsub_rz(1, 0x1p-80) == 1 - ulp / 2 && __dsub_rd(-1, 0x1p-80) == -1 - ulp);
  EXPECT(__dmul_rd(1 + ulp, 1 + ulp) == 1 + 2 * ulp && __dmul_ru(1 + ulp, 1 + ulp) == 1 + 3 * ulp);
  EXPECT(__ddiv_rd(1, 3) < __ddiv_ru(1, 3) && __ddiv_ru(1, 4) == 0.25 && __ddiv_rz(-1, 3) == __ddiv_ru(-1, 3));
  EXPECT(__dsqrt_rd(2) < __dsqrt_ru(2) && __dsqrt_rz(9) == 3 && __drcp_rd(3) < __drcp_ru(3));
  EXPECT(__fma_rd(1 + ulp, 1 + ulp, -1) == 2 * ulp && __fma_ru(1 + ulp, 1 + ulp, -1) == 2 * ulp + 0x1p-103);
  EXPECT(__fma_rz(1 + ulp, 1 - ulp, 0) == 1 - ulp / 2);
}

__global__ void conversions() {
  EXPECT(__double2float_rd(0.1) <= 0.1 && __double2float_ru(0.1) > 0.1 &&
         __double2float_rz(-0.1) == -__double2float_rz(0.1));
  EXPECT(__int2float_rd(0x1000001) == 16777216.f && __int2float_ru(0x1000001) == 16777218.f);
  EXPECT(__int2float_rz(-0x1000001) == -16777216.f && __uint2float_rd(0xffffffffu) == 4294967040.f);
  EXPECT(__uint2float_ru(0xffffffffu) == 4294967296.f && __ll2float_rz((1ll << 40) + 1) == 0x1p40f);
  EXPECT(__ull2float_rd(~0ull) == 0x1.fffffep63f && __ull2float_ru(~0ull) == 0x1p64f);
  EXPECT(__ll2double_rd((1ll << 53) + 1) == 0x1p53 && __ll2double_ru((1ll << 53) + 1) == 0x1p53 + 2);
  EXPECT(__ull2double_rz(~0ull) == 0x1.fffffffffffffp63 && __ull2double_ru(~0ull) == 0x1p64);
  EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.9f) == -2 && __float2int_ru(2.1f) == 3 &&
         __float2int_rd(-2.1f) == -3);
  EXPECT(__float2uint_rz(-5.f) == 0u && __double2int_rn(1e30) == 0x7fffffff && __float2ll_rd(-0.5f) == -1);
  EXPECT(__double2ull_rz(1e30) == ~0ull && __double2uint_ru(0.25) == 1u);
}

int main() {
  floats<<<1, 32>>>();
  doubles<<<1, 1>>>();
  conversions<<<1, 1>>>();
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  return failed != 0;
}
