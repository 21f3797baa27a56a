// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which swizzles of elements exchange chunks of 16 bytes within rows of 32, 64 or 128 bytes, as the tensor memory
/// accelerator and warpgroup matrix instructions do.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <bit>
#include <cosmati/layout/smem_ptr_flag.hpp>

namespace COSMATI_NAMESPACE::detail {

/// How many bits of a chunk's number are exchanged: 1, 2, 3 in rows of 32, 64, 128 bytes, 0 for none; -1: the swizzle
/// does something else. @tparam element_bytes a power of two, up to 16
template <int element_bytes, int bits, int base, int shift>
constexpr int chunk_swizzle_bits(Swizzle<bits, base, shift> const*) {
  int bytes_base = base;
  for (int b = element_bytes; b > 1; b /= 2) ++bytes_base;
  if (bits == 0) return 0;
  return bytes_base == 4 && shift == 3 && bits <= 3 ? bits : -1;
}

/// The same of the swizzle of a layout of elements; that of a layout which waits for its pointer is of bytes.
template <class L, int element_bytes>
inline constexpr int chunk_bits_of_layout =
    chunk_swizzle_bits<is_flagged<L> ? 1 : element_bytes>(static_cast<get_swizzle_t<L> const*>(nullptr));

/// The swizzle of elements of `element_bytes` that exchanges chunks within rows of `16 << bits` bytes.
template <int bits, int element_bytes>
using chunk_swizzle = Swizzle<bits, std::countr_zero(16u / unsigned{element_bytes}), 3>;

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
