// SPDX-License-Identifier: Apache-2.0
// Integer and bit instructions of PTX, compared with C++.
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

// One 32-bit result of a text with two or three sources.
#define TWO(text, a, b)                                  \
  [=] {                                                  \
    unsigned d;                                          \
    asm(text " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
    return d;                                            \
  }()
#define THREE(text, a, b, c)                                         \
  [=] {                                                              \
    unsigned d;                                                      \
    asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
    return d;                                                        \
  }()
#define ONE(text, a)                         \
  [=] {                                      \
    unsigned d;                              \
    asm(text " %0, %1;" : "=r"(d) : "r"(a)); \
    return d;                                \
  }()

__global__ void arithmetic() {
  unsigned const values[] = {0, 1, 2, 31, 77, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu, 0x12345678u};
  for (unsigned a : values) {
    for (unsigned b : values) {
      int const s = (int)a, t = (int)b;
      EXPECT(TWO("add.u32", a, b) == a + b && TWO("sub.s32", a, b) == a - b);
      EXPECT(TWO("mul.lo.u32", a, b) == a * b);
      EXPECT(TWO("mul.hi.u32", a, b) == (unsigned)(((unsigned long long)a * b) >> 32));
      EXPECT(TWO("mul.hi.s32", a, b) == (unsigned)(((long long)s * t) >> 32));
      EXPECT(THREE("mad.lo.s32", a, b, 5u) == a * b + 5u);
      if (b != 0) EXPECT(TWO("div.u32", a, b) == a / b && TWO("rem.u32", a, b) == a % b);
      if (b != 0 && !(a == 0x80000000u && t == -1))
        EXPECT((int)TWO("div.s32", a, b) == s / t && (int)TWO("rem.s32", a, b) == s % t);
      EXPECT((int)TWO("min.s32", a, b) == (s < t ? s : t) && TWO("max.u32", a, b) == (a > b ? a : b));
      EXPECT(TWO("and.b32", a, b) == (a & b) && TWO("or.b32", a, b) == (a | b) && TWO("xor.b32", a, b) == (a ^ b));
      EXPECT(TWO("shl.b32", a, b) == (b < 32 ? a << b : 0) && TWO("shr.u32", a, b) == (b < 32 ? a >> b : 0));
      EXPECT((int)TWO("shr.s32", a, b) == (s >> (b < 32 ? b : 31)));
      EXPECT(TWO("mul24.lo.u32", a, b) == (unsigned)((unsigned long long)(a & 0xffffff) * (b & 0xffffff)));
      EXPECT(THREE("sad.s32", a, b, 1u) == (unsigned)((s < t ? (long long)t - s : (long long)s - t) + 1));
      EXPECT(THREE("sad.u32", a, b, 1u) == (a < b ? b - a : a - b) + 1);
      unsigned low, high;
      asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %2, %3;" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
      EXPECT(low == a + b && high == a + b + (a + b < a));
      asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %2, %3;" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
      EXPECT(low == a - b && high == a - b - (a < b));
      asm("mad.lo.cc.u32 %0, %2, %3, %3;\n\tmadc.hi.u32 %1, %2, %3, 0;" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
      unsigned long long const product = (unsigned long long)a * b + b;
      EXPECT(low == (unsigned)product && high == (unsigned)(product >> 32));
    }
    EXPECT(ONE("not.b32", a) == ~a && ONE("cnot.b32", a) == (a == 0) && ONE("neg.s32", a) == 0 - a);
    EXPECT(ONE("abs.s32", a) == ((int)a < 0 ? 0 - a : a));
    EXPECT(ONE("popc.b32", a) == __popc(a) && ONE("clz.b32", a) == (unsigned)__clz(a) &&
           ONE("brev.b32", a) == __brev(a));
    EXPECT(ONE("bfind.u32", a) == (a == 0 ? 0xffffffffu : 31u - __clz(a)));
    unsigned const magnitude = (int)a < 0 ? ~a : a;
    EXPECT(ONE("bfind.s32", a) == (magnitude == 0 ? 0xffffffffu : 31u - __clz(magnitude)));
    EXPECT(ONE("bfind.shiftamt.u32", a) == (a == 0 ? 0xffffffffu : (unsigned)__clz(a)));
  }
  EXPECT(TWO("add.sat.s32", 0x7fffffff, 5) == 0x7fffffffu && TWO("sub.sat.s32", 0x80000000u, 5) == 0x80000000u);
  EXPECT((int)TWO("mul24.lo.s32", -3, 7) == -21);
}

__global__ void bits() {
  EXPECT(THREE("bfe.u32", 0x12345678u, 8, 12) == 0x456u && THREE("bfe.s32", 0x00000f80u, 7, 5) == 0xffffffffu);
  EXPECT(THREE("bfe.u32", 0xffffffffu, 28, 8) == 0xfu && THREE("bfe.s32", 0x80000000u, 28, 8) == 0xfffffff8u);
  unsigned d;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(0xabu), "r"(0x11111111u), "r"(8), "r"(8));
  EXPECT(d == 0x1111ab11u);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(0x0f0f0f0fu), "r"(0x33333333u), "r"(0x55555555u));
  EXPECT(d == (0x0f0f0f0fu ^ 0x33333333u ^ 0x55555555u));
  asm("lop3.b32 %0, %1, %2, %3, %4;"
      : "=r"(d)
      : "r"(0x0f0f0f0fu), "r"(0x33333333u), "r"(0x55555555u), "n"((0xf0 & 0xcc) | 0xaa));
  EXPECT(d == ((0x0f0f0f0fu & 0x33333333u) | 0x55555555u));
  EXPECT(THREE("prmt.b32", 0x33221100u, 0x77665544u, 0x7250u) == 0x77225500u);
  EXPECT(THREE("prmt.b32", 0x80001100u, 0x77665544u, 0x000bu) == 0x000000ffu);
  EXPECT(THREE("prmt.b32.f4e", 0x33221100u, 0x77665544u, 1u) == 0x44332211u);
  EXPECT(THREE("prmt.b32.b4e", 0x33221100u, 0x77665544u, 1u) == 0x66770011u);
  EXPECT(THREE("prmt.b32.rc16", 0x33221100u, 0x77665544u, 1u) == 0x33223322u);
  EXPECT(THREE("prmt.b32.ecl", 0x33221100u, 0x77665544u, 2u) == 0x33222222u);
  EXPECT(THREE("prmt.b32.ecr", 0x33221100u, 0x77665544u, 2u) == 0x22221100u);
  EXPECT(THREE("shf.l.wrap.b32", 0x80000001u, 0xffu, 36) == 0xff8u && THREE("shf.r.clamp.b32", 1u, 2u, 40) == 2u);
  EXPECT(THREE("dp4a.s32.s32", 0xff02fe01u, 0x01010101u, 10u) == 10u + 1 - 2 + 2 - 1);
  EXPECT(THREE("dp4a.u32.u32", 0xff02fe01u, 0x01010101u, 0u) == 0xffu + 2 + 0xfe + 1);
  EXPECT(THREE("dp2a.lo.s32.u32", 0xffff0003u, 0x0a0b0201u, 0u) == 3u - 2u);
  EXPECT(THREE("dp2a.hi.s32.u32", 0xffff0003u, 0x0a0b0201u, 0u) == 3u * 0x0b - 0x0a);
  EXPECT(THREE("vabsdiff4.u32.u32.u32.add", 0x01ff0380u, 0x03f00500u, 100u) == 100u + 2 + 15 + 2 + 128);
  EXPECT(THREE("vabsdiff4.u32.u32.u32", 0x01ff0380u, 0x03f00500u, 0u) == 0x020f0280u);
  EXPECT(THREE("vadd4.u32.u32.u32.sat", 0x01ff0380u, 0x03f00580u, 0u) == 0x04ff08ffu);
  EXPECT(THREE("vsub2.s32.s32.s32.sat", 0x8000ffffu, 0x0001fffeu, 0u) == 0x80000001u);
  EXPECT(THREE("vmin4.s32.s32.s32", 0x01ff0380u, 0x03f00500u, 0u) == 0x01f00380u);
  EXPECT(THREE("vmax2.u32.u32.u32.add", 0x00018000u, 0x00027fffu, 1u) == 0x8003u);
  unsigned long long w;
  asm("brev.b64 %0, %1;" : "=l"(w) : "l"(1ull));
  EXPECT(w == 1ull << 63);
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(0x80000000u), "r"(4u), "l"(1ull << 40));
  EXPECT(w == (1ull << 33) + (1ull << 40));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(w) : "l"(~0ull), "l"(1ull << 4));
  EXPECT(w == 15);
}

