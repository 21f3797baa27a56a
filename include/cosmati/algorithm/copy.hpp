// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`: elements from one tensor to another, by a chosen instruction or by the widest that is proved.
///
/// Nothing is copied that the destination does not have: sizes that are known to differ, vectors that are not
/// contiguous and element types of different sizes are errors that say so.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/bounds.hpp>

namespace COSMATI_NAMESPACE {

/// @name copy
/// @{
/// The widest accesses that layouts and addresses prove; elements are converted where the types differ.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<128, 0>(src, dst);
}
/// The instruction that the atom names, once a vector. @pre each vector is aligned as the instruction needs
template <class... A, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<Copy_Atom<A...>, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Copy_Atom<A...> const& atom, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>& dst) {
  detail::copy_with_atom(atom, src, dst);
}
/// A policy: AutoVectorizingCopyWithAssumedAlignment<N>, AutoVectorizingCopy, DefaultCopy; AutoCopyAsync (by cp.async
/// where a vector of 4, 8 or 16 bytes goes from global to shared memory and the target has it: wait for it always).
template <int N, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<N> const&,
                                   Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<N, (N > 8 ? N : 0)>(src, dst);
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(AutoCopyAsync const&, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<128, 0, true>(src, dst);
}
/// The traits of a bulk copy, with its mbarrier where it has one: of any type of element.
template <class Op, class... X, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::is_bulk_copy<Op>) COSMATI_HD
    constexpr void copy(Copy_Traits<Op, X...> const& traits, Tensor<SrcEngine, SrcLayout> const& src,
                        Tensor<DstEngine, DstLayout>& dst) {
  copy(Copy_Atom<Copy_Traits<Op, X...>, typename Tensor<SrcEngine, SrcLayout>::value_type>{traits}, src, dst);
}
/// Trusts that addresses and run-time strides are multiples of 16 bytes.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}
/// @}

/// @name Destinations that are temporaries, as slices and partitions are
/// @{
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) {
  copy(src, dst);
}
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<How, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> COSMATI_HD constexpr void
copy(How const& how, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) {
  copy(how, src, dst);
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src,
                                           Tensor<DstEngine, DstLayout>&& dst) {
  copy_aligned(src, dst);
}
/// @}

/// @name Destinations that are constants: views may be, tensors that own their elements may not
/// @{
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> &&
         !is_owning_v<DstEngine>) COSMATI_HD
    constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst) {
  copy(src, Tensor<DstEngine, DstLayout>(dst));
}
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::copyable<How, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> &&
         !is_owning_v<DstEngine>) COSMATI_HD
    constexpr void copy(How const& how, Tensor<SrcEngine, SrcLayout> const& src,
                        Tensor<DstEngine, DstLayout> const& dst) {
  copy(how, src, Tensor<DstEngine, DstLayout>(dst));
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(is_owning_v<DstEngine>)
    COSMATI_HD detail::destination_is_read_only<typename DstEngine::element_type const> copy(
        Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst);
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(is_owning_v<DstEngine>)
    COSMATI_HD detail::destination_is_read_only<typename DstEngine::element_type const> copy(
        How const& how, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst);
/// @}

/// @name copy with a tiled copy
/// @{
/// Partitions of a tiled copy. A partition that is known to reach beyond its tensor is an error: give bounds.
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>& dst) {
  detail::copy_tiled<A, Tiler>(tiled_copy, src, dst);
}
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>&& dst) {
  detail::copy_tiled<A, Tiler>(tiled_copy, src, dst);
}

/// A tiled copy that stays inside its tile and its tensor: elements whose coordinates are not below `bounds` (the
/// tensor's shape, an integer a mode) are neither read nor written, and none beyond the tile's own extents or the
/// tensor's, of either side. A tile that lies inside, and that the tiled copy divides, costs one comparison. An atom
/// that fills with zeros (SM80_CP_ASYNC_..._ZFILL) writes zeros to the rest of the destination's tile.
/// @pre src or dst is a partition of a tensor, or of a tile made by `local_tile`
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst, int_tuple Bounds>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>,
                          tuple_size_v<Bounds>>
    COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src,
                                   Dst&& dst, Bounds const& bounds) {
  detail::copy_tiled_inside(tiled_copy, src, dst, product_each(wrap(bounds)));
}
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst, int_tuple Bounds>
requires(!detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>,
                           tuple_size_v<Bounds>>) COSMATI_HD
    detail::mistake_in_copy<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst, tuple_size_v<Bounds>> copy(
        TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst,
        Bounds const& bounds);
/// @}

/// @name Copies that are known to be wrong
/// Declared only: the type of the result says what is wrong (core/refused.hpp).
/// @{
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class How, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<How, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<How, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        How const& how, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy_aligned(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
