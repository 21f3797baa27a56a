// SPDX-License-Identifier: Apache-2.0
/// @file
/// `opaque`: integers that nvcc does not analyse, so that it keeps index arithmetic as it is written.
///
/// nvcc merges terms where it can. (x + 1024) ^ 16 becomes x ^ 1040 if x lacks these bits, and r s + 16 s becomes (r +
/// 16) s. An address could have taken the addend as an immediate, or several addresses could have shared the sum. After
/// merging, each address needs a register of its own. bench/notes/opaque-integers.md shows the machine code.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Returns the same integer. It costs no instruction, but a constant occupies a register, so do not use it for
/// constants.
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

/// Returns the layout with opaque run-time strides. The products for a thread's values then stay separate from the
/// product for the thread's own offset. Layouts with a swizzle stay as they are.
template <class L>
COSMATI_HD constexpr auto with_opaque_strides(L const& l) {
  if constexpr (plain_layout<L> && !is_static_v<L>)
    return L(l.shape(), transform_leaf(l.stride(), [](auto const& stride) { return opaque(stride); }));
  else
    return l;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
