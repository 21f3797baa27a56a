// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/complex.hpp>
#include <cosmati/number/half.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>

namespace {

using cosmati::complex;
using cosmati::half_t;

TEST(complex, computes_by_the_schoolbook) {
  std::mt19937 random(6);
  std::uniform_int_distribution<int> digit(-50, 50);
  for (int i = 0; i < 10000; ++i) {
    complex<double> const a(digit(random), digit(random)), b(digit(random), 51);
    std::complex<double> const x(a.real(), a.imag()), y(b.real(), b.imag());
    ASSERT_EQ(a + b, complex<double>(x + y));  // small integers, whose sums are exact
    ASSERT_EQ(a - b, complex<double>(x - y));
    ASSERT_EQ(a * b, complex<double>(x * y));
    ASSERT_EQ(-a, complex<double>(-x));
    ASSERT_EQ(conj(a), complex<double>(std::conj(x)));
    ASSERT_EQ(norm(a), std::norm(x));
    complex<double> const quotient = a / b;
    ASSERT_NEAR(quotient.real(), (x / y).real(), 1e-14);
    ASSERT_NEAR(quotient.imag(), (x / y).imag(), 1e-14);
    complex<double> c = a;
    c += b;
    c -= 1.0;
    c *= b;
    c /= 2.0;
    ASSERT_EQ(c, complex<double>((x + y - 1.0) * y / 2.0));
  }
}

TEST(complex, is_laid_out_as_std_complex) {
  static_assert(sizeof(complex<float>) == sizeof(std::complex<float>) && alignof(complex<float>) == alignof(float));
  static_assert(std::is_trivial_v<complex<float>> && std::is_standard_layout_v<complex<double>>);
  std::complex<float> const x(3, 4);
  complex<float> z;
  std::memcpy(static_cast<void*>(&z), &x, sizeof z);
  EXPECT_EQ(z, complex<float>(3, 4));
  EXPECT_EQ(z, complex<float>(x));
}

TEST(complex, of_real_numbers_and_of_other_parts) {
  constexpr complex<float> z(1, 2);
  static_assert(2.f * z == complex<float>(2, 4) && z * 2.f == 2.f * z && z / 2.f == complex<float>(.5f, 1));
  static_assert(z + 1.f == complex<float>(2, 2) && z != 1.f && complex<float>(1) == 1.f);
  static_assert(real(z) == 1 && imag(z) == 2);
  static_assert(complex<half_t>(z).imag() == half_t(2) && complex<double>(complex<half_t>(z)).imag() == 2);
  constexpr complex<half_t> h(half_t(1), half_t(2));
  static_assert(h * h == complex<half_t>(half_t(-3), half_t(4)));
  complex<float> w = z;
  w.real() = 5;
  w.imag() = 6;
  EXPECT_EQ(w, complex<float>(5, 6));
}

}  // namespace
