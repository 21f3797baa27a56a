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
inline constexpr bool has_static_shape = is_static_v<std::remove_cvref_t<decltype(shape(std::declval<T const&>()))>>;
template <class T>
struct cooperative_copy_needs_static_shapes {
  static constexpr bool ok = has_static_shape<T>;
  static_assert(ok,
                "cooperative_copy: both tensors need static shapes, from which the work of a thread follows; use "
                "naive_cooperative_copy, or a tiled copy with bounds");
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

/// By the accesses that `copy` would prove (copy/widest_access.hpp), of whole bytes at least. Where types say too
/// little of the addresses, the addresses decide: unlike `copy`, this does not take static layouts as aligned.
/// @tparam trusted alignment in bits that addresses are assumed to have; 0: they are asked
template <int threads, int widest_bits, int trusted, class Src, class Dst>
COSMATI_HD constexpr void cooperate(unsigned tid, Src const& src, Dst& dst) {
  constexpr int bits = bits_of_value<Src>;
  constexpr int least = elements_of_whole_bytes<bits>;
  constexpr int side_by_side =
      proved_vector<typename Src::layout_type, typename Dst::layout_type, bits, bits * least, 0>::value;
  if constexpr (threads_would_share_bytes<bits, side_by_side>::ok) {
    using Widest = widest_access<widest_bits, trusted, Src, Dst>;
    if constexpr (Widest::vector == 1) {
      move_shared_out<threads, least == 1 ? Widest::bytes : 0, least>(tid, src, dst);
    } else {
      constexpr bool src_aligned = Widest::template assumed_bits<Src> >= 8 * Widest::bytes;
      constexpr bool dst_aligned = Widest::template assumed_bits<Dst> >= 8 * Widest::bytes;
      bool const aligned = (src_aligned || may_begin_at<Widest::bytes>(src.data())) &&
                           (dst_aligned || may_begin_at<Widest::bytes>(dst.data()));
      if (aligned)
        move_shared_out<threads, Widest::bytes, Widest::vector>(tid, src, dst);
      else
        move_shared_out<threads, bytes_of_element<Src, Dst>, least>(tid, src, dst);
    }
  }
}

}  // namespace detail

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

/// Copies src to dst by threads 0 to NumThreads - 1, each calling it with its own `tid`.
///
/// @tparam MaxVecBits the widest access; both addresses are trusted to be aligned as it needs. 0: up to 128 bits, as
/// far as the addresses turn out to allow. The last argument is a policy of CuTe's (AutoCopyAsync, ...), which chooses
/// among instructions of later layers.
/// Strides that are known only at run time prove no vector: then element by element.
/// @pre static shapes, global or shared memory, one element type
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
  if constexpr (detail::cooperative_copy_needs_static_shapes<Src>::ok &&
                detail::cooperative_copy_needs_static_shapes<To>::ok &&
                detail::cooperative_copy_needs_shared_or_global_memory<Src>::ok &&
                detail::cooperative_copy_needs_shared_or_global_memory<To>::ok &&
                detail::destination_is_read_only<typename To::element_type>::ok &&
                detail::source_and_destination_sizes_differ<detail::elements_of<Src>, detail::elements_of<To>>::ok &&
                std::is_same_v<typename Src::value_type, typename To::value_type>) {
    if constexpr (!is_static_v<SrcLayout> || !is_static_v<typename To::layout_type>) {
      naive_cooperative_copy<NumThreads>(tid, src, dst);
    } else if constexpr (detail::elements_of < To >> 0) {
      if (tid >= NumThreads) return;
      using Leader = std::conditional_t<is_gmem_v<To> && !is_gmem_v<Src>, To, Src>;
      using Order = typename detail::order_by_offset<typename Leader::layout_type>::type;
      auto const s = make_tensor(src.data(), composition(src.layout(), Order{}));
      auto d = make_tensor(dst.data(), composition(dst.layout(), Order{}));
      constexpr int trusted = static_cast<int>(MaxVecBits);
      detail::cooperate<static_cast<int>(NumThreads), (trusted > 0 ? trusted : 128), trusted>(tid, s, d);
    }
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
