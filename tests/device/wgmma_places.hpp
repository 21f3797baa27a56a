// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where the elements of a warpgroup instruction's operands stand in shared memory, written from PTX's text.
#pragma once

#include <cosmati/wgmma.hpp>
#include <cstdint>

namespace wgmma_test {

using cosmati::GMMA::LayoutType;
using cosmati::GMMA::Major;

/// Where element (mn, k) of an operand stands, by PTX's canonical layouts, in elements; then its byte after the
/// exchange.
struct placement {
  LayoutType layout;
  Major major;
  int element_bytes;
  int leading, stride;  // elements
  int byte(int mn, int k) const {
    int const T = 16 / element_bytes;
    int const s = layout == LayoutType::B128 ? 8 : layout == LayoutType::B64 ? 4 : layout == LayoutType::B32 ? 2 : 1;
    int at = 0;
    if (major == Major::K && s == 1)
      at = mn % 8 * T + mn / 8 * stride + k % T + k / T * leading;
    else if (major == Major::K)
      at = mn % 8 * s * T + mn / 8 * stride + k % T + k / T * T;
    else if (s == 1)
      at = mn % T + mn / T * stride + k % 8 * T + k / 8 * leading;
    else
      at = mn % T + mn / T % s * T + mn / (T * s) * leading + k % 8 * s * T + k / 8 * stride;
    int const byte = at * element_bytes;
    int const mask = s == 8 ? 0x70 : s == 4 ? 0x30 : s == 2 ? 0x10 : 0;
    return byte ^ (byte >> 3 & mask);
  }
};

/// A dense placement of (extent, k) elements.
inline placement dense(LayoutType layout, Major major, int element_bytes, int extent, int extent_k) {
  int const T = 16 / element_bytes;
  int const s = layout == LayoutType::B128 ? 8 : layout == LayoutType::B64 ? 4 : layout == LayoutType::B32 ? 2 : 1;
  placement p{layout, major, element_bytes, 0, 0};
  if (major == Major::K) {
    p.stride = s == 1 ? 8 * extent_k : 8 * s * T;  // eight rows; without exchange all their chunks along k
    p.leading = 8 * T;
  } else if (s == 1) {
    p.stride = 8 * T;
    p.leading = extent / T * 8 * T;
  } else {
    p.leading = 8 * s * T * (extent_k / 8);
    p.stride = 8 * s * T;
  }
  return p;
}
inline std::uint64_t bits_of(placement const& p) {
  return cosmati::detail::encoded({0, static_cast<std::uint32_t>(p.leading * p.element_bytes),
                                   static_cast<std::uint32_t>(p.stride * p.element_bytes), 0, p.layout});
}

inline constexpr int room = 65536;  // bytes of shared memory for each operand

}  // namespace wgmma_test
