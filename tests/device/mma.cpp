// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction that the device has, against a reference in double (in 64-bit integers for integers), on
// inputs whose sums are exact: the results agree bit by bit.
#include <gtest/gtest.h>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_operations.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
#include <random>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;
using namespace cosmati::mma_operations;

namespace {

/// A number of any of the types, real or complex.
struct number_pair {
  double re, im;
};

template <class T>
COSMATI_HD T from_pair(number_pair const& x) {
  if constexpr (std::is_same_v<T, complex<double>>)
    return T(x.re, x.im);
  else if constexpr (std::is_same_v<T, gauss_complex>)
    return T{x.re + 1, 1, x.im - x.re - 1};  // real part t0 - t1, imaginary part t0 + t2
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    return static_cast<T>(x.re);
  else if constexpr (requires { T::format::bits; })
    return T(x.re);
  else
    return static_cast<T>(static_cast<int>(x.re));
}
template <class T>
COSMATI_HD number_pair to_pair(T const& x) {
  if constexpr (requires { x.imag(); })
    return {x.real(), x.imag()};
  else if constexpr (requires { T::format::bits; })
    return {static_cast<double>(static_cast<float>(x)), 0};
  else
    return {static_cast<double>(x), 0};
}

/// One instruction by one warp; each of its products has its own A, B, C and D, column by column.
template <class Op>
__global__ void multiply(number_pair const* a, number_pair const* b, number_pair const* c, number_pair* d) {
  using Atom = MMA_Atom<Op>;
  constexpr int M = decltype(get<0>(typename Atom::Shape_MNK{}))::value;
  constexpr int N = decltype(get<1>(typename Atom::Shape_MNK{}))::value;
  constexpr int K = decltype(get<2>(typename Atom::Shape_MNK{}))::value;
  // of a quad pair: lanes 0 to 3 and 16 to 19, each pair 4 further
  constexpr bool quad_pairs = decltype(size(typename Atom::ThrID{}))::value == 8;
  int const lane = static_cast<int>(threadIdx.x);
  int const product = quad_pairs ? lane / 4 % 4 : 0;
  int const thread = quad_pairs ? lane % 4 + lane / 16 * 4 : lane;
  auto rA = make_tensor<typename Atom::ValTypeA>(Layout<decltype(shape<1>(typename Atom::LayoutA_TV{}))>{});
  auto rB = make_tensor<typename Atom::ValTypeB>(Layout<decltype(shape<1>(typename Atom::LayoutB_TV{}))>{});
  auto rC = make_tensor<typename Atom::ValTypeC>(Layout<decltype(shape<1>(typename Atom::LayoutC_TV{}))>{});
  auto rD = make_tensor<typename Atom::ValTypeD>(Layout<decltype(shape<1>(typename Atom::LayoutD_TV{}))>{});
  for (int v = 0; v < size(rA); ++v)
    rA(v) = from_pair<typename Atom::ValTypeA>(a[product * M * K + typename Atom::LayoutA_TV{}(thread, v)]);
  for (int v = 0; v < size(rB); ++v)
    rB(v) = from_pair<typename Atom::ValTypeB>(b[product * N * K + typename Atom::LayoutB_TV{}(thread, v)]);
  for (int v = 0; v < size(rC); ++v)
    rC(v) = from_pair<typename Atom::ValTypeC>(c[product * M * N + typename Atom::LayoutC_TV{}(thread, v)]);
  Atom{}.call(rD, rA, rB, rC);
  for (int v = 0; v < size(rD); ++v) d[product * M * N + typename Atom::LayoutD_TV{}(thread, v)] = to_pair(rD(v));
}

/// The largest integer to take, so that every sum of the type is exact.
template <class T>
int largest() {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, complex<double>>) return 1 << 20;
  if constexpr (std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t>) return 3;
  if constexpr (requires { T::format::bits; }) return 9;
  if constexpr (std::is_integral_v<T> || requires { T::bits_mask; })
    return static_cast<int>(std::numeric_limits<T>::max());
  return 0;
}
template <class T>
int smallest() {
  if constexpr (std::is_integral_v<T> || requires { T::bits_mask; })
    return static_cast<int>(std::numeric_limits<T>::lowest());
  return -largest<T>();
}

template <class Op>
constexpr mma_variant variant_of() {
  if constexpr (requires { Op::variant; })
    return Op::variant;
  else
    return mma_variant::plain;
}
int sm_of_the_device() {
#if defined(__CUDACC__)
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  return 10 * properties.major + properties.minor;
#else
  return 1000;  // the simulated device has all
#endif
}
template <class Op>
constexpr int needed_sm() {
  if constexpr (requires { typename Op::real_operation; })
    return Op::real_operation::lowest_sm;
  else
    return Op::lowest_sm;
}

