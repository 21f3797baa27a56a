// SPDX-License-Identifier: Apache-2.0
/// @file
/// Operators as function objects: `identity`, `plus`, `less`, `max_fn`, ... They accept any types, including static
/// integers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/math.hpp>

namespace COSMATI_NAMESPACE {

/// Returns its argument.
struct identity {
  template <class T>
  COSMATI_HD constexpr decltype(auto) operator()(T&& x) const {
    return static_cast<T&&>(x);
  }
};

/// Returns the same value for any arguments.
template <class R>
struct constant_fn {
  R r_;
  template <class... T>
  COSMATI_HD constexpr R const& operator()(T&&...) const {
    return r_;
  }
};

/// Converts to T.
template <class T>
struct cast {
  template <class U>
  COSMATI_HD constexpr T operator()(U const& x) const {
    return static_cast<T>(x);
  }
};

/// @name Of one argument
/// @{
#define COSMATI_FUNCTION(name, expression)                        \
  struct name {                                                   \
    template <class T>                                            \
    COSMATI_HD constexpr decltype(auto) operator()(T&& x) const { \
      return expression;                                          \
    }                                                             \
  };
COSMATI_FUNCTION(unary_plus, +static_cast<T&&>(x))
COSMATI_FUNCTION(negate, -static_cast<T&&>(x))
COSMATI_FUNCTION(bit_not, ~static_cast<T&&>(x))
COSMATI_FUNCTION(logical_not, !static_cast<T&&>(x))
COSMATI_FUNCTION(dereference, *static_cast<T&&>(x))
COSMATI_FUNCTION(address_of, &static_cast<T&&>(x))
COSMATI_FUNCTION(pre_increment, ++static_cast<T&&>(x))
COSMATI_FUNCTION(pre_decrement, --static_cast<T&&>(x))
COSMATI_FUNCTION(post_increment, static_cast<T&&>(x)++)
COSMATI_FUNCTION(post_decrement, static_cast<T&&>(x)--)
COSMATI_FUNCTION(abs_fn, abs(static_cast<T&&>(x)))
#undef COSMATI_FUNCTION
/// The complex conjugate. A real number is its own conjugate.
struct conjugate {
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& x) const {
    if constexpr (requires { conj(x); })
      return conj(x);
    else
      return x;
  }
};
template <int n>
struct shift_right_const {
  static constexpr int Shift = n;
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& x) const {
    return x >> n;
  }
};
template <int n>
struct shift_left_const {
  static constexpr int Shift = n;
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& x) const {
    return x << n;
  }
};
/// @}

/// @name Of two arguments
/// @{
#define COSMATI_FUNCTION(name, op)                                       \
  struct name {                                                          \
    template <class T, class U>                                          \
    COSMATI_HD constexpr decltype(auto) operator()(T&& x, U&& y) const { \
      return static_cast<T&&>(x) op static_cast<U&&>(y);                 \
    }                                                                    \
  };
COSMATI_FUNCTION(plus, +)
COSMATI_FUNCTION(minus, -)
COSMATI_FUNCTION(multiplies, *)
COSMATI_FUNCTION(divides, /)
COSMATI_FUNCTION(modulus, %)
COSMATI_FUNCTION(bit_and, &)
COSMATI_FUNCTION(bit_or, |)
COSMATI_FUNCTION(bit_xor, ^)
COSMATI_FUNCTION(left_shift, <<)
COSMATI_FUNCTION(right_shift, >>)
COSMATI_FUNCTION(plus_assign, +=)
COSMATI_FUNCTION(minus_assign, -=)
COSMATI_FUNCTION(multiplies_assign, *=)
COSMATI_FUNCTION(divides_assign, /=)
COSMATI_FUNCTION(modulus_assign, %=)
COSMATI_FUNCTION(bit_and_assign, &=)
COSMATI_FUNCTION(bit_or_assign, |=)
COSMATI_FUNCTION(bit_xor_assign, ^=)
COSMATI_FUNCTION(left_shift_assign, <<=)
COSMATI_FUNCTION(right_shift_assign, >>=)
COSMATI_FUNCTION(logical_and, &&)
COSMATI_FUNCTION(logical_or, ||)
COSMATI_FUNCTION(equal_to, ==)
COSMATI_FUNCTION(not_equal_to, !=)
COSMATI_FUNCTION(less, <)
COSMATI_FUNCTION(less_equal, <=)
COSMATI_FUNCTION(greater, >)
COSMATI_FUNCTION(greater_equal, >=)
#undef COSMATI_FUNCTION
/// The larger of two, as a function object.
struct max_fn {
  template <class T, class U>
  COSMATI_HD constexpr auto operator()(T const& x, U const& y) const {
    if constexpr (detail::any_number<T> && detail::any_number<U>)
      return COSMATI_NAMESPACE::max(x, y);
    else
      return max(x, y);
  }
};
/// The smaller of two, as a function object.
struct min_fn {
  template <class T, class U>
  COSMATI_HD constexpr auto operator()(T const& x, U const& y) const {
    if constexpr (detail::any_number<T> && detail::any_number<U>)
      return COSMATI_NAMESPACE::min(x, y);
    else
      return min(x, y);
  }
};
/// @}

/// A function of two arguments whose first argument is bound.
template <class Fn, class Arg>
struct bound_fn {
  Fn fn_;
  Arg arg_;
  template <class T>
  COSMATI_HD constexpr decltype(auto) operator()(T&& x) const {
    return fn_(arg_, static_cast<T&&>(x));
  }
};
template <class Fn, class Arg>
COSMATI_HD constexpr bound_fn<Fn, Arg> bind(Fn const& fn, Arg const& arg) {
  return {fn, arg};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
