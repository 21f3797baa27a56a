// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arithmetic on static and run-time integers: `max`, `gcd`, `ceil_div`, `divmod`, ...; includes core/bits.hpp.
///
/// Static integers give a static result. If one operand is a run-time integer, the result is a built-in integer of the
/// common type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/bits.hpp>  // IWYU pragma: export
#include <cosmati/core/error.hpp>
#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A built-in number.
template <class T>
concept plain_number = std::is_arithmetic_v<T>;
/// The argument type of this header's functions: a static or run-time integer, or a floating-point number.
template <class T>
concept any_number = integer<T> || std::is_floating_point_v<T>;

template <class T>
struct value_type_of {
  using type = T;
};
template <auto v>
struct value_type_of<C<v>> {
  using type = std::remove_const_t<decltype(v)>;
};
template <class... T>
using common_value_type = std::common_type_t<typename value_type_of<T>::type...>;

[[noreturn]] COSMATI_HD inline void division_by_zero_in(char const* function) {
  fail("%s: division by zero", function);
}
[[noreturn]] COSMATI_HD inline void safe_div_leaves_a_remainder(long long a, long long b) {
  fail("safe_div(%lld, %lld): the first must be a multiple of the second", a, b);
}
}  // namespace detail

/// @name Magnitude and sign
/// @{
template <detail::plain_number T>
COSMATI_HD constexpr T abs(T x) {
  if constexpr (std::is_signed_v<T>)
    return x < T(0) ? static_cast<T>(-x) : x;
  else
    return x;
}
/// -1, 0 or 1.
template <detail::plain_number T>
COSMATI_HD constexpr int signum(T x) {
  if constexpr (std::is_signed_v<T>)
    return (T(0) < x ? 1 : 0) - (x < T(0) ? 1 : 0);
  else
    return T(0) < x ? 1 : 0;
}
template <auto v>
COSMATI_HD constexpr auto abs(C<v>) {
  return C<COSMATI_NAMESPACE::abs(v)>{};
}
template <auto v>
COSMATI_HD constexpr auto signum(C<v>) {
  return C<COSMATI_NAMESPACE::signum(v)>{};
}
/// @}

/// @name The largest, the smallest
/// The result has the arguments' common type.
/// @{
namespace detail {
template <class T, std::size_t n>
COSMATI_HD constexpr T largest(T const (&x)[n]) {
  T r = x[0];
  COSMATI_UNROLL
  for (int i = 1; i < int{n}; ++i) r = r < x[i] ? x[i] : r;
  return r;
}
template <class T, std::size_t n>
COSMATI_HD constexpr T smallest(T const (&x)[n]) {
  T r = x[0];
  COSMATI_UNROLL
  for (int i = 1; i < int{n}; ++i) r = x[i] < r ? x[i] : r;
  return r;
}
}  // namespace detail
template <detail::any_number T, detail::any_number... U>
COSMATI_HD constexpr auto max(T x, U... y) {
  using V = detail::common_value_type<T, U...>;
  if constexpr (static_integer<T> && (static_integer<U> && ...)) {
    return C<detail::largest({static_cast<V>(T::value), static_cast<V>(U::value)...})>{};
  } else {
    return detail::largest({static_cast<V>(x), static_cast<V>(y)...});
  }
}
template <detail::any_number T, detail::any_number... U>
COSMATI_HD constexpr auto min(T x, U... y) {
  using V = detail::common_value_type<T, U...>;
  if constexpr (static_integer<T> && (static_integer<U> && ...)) {
    return C<detail::smallest({static_cast<V>(T::value), static_cast<V>(U::value)...})>{};
  } else {
    return detail::smallest({static_cast<V>(x), static_cast<V>(y)...});
  }
}
/// @}

