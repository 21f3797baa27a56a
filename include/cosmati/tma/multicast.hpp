// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies to several blocks of a cluster: `SM90_TMA_LOAD_MULTICAST` and `create_tma_multicast_mask`.
///
/// The blocks that share a tile each bring one part of every box, to all of them. One thread of each block calls
/// `copy(atom.with(barrier, mask), coordinates, shared)`. Both tensors have whole boxes and begin at the block's part
/// (tma_partition.hpp): an instruction moves as many elements as the descriptor's box has. The mbarrier of each block
/// counts the bytes of the whole tile. A stage may be refilled only when all these blocks have read it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tma/tma_atom.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A load to several blocks that knows its mbarrier: what `with` gives.
template <class Modes>
struct tma_multicast_request {};
}  // namespace detail

/// A load to several blocks whose mbarrier, descriptor and mask are known: `copy` executes it.
template <int bits, class Modes>
struct Copy_Traits<SM90_TMA_LOAD_MULTICAST, C<bits>, detail::tma_multicast_request<Modes>>
    : detail::one_thread_of<bits> {
  TmaDescriptor const* descriptor;
  std::uint64_t* barrier;
  std::uint16_t mask;
  TMA::CacheHintSm90 hint;

  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, Modes::rank, true>::says;

  /// One instruction for each box of the shared tensor: it moves the block's part.
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const& src, Dst& dst) const {
    (void)detail::sizes_agree(src, dst);
    COSMATI_UNROLL
    for (int i = 0; i < static_cast<int>(size(dst)); i += elements) {
      auto const at = detail::coordinate_of<Modes::rank>(src(i));
#if defined(COSMATI_SIMULATED)
      tensor_copy_multicast(detail::address_before_swizzle(dst, i), *descriptor, at.first, *barrier, mask, hint,
                            nullptr, 0);
#else
      tensor_copy_multicast(detail::address_before_swizzle(dst, i), *descriptor, at.first, *barrier, mask, hint);
#endif
    }
  }
};

/// A load to several blocks, with its descriptor. @tparam bits of a whole box
template <int bits, class Strides, int rank>
struct Copy_Traits<SM90_TMA_LOAD_MULTICAST, C<bits>, detail::tma_modes<Strides, rank>> : detail::one_thread_of<bits> {
  TmaDescriptor tma_desc_;

  COSMATI_HD constexpr TmaDescriptor const* get_tma_descriptor() const { return &tma_desc_; }
  /// The tensor of coordinates, as that of a load to one block.
  template <class S>
  COSMATI_HD constexpr auto get_tma_tensor(S const& shape) const {
    return detail::make_coordinates<rank>(shape, Strides{});
  }
  /// The copy that reports to this mbarrier, and to those at the same place in the other blocks.
  /// @param mask bit r is that of the block with rank r in the cluster: `create_tma_multicast_mask`
  COSMATI_HD constexpr auto with(std::uint64_t& barrier, std::uint16_t mask,
                                 TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    return with(&tma_desc_, barrier, mask, hint);
  }
  /// The same with another descriptor of the same kind, in global memory or a kernel's parameter.
  COSMATI_HD constexpr auto with(TmaDescriptor const* descriptor, std::uint64_t& barrier, std::uint16_t mask,
                                 TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    using Request = detail::tma_multicast_request<detail::tma_modes<Strides, rank>>;
    return Copy_Traits<SM90_TMA_LOAD_MULTICAST, C<bits>, Request>{{}, descriptor, &barrier, mask, hint};
  }
  /// Brings boxes to L2: what `prefetch(copy, coordinates)` calls.
  template <int elements, class Coordinates>
  COSMATI_HD void prefetch_boxes(Coordinates const& at) const {
    detail::prefetch_boxes_of<rank, elements>(tma_desc_, at);
  }
  template <class Src, class Dst, int elements>
  using mistake = typename detail::tensor_copy_check<Src, Dst, elements, rank, false>::says;
  template <int elements, class Src, class Dst>
  COSMATI_HD void move(Src const&, Dst&) const {}
};

namespace detail {
/// `_` along a mode that is free, else the coordinate.
template <bool is_free, class T>
COSMATI_HD constexpr auto free_or(T const& x) {
  if constexpr (is_free)
    return Underscore{};
  else
    return x;
}
template <int i, int... mode>
inline constexpr bool is_one_of = ((i == mode) || ...);
template <int... mode, class Coordinate, int... i>
COSMATI_HD constexpr auto with_free_modes(seq<mode...>, Coordinate const& c, seq<i...>) {
  return make_tuple(free_or<is_one_of<i, mode...>>(get<i>(c))...);
}
}  // namespace detail

/// The blocks of the cluster that differ from one only along some modes: a bit for each rank, for `atom.with`.
/// @tparam mode the modes along which blocks share a tile, beside those where `coord` has `_`
/// @param layout from the blocks' coordinates to their ranks in the cluster, @param coord of one of the blocks
template <int... mode, class S, class D, class Coordinate>
requires(sizeof...(mode) != 0 || has_underscore<Coordinate>::value) COSMATI_HD constexpr std::uint16_t
    create_tma_multicast_mask(Layout<S, D> const& layout, Coordinate const& coord) {
  auto const wild =
      detail::with_free_modes(seq<mode...>{}, coord, make_seq<static_cast<std::size_t>(tuple_size_v<Coordinate>)>{});
  auto const [blocks, first] = slice_and_offset(wild, layout);
  unsigned mask = 0;
  COSMATI_UNROLL
  for (int i = 0; i < static_cast<int>(size(blocks)); ++i) mask |= 1u << static_cast<unsigned>(blocks(i));
  return static_cast<std::uint16_t>(mask << static_cast<unsigned>(first));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
