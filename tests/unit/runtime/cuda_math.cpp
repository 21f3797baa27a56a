// SPDX-License-Identifier: Apache-2.0
// CUDA's arithmetic intrinsics: conversions at the ends of their types, multiples of pi, and words of bytes and halves
// against loops over their elements.
#include <gtest/gtest.h>
#include <cosmati/runtime/cuda_words.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace {

TEST(CudaMath, RoundsAsItsSuffixSays) {
  for (double const x : {-2.5, -1.5, -0.5, 0.25, 0.5, 1.5, 2.5, 3.75}) {
    EXPECT_EQ(__double2int_rn(x), static_cast<int>(std::nearbyint(x))) << x;  // halves to even
    EXPECT_EQ(__double2int_rz(x), static_cast<int>(x)) << x;
    EXPECT_EQ(__double2int_ru(x), static_cast<int>(std::ceil(x))) << x;
    EXPECT_EQ(__double2int_rd(x), static_cast<int>(std::floor(x))) << x;
    EXPECT_EQ(__float2ll_rd(static_cast<float>(x)), static_cast<long long>(std::floor(x))) << x;
  }
}

TEST(CudaMath, WhatDoesNotFitIsTheLargest) {
  EXPECT_EQ(__float2int_rn(1e30f), INT32_MAX);
  EXPECT_EQ(__float2int_rn(-1e30f), INT32_MIN);
  EXPECT_EQ(__float2uint_rn(-1.f), 0u);
  EXPECT_EQ(__double2uint_rz(4294967295.5), UINT32_MAX);
  EXPECT_EQ(__double2uint_ru(4294967295.5), UINT32_MAX);
  EXPECT_EQ(__double2ll_rn(9.3e18), INT64_MAX);
  EXPECT_EQ(__double2ll_rn(-9.3e18), INT64_MIN);
  EXPECT_EQ(__double2ull_rn(1.9e19), UINT64_MAX);
  EXPECT_EQ(__float2ull_rz(std::numeric_limits<float>::infinity()), UINT64_MAX);
}

// PTX, cvt: 0 where neither the source is f64 nor the result has 64 bits, else the highest bit alone.
TEST(CudaMath, NotANumber) {
  float const f = std::numeric_limits<float>::quiet_NaN();
  double const d = f;
  EXPECT_EQ(__float2int_rn(f), 0);
  EXPECT_EQ(__float2uint_rz(f), 0u);
  EXPECT_EQ(__float2ll_rn(f), INT64_MIN);
  EXPECT_EQ(__float2ull_rn(f), std::uint64_t{1} << 63);
  EXPECT_EQ(__double2int_rn(d), INT32_MIN);
  EXPECT_EQ(__double2uint_rz(d), 0x80000000u);
  EXPECT_EQ(__double2ll_rd(d), INT64_MIN);
}

