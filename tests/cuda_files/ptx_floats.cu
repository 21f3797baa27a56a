// SPDX-License-Identifier: Apache-2.0
// Floating-point instructions and conversions of PTX. The expectations are of the PTX ISA and of IEEE 754.
#include <cuda_fp16.h>
#include <cmath>
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

#define F1(text, a)                          \
  [=] {                                      \
    float d;                                 \
    asm(text " %0, %1;" : "=f"(d) : "f"(a)); \
    return d;                                \
  }()
#define F2(text, a, b)                                   \
  [=] {                                                  \
    float d;                                             \
    asm(text " %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b)); \
    return d;                                            \
  }()
#define F3(text, a, b, c)                                            \
  [=] {                                                              \
    float d;                                                         \
    asm(text " %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c)); \
    return d;                                                        \
  }()
#define R2(text, a, b)                                   \
  [=] {                                                  \
    unsigned d;                                          \
    asm(text " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
    return d;                                            \
  }()
#define R3(text, a, b, c)                                            \
  [=] {                                                              \
    unsigned d;                                                      \
    asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
    return d;                                                        \
  }()

__global__ void roundings() {
  float const tiny = 0x1p-24f;  // half a unit in the last place of 1
  EXPECT(F2("add.rn.f32", 1.f, tiny) == 1.f && F2("add.rz.f32", 1.f, tiny) == 1.f &&
         F2("add.rm.f32", 1.f, tiny) == 1.f);
  EXPECT(F2("add.rp.f32", 1.f, tiny) == 1.f + 0x1p-23f && F2("add.rz.f32", -1.f, -tiny) == -1.f);
  EXPECT(F2("add.rm.f32", -1.f, -tiny) == -1.f - 0x1p-23f);
  EXPECT(F2("mul.rp.f32", 1.f + 0x1p-23f, 1.f + 0x1p-23f) == 1.f + 0x1.8p-22f);
  EXPECT(F2("mul.rz.f32", 1.f + 0x1p-23f, 1.f + 0x1p-23f) == 1.f + 0x1p-22f);
  EXPECT(F3("fma.rn.f32", 1.f + 0x1p-12f, 1.f - 0x1p-12f, -1.f) == -0x1p-24f);
  EXPECT(F2("div.rn.f32", 1.f, 3.f) == 1.f / 3.f && F2("div.full.f32", 6.f, 3.f) == 2.f);
  double d;
  asm("add.rp.f64 %0, %1, %2;" : "=d"(d) : "d"(1.0), "d"(0x1p-60));
  EXPECT(d == 1.0 + 0x1p-52);
  asm("fma.rz.f64 %0, %1, %2, %3;" : "=d"(d) : "d"(1.0), "d"(1.0), "d"(-0x1p-60));
  EXPECT(d == 1.0 - 0x1p-53);
  EXPECT(F2("add.ftz.f32", 0x1p-130f, 0.f) == 0.f && F2("add.f32", 0x1p-130f, 0.f) == 0x1p-130f);
  EXPECT(F2("add.sat.f32", 0.75f, 0.5f) == 1.f && F2("add.sat.f32", -0.75f, 0.5f) == 0.f);
}

__global__ void functions() {
  float const nan = nanf("");
  EXPECT(F2("min.f32", nan, 2.f) == 2.f && F2("max.f32", 3.f, nan) == 3.f && isnan(F2("max.NaN.f32", 3.f, nan)));
  EXPECT(!signbit(F2("max.f32", -0.f, 0.f)) && signbit(F2("min.f32", 0.f, -0.f)));
  EXPECT(F1("abs.f32", -2.f) == 2.f && F1("neg.f32", -2.f) == 2.f && F2("copysign.f32", -1.f, 5.f) == -5.f);
  EXPECT(F1("rcp.rn.f32", 4.f) == 0.25f && F1("rcp.approx.ftz.f32", 8.f) == 0.125f && F1("sqrt.rn.f32", 9.f) == 3.f);
  EXPECT(F1("rsqrt.approx.f32", 16.f) == 0.25f && F1("ex2.approx.ftz.f32", 5.f) == 32.f &&
         F1("lg2.approx.f32", 64.f) == 6.f);
  EXPECT(fabsf(F1("sin.approx.f32", 0.5f) - sinf(0.5f)) < 1e-6f &&
         fabsf(F1("cos.approx.f32", 0.5f) - cosf(0.5f)) < 1e-6f);
  EXPECT(fabsf(F1("tanh.approx.f32", 0.7f) - tanhf(0.7f)) < 1e-3f);
  unsigned p;
  asm("{ .reg .pred q; testp.infinite.f32 q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "f"(INFINITY));
  EXPECT(p == 1);
  asm("{ .reg .pred q, r; setp.ltu.f32 q, %1, %2; setp.lt.f32 r, %1, %2; selp.u32 %0, 1, 0, q; @r mov.u32 %0, 7; }"
      : "=r"(p)
      : "f"(nan), "f"(1.f));
  EXPECT(p == 1);
  float f;
  asm("set.gt.f32.f32 %0, %1, %2;" : "=f"(f) : "f"(2.f), "f"(1.f));
  EXPECT(f == 1.f);
}

// Two halves as bits; 1.0 is 0x3c00, as bfloat16 0x3f80.
__global__ void halves() {
  EXPECT(R2("add.f16x2", 0x3c004000u, 0x40003c00u) == 0x42004200u &&
         R2("sub.rn.f16x2", 0x3c004000u, 0x40003c00u) == 0xbc003c00u);
  EXPECT(R2("mul.f16x2", 0x3e004000u, 0x40003800u) == 0x42003c00u &&
         R3("fma.rn.f16x2", 0x40004000u, 0x42003c00u, 0x3c003c00u) == 0x47004200u);
  EXPECT(R3("fma.rn.relu.f16x2", 0xc0004000u, 0x42003c00u, 0x3c003c00u) == 0x00004200u);
  EXPECT(R2("max.f16x2", 0x3c00c000u, 0x4000bc00u) == 0x4000bc00u &&
         R2("min.bf16x2", 0x3f80c000u, 0x4000bf80u) == 0x3f80c000u);
  EXPECT(R3("fma.rn.bf16x2", 0x3f804000u, 0x3f804000u, 0x3f803f80u) == 0x400040a0u);
  EXPECT(R2("add.rn.bf16x2", 0x3f803f80u, 0x3f804000u) == 0x40004040u);
  unsigned short h;
  asm("add.f16 %0, %1, %2;" : "=h"(h) : "h"((unsigned short)0x3c00), "h"((unsigned short)0x1400));  // 1 + 2^-10
  EXPECT(h == 0x3c01);
  asm("neg.f16 %0, %1;" : "=h"(h) : "h"((unsigned short)0x3c00));
  EXPECT(h == 0xbc00);
  float f;
  asm("{ .reg .f16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, b; }" : "=f"(f) : "r"(0x40003c00u));
  EXPECT(f == 2.f);
  unsigned mask;
  asm("set.le.u32.f16x2 %0, %1, %2;" : "=r"(mask) : "r"(0x3c004000u), "r"(0x40003c00u));
  EXPECT(mask == 0xffff0000u);
  unsigned x;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(x) : "r"(0x3c004000u));
  EXPECT(x == 0x40004400u);
}

__global__ void conversions() {
  int i;
  float f;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f));
  EXPECT(i == 2);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.75f));
  EXPECT(i == -2);
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.25f));
  EXPECT(i == -3);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(3e9f));
  EXPECT(i == 0x7fffffff);
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(i) : "f"(-1.f));
  EXPECT(i == 0);
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(f) : "f"(3.5f));
  EXPECT(f == 4.f);
  asm("cvt.rz.f32.s32 %0, %1;" : "=f"(f) : "r"(0x7fffffff));
  EXPECT(f == 2147483520.f);
  asm("cvt.rn.f32.u64 %0, %1;" : "=f"(f) : "l"(1ull << 63));
  EXPECT(f == 0x1p63f);
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(i) : "r"(-300));
  EXPECT((signed char)i == -128);
  asm("cvt.u32.u8 %0, %1;" : "=r"(i) : "r"(0x1ff));
  EXPECT(i == 0xff);
  asm("cvt.s32.s8 %0, %1;" : "=r"(i) : "r"(0x80));
  EXPECT(i == -128);
  long long l;
  asm("cvt.s64.s32 %0, %1;" : "=l"(l) : "r"(-5));
  EXPECT(l == -5);
  double d;
  asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(0.1f));
  EXPECT(d == (double)0.1f);
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(f) : "d"(1.0 + 0x1p-40));
  EXPECT(f == 1.f + 0x1p-23f);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(1.5f));
  EXPECT(f == 1.f);
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(1.f + 0x1p-11f));
  EXPECT(h == 0x3c00);
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(1.f + 0x1.8p-11f));
  EXPECT(h == 0x3c00);
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(1.f + 0x1.8p-8f));
  EXPECT(h == 0x3f81);
  unsigned x;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(2.f), "f"(1.f));
  EXPECT(x == 0x40003c00u);
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(-2.f), "f"(1.f));
  EXPECT(x == 0x00003f80u);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(1.f + 0x1p-11f));
  EXPECT(x == 0x3f802000u);
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(1000.f), "f"(-1.5f));
  EXPECT(h == 0x7ebc);
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(2.f), "f"(1e9f));
  EXPECT(h == 0x407b);
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(x) : "h"((unsigned short)0x38bc));
  EXPECT(x == 0x3c00be00u);
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(h) : "r"(0x3c00be00u));
  EXPECT(h == 0x38bc);
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(300), "r"(-7), "r"(0x1234));
  EXPECT(x == 0x12347ff9u);
  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(x) : "r"(-3), "r"(70000));
  EXPECT(x == 0x0000ffffu);
}

int main() {
  roundings<<<1, 1>>>();
  functions<<<1, 1>>>();
  halves<<<1, 1>>>();
  conversions<<<1, 1>>>();
  unsigned failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%u failures\n", failed);
  return failed != 0;
}
