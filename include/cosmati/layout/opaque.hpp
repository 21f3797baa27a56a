// SPDX-License-Identifier: Apache-2.0
/// @file
/// `opaque`: integers of which nvcc knows nothing, so that it keeps index arithmetic as it is written.
///
/// nvcc joins what it can: (x + 1024) ^ 16 becomes x ^ 1040 where x has no such bit, and r s + 16 s becomes
/// (r + 16) s. A sum that an address takes as an immediate, or that many addresses share, is then one register for each
/// address. bench/notes/opaque-integers.md has the machine code.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The same integer. It costs no instruction; a constant becomes a register, so keep it away from constants.
template <class T>
COSMATI_HD constexpr T opaque(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (dynamic_integer<T>) {
    if (!__builtin_is_constant_evaluated()) {
      if constexpr (sizeof(T) == 8)
        asm("" : "+l"(x));
      else if constexpr (sizeof(T) == 4)
        asm("" : "+r"(x));
    }
  }
#endif
  return x;
}

/// The same layout; run-time strides are opaque, so that the products of a thread's values stay apart from the product
/// of the thread's own offset. Layouts behind a swizzle stay as they are.
template <class L>
COSMATI_HD constexpr auto with_opaque_strides(L const& l) {
  if constexpr (plain_layout<L> && !is_static_v<L>)
    return L(l.shape(), transform_leaf(l.stride(), [](auto const& stride) { return opaque(stride); }));
  else
    return l;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
