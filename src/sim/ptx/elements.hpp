// SPDX-License-Identifier: Apache-2.0
/// @file
/// The elements of matrix instructions whose types are read from the text, and the places of a sparse operand's.
#pragma once

#include <cosmati/arch/mma_simulated.hpp>
#include <cosmati/number/number_types.hpp>

#include <cstdint>
#include <string_view>

#include "program.hpp"

namespace cosmati_sim::ptx {

using cosmati::detail::held_value;

/// The types of the operands of matrix instructions.
enum class element { f16, bf16, tf32, e4m3, e5m2, s8, u8, b1, none };
inline constexpr std::string_view element_names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"};

inline element element_of(std::string_view name) {
  for (int e = 0; e < static_cast<int>(element::none); ++e) {
    if (element_names[e] == name) return static_cast<element>(e);
  }
  return element::none;
}
/// The bytes of an element; eight of b1 count as one.
inline int bytes_of(element e) { return e == element::tf32 ? 4 : e <= element::bf16 ? 2 : 1; }

/// Element v of an operand, as the number that a product of floats takes.
inline float value_of(element e, unsigned char const* p, int v) {
  switch (e) {
    case element::f16:
      return held_value<cosmati::half_t>::get(p, v);
    case element::bf16:
      return held_value<cosmati::bfloat16_t>::get(p, v);
    case element::tf32:
      return held_value<cosmati::tfloat32_t>::get(p, v);
    case element::e4m3:
      return held_value<cosmati::float_e4m3_t>::get(p, v);
    default:
      return held_value<cosmati::float_e5m2_t>::get(p, v);
  }
}
/// Element v of an operand of s8 or u8.
inline std::int32_t integer_of(element e, unsigned char const* p, int v) {
  return e == element::s8 ? std::int32_t{static_cast<std::int8_t>(p[v])} : std::int32_t{p[v]};
}

/// The place in its chunk of stored element `i` of four bits of metadata; -1: the bits are none that PTX defines.
inline int place_in_chunk(std::uint32_t bits, int i, int chunk) {
  if (chunk == 2) return bits == 0xe ? 1 : bits == 0x4 ? 0 : -1;
  int const first = static_cast<int>(bits & 3u), second = static_cast<int>(bits >> 2 & 3u);
  return first == second ? -1 : i == 0 ? first : second;
}

/// The handler of mma.sp.
handler resolve_sparse_mma(instruction& i);

}  // namespace cosmati_sim::ptx
