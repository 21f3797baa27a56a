// SPDX-License-Identifier: Apache-2.0
/// @file
/// The 64 bits by which a warpgroup matrix instruction finds an operand in shared memory.
///
/// PTX's canonical layouts, in elements, T of them 16 bytes, with s = 2, 4, 8 chunks of 16 bytes in a swizzle of 32, 64
/// or 128 bytes:
///
///     K contiguous    none      ((8,m),(T,2)) : ((T,stride),(1,leading))
///                     swizzled  ((8,m),(T,2)) : ((sT,stride),(1,T))
///     MN contiguous   none      ((T,m),(8,k)) : ((1,stride),(T,leading))
///                     swizzled  ((T,s,m),(8,k)) : ((1,T,leading),(sT,stride))
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_instruction.hpp>

namespace COSMATI_NAMESPACE {

namespace GMMA {

/// How the chunks of an operand are exchanged in shared memory, as the descriptor counts it.
enum class LayoutType : std::uint8_t { INTERLEAVE = 0, B128 = 1, B64 = 2, B32 = 3 };

}  // namespace GMMA

namespace detail {

/// A descriptor's fields.
struct wgmma_descriptor {
  std::uint32_t address = 0;        ///< the lowest 18 bits of the shared address, a multiple of 16
  std::uint32_t leading_bytes = 0;  ///< between blocks along the contiguous mode
  std::uint32_t stride_bytes = 0;   ///< between blocks along the other one
  std::uint32_t base_offset = 0;    ///< of a pattern that does not begin at its own multiple, in rows of 128 bytes
  GMMA::LayoutType layout = GMMA::LayoutType::INTERLEAVE;
};

COSMATI_HD constexpr std::uint64_t encoded(wgmma_descriptor const& d) {
  auto const field = [](std::uint32_t bytes) { return static_cast<std::uint64_t>((bytes & 0x3ffffu) >> 4); };
  return field(d.address) | field(d.leading_bytes) << 16 | field(d.stride_bytes) << 32 |
         static_cast<std::uint64_t>(d.base_offset & 7u) << 49 | static_cast<std::uint64_t>(d.layout) << 62;
}
COSMATI_HD constexpr wgmma_descriptor decoded(std::uint64_t bits) {
  auto const field = [&](int shift) { return static_cast<std::uint32_t>(bits >> shift & 0x3fffu) << 4; };
  return {field(0), field(16), field(32), static_cast<std::uint32_t>(bits >> 49 & 7u),
          static_cast<GMMA::LayoutType>(bits >> 62)};
}

/// Chunks of 16 bytes in a row of the swizzle; 1: none is exchanged.
COSMATI_HD constexpr int chunks_of(GMMA::LayoutType layout) {
  return layout == GMMA::LayoutType::INTERLEAVE ? 1 : 16 >> static_cast<int>(layout);
}

/// Byte of element (mn, k) of an operand, counted from the descriptor's address, before the exchange of chunks.
/// @param bits of an element: those of b1 are taken by bytes
COSMATI_HD constexpr std::uint32_t operand_byte(wgmma_descriptor const& d, GMMA::Major major, int element_bytes, int mn,
                                                int k) {
  auto const u = [](int x) { return static_cast<std::uint32_t>(x); };
  int const in_chunk = 16 / element_bytes, chunks = chunks_of(d.layout);
  if (major == GMMA::Major::K) {
    std::uint32_t const along = chunks == 1 ? u(k / in_chunk) * d.leading_bytes : u(k / in_chunk) * 16;
    return u(mn % 8 * chunks * 16) + u(mn / 8) * d.stride_bytes + along + u(k % in_chunk * element_bytes);
  }
  int const in_row = in_chunk * chunks;
  std::uint32_t const row = u(k % 8 * chunks * 16), within = u(mn % in_row * element_bytes);
  return chunks == 1 ? within + u(mn / in_row) * d.stride_bytes + row + u(k / 8) * d.leading_bytes
                     : within + u(mn / in_row) * d.leading_bytes + row + u(k / 8) * d.stride_bytes;
}

/// The address after the exchange of chunks.
COSMATI_HD constexpr std::uintptr_t exchanged_address(std::uintptr_t address, GMMA::LayoutType layout) {
  return address ^ ((address >> 3) & static_cast<std::uintptr_t>((chunks_of(layout) - 1) * 16));
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
