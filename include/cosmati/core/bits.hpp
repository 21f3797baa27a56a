// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bits of static and run-time integers: `bit_width`, `bit_ceil`, `countr_zero`, `popcount`, `rotl`, `log_2`, ...
///
/// Static integers give static results. A signed integer is treated as the unsigned one with the same bits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T>
using bits_of = std::make_unsigned_t<T>;
template <class T>
inline constexpr int digits = 8 * static_cast<int>(sizeof(T));

[[noreturn]] COSMATI_HD inline void logarithm_of_a_number_that_is_not_positive() {
  fail("log_2: the number is not positive");
}
}  // namespace detail

/// @name Bits
/// @{
template <dynamic_integer T>
COSMATI_HD constexpr bool has_single_bit(T x) {
  auto const u = static_cast<detail::bits_of<T>>(x);
  return u != 0 && (u & (u - 1u)) == 0;
}
/// The number of bits that x needs: 0 for 0, otherwise 1 + floor(log2(x)).
template <dynamic_integer T>
COSMATI_HD constexpr int bit_width(T x) {
  auto u = static_cast<detail::bits_of<T>>(x);
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof(T) <= 4)
      return 32 - __clz(static_cast<int>(u));
    else
      return 64 - __clzll(static_cast<long long>(u));
  }
#endif
  int n = 0;
  for (int step = detail::digits<T> / 2; step > 0; step /= 2) {
    if (u >> step != 0) {
      u = static_cast<decltype(u)>(u >> step);
      n += step;
    }
  }
  return n + static_cast<int>(u);
}
/// The smallest power of two that is at least x.
template <dynamic_integer T>
COSMATI_HD constexpr T bit_ceil(T x) {
  return x == 0 ? T(1) : static_cast<T>(detail::bits_of<T>(1) << bit_width(static_cast<T>(x - 1)));
}
/// The largest power of two that is at most x; 0 for 0.
template <dynamic_integer T>
COSMATI_HD constexpr T bit_floor(T x) {
  return x == 0 ? T(0) : static_cast<T>(detail::bits_of<T>(1) << (bit_width(x) - 1));
}
template <dynamic_integer T>
COSMATI_HD constexpr int countl_zero(T x) {
  return detail::digits<T> - bit_width(x);
}
template <dynamic_integer T>
COSMATI_HD constexpr int countl_one(T x) {
  return countl_zero(static_cast<T>(~x));
}
template <dynamic_integer T>
COSMATI_HD constexpr int countr_zero(T x) {
  auto const u = static_cast<detail::bits_of<T>>(x);
  return u == 0 ? detail::digits<T> : bit_width(static_cast<detail::bits_of<T>>(u & (0u - u))) - 1;
}
template <dynamic_integer T>
COSMATI_HD constexpr int countr_one(T x) {
  return countr_zero(static_cast<T>(~x));
}
template <dynamic_integer T>
COSMATI_HD constexpr int popcount(T x) {
  auto u = static_cast<detail::bits_of<T>>(x);
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof(T) <= 4)
      return __popc(static_cast<unsigned>(u));
    else
      return __popcll(u);
  }
#endif
  int n = 0;
  for (; u != 0; u = static_cast<decltype(u)>(u & (u - 1u))) ++n;
  return n;
}
/// Rotates by s bits in the width of T. A negative s rotates the other way.
template <dynamic_integer T>
COSMATI_HD constexpr T rotl(T x, int s) {
  constexpr int n = detail::digits<T>;
  auto const u = static_cast<detail::bits_of<T>>(x);
  unsigned const left = static_cast<unsigned>(s) & (n - 1u);
  return static_cast<T>(left == 0 ? u : (u << left) | (u >> (n - left)));
}
template <dynamic_integer T>
COSMATI_HD constexpr T rotr(T x, int s) {
  return rotl(x, static_cast<int>(0u - static_cast<unsigned>(s)));
}
/// x << s; a negative s shifts to the right.
template <dynamic_integer T>
COSMATI_HD constexpr auto shiftl(T x, int s) {
  return s >= 0 ? x << s : x >> -s;
}
/// x >> s; a negative s shifts to the left.
template <dynamic_integer T>
COSMATI_HD constexpr auto shiftr(T x, int s) {
  return s >= 0 ? x >> s : x << -s;
}
/// floor(log2(x)). @pre x > 0
template <dynamic_integer T>
COSMATI_HD constexpr int log_2(T x) {
#if !defined(__CUDA_ARCH__)
  if (x <= 0) detail::logarithm_of_a_number_that_is_not_positive();
#endif
  return bit_width(x) - 1;
}
/// @}

/// @name Of static integers
/// @{
#define COSMATI_STATIC_FUNCTION(name)       \
  template <auto v>                         \
  COSMATI_HD constexpr auto name(C<v>) {    \
    return C<COSMATI_NAMESPACE::name(v)>{}; \
  }
COSMATI_STATIC_FUNCTION(has_single_bit)
COSMATI_STATIC_FUNCTION(bit_width)
COSMATI_STATIC_FUNCTION(bit_ceil)
COSMATI_STATIC_FUNCTION(bit_floor)
COSMATI_STATIC_FUNCTION(countl_zero)
COSMATI_STATIC_FUNCTION(countl_one)
COSMATI_STATIC_FUNCTION(countr_zero)
COSMATI_STATIC_FUNCTION(countr_one)
COSMATI_STATIC_FUNCTION(popcount)
COSMATI_STATIC_FUNCTION(log_2)
#undef COSMATI_STATIC_FUNCTION
// If only one argument is static, the conversion of C<v> makes it a run-time integer.
#define COSMATI_STATIC_FUNCTION(name)                            \
  template <auto v, auto s>                                      \
  COSMATI_HD constexpr auto name(C<v>, C<s>) {                   \
    return C<COSMATI_NAMESPACE::name(v, static_cast<int>(s))>{}; \
  }                                                              \
  template <auto v>                                              \
  COSMATI_HD constexpr auto name(C<v>, int s) {                  \
    return COSMATI_NAMESPACE::name(v, s);                        \
  }
COSMATI_STATIC_FUNCTION(rotl)
COSMATI_STATIC_FUNCTION(rotr)
COSMATI_STATIC_FUNCTION(shiftl)
COSMATI_STATIC_FUNCTION(shiftr)
#undef COSMATI_STATIC_FUNCTION
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
