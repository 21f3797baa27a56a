// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's complex numbers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <complex>
#include <ostream>
#include <type_traits>

namespace thrust {

/// A complex number. Its functions are those of std::complex.
template <class T>
class complex {
 public:
  using value_type = T;
  complex() = default;
  complex(T const& real, T const& imag = T()) : real_(real), imag_(imag) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  complex(complex<U> const& z)  // NOLINT(google-explicit-constructor)
      : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
  template <class U>
  complex(std::complex<U> const& z)  // NOLINT(google-explicit-constructor)
      : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
  operator std::complex<T>() const { return {real_, imag_}; }  // NOLINT(google-explicit-constructor)

  T real() const { return real_; }
  T imag() const { return imag_; }
  void real(T v) { real_ = v; }
  void imag(T v) { imag_ = v; }
  template <class U>
  complex& operator+=(U const& z) {
    return *this = *this + z;
  }
  template <class U>
  complex& operator-=(U const& z) {
    return *this = *this - z;
  }
  template <class U>
  complex& operator*=(U const& z) {
    return *this = *this * z;
  }
  template <class U>
  complex& operator/=(U const& z) {
    return *this = *this / z;
  }

 private:
  T real_{}, imag_{};
};

namespace detail {
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;
template <class T>
struct part_type {
  using type = T;
};
template <class T>
struct part_type<complex<T>> {
  using type = T;
};
/// The complex type that holds what two operands make; at least one of them is complex.
template <class A, class B>
requires(is_complex<A> || is_complex<B>) using complex_of =
    complex<std::common_type_t<typename part_type<A>::type, typename part_type<B>::type>>;
}  // namespace detail

template <class A, class B>
detail::complex_of<A, B> operator+(A const& a, B const& b) {
  detail::complex_of<A, B> const x(a), y(b);
  return {x.real() + y.real(), x.imag() + y.imag()};
}
template <class A, class B>
detail::complex_of<A, B> operator-(A const& a, B const& b) {
  detail::complex_of<A, B> const x(a), y(b);
  return {x.real() - y.real(), x.imag() - y.imag()};
}
template <class A, class B>
detail::complex_of<A, B> operator*(A const& a, B const& b) {
  detail::complex_of<A, B> const x(a), y(b);
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
template <class A, class B>
detail::complex_of<A, B> operator/(A const& a, B const& b) {
  using type = typename detail::complex_of<A, B>::value_type;
  detail::complex_of<A, B> const x(a), y(b);
  return std::complex<type>(x) / std::complex<type>(y);
}
template <class A, class B>
requires(detail::is_complex<A> || detail::is_complex<B>) bool operator==(A const& a, B const& b) {
  detail::complex_of<A, B> const x(a), y(b);
  return x.real() == y.real() && x.imag() == y.imag();
}
template <class T>
complex<T> operator+(complex<T> const& z) {
  return z;
}
template <class T>
complex<T> operator-(complex<T> const& z) {
  return {-z.real(), -z.imag()};
}
template <class T>
std::ostream& operator<<(std::ostream& out, complex<T> const& z) {
  return out << std::complex<T>(z);
}

template <class T>
T norm(complex<T> const& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
complex<T> conj(complex<T> const& z) {
  return {z.real(), -z.imag()};
}
template <class T>
complex<T> polar(T const& magnitude, T const& angle = T()) {
  return std::polar(magnitude, angle);
}
template <class T>
T abs(complex<T> const& z) {
  return std::abs(std::complex<T>(z));
}
template <class T>
T arg(complex<T> const& z) {
  return std::arg(std::complex<T>(z));
}
#define COSMATI_THRUST_COMPLEX_(name)     \
  template <class T>                      \
  complex<T> name(complex<T> const& z) {  \
    return std::name(std::complex<T>(z)); \
  }
COSMATI_THRUST_COMPLEX_(exp)
COSMATI_THRUST_COMPLEX_(log)
COSMATI_THRUST_COMPLEX_(log10)
COSMATI_THRUST_COMPLEX_(sqrt)
COSMATI_THRUST_COMPLEX_(sin)
COSMATI_THRUST_COMPLEX_(cos)
COSMATI_THRUST_COMPLEX_(tan)
COSMATI_THRUST_COMPLEX_(sinh)
COSMATI_THRUST_COMPLEX_(cosh)
COSMATI_THRUST_COMPLEX_(tanh)
COSMATI_THRUST_COMPLEX_(asin)
COSMATI_THRUST_COMPLEX_(acos)
COSMATI_THRUST_COMPLEX_(atan)
COSMATI_THRUST_COMPLEX_(proj)
#undef COSMATI_THRUST_COMPLEX_
template <class T>
complex<T> pow(complex<T> const& z, complex<T> const& exponent) {
  return std::pow(std::complex<T>(z), std::complex<T>(exponent));
}
template <class T>
complex<T> pow(complex<T> const& z, T const& exponent) {
  return std::pow(std::complex<T>(z), exponent);
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
