// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's headers cuda/cmath and cuda/functional provide: rounded divisions, powers of two, maxima and minima as
/// objects, and a wrapper of functions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/standard.hpp>
#include <type_traits>
#include <utility>

namespace cuda {

/// @name Integers that are at least 0, or more for divisors
/// @{
/// The quotient, rounded up.
template <class A, class B>
constexpr auto ceil_div(A a, B b) {
  using R = ::std::common_type_t<A, B>;
  R const quotient = static_cast<R>(a) / static_cast<R>(b);
  return static_cast<R>(quotient + (quotient * static_cast<R>(b) != static_cast<R>(a) ? 1 : 0));
}
/// The next multiple of b that is not less.
template <class A, class B>
constexpr auto round_up(A a, B b) {
  using R = ::std::common_type_t<A, B>;
  return static_cast<R>(ceil_div(a, b) * static_cast<R>(b));
}
template <class A, class B>
constexpr auto round_down(A a, B b) {
  using R = ::std::common_type_t<A, B>;
  return static_cast<R>(static_cast<R>(a) / static_cast<R>(b) * static_cast<R>(b));
}
template <class T>
constexpr bool is_power_of_two(T v) {
  return v > 0 && (v & (v - 1)) == 0;
}
template <class T>
constexpr T next_power_of_two(T v) {
  T power = 1;
  while (power < v) power = static_cast<T>(power * 2);
  return power;
}
template <class T>
constexpr T prev_power_of_two(T v) {
  T power = 1;
  while (v > 1 && power <= v / 2) power = static_cast<T>(power * 2);
  return v == 0 ? T(0) : power;
}
/// The logarithm of base 2, rounded down or up.
template <class T>
constexpr int ilog2(T v) {
  int log = 0;
  while (v > 1) v = static_cast<T>(v / 2), ++log;
  return log;
}
template <class T>
constexpr int ceil_ilog2(T v) {
  return ilog2(v) + (is_power_of_two(v) ? 0 : 1);
}
/// @}

#define COSMATI_EXTREME_(name, expression)                                          \
  template <class T = void>                                                         \
  struct name {                                                                     \
    constexpr T operator()(T const& a, T const& b) const { return expression; }     \
  };                                                                                \
  template <>                                                                       \
  struct name<void> {                                                               \
    template <class A, class B>                                                     \
    constexpr ::std::common_type_t<A, B> operator()(A const& a, B const& b) const { \
      return expression;                                                            \
    }                                                                               \
  };
COSMATI_EXTREME_(maximum, a < b ? b : a)
COSMATI_EXTREME_(minimum, b < a ? b : a)
#undef COSMATI_EXTREME_

/// @name A function whose return type is known without a call
/// @{
template <class Return, class Function>
struct return_type_wrapper {
  Function function;
  template <class... T>
  constexpr Return operator()(T&&... v) const {
    return function(::std::forward<T>(v)...);
  }
};
template <class Return, class Function>
constexpr return_type_wrapper<Return, Function> proclaim_return_type(Function function) {
  return {function};
}
/// @}

}  // namespace cuda

#endif

#include <cosmati/core/macros_end.hpp>
