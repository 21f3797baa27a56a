// SPDX-License-Identifier: Apache-2.0
/// @file
/// Integers known at compile time: `C<v>`, `Int<N>`, `_0`, `_1`, ..., `128_c`. Arithmetic among them stays static.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/overflow.hpp>
#include <cstdint>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The value v as a type. The class is empty and converts to its value.
template <auto v>
struct C {
  using type = C;
  using value_type = decltype(v);
  static constexpr value_type value = v;
  COSMATI_HD constexpr operator value_type() const noexcept { return v; }  // NOLINT(google-explicit-constructor)
  COSMATI_HD constexpr value_type operator()() const noexcept { return v; }
};

/// CuTe's names of an integer known at compile time. The integer has the type of the value.
template <class T, T v>
using constant = C<v>;
/// As std::integral_constant.
template <class T, T v>
using integral_constant = C<v>;
/// As std::bool_constant.
template <bool b>
using bool_constant = C<b>;
/// As in namespace std.
using true_type = C<true>;
using false_type = C<false>;
/// The int N as a type.
template <int N>
using Int = C<N>;

/// @name Classification
/// @{
/// Whether T is an integer known at compile time.
template <class T>
struct is_constant_type : std::false_type {};
template <auto v>
struct is_constant_type<C<v>> : std::true_type {};
/// Whether T is some C<v>.
template <class T>
inline constexpr bool is_constant_v_ = false;
template <auto v>
inline constexpr bool is_constant_v_<C<v>> = true;
template <auto v>
inline constexpr bool is_constant_v_<C<v> const> = true;
template <class T>
concept static_integer = is_constant_v_<T>;
namespace detail {
/// As std::is_integral_v, which costs a compiler five classes for each type.
template <class T>
inline constexpr bool is_built_in_integer = false;
template <class T>
inline constexpr bool is_built_in_integer<T const> = is_built_in_integer<T>;
template <class T>
inline constexpr bool is_built_in_integer<T volatile> = is_built_in_integer<T>;
template <class T>
inline constexpr bool is_built_in_integer<T const volatile> = is_built_in_integer<T>;
#define COSMATI_INTEGER(...) \
  template <>                \
  inline constexpr bool is_built_in_integer<__VA_ARGS__> = true;
// clang-format off
COSMATI_INTEGER(bool) COSMATI_INTEGER(char) COSMATI_INTEGER(signed char) COSMATI_INTEGER(unsigned char)
COSMATI_INTEGER(wchar_t) COSMATI_INTEGER(char8_t) COSMATI_INTEGER(char16_t) COSMATI_INTEGER(char32_t)
COSMATI_INTEGER(short) COSMATI_INTEGER(unsigned short) COSMATI_INTEGER(int) COSMATI_INTEGER(unsigned)
COSMATI_INTEGER(long) COSMATI_INTEGER(unsigned long) COSMATI_INTEGER(long long) COSMATI_INTEGER(unsigned long long)
// clang-format on
#undef COSMATI_INTEGER
}  // namespace detail
/// Whether T is a built-in integer, which is known at run time.
template <class T>
concept dynamic_integer = detail::is_built_in_integer<T>;
template <class T>
concept integer = static_integer<T> || dynamic_integer<T>;

/// Whether T holds no run-time state: C<v>, the Underscore, and tuples and layouts of such.
template <class T>
inline constexpr bool is_static_v = __is_empty(T);
COSMATI_ALSO_OF_REFERENCES(bool, is_static_v)
template <class T>
struct is_static : bool_constant<is_static_v<T>> {};
template <class T>
struct is_integral : bool_constant<integer<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr bool is_integral_v = integer<std::remove_cvref_t<T>>;
template <class T>
struct is_std_integral : bool_constant<std::is_integral_v<std::remove_cvref_t<T>>> {};

namespace detail {
/// An offset as a plain integer. Then `p + n` on a raw pointer compiles to the shortest instruction.
template <auto v>
COSMATI_HD constexpr auto plain_integer(C<v>) {
  return v;
}
template <dynamic_integer Integer>
COSMATI_HD constexpr Integer plain_integer(Integer i) {
  return i;
}
template <auto n, class T>
inline constexpr bool constant_is = false;
template <auto n, auto v>
inline constexpr bool constant_is<n, C<v>> = (v == n);
}  // namespace detail
/// Whether T is a C<v> with v == n.
template <auto n, class T>
struct is_constant : bool_constant<detail::constant_is<n, std::remove_cvref_t<T>>> {};
template <auto n, class T>
inline constexpr bool is_constant_v = detail::constant_is<n, std::remove_cvref_t<T>>;
/// @}

