// SPDX-License-Identifier: Apache-2.0
/// @file
/// The run-time check of sizes: source and destination must have the same number of elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Whether the sizes agree, as far as it is known. Static sizes that differ have been refused already; then the call
/// does nothing, so that the refusal is the only error. Run-time sizes are compared on the simulated device and in
/// builds without NDEBUG; other builds take them as equal.
template <class Src, class Dst>
COSMATI_HD constexpr bool sizes_agree(Src const& src, Dst const& dst) {
  using N = decltype(size(src));
  using M = decltype(size(dst));
  if constexpr (static_integer<N> && static_integer<M>) {
    return N::value == M::value;
  } else {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
    if (!__builtin_is_constant_evaluated() &&
        static_cast<std::int64_t>(size(src)) != static_cast<std::int64_t>(size(dst))) {
      fail("copy: the source has %lld elements and the destination %lld; slice or retile one of them",
           static_cast<long long>(size(src)), static_cast<long long>(size(dst)));
    }
#endif
    return true;
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