/// @name Divisors and multiples
/// The results are never negative; gcd(0, n) is |n|, lcm(0, n) is 0.
/// @{
namespace detail {
template <class T>
COSMATI_HD constexpr T gcd_of_two(T a, T b) {
  a = COSMATI_NAMESPACE::abs(a);
  b = COSMATI_NAMESPACE::abs(b);
  while (b != 0) {
    T const r = static_cast<T>(a % b);
    a = b;
    b = r;
  }
  return a;
}
template <class T>
COSMATI_HD constexpr T lcm_of_two(T a, T b) {
  if (a == 0 || b == 0) return 0;
  return static_cast<T>(COSMATI_NAMESPACE::abs(a) / gcd_of_two(a, b) * COSMATI_NAMESPACE::abs(b));
}
template <class T, std::size_t n>
COSMATI_HD constexpr T gcd_of_all(T const (&x)[n]) {
  T r = COSMATI_NAMESPACE::abs(x[0]);
  for (int i = 1; i < int{n}; ++i) r = gcd_of_two(r, x[i]);
  return r;
}
template <class T, std::size_t n>
COSMATI_HD constexpr T lcm_of_all(T const (&x)[n]) {
  T r = COSMATI_NAMESPACE::abs(x[0]);
  for (int i = 1; i < int{n}; ++i) r = lcm_of_two(r, x[i]);
  return r;
}
}  // namespace detail
template <integer T, integer... U>
COSMATI_HD constexpr auto gcd(T x, U... y) {
  using V = detail::common_value_type<T, U...>;
  if constexpr (static_integer<T> && (static_integer<U> && ...)) {
    return C<detail::gcd_of_all({static_cast<V>(T::value), static_cast<V>(U::value)...})>{};
  } else {
    return detail::gcd_of_all({static_cast<V>(x), static_cast<V>(y)...});
  }
}
template <integer T, integer... U>
COSMATI_HD constexpr auto lcm(T x, U... y) {
  using V = detail::common_value_type<T, U...>;
  if constexpr (static_integer<T> && (static_integer<U> && ...)) {
    return C<detail::lcm_of_all({static_cast<V>(T::value), static_cast<V>(U::value)...})>{};
  } else {
    return detail::lcm_of_all({static_cast<V>(x), static_cast<V>(y)...});
  }
}
/// @}

/// @name Quotients
/// @{
/// The result of `divmod`.
template <class Div, class Mod>
struct DivModReturnType {
  Div div_;
  Mod mod_;
};
/// Quotient and remainder: `auto [q, r] = divmod(a, b)`.
template <integer A, integer B>
COSMATI_HD constexpr auto divmod(A const& a, B const& b) {
  auto const q = a / b;
  auto const r = a % b;
  return DivModReturnType<std::remove_const_t<decltype(q)>, std::remove_const_t<decltype(r)>>{q, r};
}

namespace detail {
/// The name that the error shows for a static quotient that is not whole.
template <auto a, auto b>
struct safe_div_is_not_whole {
  static_assert(never<a == b>,
                "safe_div: the first static integer must be a multiple of the second: "
                "safe_div_is_not_whole<first, second>");
};
}  // namespace detail
/// a / b. b must divide a; otherwise static integers give a compile error, and run-time integers an exception on the
/// host.
template <auto a, auto b>
COSMATI_HD constexpr auto safe_div(C<a>, C<b>) {
  if constexpr (b == 0 || a % (b == 0 ? 1 : b) != 0)
    return detail::safe_div_is_not_whole<a, b>{};
  else
    return C<a / b>{};
}
template <integer A, integer B>
requires(dynamic_integer<A> || dynamic_integer<B>) COSMATI_HD constexpr auto safe_div(A const& a, B const& b) {
#if !defined(__CUDA_ARCH__)
  if (b == 0 || a % b != 0) {
    detail::safe_div_leaves_a_remainder(static_cast<long long>(a), static_cast<long long>(b));
  }
#endif
  return a / b;
}

namespace detail {
template <class T>
COSMATI_HD constexpr auto quotient_rounded_up(T a, T b) {
#if !defined(__CUDA_ARCH__)
  if (b == 0) division_by_zero_in("ceil_div");
#endif
  return a / b + (a % b > 0 ? 1 : 0);
}
}  // namespace detail
/// The quotient rounded up. No intermediate result overflows. @pre b > 0
template <integer A, integer B>
COSMATI_HD constexpr auto ceil_div(A const& a, B const& b) {
  using V = detail::common_value_type<A, B>;
  if constexpr (static_integer<A> && static_integer<B>) {
    return C<detail::quotient_rounded_up(static_cast<V>(A::value), static_cast<V>(B::value))>{};
  } else if constexpr (is_constant_v<1, B>) {
    return a;
  } else if constexpr (is_constant_v<0, A>) {
    return A{};
  } else {
    return detail::quotient_rounded_up(static_cast<V>(a), static_cast<V>(b));
  }
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
