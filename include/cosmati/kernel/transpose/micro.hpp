// SPDX-License-Identifier: Apache-2.0
/// @file
/// Transposes in a thread's registers. The number of vectors equals the number of elements in each.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Selects four bytes from the eight of (high:low) by the four nibbles of `selector`: `prmt.b32`.
COSMATI_HD inline std::uint32_t permuted_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, selector);
#else
  std::uint64_t const bytes = (static_cast<std::uint64_t>(high) << 32) | low;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (static_cast<std::uint32_t>(bytes >> (8 * ((selector >> (4 * i)) & 7u))) & 255u) << (8 * i);
  return result;
#endif
}
}  // namespace detail

/// Element j of vector i becomes element i of vector j.
/// @tparam element_bytes 1, 2, 4, 8 or 16
/// @tparam bytes the size of a vector, at least 4 and at least one element
template <int element_bytes, int bytes>
COSMATI_HD inline void transpose_registers(register_words<bytes> (&v)[static_cast<unsigned>(bytes / element_bytes)]) {
  constexpr int vectors = bytes / element_bytes;
  constexpr int words = bytes / 4;
  if constexpr (element_bytes >= 4) {
    constexpr int part = element_bytes / 4;
    COSMATI_UNROLL
    for (int i = 0; i < vectors; ++i) {
      COSMATI_UNROLL
      for (int j = 0; j < i; ++j) {
        COSMATI_UNROLL
        for (int w = 0; w < part; ++w) {
          std::uint32_t const kept_word = v[i].word[part * j + w];
          v[i].word[part * j + w] = v[j].word[part * i + w];
          v[j].word[part * i + w] = kept_word;
        }
      }
    }
  } else if constexpr (element_bytes == 2 && vectors > 1) {
    register_words<bytes> out[static_cast<unsigned>(vectors)];
    COSMATI_UNROLL
    for (int i = 0; i < vectors; ++i) {
      COSMATI_UNROLL
      for (int w = 0; w < words; ++w)
        out[i].word[w] =
            detail::permuted_bytes(v[2 * w].word[i / 2], v[2 * w + 1].word[i / 2], i % 2 == 0 ? 0x5410 : 0x7632);
    }
    COSMATI_UNROLL
    for (int i = 0; i < vectors; ++i) v[i] = out[i];
  } else if constexpr (element_bytes == 1 && vectors > 2) {
    register_words<bytes> out[static_cast<unsigned>(vectors)];
    COSMATI_UNROLL
    for (int w = 0; w < words; ++w) {
      COSMATI_UNROLL
      for (int c = 0; c < words; ++c) {  // the 4 x 4 bytes of vectors 4w to 4w + 3, elements 4c to 4c + 3
        std::uint32_t const v0 = v[4 * w].word[c], v1 = v[4 * w + 1].word[c];
        std::uint32_t const v2 = v[4 * w + 2].word[c], v3 = v[4 * w + 3].word[c];
        std::uint32_t const low01 = detail::permuted_bytes(v0, v1, 0x5140);
        std::uint32_t const high01 = detail::permuted_bytes(v0, v1, 0x7362);
        std::uint32_t const low23 = detail::permuted_bytes(v2, v3, 0x5140);
        std::uint32_t const high23 = detail::permuted_bytes(v2, v3, 0x7362);
        out[4 * c].word[w] = detail::permuted_bytes(low01, low23, 0x5410);
        out[4 * c + 1].word[w] = detail::permuted_bytes(low01, low23, 0x7632);
        out[4 * c + 2].word[w] = detail::permuted_bytes(high01, high23, 0x5410);
        out[4 * c + 3].word[w] = detail::permuted_bytes(high01, high23, 0x7632);
      }
    }
    COSMATI_UNROLL
    for (int i = 0; i < vectors; ++i) v[i] = out[i];
  } else if constexpr (element_bytes == 1 && vectors == 2) {
    std::uint32_t const first = v[0].word[0], second = v[1].word[0];
    v[0].word[0] = (first & 255u) | ((second & 255u) << 8);
    v[1].word[0] = (first >> 8) | (second & 0xff00u);
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
