// SPDX-License-Identifier: Apache-2.0
/// @file
/// The loop of a copy: every vector of two tensors, loads before stores; or element by element.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/cp_async.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/counting.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Moves vectors number [0, count) of `vector` elements, `bytes` each, between memory and registers, or memory and
/// memory. The loads of up to eight vectors are issued before the first store.
template <int bytes, int vector, int count, class Src, class Dst>
COSMATI_HD inline void move_static(Src const& src, Dst& dst) {
  using V = typename vector_type<bytes>::type;
  constexpr bool through = is_memory<Src> && is_memory<Dst>;
  constexpr int batch = through ? (count < 8 ? count : 8) : 1;
  auto const from = src.data();
  auto const to = dst.data();
#if defined(COSMATI_SIMULATED)
  if (!access_is_watched()) {
    for (int first = 0; first < count; first += batch) {
      int const end = first + batch < count ? first + batch : count;
      V held[batch];
      for (int j = first; j < end; ++j)
        held[j - first] = load_unseen<bytes>(address_at(from, src.layout()(j * vector)));
      for (int j = first; j < end; ++j) store_unseen<bytes>(address_at(to, dst.layout()(j * vector)), held[j - first]);
    }
    return;
  }
#endif
  COSMATI_UNROLL
  for (int first = 0; first < count; first += batch) {
    V held[batch];
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      if (count % batch == 0 || first + j < count) {
        note_vector<bytes, access_kind::load>(src, (first + j) * vector);
        held[j] = load_of<bytes, Src>(address_at(from, src.layout()((first + j) * vector)));
      }
    }
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      if (count % batch == 0 || first + j < count) {
        note_vector<bytes, access_kind::store>(dst, (first + j) * vector);
        store_of<bytes, Dst>(address_at(to, dst.layout()((first + j) * vector)), held[j]);
      }
    }
  }
}
/// One vector, by index of its first element.
template <int bytes, class Src, class Dst, class Index>
COSMATI_HD inline void move_one(Src const& src, Dst& dst, Index i) {
  note_vector<bytes, access_kind::load>(src, i);
  note_vector<bytes, access_kind::store>(dst, i);
  store_of<bytes, Dst>(address_at(dst.data(), dst.layout()(i)),
                       load_of<bytes, Src>(address_at(src.data(), src.layout()(i))));
}

/// Vectors of `vector` elements over the whole of two tensors. @tparam async by cp.async where that is possible
template <int bytes, int vector, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_all(Src const& src, Dst& dst) {
  if constexpr (async && may_copy_async<bytes, Src, Dst> && (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM >= 80))
    return move_all_async<bytes, vector>(src, dst);
  constexpr int n = static_size<decltype(size(src))>::value;
  constexpr int m = n != 0 ? n : static_size<decltype(size(dst))>::value;
  if constexpr (m != 0) {
    if constexpr (m / vector <= 256) {
      move_static<bytes, vector, m / vector>(src, dst);
    } else {
      COSMATI_NO_UNROLL
      for (int i = 0; i < m; i += vector) move_one<bytes>(src, dst, i);
    }
  } else {
    count_up(size(src), 0, vector, [&](auto i) { move_one<bytes>(src, dst, i); });
  }
}

/// Memory that no constant evaluation knows: copies of it have no code for that.
template <class T>
inline constexpr bool in_device_memory = is_gmem_v<T> || is_smem_v<T>;

/// One element after the other, as C++ assigns them.
template <class Src, class Dst>
COSMATI_HD constexpr void assign_elements(Src const& src, Dst& dst) {
  using To = typename Dst::value_type;
  constexpr int n = static_size<decltype(size(src))>::value;
  if constexpr (n != 0) {
    COSMATI_UNROLL
    for (int i = 0; i < n; ++i) dst(i) = static_cast<To>(src(i));  // NOLINT(bugprone-signed-char-misuse)
  } else {
    count_up(size(src), 0, 1, [&](auto i) { dst(i) = static_cast<To>(src(i)); });
  }
}
/// One element after the other, converted where the types differ.
template <bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_elements(Src const& src, Dst& dst) {
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int bits = static_cast<int>(sizeof_bits_v<From>);
  if constexpr (std::is_same_v<From, To> && bits % 8 == 0 && bits <= 128 && (bits & (bits - 1)) == 0 && requires {
                  static_cast<void const*>(raw_pointer_cast(src.data()));
                  static_cast<void*>(raw_pointer_cast(dst.data()));
                }) {
    if constexpr (in_device_memory<Src> || in_device_memory<Dst>)
      move_all<bits / 8, 1, async>(src, dst);
    else if (!__builtin_is_constant_evaluated())
      move_all<bits / 8, 1, async>(src, dst);
    else
      assign_elements(src, dst);
  } else {
    assign_elements(src, dst);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
