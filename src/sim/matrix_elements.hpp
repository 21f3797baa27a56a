// SPDX-License-Identifier: Apache-2.0
/// @file
/// The elements of matrices of each type, as numbers with which a library computes.
#pragma once

#include <bit>
#include <cmath>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/float8.hpp>
#include <cosmati/number/half.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "matrix_product.hpp"

namespace cosmati_sim {

/// A half's bits as a float, without a branch, so that the compiler makes vectors of it.
inline float float_of_half(std::uint16_t bits) {
  std::uint32_t const magnitude = static_cast<std::uint32_t>(bits & 0x7fffu) << 13;
  float const scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  std::uint32_t const special = scaled >= 65536.f ? 0xffu << 23 : 0u;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special |
                              static_cast<std::uint32_t>(bits & 0x8000u) << 16);
}

/// The type that holds an element.
template <element_kind kind>
struct element;
template <>
struct element<element_kind::f16> {
  using stored = std::uint16_t;
  static float load(stored v) { return float_of_half(v); }
  static stored store(double v) { return std::bit_cast<stored>(COSMATI_NAMESPACE::half_t(static_cast<float>(v))); }
};
template <>
struct element<element_kind::bf16> {
  using stored = std::uint16_t;
  static float load(stored v) { return std::bit_cast<float>(static_cast<std::uint32_t>(v) << 16); }
  static stored store(double v) { return std::bit_cast<stored>(COSMATI_NAMESPACE::bfloat16_t(static_cast<float>(v))); }
};
template <>
struct element<element_kind::f32> {
  using stored = float;
  static float load(stored v) { return v; }
  static stored store(double v) { return static_cast<float>(v); }
};
template <>
struct element<element_kind::f64> {
  using stored = double;
  static double load(stored v) { return v; }
  static stored store(double v) { return v; }
};
template <>
struct element<element_kind::i8> {
  using stored = std::int8_t;
  static int load(stored v) { return v; }
  static stored store(double v) { return static_cast<stored>(std::fmin(std::fmax(std::nearbyint(v), -128.), 127.)); }
};
template <>
struct element<element_kind::i32> {
  using stored = std::int32_t;
  static int load(stored v) { return v; }
  static stored store(double v) { return static_cast<stored>(static_cast<std::int64_t>(v)); }  // sums wrap around
};
/// An 8-bit float. Results saturate.
template <class Number>
struct element_of_bits {
  using stored = std::uint8_t;
  static float load(stored v) { return Number::bitcast(v); }
  static stored store(double v) { return std::bit_cast<stored>(Number(v)); }
};
template <>
struct element<element_kind::e4m3> : element_of_bits<COSMATI_NAMESPACE::float_e4m3_t> {};
template <>
struct element<element_kind::e5m2> : element_of_bits<COSMATI_NAMESPACE::float_e5m2_t> {};

/// Calls `use` with the element type of the kind.
template <class Use>
auto with_element(element_kind kind, Use use) {
  switch (kind) {
    case element_kind::f16:
      return use(element<element_kind::f16>{});
    case element_kind::bf16:
      return use(element<element_kind::bf16>{});
    case element_kind::f32:
      return use(element<element_kind::f32>{});
    case element_kind::f64:
      return use(element<element_kind::f64>{});
    case element_kind::i8:
      return use(element<element_kind::i8>{});
    case element_kind::e4m3:
      return use(element<element_kind::e4m3>{});
    case element_kind::e5m2:
      return use(element<element_kind::e5m2>{});
    default:
      return use(element<element_kind::i32>{});
  }
}

/// The element number `i` of the memory.
inline double load_element(element_kind kind, void const* at, std::size_t i) {
  return with_element(kind, [&]<class Element>(Element) {
    return static_cast<double>(Element::load(static_cast<typename Element::stored const*>(at)[i]));
  });
}
inline void store_element(element_kind kind, void* at, std::size_t i, double v) {
  with_element(kind, [&]<class Element>(Element) {
    static_cast<typename Element::stored*>(at)[i] = static_cast<typename Element::stored>(Element::store(v));
  });
}

}  // namespace cosmati_sim