namespace detail {
template <bool fits>
struct pick_literal {
  template <std::int64_t v>
  using type = C<v>;
};
template <>
struct pick_literal<true> {
  template <std::int64_t v>
  using type = C<static_cast<int>(v)>;
};
/// The narrower of int and int64 that holds v. Results of the algebra become types through it.
template <std::int64_t v>
using literal = typename pick_literal<v == static_cast<int>(v)>::template type<v>;

template <bool>
inline constexpr bool never = false;

/// @name Results of operations on static integers
/// A result that does not fit is 1, after the error that names the operands.
/// @{
template <auto a, auto b>
struct Int_sum {
  using T = decltype(a + b);
  static constexpr bool fits = sum_fits<T>(a, b);
  static_assert(
      fits,
      "Int overflow: Int_sum<LEFT, RIGHT>, LEFT + RIGHT, does not fit the type of the two; write one as a 64-bit "
      "constant, such as C<65536LL>{} instead of Int<65536>{}");
  static constexpr T value = static_cast<T>((fits ? a : T(1)) + (fits ? b : T(0)));
};
template <auto a, auto b>
struct Int_difference {
  using T = decltype(a - b);
  static constexpr bool fits = difference_fits<T>(a, b);
  static_assert(
      fits,
      "Int overflow: Int_difference<LEFT, RIGHT>, LEFT - RIGHT, does not fit the type of the two; write one as a "
      "64-bit constant, such as C<65536LL>{} instead of Int<65536>{}");
  static constexpr T value = static_cast<T>((fits ? a : T(1)) - (fits ? b : T(0)));
};
template <auto a, auto b>
struct Int_product {
  using T = decltype(a * b);
  static constexpr bool fits = product_fits<T>(a, b);
  static_assert(
      fits,
      "Int overflow: Int_product<LEFT, RIGHT>, LEFT * RIGHT, does not fit the type of the two; write one as a "
      "64-bit constant, such as C<65536LL>{} instead of Int<65536>{}");
  static constexpr T value = static_cast<T>((fits ? a : T(1)) * (fits ? b : T(1)));
};
/// The operands of / and %: the divisor is not 0, and the quotient fits the type.
template <auto a, auto b>
struct Int_division {
  using T = decltype(a / b);
  static constexpr bool has_divisor = b != 0;
  static constexpr bool fits = !has_divisor || std::is_unsigned_v<T> || b != -1 || difference_fits<T>(0, a);
  static_assert(has_divisor,
                "Int_division<LEFT, RIGHT>: division of static integers by zero; check what makes RIGHT 0");
  static_assert(
      fits,
      "Int overflow: Int_division<LEFT, RIGHT>: the lowest integer of a type has no positive counterpart; write a "
      "64-bit constant, such as C<65536LL>{} instead of Int<65536>{}");
  static constexpr T divisor = has_divisor && fits ? b : T(1);
};
template <auto a, auto b>
struct Int_shift {
  using T = decltype(a << b);
  static constexpr bool in_range = b >= 0 && b < static_cast<decltype(b)>(8 * sizeof(T));
  static constexpr T shifted = static_cast<T>(T(a) << (in_range ? b : 0));
  static constexpr bool fits = in_range && (std::is_unsigned_v<T> || (shifted >> (in_range ? b : 0)) == a);
  static_assert(fits,
                "Int overflow: Int_shift<LEFT, RIGHT>, LEFT << RIGHT, does not fit LEFT's type; write LEFT as a 64-bit "
                "constant, such as C<1LL>{} instead of Int<1>{}");
  static constexpr T value = fits ? shifted : T(1);
};
/// @}
}  // namespace detail

