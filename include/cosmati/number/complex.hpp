// SPDX-License-Identifier: Apache-2.0
/// @file
/// `complex<T>`: `std::complex` for the device, and for `half_t` and similar types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

/// Real and imaginary part in the memory layout of `std::complex<T>`, `float2` and `double2`, so that an array of one
/// type may be read as another. Arithmetic uses the schoolbook formulas in `T`; it does not recover infinities from
/// NaNs as `std::complex` does. Default initialisation leaves the parts unset.
template <class T>
struct complex {
  using value_type = T;

  complex() = default;
  COSMATI_HD constexpr complex(T real) : real_(real), imag_(T(0)) {}  // NOLINT: implicit, as std::complex's
  COSMATI_HD constexpr complex(T real, T imag) : real_(real), imag_(imag) {}
  template <class U>
  requires(!std::same_as<U, T>) COSMATI_HD explicit constexpr complex(complex<U> const& z)
      : real_(T(z.real())), imag_(T(z.imag())) {}
  /// Converts another library's complex number, such as `std::complex`, on the host, where its functions exist.
  template <class Z>
  requires requires(Z const& z) {
    typename Z::value_type;
    T(z.real());
    T(z.imag());
  }
  explicit constexpr complex(Z const& z) : real_(T(z.real())), imag_(T(z.imag())) {}

  /// The real part and the imaginary part.
  COSMATI_HD constexpr T& real() { return real_; }
  COSMATI_HD constexpr T& imag() { return imag_; }
  COSMATI_HD constexpr T const& real() const { return real_; }
  COSMATI_HD constexpr T const& imag() const { return imag_; }

  friend COSMATI_HD constexpr complex operator+(complex a) { return a; }
  friend COSMATI_HD constexpr complex operator-(complex a) { return {-a.real_, -a.imag_}; }
  friend COSMATI_HD constexpr complex operator+(complex a, complex b) { return {a.real_ + b.real_, a.imag_ + b.imag_}; }
  friend COSMATI_HD constexpr complex operator-(complex a, complex b) { return {a.real_ - b.real_, a.imag_ - b.imag_}; }
  friend COSMATI_HD constexpr complex operator*(complex a, complex b) {
    return {a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_};
  }
  /// `a * conj(b) / norm(b)`. It overflows if the norm does.
  friend COSMATI_HD constexpr complex operator/(complex a, complex b) {
    complex const product = a * conj(b);
    T const n = norm(b);
    return {product.real_ / n, product.imag_ / n};
  }
  /// The product with a real number. It multiplies both parts, and does not add the products with a zero imaginary
  /// part.
  friend COSMATI_HD constexpr complex operator*(complex a, T b) { return {a.real_ * b, a.imag_ * b}; }
  friend COSMATI_HD constexpr complex operator*(T a, complex b) { return {a * b.real_, a * b.imag_}; }
  friend COSMATI_HD constexpr complex operator/(complex a, T b) { return {a.real_ / b, a.imag_ / b}; }

  COSMATI_HD constexpr complex& operator+=(complex b) { return *this = *this + b; }
  COSMATI_HD constexpr complex& operator-=(complex b) { return *this = *this - b; }
  COSMATI_HD constexpr complex& operator*=(complex b) { return *this = *this * b; }
  COSMATI_HD constexpr complex& operator/=(complex b) { return *this = *this / b; }

  friend COSMATI_HD constexpr bool operator==(complex a, complex b) { return a.real_ == b.real_ && a.imag_ == b.imag_; }

  friend COSMATI_HD constexpr T real(complex const& z) { return z.real_; }
  friend COSMATI_HD constexpr T imag(complex const& z) { return z.imag_; }
  friend COSMATI_HD constexpr complex conj(complex z) { return {z.real_, -z.imag_}; }
  /// The square of the absolute value.
  friend COSMATI_HD constexpr T norm(complex z) { return z.real_ * z.real_ + z.imag_ * z.imag_; }

 private:
  T real_;
  T imag_;
};

/// @name Whether T is a complex number
/// @{
template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<complex<T>> = true;
template <class T>
struct is_complex : std::bool_constant<is_complex_v<T>> {};
/// @}

/// Writes `1+i2`, or `1` if the imaginary part is zero, as CuTe does. The program includes <ostream>.
template <class Stream, class T>
requires requires(Stream& out) { out.rdbuf(); }
Stream& operator<<(Stream& out, complex<T> const& z) {
  out << z.real();
  if (!(z.imag() == T(0))) out << "+i" << z.imag();
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