TEST(CudaMath, MultiplesOfPiAreExactWhereTheResultIs) {
  for (int k = -8; k <= 8; ++k) {
    EXPECT_EQ(sinpi(k), 0.) << k;
    EXPECT_EQ(cospi(k), k % 2 == 0 ? 1. : -1.) << k;
    EXPECT_EQ(sinpi(k + 0.5), k % 2 == 0 ? 1. : -1.) << k;
    EXPECT_EQ(cospif(static_cast<float>(k) + 0.5f), 0.f) << k;
  }
  EXPECT_NEAR(sinpi(0.25), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(cospi(1e6 + 1. / 3), 0.5, 1e-9);
  float s = 0, c = 0;
  sincospif(1.75f, &s, &c);
  EXPECT_NEAR(s, -std::sqrt(0.5f), 1e-6f);
  EXPECT_NEAR(c, std::sqrt(0.5f), 1e-6f);
}

TEST(CudaMath, NormsRootsAndDistributions) {
  EXPECT_EQ(norm3d(2, 3, 6), 7.);
  EXPECT_EQ(norm4d(1, 1, 3, 5), 6.);
  EXPECT_EQ(rnorm3d(2, 3, 6), 1. / 7);
  EXPECT_EQ(rhypotf(3, 4), 0.2f);
  EXPECT_EQ(rsqrt(16.), 0.25);
  EXPECT_NEAR(rcbrt(27.), 1. / 3, 1e-16);
  EXPECT_EQ(normcdf(0.), 0.5);
  EXPECT_NEAR(normcdf(1.) + normcdf(-1.), 1., 1e-15);
  EXPECT_EQ(__saturatef(std::numeric_limits<float>::quiet_NaN()), 0.f);
  EXPECT_EQ(__saturatef(1.5f), 1.f);
  EXPECT_EQ(__fmaf_rn(1.f + 0x1p-12f, 1.f + 0x1p-12f, -1.f), 0x1p-11f + 0x1p-24f) << "rounded once";
}

TEST(CudaMath, MeansAndDifferencesDoNotOverflow) {
  EXPECT_EQ(__hadd(INT32_MAX, INT32_MAX), INT32_MAX);
  EXPECT_EQ(__hadd(-3, -2), -3) << "rounded down";
  EXPECT_EQ(__rhadd(-3, -2), -2) << "rounded up";
  EXPECT_EQ(__uhadd(UINT32_MAX, UINT32_MAX - 1), UINT32_MAX - 1);
  EXPECT_EQ(__urhadd(UINT32_MAX, UINT32_MAX - 1), UINT32_MAX);
  EXPECT_EQ(__sad(INT32_MIN, INT32_MAX, 1u), 0u) << "2^32 - 1 and 1";
  EXPECT_EQ(__usad(3, 10, 1), 8u);
}

/// Each element of a word by `f`. @tparam E the element's type
template <class E, class F>
unsigned each(unsigned a, unsigned b, F f) {
  unsigned r = 0;
  for (unsigned k = 0; k < 4 / sizeof(E); ++k) {
    unsigned const at = 8 * sizeof(E) * k;
    int const x = static_cast<E>(a >> at), y = static_cast<E>(b >> at);
    r |= (static_cast<unsigned>(f(x, y)) & ((1u << (8 * sizeof(E))) - 1)) << at;
  }
  return r;
}
TEST(CudaMath, WordsOfBytesAndHalves) {
  using s8 = std::int8_t;
  using u8 = std::uint8_t;
  using s16 = std::int16_t;
  using u16 = std::uint16_t;
  std::mt19937 random(3);
  for (int k = 0; k < 500; ++k) {
    unsigned const a = random(), b = k % 3 == 0 ? a ^ 0xff00u : random();
    EXPECT_EQ(__vadd4(a, b), each<u8>(a, b, [](int x, int y) { return x + y; }));
    EXPECT_EQ(__vsub2(a, b), each<u16>(a, b, [](int x, int y) { return x - y; }));
    EXPECT_EQ(__vmaxs4(a, b), each<s8>(a, b, [](int x, int y) { return std::max(x, y); }));
    EXPECT_EQ(__vminu2(a, b), each<u16>(a, b, [](int x, int y) { return std::min(x, y); }));
    EXPECT_EQ(__vabsdiffs2(a, b), each<s16>(a, b, [](int x, int y) { return std::abs(x - y); }));
    EXPECT_EQ(__vabsdiffu4(a, b), each<u8>(a, b, [](int x, int y) { return std::abs(x - y); }));
    EXPECT_EQ(__vavgu4(a, b), each<u8>(a, b, [](int x, int y) { return (x + y + 1) / 2; }));
    EXPECT_EQ(__vcmpeq4(a, b), each<u8>(a, b, [](int x, int y) { return x == y ? 255 : 0; }));
    EXPECT_EQ(__vcmpgts2(a, b), each<s16>(a, b, [](int x, int y) { return x > y ? -1 : 0; }));
    EXPECT_EQ(__vcmpltu4(a, b), each<u8>(a, b, [](int x, int y) { return x < y ? 255 : 0; }));
    EXPECT_EQ(__vaddus4(a, b), each<u8>(a, b, [](int x, int y) { return std::min(x + y, 255); }));
    EXPECT_EQ(__vsubus2(a, b), each<u16>(a, b, [](int x, int y) { return std::max(x - y, 0); }));
    unsigned sum = 7;
    for (unsigned i = 0; i < 4; ++i) sum += (a >> (8 * i) & 255u) * (b >> (8 * i) & 255u);
    EXPECT_EQ(__dp4a(a, b, 7u), sum);
    unsigned const upper = 7 + (a & 0xffffu) * (b >> 16 & 255u) + (a >> 16) * (b >> 24);
    EXPECT_EQ(__dp2a_hi(a, b, 7u), upper);
  }
}

}  // namespace