/// @name Arithmetic of static integers
/// The result is static. A result that does not fit the common type is a compile error that names both operands.
/// @{
template <auto v>
COSMATI_HD constexpr C<+v> operator+(C<v>) {
  return {};
}
template <auto v>
COSMATI_HD constexpr auto operator-(C<v>) {
  return C<detail::Int_difference<0, v>::value>{};
}
template <auto v>
COSMATI_HD constexpr C<~v> operator~(C<v>) {
  return {};
}
template <auto v>
COSMATI_HD constexpr C<!v> operator!(C<v>) {
  return {};
}
namespace detail {
/// Converts an operand to the type R of a run-time result, as the language would; leaves it as it is if the result is
/// static or of tuples. The explicit conversion avoids a warning about a static int with an unsigned run-time integer.
template <class R, class X>
COSMATI_HD constexpr auto operand(X const& x) {
  if constexpr (std::is_arithmetic_v<R>)
    return static_cast<R>(x);
  else
    return x;
}
}  // namespace detail
template <auto a, auto b>
COSMATI_HD constexpr auto operator+(C<a>, C<b>) {
  return C<detail::Int_sum<a, b>::value>{};
}
template <auto a, auto b>
COSMATI_HD constexpr auto operator-(C<a>, C<b>) {
  return C<detail::Int_difference<a, b>::value>{};
}
template <auto a, auto b>
COSMATI_HD constexpr auto operator*(C<a>, C<b>) {
  return C<detail::Int_product<a, b>::value>{};
}
template <auto a, auto b>
COSMATI_HD constexpr auto operator/(C<a>, C<b>) {
  return C<(a / detail::Int_division<a, b>::divisor)>{};
}
template <auto a, auto b>
COSMATI_HD constexpr auto operator%(C<a>, C<b>) {
  return C<(a % detail::Int_division<a, b>::divisor)>{};
}
template <auto a, auto b>
COSMATI_HD constexpr auto operator<<(C<a>, C<b>) {
  return C<detail::Int_shift<a, b>::value>{};
}
#define COSMATI_STATIC_OPERATOR(op)                          \
  template <auto a, auto b>                                  \
  COSMATI_HD constexpr C<(a op b)> operator op(C<a>, C<b>) { \
    return {};                                               \
  }
COSMATI_STATIC_OPERATOR(&)
COSMATI_STATIC_OPERATOR(|)
COSMATI_STATIC_OPERATOR(^)
COSMATI_STATIC_OPERATOR(>>)
COSMATI_STATIC_OPERATOR(&&)
COSMATI_STATIC_OPERATOR(||)
COSMATI_STATIC_OPERATOR(==)
COSMATI_STATIC_OPERATOR(!=)
COSMATI_STATIC_OPERATOR(<)
COSMATI_STATIC_OPERATOR(>)
COSMATI_STATIC_OPERATOR(<=)
COSMATI_STATIC_OPERATOR(>=)
#undef COSMATI_STATIC_OPERATOR
/// @}

/// @name Mixed arithmetic that stays static
/// The static operand alone decides the result: 0 * n, 0 / n, 0 % n, n % 1, 0 & n, false && b, true || b.
/// @{
template <auto a, dynamic_integer T>
requires(a == 0) COSMATI_HD constexpr C<a> operator*(C<a>, T) { return {}; }
template <dynamic_integer T, auto b>
requires(b == 0) COSMATI_HD constexpr C<b> operator*(T, C<b>) { return {}; }
template <auto a, dynamic_integer T>
requires(a == 0) COSMATI_HD constexpr C<a> operator/(C<a>, T) { return {}; }
template <auto a, dynamic_integer T>
requires(a == 0) COSMATI_HD constexpr C<a> operator%(C<a>, T) { return {}; }
template <dynamic_integer T, auto b>
requires(b == 1 || b == -1) COSMATI_HD constexpr C<0> operator%(T, C<b>) { return {}; }
template <auto a, dynamic_integer T>
requires(a == 0) COSMATI_HD constexpr C<a> operator&(C<a>, T) { return {}; }
template <dynamic_integer T, auto b>
requires(b == 0) COSMATI_HD constexpr C<b> operator&(T, C<b>) { return {}; }
template <auto a, dynamic_integer T>
requires(!a) COSMATI_HD constexpr C<false> operator&&(C<a>, T) { return {}; }
template <dynamic_integer T, auto b>
requires(!b) COSMATI_HD constexpr C<false> operator&&(T, C<b>) { return {}; }
template <auto a, dynamic_integer T>
requires(a != 0) COSMATI_HD constexpr C<true> operator||(C<a>, T) { return {}; }
template <dynamic_integer T, auto b>
requires(b != 0) COSMATI_HD constexpr C<true> operator||(T, C<b>) { return {}; }
/// @}

