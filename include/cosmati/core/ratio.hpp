// SPDX-License-Identifier: Apache-2.0
/// @file
/// `R<n, d>`: a fraction known at compile time. Its main use is the ratio of the bits of two types.
///
/// Static results are reduced; a whole one is a C<v>. The product with a run-time integer is an integer, rounded
/// towards zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/math.hpp>

namespace COSMATI_NAMESPACE {

/// The rational number n/d at compile time.
template <auto n, auto d>
struct R {
  static_assert(d != 0, "R<n, d>: the denominator is zero");
  /// The reduced numerator. The denominator is positive.
  static constexpr auto num = signum(n) * signum(d) * (abs(n) / gcd(n, d));
  static constexpr auto den = abs(d) / gcd(n, d);
  /// The number in its simplest form: C<num> if it is whole.
  using type = std::conditional_t<den == 1, C<num>, R<num, den>>;
};

/// Whether T is an R.
template <class T>
struct is_ratio : std::false_type {};
template <auto n, auto d>
struct is_ratio<R<n, d>> : std::true_type {};

/// @name a / b of static numbers
/// @{
template <auto a, auto b>
COSMATI_HD constexpr typename R<a, b>::type ratio(C<a>, C<b>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<a * c, b>::type ratio(C<a>, R<b, c>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<b, a * c>::type ratio(R<b, c>, C<a>) {
  return {};
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr typename R<a * d, b * c>::type ratio(R<a, b>, R<c, d>) {
  return {};
}
/// The quotient without reduction: nratio(_8{}, _4{}) is R<8, 4>, whose `num` is 2.
template <auto a, auto b>
COSMATI_HD constexpr R<a, b> nratio(C<a>, C<b>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr R<a * c, b> nratio(C<a>, R<b, c>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr R<b, a * c> nratio(R<b, c>, C<a>) {
  return {};
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr R<a * d, b * c> nratio(R<a, b>, R<c, d>) {
  return {};
}
/// The quotient of the values of two traits, without reduction: trait_ratio(sizeof_bits<A>{}, sizeof_bits<B>{}).
template <class A, class B>
COSMATI_HD constexpr auto trait_ratio(A const&, B const&) {
  return R<A::value, B::value>{};
}
/// @}

/// @name Arithmetic
/// @{
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr typename R<a * c, b * d>::type operator*(R<a, b>, R<c, d>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<a * c, b>::type operator*(R<a, b>, C<c>) {
  return {};
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr typename R<a * c, b>::type operator*(C<c>, R<a, b>) {
  return {};
}
template <dynamic_integer T, auto a, auto b>
COSMATI_HD constexpr auto operator*(T const& x, R<a, b>) {
  return x * R<a, b>::num / R<a, b>::den;
}
template <auto a, auto b, dynamic_integer T>
COSMATI_HD constexpr auto operator*(R<a, b>, T const& x) {
  return x * R<a, b>::num / R<a, b>::den;
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr typename R<a * d, b * c>::type operator/(R<a, b>, R<c, d>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<a, b * c>::type operator/(R<a, b>, C<c>) {
  return {};
}
template <integer T, auto a, auto b>
COSMATI_HD constexpr auto operator/(T const& x, R<a, b>) {
  return x * R<b, a>{};
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr typename R<a * d + c * b, b * d>::type operator+(R<a, b>, R<c, d>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<a + c * b, b>::type operator+(R<a, b>, C<c>) {
  return {};
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr typename R<a + c * b, b>::type operator+(C<c>, R<a, b>) {
  return {};
}
/// @}

/// @name Comparison
/// @{
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr auto operator==(R<a, b>, R<c, d>) {
  return C < R<a, b>::num == R<c, d>::num && R<a, b>::den == R<c, d>::den > {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr auto operator==(R<a, b>, C<c>) {
  return C < R<a, b>::num == c && R<a, b>::den == 1 > {};
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr auto operator==(C<c>, R<a, b>) {
  return R<a, b>{} == C<c>{};
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr auto operator!=(R<a, b>, R<c, d>) {
  return !(R<a, b>{} == R<c, d>{});
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr auto operator!=(R<a, b>, C<c>) {
  return !(R<a, b>{} == C<c>{});
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr auto operator!=(C<c>, R<a, b>) {
  return !(R<a, b>{} == C<c>{});
}
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr auto operator<(R<a, b>, R<c, d>) {
  return C<(R<a, b>::num * R<c, d>::den < R<c, d>::num * R<a, b>::den)>{};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr auto operator<(R<a, b>, C<c>) {
  return C<(R<a, b>::num < c * R<a, b>::den)>{};
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr auto operator<(C<c>, R<a, b>) {
  return C<(c * R<a, b>::den < R<a, b>::num)>{};
}
/// @}

/// @name Functions
/// @{
/// The largest number of which both arguments are whole multiples.
template <auto a, auto b, auto c, auto d>
COSMATI_HD constexpr typename R<gcd(a* d, c* b), b * d>::type gcd(R<a, b>, R<c, d>) {
  return {};
}
template <auto a, auto b, auto c>
COSMATI_HD constexpr typename R<gcd(a, c* b), b>::type gcd(R<a, b>, C<c>) {
  return {};
}
template <auto c, auto a, auto b>
COSMATI_HD constexpr typename R<gcd(a, c* b), b>::type gcd(C<c>, R<a, b>) {
  return {};
}
template <auto a, auto b>
COSMATI_HD constexpr typename R<abs(a), abs(b)>::type abs(R<a, b>) {
  return {};
}
/// The difference of the logarithms of numerator and denominator, each rounded down.
template <auto a, auto b>
COSMATI_HD constexpr int log_2(R<a, b>) {
  static_assert(R<a, b>::num > 0, "log_2: the ratio is not positive");
  return log_2(R<a, b>::num) - log_2(R<a, b>::den);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
