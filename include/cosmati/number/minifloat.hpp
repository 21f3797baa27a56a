// SPDX-License-Identifier: Apache-2.0
/// @file
/// One class for every floating-point type narrower than `float`. A format says how to read its bits.
///
/// A number is stored as bits, computed in `float`, and rounded once on the way back. CUDA's host functions do the
/// same, so the bits of the results equal those of `__float2half_rn`, `__hadd`, `__nv_cvt_float_to_fp8` and similar
/// functions. The rounding here comes from the definition in IEEE 754 and from PTX's table of formats.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/config.hpp>
#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/number/minifloat_rounding.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace COSMATI_NAMESPACE {

template <class Format>
struct minifloat;

/// The operators of every `minifloat`, declared once. If the operands differ (`half_t + float`), they convert to
/// `float`, and the language's operators apply.
struct minifloat_operators {
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator+(minifloat<F> a, minifloat<F> b) {
#if defined(COSMATI_HARDWARE_HALF)
    if constexpr (device_adds<F>) {
      if (!__builtin_is_constant_evaluated())
        return minifloat<F>::from_code(device_arithmetic<F, '+'>(a.code(), b.code()));
    }
#endif
    return minifloat<F>(float(a) + float(b));
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator-(minifloat<F> a, minifloat<F> b) {
#if defined(COSMATI_HARDWARE_HALF)
    if constexpr (device_adds<F>) {
      if (!__builtin_is_constant_evaluated())
        return minifloat<F>::from_code(device_arithmetic<F, '-'>(a.code(), b.code()));
    }
#endif
    return minifloat<F>(float(a) - float(b));
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator*(minifloat<F> a, minifloat<F> b) {
#if defined(COSMATI_HARDWARE_HALF)
    if constexpr (device_multiplies<F>) {
      if (!__builtin_is_constant_evaluated())
        return minifloat<F>::from_code(device_arithmetic<F, '*'>(a.code(), b.code()));
    }
#endif
    return minifloat<F>(float(a) * float(b));
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator/(minifloat<F> a, minifloat<F> b) {
    return minifloat<F>(float(a) / float(b));
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator+=(minifloat<F>& a, minifloat<F> b) {
    return a = a + b;
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator-=(minifloat<F>& a, minifloat<F> b) {
    return a = a - b;
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator*=(minifloat<F>& a, minifloat<F> b) {
    return a = a * b;
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator/=(minifloat<F>& a, minifloat<F> b) {
    return a = a / b;
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator+(minifloat<F> a) {
    return a;
  }
  /// Flips the sign. A NaN becomes the format's NaN, as in CUDA's `__hneg` on the host.
  template <class F>
  requires(F::is_signed) friend COSMATI_HD constexpr minifloat<F> operator-(minifloat<F> a) {
    return minifloat<F>::from_code(isnan(a) ? minifloat_code<F>::nan : a.code() ^ minifloat_code<F>::sign);
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator++(minifloat<F>& a) {
    return a = minifloat<F>(float(a) + 1.0f);
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F>& operator--(minifloat<F>& a) {
    return a = minifloat<F>(float(a) - 1.0f);
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator++(minifloat<F>& a, int) {
    minifloat<F> const before = a;
    ++a;
    return before;
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> operator--(minifloat<F>& a, int) {
    minifloat<F> const before = a;
    --a;
    return before;
  }

  /// Compares the values. Both zeros are equal. A NaN equals nothing and is not ordered with anything.
  template <class F>
  friend COSMATI_HD constexpr bool operator==(minifloat<F> a, minifloat<F> b) {
    return float(a) == float(b);
  }
  template <class F>
  friend COSMATI_HD constexpr bool operator<(minifloat<F> a, minifloat<F> b) {
    return float(a) < float(b);
  }
  template <class F>
  friend COSMATI_HD constexpr bool operator>(minifloat<F> a, minifloat<F> b) {
    return float(a) > float(b);
  }
  template <class F>
  friend COSMATI_HD constexpr bool operator<=(minifloat<F> a, minifloat<F> b) {
    return float(a) <= float(b);
  }
  template <class F>
  friend COSMATI_HD constexpr bool operator>=(minifloat<F> a, minifloat<F> b) {
    return float(a) >= float(b);
  }

  template <class F>
  friend COSMATI_HD constexpr bool isnan(minifloat<F> a) {
    return is_nan_code<F>(a.code());
  }
  template <class F>
  friend COSMATI_HD constexpr bool isinf(minifloat<F> a) {
    return F::has_infinity && (a.code() & minifloat_code<F>::magnitude) == minifloat_code<F>::infinity;
  }
  template <class F>
  friend COSMATI_HD constexpr bool isfinite(minifloat<F> a) {
    return (a.code() & minifloat_code<F>::magnitude) <= minifloat_code<F>::max_finite;
  }
  template <class F>
  friend COSMATI_HD constexpr bool signbit(minifloat<F> a) {
    return a.signbit();
  }
  template <class F>
  friend COSMATI_HD constexpr minifloat<F> abs(minifloat<F> a) {
    return minifloat<F>::from_code(a.code() & minifloat_code<F>::magnitude);
  }
};

/// A floating-point number of the given format. It is trivial: default initialisation leaves it unset.
///
/// It converts to `float` implicitly and exactly. From `float`, `double` and integers it converts explicitly and rounds
/// once, to nearest even unless the format says otherwise. It converts bit by bit to and from CUDA's type of the same
/// format (`__half`, ...), if the program includes CUDA's header.
template <class Format>
struct minifloat : minifloat_operators {
  using format = Format;
  using storage_type = typename Format::storage_type;
  using cuda_type = typename Format::cuda_type;

  storage_type storage;  ///< The bits. In `tfloat32_t` they are those of a `float`.

  minifloat() = default;
  COSMATI_HD explicit constexpr minifloat(float x) : storage(from_code(round_to_code<Format>(x)).storage) {}
  COSMATI_HD explicit constexpr minifloat(double x) : storage(from_code(round_to_code<Format>(x)).storage) {}
  /// Converts an `int`, and types that become `int` implicitly: sub-byte integers and integers known at compile time.
  COSMATI_HD explicit constexpr minifloat(int x) : storage(from_code(round_integer_to_code<Format>(x)).storage) {}
  template <std::integral T>
  COSMATI_HD explicit constexpr minifloat(T x) : storage(from_code(round_integer_to_code<Format>(x)).storage) {}
  template <std::same_as<cuda_type> T>
  COSMATI_HD explicit constexpr minifloat(T x) : storage(__builtin_bit_cast(storage_type, x)) {}

  template <std::same_as<cuda_type> T>
  COSMATI_HD constexpr minifloat& operator=(T x) {
    storage = __builtin_bit_cast(storage_type, x);
    return *this;
  }

  /// A `half_t` takes any number that is assigned to it, as CUTLASS's does.
  template <class T>
  requires(std::is_arithmetic_v<T>&& Format::bits == 16 && Format::mantissa_bits == 10) COSMATI_HD constexpr minifloat&
  operator=(T x) {
    return *this = minifloat(x);
  }

  COSMATI_HD constexpr operator float() const { return code_to_float<Format>(code()); }  // NOLINT: as CUTLASS's

  template <std::same_as<cuda_type> T>
  COSMATI_HD constexpr operator T() const {  // NOLINT: the same value, the same bits
    return __builtin_bit_cast(T, storage);
  }
  /// The conversions to CUDA's types by CUTLASS's names.
  template <class T = cuda_type>
  requires(Format::bits == 16 && Format::mantissa_bits == 10) COSMATI_HD constexpr T to_half() const {
    return __builtin_bit_cast(T, storage);
  }
  template <class T = cuda_type>
  requires(Format::bits == 16 && Format::mantissa_bits == 7) COSMATI_HD constexpr T to_nv_bfloat16() const {
    return __builtin_bit_cast(T, storage);
  }

  /// The number with the given bits.
  COSMATI_HD static constexpr minifloat bitcast(storage_type bits) {
    minifloat result{};
    result.storage = bits;
    return result;
  }
  COSMATI_HD constexpr storage_type& raw() { return storage; }
  COSMATI_HD constexpr storage_type raw() const { return storage; }

  /// The parts of the number: sign, stored exponent, exponent, mantissa without its hidden bit.
  COSMATI_HD constexpr bool signbit() const { return (code() & minifloat_code<Format>::sign) != 0; }
  COSMATI_HD constexpr int exponent_biased() const {
    return static_cast<int>((code() & minifloat_code<Format>::magnitude) >> Format::mantissa_bits);
  }
  COSMATI_HD constexpr int exponent() const { return exponent_biased() - Format::bias; }
  COSMATI_HD constexpr int mantissa() const { return static_cast<int>(code() & ((1u << Format::mantissa_bits) - 1)); }

  /// Sign, exponent and mantissa in the low bits: the storage without its unused low bits.
  COSMATI_HD constexpr std::uint32_t code() const {
    return static_cast<std::uint32_t>(storage) >> minifloat_code<Format>::unused_low_bits;
  }
  COSMATI_HD static constexpr minifloat from_code(std::uint32_t code) {
    return bitcast(static_cast<storage_type>(code << minifloat_code<Format>::unused_low_bits));
  }
};

template <class Format>
struct sizeof_bits<minifloat<Format>> {
  static constexpr int value = Format::bits;
};

}  // namespace COSMATI_NAMESPACE

/// The limits of a narrow floating-point type, as the standard defines them. CUTLASS's differ: its `digits` omits the
/// implicit bit, and its `min` is the smallest subnormal.
template <class Format>
struct std::numeric_limits<COSMATI_NAMESPACE::minifloat<Format>> {
 private:
  using number = COSMATI_NAMESPACE::minifloat<Format>;
  using bits = COSMATI_NAMESPACE::minifloat_code<Format>;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = Format::is_signed;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool is_iec559 = Format::has_infinity && Format::has_nan && !Format::saturates;
  static constexpr bool has_infinity = Format::has_infinity;
  static constexpr bool has_quiet_NaN = Format::has_nan;
  static constexpr bool has_signaling_NaN = false;
  static constexpr std::float_denorm_style has_denorm = bits::exponent_only ? denorm_absent : denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = bits::exponent_only ? round_toward_infinity : round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = Format::mantissa_bits + 1;
  static constexpr int digits10 = Format::mantissa_bits * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int min_exponent = (bits::exponent_only ? 1 : 2) - Format::bias;
  static constexpr int max_exponent = static_cast<int>(bits::max_finite >> Format::mantissa_bits) - Format::bias + 1;
  static constexpr int min_exponent10 = -(1 - min_exponent) * 30103 / 100000;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;

  COSMATI_HD static constexpr number min() {
    return number::from_code(bits::exponent_only ? 0u : 1u << Format::mantissa_bits);
  }
  COSMATI_HD static constexpr number max() { return number::from_code(bits::max_finite); }
  COSMATI_HD static constexpr number lowest() {
    return Format::is_signed ? number::from_code(bits::max_finite | bits::sign) : number::from_code(0);
  }
  COSMATI_HD static constexpr number epsilon() { return number(1.0f / static_cast<float>(1 << (digits - 1))); }
  COSMATI_HD static constexpr number round_error() { return number(bits::exponent_only ? 1.0f : 0.5f); }
  COSMATI_HD static constexpr number infinity() { return number::from_code(has_infinity ? bits::infinity : 0); }
  COSMATI_HD static constexpr number quiet_NaN() { return number::from_code(has_quiet_NaN ? bits::nan : 0); }
  COSMATI_HD static constexpr number signaling_NaN() { return quiet_NaN(); }
  COSMATI_HD static constexpr number denorm_min() { return number::from_code(bits::exponent_only ? 0u : 1u); }
};

#include <cosmati/core/macros_end.hpp>
