// SPDX-License-Identifier: Apache-2.0
// CUDA's intrinsics of bits, casts and halves of products, against loops over bits and wider arithmetic.
#include <gtest/gtest.h>
#include <cosmati/runtime/cuda_words.hpp>

#include <random>

namespace {

TEST(CudaIntrinsics, CountsOfBits) {
  for (unsigned x : {0u, 1u, 0x80000000u, 0xffffffffu, 0x00f0a000u}) {
    int ones = 0, lowest = 0, leading = 0;
    unsigned reversed = 0;
    for (int b = 31; b >= 0; --b) {
      bool const set = (x >> b & 1u) != 0;
      ones += set;
      if (set) lowest = b + 1;
      if (ones == 0) ++leading;
      if (set) reversed |= 1u << (31 - b);
    }
    EXPECT_EQ(__popc(x), ones);
    EXPECT_EQ(__ffs(static_cast<int>(x)), lowest) << "0 of none";
    EXPECT_EQ(__clz(static_cast<int>(x)), leading);
    EXPECT_EQ(__brev(x), reversed);
    EXPECT_EQ(__popcll((static_cast<unsigned long long>(x) << 32) | x), 2 * ones);
    EXPECT_EQ(__brevll(x), static_cast<unsigned long long>(reversed) << 32);
    EXPECT_EQ(__clzll(x), 32 + leading);
  }
  EXPECT_EQ(__ffsll(1ll << 40), 41);
}

TEST(CudaIntrinsics, BytesAndFunnels) {
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x0123u), 0x00112233u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7604u), 0x77660044u);
  EXPECT_EQ(__byte_perm(0x000080ffu, 0, 0x9999u), 0x80808080u) << "bit 3 is not looked at";
  for (unsigned shift = 0; shift <= 40; ++shift) {
    unsigned long long const both = 0x123456789abcdef0ull;
    unsigned const low = 0x9abcdef0u, high = 0x12345678u, wrapped = shift % 32, clamped = shift < 32 ? shift : 32;
    EXPECT_EQ(__funnelshift_l(low, high, shift), static_cast<unsigned>(both << wrapped >> 32));
    EXPECT_EQ(__funnelshift_r(low, high, shift), static_cast<unsigned>(both >> wrapped));
    EXPECT_EQ(__funnelshift_lc(low, high, shift), static_cast<unsigned>(both << clamped >> 32));
    EXPECT_EQ(__funnelshift_rc(low, high, shift), static_cast<unsigned>(both >> clamped));
  }
}

TEST(CudaIntrinsics, UpperHalvesOfProducts) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 200; ++k) {
    auto const x = static_cast<std::int64_t>(random()), y = static_cast<std::int64_t>(random());
    auto const a = static_cast<int>(x), b = static_cast<int>(y);
    EXPECT_EQ(__mulhi(a, b), static_cast<int>((std::int64_t{a} * b) >> 32));
    auto const ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    EXPECT_EQ(__umulhi(ua, ub), static_cast<unsigned>((std::uint64_t{ua} * ub) >> 32));
    // By halves: (xh 2^32 + xl)(yh 2^32 + yl), without numbers of 128 bits.
    std::uint64_t const u = static_cast<std::uint64_t>(x), v = static_cast<std::uint64_t>(y);
    std::uint64_t const ul = u & 0xffffffff, uh = u >> 32, vl = v & 0xffffffff, vh = v >> 32;
    std::uint64_t const middle = uh * vl + (ul * vl >> 32), other = ul * vh + (middle & 0xffffffff);
    std::uint64_t const high = uh * vh + (middle >> 32) + (other >> 32);
    EXPECT_EQ(__umul64hi(u, v), high);
    std::uint64_t const as_signed = high - (x < 0 ? v : 0) - (y < 0 ? u : 0);
    EXPECT_EQ(__mul64hi(x, y), static_cast<std::int64_t>(as_signed));
    int const a24 = a << 8 >> 8, b24 = b << 8 >> 8;
    EXPECT_EQ(__mul24(a, b), static_cast<int>(std::int64_t{a24} * b24));
  }
}

TEST(CudaIntrinsics, CastsKeepTheBits) {
  EXPECT_EQ(__float_as_uint(-0.f), 0x80000000u);
  EXPECT_EQ(__float_as_int(1.f), 0x3f800000);
  EXPECT_EQ(__int_as_float(0x40000000), 2.f);
  EXPECT_EQ(__uint_as_float(0xbf800000u), -1.f);
  EXPECT_EQ(__double_as_longlong(1.), 0x3ff0000000000000ll);
  EXPECT_EQ(__longlong_as_double(0x4000000000000000ll), 2.);
}

TEST(CudaIntrinsics, LoadsStoresAndClocks) {
  float x = 2;
  __stcs(&x, 3);
  EXPECT_EQ(__ldg(&x) + __ldcg(&x) + __ldca(&x) + __ldcs(&x), 12.f);
  static_assert(min(3u, 5u) == 3u && max(-1ll, 2ll) == 2 && max(1.5f, 2.5f) == 2.5f);
  long long const before = clock64();
  EXPECT_LE(before, clock64());
}

}  // namespace
