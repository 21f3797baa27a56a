// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cooperative_copy`: a whole tensor by all threads of a block, without a tiled copy.
///
/// Every thread calls it with its number; synchronise before the destination is read. Neighbouring threads move
/// neighbouring vectors of the tensor in global memory. Any size: threads that find nothing left do nothing.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class T>
struct cooperative_copy_needs_static_layouts {
  static_assert(is_static_v<typename T::layout_type>,
                "cooperative_copy: both tensors need static shapes and strides, from which the vector's width follows; "
                "use naive_cooperative_copy, or a tiled copy with bounds");
  static constexpr bool ok = is_static_v<typename T::layout_type>;
};
template <class T>
struct cooperative_copy_needs_shared_or_global_memory {
  static constexpr bool ok = is_gmem_v<T> || is_smem_v<T>;
  static_assert(ok,
                "cooperative_copy: threads share no registers; tag both pointers with make_gmem_ptr or make_smem_ptr");
};
template <int bits, int adjacent>
struct threads_would_share_bytes {
  static constexpr bool ok = bits * adjacent % 8 == 0;
  static_assert(
      ok,
      "cooperative_copy: the elements are smaller than a byte and do not lie side by side in whole bytes: "
      "threads_would_share_bytes<BITS, ADJACENT>: ADJACENT elements of BITS; threads would write parts of one "
      "byte and lose each other's values; give both tensors a contiguous mode that fills whole bytes");
};

/// Elements that fill whole bytes.
template <int bits>
inline constexpr int elements_of_whole_bytes = bits % 8 == 0   ? 1
                                               : bits % 4 == 0 ? 2
                                               : bits % 2 == 0 ? 4
                                                               : 8;

/// The order of a layout's elements by offset: position -> index. A layout that is not injective keeps its order.
template <class L>
struct order_by_offset {
  static constexpr auto make() {
    if constexpr (composed_layout<L>) {
      return order_by_offset<std::remove_cvref_t<decltype(std::declval<L>().layout_b())>>::make();
    } else {
      using Compact = decltype(make_layout_like(L{}));
      using Inverse = decltype(right_inverse(Compact{}));
      if constexpr (decltype(size(Inverse{}))::value == decltype(size(L{}))::value)
        return Inverse{};
      else
        return Layout<decltype(size(L{}))>{};
    }
  }
  using type = decltype(make());
};

/// Thread t moves vectors t, t + threads, ...
template <int threads, int bytes, int vector, class Src, class Dst>
COSMATI_HD constexpr void move_shared_out(unsigned tid, Src const& src, Dst& dst) {
  constexpr auto n = elements_of<Dst>;
  constexpr auto vectors = n / vector;
  constexpr auto rounds = (vectors + threads - 1) / threads;
  using Index = std::conditional_t<(n < INT64_C(0x7fffffff)), unsigned, std::int64_t>;
  auto const step = [&](Index number) {
    Index const first = number * static_cast<Index>(vector);
    if constexpr (bytes != 0) {
      detail::store<bytes>(dst, first, detail::load<bytes>(src, first));
    } else {
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v)
        store_element(dst, first + static_cast<Index>(v), load_element(src, first + static_cast<Index>(v)));
    }
  };
  if constexpr (rounds <= 64) {
    COSMATI_UNROLL
    for (int r = 0; r < rounds; ++r) {
      Index const number = static_cast<Index>(tid) + static_cast<Index>(r * threads);
      if (vectors % threads == 0 || r + 1 < rounds || number < static_cast<Index>(vectors)) step(number);
    }
  } else {
    COSMATI_NO_UNROLL
    for (Index number = static_cast<Index>(tid); number < static_cast<Index>(vectors);
         number += static_cast<Index>(threads))
      step(number);
  }
}

template <int threads, int max_bits, class Src, class Dst>
COSMATI_HD constexpr void cooperate(unsigned tid, Src const& src, Dst& dst) {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename Src::value_type>);
  constexpr int kept_1 = bytes_kept_together<typename Src::iterator>;
  constexpr int kept_2 = bytes_kept_together<typename Dst::iterator>;
  constexpr int kept = 8 * (kept_1 < kept_2 ? kept_1 : kept_2);
  constexpr int wanted = max_bits > 0 ? max_bits : 128;
  constexpr int limit = wanted < kept ? wanted : kept;
  using L1 = typename Src::layout_type;
  using L2 = typename Dst::layout_type;
  constexpr int least = elements_of_whole_bytes<bits>;
  constexpr int side_by_side = proved_vector<L1, L2, bits, bits * least, 0>::value;
  if constexpr (threads_would_share_bytes<bits, side_by_side>::ok) {
    constexpr int wide = proved_vector<L1, L2, bits, limit, 0>::value;
    constexpr int vector = wide > least ? wide : least;
    constexpr int vector_bits = vector * bits;
    constexpr bool one_access = vector_bits % 8 == 0 && vector_bits <= 128 && (vector_bits & (vector_bits - 1)) == 0;
    constexpr int bytes = one_access ? vector_bits / 8 : 0;
    constexpr int least_bytes = bits >= 8 && (bits & (bits - 1)) == 0 && bits <= 128 ? bits / 8 : 0;
    constexpr int trusted = max_bits;
    constexpr int p1 = pointer_alignment_bits_v < Src >> trusted ? pointer_alignment_bits_v<Src> : trusted;
    constexpr int p2 = pointer_alignment_bits_v < Dst >> trusted ? pointer_alignment_bits_v<Dst> : trusted;
    if constexpr (p1 >= vector_bits && p2 >= vector_bits) {
      move_shared_out<threads, bytes, vector>(tid, src, dst);
    } else {
      bool wide_enough = false;
      if constexpr (bytes != 0) {
        wide_enough = (p1 >= vector_bits || may_begin_at<bytes>(src.data())) &&
                      (p2 >= vector_bits || may_begin_at<bytes>(dst.data()));
      }
      if (wide_enough) {
        move_shared_out<threads, bytes, vector>(tid, src, dst);
      } else {
        move_shared_out<threads, least_bytes, least>(tid, src, dst);
      }
    }
  }
}

}  // namespace detail