template <class Op>
void check(named<Op> const& op, unsigned seed) {
  SCOPED_TRACE(op.name);
  if (needed_sm<Op>() > sm_of_the_device()) return;
  using Atom = MMA_Atom<Op>;
  using A = typename Atom::ValTypeA;
  using B = typename Atom::ValTypeB;
  constexpr bool is_complex = std::is_same_v<A, complex<double>>;
  constexpr bool sums_32_bits = std::is_same_v<typename Atom::ValTypeD, std::int32_t>;
  constexpr mma_variant variant = variant_of<Op>();
  constexpr int M = decltype(get<0>(typename Atom::Shape_MNK{}))::value;
  constexpr int N = decltype(get<1>(typename Atom::Shape_MNK{}))::value;
  constexpr int K = decltype(get<2>(typename Atom::Shape_MNK{}))::value;
  constexpr int products = decltype(size(typename Atom::ThrID{}))::value == 8 ? 4 : 1;
  std::mt19937 random(seed);
  auto const numbers = [&](int count, int low, int high) {
    std::vector<number_pair> r(static_cast<std::size_t>(count));
    std::uniform_int_distribution<int> pick(low, high);
    for (auto& x : r) x = {static_cast<double>(pick(random)), is_complex ? static_cast<double>(pick(random)) : 0};
    return r;
  };
  auto const a = numbers(products * M * K, smallest<A>(), largest<A>());
  auto const b = numbers(products * N * K, smallest<B>(), largest<B>());
  auto c = numbers(products * M * N, -100, 100);
  if constexpr (sums_32_bits) {  // near both ends of the sums' range
    for (std::size_t i = 0; i < c.size(); ++i)
      if (i % 3 != 0)
        c[i].re = i % 3 == 1 ? 2147483647.0 - static_cast<double>(i) : -2147483648.0 + static_cast<double>(i);
  }
  device_buffer<number_pair> da(a), db(b), dc(c), dd(c.size());
  launch(multiply<Op>, {.grid = 1, .block = 32}, da.data(), db.data(), dc.data(), dd.data());
  auto const got = dd.download();
  for (int p = 0; p < products; ++p) {
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        std::size_t const i = static_cast<std::size_t>(p * M * N + m + M * n);
        number_pair sum = c[i];
        for (int k = 0; k < K; ++k) {
          number_pair const x = a[static_cast<std::size_t>(p * M * K + m + M * k)];
          number_pair const y = b[static_cast<std::size_t>(p * N * K + n + N * k)];
          if (variant == mma_variant::xor_popc) {
            sum.re += x.re != y.re ? 1 : 0;
          } else {
            sum.re += x.re * y.re - x.im * y.im;
            sum.im += x.re * y.im + x.im * y.re;
          }
        }
        if constexpr (sums_32_bits) {
          if (variant == mma_variant::saturate)
            sum.re = sum.re > 2147483647.0 ? 2147483647.0 : sum.re < -2147483648.0 ? -2147483648.0 : sum.re;
          else
            sum.re = static_cast<double>(
                static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum.re))));
        }
        ASSERT_EQ(got[i].re, sum.re) << "product " << p << ", row " << m << ", column " << n;
        ASSERT_EQ(got[i].im, sum.im) << "product " << p << ", row " << m << ", column " << n;
      }
    }
  }
}

template <class Operations>
void check_all(Operations const& operations) {
  COSMATI_REQUIRE_DEVICE();
  unsigned seed = 1;
  for_each_operation(operations, [&](auto const& op) { check(op, seed++); });
}

TEST(Mma, QuadPairs) { check_all(volta_operations); }
TEST(Mma, Turing) { check_all(sm75_operations); }
TEST(Mma, FloatingPoint) { check_all(float_operations); }
TEST(Mma, Double) { check_all(double_operations); }
TEST(Mma, Bytes) { check_all(byte_operations); }
TEST(Mma, Nibbles) { check_all(nibble_operations); }
TEST(Mma, Bits) { check_all(bit_operations); }
TEST(Mma, EightBitFloatingPoint) { check_all(float8_operations); }
TEST(Mma, Complex) { check_all(complex_operations); }

/// dp4a and dp2a on whatever each thread has.
__global__ void dot_products(std::uint32_t const* a, std::uint32_t const* b, std::int32_t* d) {
  unsigned const i = threadIdx.x;
  SM61_DP4A::fma(d[2 * i], a[i], b[i], static_cast<std::int32_t>(a[i] ^ b[i]));
  SM61_DP2A::fma(d[2 * i + 1], a[i], b[i], static_cast<std::int32_t>(a[i] + b[i]));
}
TEST(Mma, DotProductsOfOneThread) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(7);
  std::vector<std::uint32_t> a(64), b(64);
  for (auto& x : a) x = static_cast<std::uint32_t>(random());
  for (auto& x : b) x = static_cast<std::uint32_t>(random());
  device_buffer<std::uint32_t> da(a), db(b);
  device_buffer<std::int32_t> d(128);
  launch(dot_products, {.grid = 1, .block = 64}, da.data(), db.data(), d.data());
  auto const got = d.download();
  for (std::size_t i = 0; i < 64; ++i) {
    std::int64_t four = static_cast<std::int32_t>(a[i] ^ b[i]), two = static_cast<std::int32_t>(a[i] + b[i]);
    for (int e = 0; e < 4; ++e)
      four += static_cast<std::int8_t>(a[i] >> (8 * e)) * static_cast<std::int8_t>(b[i] >> (8 * e));
    for (int e = 0; e < 2; ++e)
      two += static_cast<std::int16_t>(a[i] >> (16 * e)) * static_cast<std::int8_t>(b[i] >> (8 * e));
    EXPECT_EQ(got[2 * i], static_cast<std::int32_t>(static_cast<std::uint32_t>(four)));
    EXPECT_EQ(got[2 * i + 1], static_cast<std::int32_t>(static_cast<std::uint32_t>(two)));
  }
}

/// The instruction by its registers, as CuTe's programs call it.
__global__ void by_registers(float* out) {
  float d[4] = {1, 2, 3, 4};
  std::uint32_t const one = 0x3c003c00u;  // two halves of 1
  SM80_16x8x8_F32F16F16F32_TN::fma(d[0], d[1], d[2], d[3], one, one, one, d[0], d[1], d[2], d[3]);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + static_cast<unsigned>(i)] = d[i];
}
TEST(Mma, ByRegisters) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> out(128);
  launch(by_registers, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(got[i], 9 + static_cast<float>(i % 4)) << i;
}

}  // namespace
