// SPDX-License-Identifier: Apache-2.0
// What mma.sync computes on the simulated device, part by part: values in registers, sums put back, products of small
// matrices against loops, and which sums an unwritten register spoils.
#include <gtest/gtest.h>
#include <cosmati/arch/mma_simulated.hpp>
#include <cosmati/atom/mma_sm80.hpp>

#include <cmath>
#include <cstring>
#include <limits>

using namespace cosmati;

namespace {

template <class T>
void expect_every_code() {
  constexpr int bits = sizeof_bits_v<T>;
  for (std::uint32_t code = 0; code < (1u << bits); ++code) {
    unsigned char bytes[4];
    std::memcpy(bytes, &code, 4);
    float const got = detail::held_value<T>::get(bytes, 0);
    float const wanted = static_cast<float>(T::bitcast(static_cast<typename T::storage_type>(code)));
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(got)) << code;
    } else {
      EXPECT_EQ(__builtin_bit_cast(std::uint32_t, got), __builtin_bit_cast(std::uint32_t, wanted)) << code;
    }
  }
}
TEST(MmaSimulated, NarrowNumbersAreExactFloats) {
  expect_every_code<half_t>();
  expect_every_code<bfloat16_t>();
  expect_every_code<float_e4m3_t>();
  expect_every_code<float_e5m2_t>();
}

TEST(MmaSimulated, ValuesInRegisters) {
  unsigned char const nibbles[4] = {0x8f, 0x70, 0x21, 0xe9};
  int const as_signed[8] = {-1, -8, 0, 7, 1, 2, -7, -2};
  for (int v = 0; v < 8; ++v) {
    EXPECT_EQ(detail::held_value<int4_t>::get(nibbles, v), as_signed[v]);
    EXPECT_EQ(detail::held_value<uint4_t>::get(nibbles, v), as_signed[v] & 15);
  }
  // TF32 reads the upper 19 bits.
  float const precise = 1.f + 0x1p-10f + 0x1p-11f + 0x1p-23f;
  unsigned char bytes[4];
  std::memcpy(bytes, &precise, 4);
  EXPECT_EQ(detail::held_value<tfloat32_t>::get(bytes, 0), 1.f + 0x1p-10f);
}

TEST(MmaSimulated, IntegersWrapOrAreClamped) {
  auto const put = []<class Op>(std::int64_t total, Op) {
    unsigned char bytes[4];
    detail::put_sum<Op>(bytes, 0, total);
    std::int32_t sum;
    std::memcpy(&sum, bytes, 4);
    return sum;
  };
  std::int64_t const beyond = std::int64_t{1} << 31;
  EXPECT_EQ(put(beyond, SM80_16x8x32_S32S8S8S32_TN{}), INT32_MIN);
  EXPECT_EQ(put(beyond, SM80_16x8x32_S32S8S8S32_TN_SATURATE{}), INT32_MAX);
  EXPECT_EQ(put(-beyond - 1, SM80_16x8x32_S32S8S8S32_TN{}), INT32_MAX);
  EXPECT_EQ(put(-beyond - 1, SM80_16x8x32_S32S8S8S32_TN_SATURATE{}), INT32_MIN);
}

/// A warp's registers of one instruction, all lanes' values from matrices.
struct warp {
  using Op = SM80_16x8x8_F32F16F16F32_TN;
  using Traits = MMA_Traits<Op>;
  std::uint32_t a[32][2], b[32][1];
  float c[32][4], d[32][4];
  detail::mma_lane lane[32];
  detail::mma_lane* all[32];
  warp() {
    for (int t = 0; t < 32; ++t) {
      for (int v = 0; v < 4; ++v) put(a[t], v, value_of_A(Traits::ALayout{}(t, v)));
      for (int v = 0; v < 2; ++v) put(b[t], v, value_of_B(Traits::BLayout{}(t, v)));
      for (int v = 0; v < 4; ++v) c[t][v] = static_cast<float>(Traits::CLayout{}(t, v));
      lane[t] = {a[t], b[t], c[t], d[t], 0};
      all[t] = &lane[t];
    }
  }
  static float value_of_A(int i) { return static_cast<float>(i % 7 - 3); }
  static float value_of_B(int i) { return static_cast<float>(i % 5 - 2); }
  static void put(std::uint32_t* registers, int v, float x) {
    auto const bits = half_t(x).storage;
    std::memcpy(reinterpret_cast<unsigned char*>(registers) + 2 * v, &bits, 2);
  }
};

TEST(MmaSimulated, AProductIsTheSumOfProducts) {
  warp w;
  detail::multiply_matrices<warp::Op>(w.all);
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 4; ++v) {
      int const i = warp::Traits::CLayout{}(t, v), m = i % 16, n = i / 16;
      float sum = static_cast<float>(i);
      for (int k = 0; k < 8; ++k) sum += warp::value_of_A(m + 16 * k) * warp::value_of_B(n + 8 * k);
      EXPECT_EQ(w.d[t][v], sum) << m << ',' << n;
    }
  }
}

// Lane 5's first register of A holds row 1: that row of D is as unwritten, and nothing else.
TEST(MmaSimulated, AnUnwrittenRegisterSpoilsTheSumsThatItIsIn) {
  warp w;
  w.a[5][0] = 0x7ffd7ffd;
  detail::multiply_matrices<warp::Op>(w.all);
  for (int t = 0; t < 32; ++t) {
    for (int v = 0; v < 4; ++v) {
      int const row = warp::Traits::CLayout{}(t, v) % 16;
      EXPECT_EQ(__builtin_bit_cast(std::uint32_t, w.d[t][v]) == 0x7ffd7ffd, row == 1) << row;
    }
  }
}

}  // namespace