/// The value of a static integer's or trait's type: an integer as a static integer.
template <class T>
COSMATI_HD constexpr auto static_value() {
  using Value = std::remove_cv_t<decltype(T::value)>;
  if constexpr (std::is_integral_v<Value>)
    return C<T::value>{};
  else
    return T::value;
}

/// Returns `trt` if the static condition holds, otherwise `fls`. The two may differ in type.
template <bool b, class T, class F>
COSMATI_HD constexpr auto conditional_return(C<b>, T const& trt, F const& fls) {
  if constexpr (b)
    return trt;
  else
    return fls;
}
template <class T, class F>
COSMATI_HD constexpr auto conditional_return(bool b, T const& trt, F const& fls) {
  return b ? trt : fls;
}
template <bool b, class T, class F>
COSMATI_HD constexpr auto conditional_return(T const& trt, F const& fls) {
  if constexpr (b)
    return trt;
  else
    return fls;
}

// clang-format off
#define COSMATI_NAME(n) using _##n = C<n>;
COSMATI_NAME(0) COSMATI_NAME(1) COSMATI_NAME(2) COSMATI_NAME(3) COSMATI_NAME(4) COSMATI_NAME(5) COSMATI_NAME(6)
COSMATI_NAME(7) COSMATI_NAME(8) COSMATI_NAME(9) COSMATI_NAME(10) COSMATI_NAME(12) COSMATI_NAME(16) COSMATI_NAME(24)
COSMATI_NAME(32) COSMATI_NAME(40) COSMATI_NAME(48) COSMATI_NAME(56) COSMATI_NAME(64) COSMATI_NAME(72) COSMATI_NAME(80)
COSMATI_NAME(88) COSMATI_NAME(96) COSMATI_NAME(104) COSMATI_NAME(112) COSMATI_NAME(120) COSMATI_NAME(128)
COSMATI_NAME(136) COSMATI_NAME(144) COSMATI_NAME(152) COSMATI_NAME(160) COSMATI_NAME(168) COSMATI_NAME(176)
COSMATI_NAME(184) COSMATI_NAME(192) COSMATI_NAME(200) COSMATI_NAME(208) COSMATI_NAME(216) COSMATI_NAME(224)
COSMATI_NAME(232) COSMATI_NAME(240) COSMATI_NAME(248) COSMATI_NAME(256) COSMATI_NAME(384) COSMATI_NAME(512)
COSMATI_NAME(768) COSMATI_NAME(1024) COSMATI_NAME(2048) COSMATI_NAME(4096) COSMATI_NAME(8192) COSMATI_NAME(16384)
COSMATI_NAME(32768) COSMATI_NAME(65536) COSMATI_NAME(131072) COSMATI_NAME(262144) COSMATI_NAME(524288)
#undef COSMATI_NAME
#define COSMATI_NAME(n) using _m##n = C<-n>;
COSMATI_NAME(1) COSMATI_NAME(2) COSMATI_NAME(3) COSMATI_NAME(4) COSMATI_NAME(5) COSMATI_NAME(6) COSMATI_NAME(7)
COSMATI_NAME(8) COSMATI_NAME(9) COSMATI_NAME(10) COSMATI_NAME(12) COSMATI_NAME(16) COSMATI_NAME(24) COSMATI_NAME(32)
#undef COSMATI_NAME
    // clang-format on

    namespace detail {
  [[noreturn]] inline void static_integer_literal_does_not_fit_64_bits() { __builtin_abort(); }
  template <char... digits>
  constexpr std::int64_t parse_literal() {
    char const text[] = {digits..., 0};
    int base = 10;
    int i = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
      base = 16;
      i = 2;
    } else if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
      base = 2;
      i = 2;
    }
    std::int64_t value = 0;
    for (; text[i] != 0; ++i) {
      if (text[i] == '\'') continue;
      int const digit = text[i] <= '9' ? text[i] - '0' : (text[i] | 32) - 'a' + 10;
      if (value > (INT64_MAX - digit) / base) static_integer_literal_does_not_fit_64_bits();
      value = value * base + digit;
    }
    return value;
  }
  template <char... digits>
  inline constexpr std::int64_t parsed_literal = parse_literal<digits...>();
}  // namespace detail

/// `128_c` is C<128>{}. A value that does not fit an int becomes a C<int64>.
template <char... digits>
COSMATI_HD constexpr auto operator""_c() {
  return detail::literal<detail::parsed_literal<digits...>>{};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