__global__ void predicates() {
  for (int a = -2; a < 3; ++a) {
    int x, y, s;
    asm("{\n.reg .pred p, q;\nsetp.lt.s32 p|q, %3, 0;\nselp.s32 %0, 10, 20, p;\n@q mov.s32 %1, 1;\n@!q mov.s32 %1, 0;\n"
        "slct.s32.s32 %2, 5, 6, %3;\n}"
        : "=r"(x), "=r"(y), "=r"(s)
        : "r"(a));
    EXPECT(x == (a < 0 ? 10 : 20) && y == (a >= 0) && s == (a >= 0 ? 5 : 6));
    asm("{\n.reg .pred p, q, r;\nsetp.eq.s32 p, %1, 1;\nsetp.hi.u32 q, %1, 2;\nor.pred r, p, q;\nnot.pred p, r;\n"
        "xor.pred q, p, r;\nsetp.ne.or.s32 q, %1, %1, !q;\nselp.u32 %0, 1, 0, r;\n@q mov.u32 %0, 99;\n}"
        : "=r"(x)
        : "r"(a));
    EXPECT(x == (a == 1 || (unsigned)a > 2u));
    asm("set.ge.u32.s32 %0, %1, 0;" : "=r"(x) : "r"(a));
    EXPECT(x == (a >= 0 ? -1 : 0));
  }
}

int main() {
  arithmetic<<<1, 1>>>();
  bits<<<1, 1>>>();
  predicates<<<1, 32>>>();
  unsigned failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%u failures\n", failed);
  return failed != 0;
}
