// SPDX-License-Identifier: Apache-2.0
/// @file
/// The loop of a copy with predicates: a vector if all its elements move, single elements if some move.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Copies one element. @tparam bytes the element's size if the types are the same; if it is 0, C++ converts the element
template <int bytes = 0, class Src, class Dst, class Index>
COSMATI_HD constexpr void copy_element(Src const& src, Dst& dst, Index i) {
  using From = typename Src::value_type;
  constexpr bool same = std::is_same_v<From, typename Dst::value_type>;
  constexpr int moved = !same ? bytes : is_one_access<Src> && is_one_access<Dst> ? static_cast<int>(sizeof(From)) : 0;
  if constexpr (moved != 0) {
    if (!__builtin_is_constant_evaluated()) return detail::store<moved>(dst, i, detail::load<moved>(src, i));
  }
  store_element(dst, i, load_element(src, i));
}
/// Copies the elements for which holds(index) is true, one by one.
template <class Holds, class Src, class Dst>
COSMATI_HD constexpr void copy_elements_where(Holds const& holds, Src const& src, Dst& dst) {
  for_each_index(src, [&](auto i) {
    [[maybe_unused]] access_step const together;
    if (holds(i)) copy_element(src, dst, i);
  });
}

/// Copies those of the vectors [0, count), of `bytes` each, for which holds(index of the first element) is true. Up to
/// eight loads are issued before the first store waits for one.
template <int bytes, int vector, int count, class Holds, class Src, class Dst>
COSMATI_HD inline void copy_batches_where(Holds const& holds, Src const& src, Dst& dst) {
  using V = typename vector_type<bytes>::type;
  constexpr int batch = count < 8 ? (count > 0 ? count : 1) : 8;
  COSMATI_UNROLL
  for (int first = 0; first < count; first += batch) {
#if defined(__CUDA_ARCH__)
    V held[batch];
#else
    V held[std::size_t{batch}] = {};  // g++ does not see that the same condition guards both uses
#endif
    bool here[std::size_t{batch}];
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      [[maybe_unused]] access_step const together;
      int const i = (first + j) * vector;
      here[j] = (count % batch == 0 || first + j < count) && holds(i);
      if (here[j]) held[j] = detail::load<bytes>(src, i);
    }
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      [[maybe_unused]] access_step const together;
      if (here[j]) detail::store<bytes>(dst, (first + j) * vector, held[j]);
    }
  }
}

/// Copies a vector of `vector` elements if holds(index) is true for all of them, and single elements if it is true for
/// some.
/// @tparam bytes the size of a vector; if it is 0, no access moves a vector, and the elements move one by one
/// @tparam uniform whether holds(index) is known to be the same for all elements of a vector
template <int bytes, int vector, bool uniform, class Holds, class Src, class Dst>
COSMATI_HD constexpr void copy_vectors_where(Holds const& holds, Src const& src, Dst& dst) {
  constexpr int n = static_elements<Src, Dst>;
  constexpr int bytes_of_one = bytes % vector == 0 ? bytes / vector : 0;
  auto const step = [&](auto i) {
    [[maybe_unused]] access_step const together;
    if constexpr (vector == 1) {
      if (holds(i)) copy_element<bytes>(src, dst, i);
    } else if constexpr (bytes != 0 && uniform) {
      if (holds(i)) detail::store<bytes>(dst, i, detail::load<bytes>(src, i));
    } else {
      bool here[std::size_t{vector}];
      bool all = true;
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v) {
        here[v] = holds(i + static_cast<decltype(i)>(v));
        all = all && here[v];
      }
      if constexpr (bytes != 0) {
        if (all) return detail::store<bytes>(dst, i, detail::load<bytes>(src, i));
      }
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v) {
        if (here[v]) copy_element<bytes_of_one>(src, dst, i + static_cast<decltype(i)>(v));
      }
    }
  };
  if constexpr (n == 0 || n / vector > 256) {
    count_up<false>(size(src), 0, vector, step);
  } else if constexpr (uniform && bytes != 0 && is_memory<Src> && is_memory<Dst>) {
    copy_batches_where<bytes, vector, n / vector>(holds, src, dst);
  } else {
    COSMATI_UNROLL
    for (int i = 0; i < n; i += vector) step(i);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