/// Copies src to dst by threads 0 to NumThreads - 1, each calling it with its own `tid`.
///
/// @tparam MaxVecBits the widest access; both addresses are trusted to be aligned as it needs. 0: up to 128 bits, as
/// far as the addresses turn out to allow. The last argument is a policy of CuTe's (AutoCopyAsync, ...), which chooses
/// among instructions of later layers.
/// @pre static layouts, global or shared memory, one element type
template <unsigned NumThreads, unsigned MaxVecBits = 0, class SrcEngine, class SrcLayout, class Dst,
          class Policy = DefaultCopy>
requires(tensor_type<Dst>) COSMATI_HD
    constexpr void cooperative_copy(unsigned tid, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst,
                                    Policy const& = {}) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using To = std::remove_cvref_t<Dst>;
  static_assert(NumThreads > 0, "cooperative_copy<NumThreads>: at least one thread must copy");
  static_assert(MaxVecBits == 0 || MaxVecBits == 8 || MaxVecBits == 16 || MaxVecBits == 32 || MaxVecBits == 64 ||
                    MaxVecBits == 128,
                "cooperative_copy<NumThreads, MaxVecBits>: MaxVecBits is 0, 8, 16, 32, 64 or 128");
  static_assert(std::is_same_v<typename Src::value_type, typename To::value_type>,
                "cooperative_copy: both tensors must have the same element type; recast one of them, or use "
                "naive_cooperative_copy");
  if constexpr (detail::cooperative_copy_needs_static_layouts<Src>::ok &&
                detail::cooperative_copy_needs_static_layouts<To>::ok &&
                detail::cooperative_copy_needs_shared_or_global_memory<Src>::ok &&
                detail::cooperative_copy_needs_shared_or_global_memory<To>::ok &&
                detail::destination_is_read_only<typename To::element_type>::ok &&
                detail::source_and_destination_sizes_differ<detail::elements_of<Src>, detail::elements_of<To>>::ok &&
                std::is_same_v<typename Src::value_type, typename To::value_type>) {
    if constexpr (detail::elements_of < To >> 0) {
      if (tid >= NumThreads) return;
      using Leader = std::conditional_t<is_gmem_v<To> && !is_gmem_v<Src>, To, Src>;
      using Order = typename detail::order_by_offset<typename Leader::layout_type>::type;
      auto const s = make_tensor(src.data(), composition(src.layout(), Order{}));
      auto d = make_tensor(dst.data(), composition(dst.layout(), Order{}));
      detail::cooperate<static_cast<int>(NumThreads), static_cast<int>(MaxVecBits)>(tid, s, d);
    }
  }
}

/// Element i by thread i modulo NumThreads, converted where the types differ; any shapes.
template <unsigned NumThreads, class SrcEngine, class SrcLayout, class Dst>
requires(tensor_type<Dst>) COSMATI_HD
    constexpr void naive_cooperative_copy(unsigned tid, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  using To = std::remove_cvref_t<Dst>;
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename To::value_type>);
  constexpr int step = detail::elements_of_whole_bytes<bits>;
  constexpr int side_by_side =
      detail::proved_vector<typename To::layout_type, typename To::layout_type, bits, bits * step, 0>::value;
  if constexpr (detail::destination_is_read_only<typename To::element_type>::ok &&
                detail::threads_would_share_bytes<bits, side_by_side>::ok) {
    if (tid >= NumThreads || !detail::sizes_agree(src, dst)) return;
    detail::count_up(size(src), static_cast<std::int64_t>(tid) * step, static_cast<std::int64_t>(NumThreads) * step,
                     [&](auto i) {
                       for (int v = 0; v < step; ++v) {
                         auto const at = i + static_cast<decltype(i)>(v);
                         detail::store_element(dst, at, detail::load_element(src, at));
                       }
                     });
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
