// SPDX-License-Identifier: Apache-2.0
/// @file
/// The loop of a copy. It makes no decision: the width of an access is an argument.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/cp_async.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <cosmati/arch/load_order.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A copy from global memory to registers of at most so many bytes issues all its loads before later work
/// (`issue_loads`). 256 bytes are 64 registers, half of those that each thread of a block of 512 may have. ptxas orders
/// the loads of a larger copy.
inline constexpr int most_bytes_loaded_at_once = 256;

/// Copies a tensor in vectors of `vector` elements.
/// @tparam bytes the size of a vector, which one access moves; if it is 0, C++ assigns and converts the elements one by
///   one
/// @tparam async uses cp.async if it can move vectors of this size between the tensors
template <int bytes, int vector, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void copy_vectors(Src const& src, Dst& dst) {
  constexpr int n = static_elements<Src, Dst>;
  if constexpr (bytes == 0 || !(in_device_memory<Src> || in_device_memory<Dst>)) {
    if (bytes == 0 || __builtin_is_constant_evaluated()) {
      using To = typename Dst::value_type;
      if constexpr (n != 0) {
        COSMATI_UNROLL
        for (int i = 0; i < n; ++i) dst(i) = static_cast<To>(src(i));  // NOLINT(bugprone-signed-char-misuse)
      } else {
        count_up(size(src), 0, 1, [&](auto i) { dst(i) = static_cast<To>(src(i)); });
      }
      return;
    }
  }
  if constexpr (bytes == 0) {
    return;
  } else if constexpr (async && may_copy_async<bytes, Src, Dst>) {
    copy_vectors_async<bytes, vector>(src, dst);
  } else if constexpr (n == 0) {
    count_up(size(src), 0, vector, [&](auto i) { detail::store<bytes>(dst, i, detail::load<bytes>(src, i)); });
  } else if constexpr (n / vector > 256) {
    COSMATI_NO_UNROLL
    for (int i = 0; i < n; i += vector) detail::store<bytes>(dst, i, detail::load<bytes>(src, i));
  } else {
    // From memory to memory, up to eight loads are issued before the first store waits for one.
    constexpr int count = n / vector;
    constexpr int batch = is_memory<Src> && is_memory<Dst> ? smaller_int(count, 8) : 1;
    COSMATI_UNROLL
    for (int first = 0; first < count; first += batch) {
      typename vector_type<bytes>::type held[std::size_t{batch}];
      COSMATI_UNROLL
      for (int j = 0; j < batch; ++j)
        if (count % batch == 0 || first + j < count) held[j] = detail::load<bytes>(src, (first + j) * vector);
      COSMATI_UNROLL
      for (int j = 0; j < batch; ++j)
        if (count % batch == 0 || first + j < count) detail::store<bytes>(dst, (first + j) * vector, held[j]);
    }
    if constexpr (is_gmem_v<Src> && !is_memory<Dst> && count > 1 && count * bytes <= most_bytes_loaded_at_once)
      issue_loads();
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
