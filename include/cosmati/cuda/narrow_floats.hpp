// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the numbers of CUDA's cuda_fp6.h and cuda_fp4.h share: conversions to and from numbers that have no infinity
/// and no NaN. Those are cosmati::float_e2m3_t, cosmati::float_e3m2_t and cosmati::float_e2m1_t.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cmath>
#include <cosmati/cuda/fp8_convert.hpp>
#include <cosmati/number/float_subbyte.hpp>

namespace cosmati_cuda {

/// One narrow format. What is too large becomes the largest number, and a NaN the largest positive one.
/// @tparam Number a minifloat; @tparam element_bits the bits that one of several numbers takes
template <class Number, int element_bits>
struct narrow_float {
  static constexpr unsigned sign = 1u << (COSMATI_NAMESPACE::sizeof_bits_v<Number> - 1), largest = sign - 1;
  static constexpr unsigned mask = (1u << element_bits) - 1;

  /// @param rounding cudaRoundNearest, or cudaRoundZero
  template <class V>
  static constexpr unsigned char code(V v, cudaRoundMode rounding = cudaRoundNearest) {
    if (v != v) return static_cast<unsigned char>(largest);
    unsigned const nearest = Number(v).storage;
    V const magnitude = v < 0 ? -v : v;
    bool const too_far = static_cast<V>(value(nearest & largest)) > magnitude;
    return static_cast<unsigned char>(rounding == cudaRoundZero && too_far ? nearest - 1 : nearest);
  }
  static constexpr float value(unsigned code) {
    return Number::bitcast(static_cast<unsigned char>(code & (sign | largest)));
  }
  /// The value of one of several numbers.
  static constexpr float value_at(unsigned codes, int place) { return value(codes >> (place * element_bits) & mask); }
  template <class V>
  static constexpr unsigned codes(V x, V y, cudaRoundMode rounding = cudaRoundNearest) {
    return code(x, rounding) | static_cast<unsigned>(code(y, rounding)) << element_bits;
  }
};

/// One number. @tparam Of a narrow_float
template <class Of, class Storage>
struct one_narrow_float {
  Storage __x;
  one_narrow_float() = default;
  explicit constexpr one_narrow_float(float v) : __x(Of::code(v)) {}
  explicit constexpr one_narrow_float(double v) : __x(Of::code(v)) {}
  explicit constexpr one_narrow_float(__half v) : __x(Of::code(static_cast<float>(v))) {}
  explicit constexpr one_narrow_float(__nv_bfloat16 v) : __x(Of::code(static_cast<float>(v))) {}
  template <std::integral U>
  explicit constexpr one_narrow_float(U v) : __x(Of::code(static_cast<double>(v))) {}
  explicit constexpr operator float() const { return Of::value(__x); }
  explicit constexpr operator double() const { return Of::value(__x); }
  explicit constexpr operator __half() const { return Of::value(__x); }
  explicit constexpr operator __nv_bfloat16() const { return Of::value(__x); }
  explicit constexpr operator bool() const { return (__x & Of::largest) != 0; }
  template <std::integral U>
  requires(!std::is_same_v<U, bool>) explicit operator U() const {
    return to_integer<float, U>(std::trunc(Of::value(__x)));
  }
};
/// Two numbers. The first one is in the low bits.
template <class Of, class Storage>
struct alignas(Storage) two_narrow_floats {
  Storage __x;
  two_narrow_floats() = default;
  explicit constexpr two_narrow_floats(float2 v) : __x(static_cast<Storage>(Of::codes(v.x, v.y))) {}
  explicit constexpr two_narrow_floats(double2 v) : __x(static_cast<Storage>(Of::codes(v.x, v.y))) {}
  explicit constexpr two_narrow_floats(__half2 v) : two_narrow_floats(float2{float(v.x), float(v.y)}) {}
  explicit constexpr two_narrow_floats(__nv_bfloat162 v) : two_narrow_floats(float2{float(v.x), float(v.y)}) {}
  explicit constexpr operator float2() const { return {Of::value_at(__x, 0), Of::value_at(__x, 1)}; }
  explicit constexpr operator __half2() const { return {Of::value_at(__x, 0), Of::value_at(__x, 1)}; }
};
/// Four numbers.
template <class Of, class Two, class Storage>
struct alignas(Storage) four_narrow_floats {
  Storage __x;
  four_narrow_floats() = default;
  template <class V>
  requires(requires(V v) { Of::code(v.w); }) explicit constexpr four_narrow_floats(V v)
      : __x(static_cast<Storage>(Of::codes(v.x, v.y) | Of::codes(v.z, v.w) << 4 * sizeof(Storage))) {}
  template <class Pair>
  constexpr four_narrow_floats(Pair low, Pair high)
      : __x(static_cast<Storage>(Two(low).__x | static_cast<unsigned>(Two(high).__x) << 4 * sizeof(Storage))) {}
  explicit constexpr operator float4() const {
    return {Of::value_at(__x, 0), Of::value_at(__x, 1), Of::value_at(__x, 2), Of::value_at(__x, 3)};
  }
};

/// The value of a number as CUDA's functions take it.
constexpr float value_of_raw(__half_raw v) { return static_cast<float>(__half(v)); }
constexpr float value_of_raw(__nv_bfloat16_raw v) { return static_cast<float>(__nv_bfloat16(v)); }
constexpr float2 values_of_raw(__half2_raw v) { return {value_of_raw(__half_raw{v.x}), value_of_raw(__half_raw{v.y})}; }
constexpr float2 values_of_raw(__nv_bfloat162_raw v) {
  return {value_of_raw(__nv_bfloat16_raw{v.x}), value_of_raw(__nv_bfloat16_raw{v.y})};
}
constexpr __half_raw raw_half(float v) { return static_cast<__half_raw>(__half(v)); }
constexpr __half2_raw raw_halves(float x, float y) { return {raw_half(x).x, raw_half(y).x}; }

}  // namespace cosmati_cuda

#endif

#include <cosmati/core/macros_end.hpp>
