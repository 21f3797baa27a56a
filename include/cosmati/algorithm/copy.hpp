// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`: elements from one tensor to another. docs/how-a-copy-works.md follows a call to its instruction.
///
/// A call decides four things, and each has a file in algorithm/copy/: is it legal (check/copy_check.hpp, at compile
/// time), does it stay inside (bounds.hpp), which instruction moves a vector (instruction.hpp), and how wide is a
/// vector where no instruction is named (widest_access.hpp). The loop is in vectors.hpp.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/bounds.hpp>
#include <cosmati/algorithm/copy/check/copy_check.hpp>
#include <cosmati/algorithm/copy/check/tiles_fit.hpp>
#include <cosmati/algorithm/copy/instruction.hpp>

namespace COSMATI_NAMESPACE {

/// @name copy
/// A destination may be a temporary, as slices and partitions are, and a constant if it is a view.
/// @{
/// The widest accesses that layouts and addresses prove; elements are converted where the types differ.
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest<128, 0>(src, to);
}
/// Trusts that addresses and run-time strides are multiples of 16 bytes.
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}
/// A policy: AutoVectorizingCopyWithAssumedAlignment<N>, AutoVectorizingCopy, DefaultCopy; AutoCopyAsync (by cp.async
/// where a vector of 4, 8 or 16 bytes goes from global to shared memory and the target has it: wait for it always).
template <int N, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    AutoVectorizingCopyWithAssumedAlignment<N> const&, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest<N, detail::trusted_bits<N>>(src, to);
}
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    AutoCopyAsync const&, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest<128, 0, true>(src, to);
}
/// The instruction that the atom names, once a vector. @pre each vector is aligned as the instruction needs
template <class... A, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<Copy_Atom<A...>, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    Copy_Atom<A...> const& atom, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  detail::copy_by_instruction(atom, src, to);
}
/// The traits of a bulk copy, with its mbarrier where it has one: of any type of element.
template <class Op, class... X, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(detail::is_bulk_copy<Op>) COSMATI_HD
    constexpr void copy(Copy_Traits<Op, X...> const& traits, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy(Copy_Atom<Copy_Traits<Op, X...>, typename Tensor<SrcEngine, SrcLayout>::value_type>{traits}, src, dst);
}
/// Partitions of a tiled copy. A partition that is known to reach beyond its tensor is an error: give bounds.
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if constexpr (!detail::moves_tensors<A>) detail::check_tiles<Tiler>(src, to);  // else the descriptor has the bounds
  detail::copy_by_instruction(static_cast<A const&>(tiled_copy), src, to);
}
/// A tiled copy that stays inside its tile and its tensor: elements whose coordinates are not below `bounds` (the
/// tensor's shape, an integer a mode) are neither read nor written, and none beyond the tile's own extents or the
/// tensor's, of either side. A tile that lies inside, and that the tiled copy divides, costs one comparison. An atom
/// that fills with zeros (SM80_CP_ASYNC_..._ZFILL) writes zeros to the rest of the destination's tile.
/// @pre src or dst is a partition of a tensor, or of a tile made by `local_tile`
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst, int_tuple Bounds>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst, tuple_size_v<Bounds>>
    COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src,
                                   Dst&& dst, Bounds const& bounds) {
  auto&& to = detail::writable(dst);
  detail::copy_inside(tiled_copy, src, to, product_each(wrap(bounds)));
}
/// @}

template <class... X, class T>
template <class Src, class Dst>
COSMATI_HD constexpr void Copy_Atom<Copy_Traits<X...>, T>::call(Src const& src, Dst&& dst) const {
  copy(*this, src, static_cast<Dst&&>(dst));
}

/// @name Copies that are known to be wrong
/// Declared only: the type of the result says what is wrong (core/refused.hpp).
/// @{
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy_aligned(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class How, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<How, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy<How, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        How const& how, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst, int_tuple Bounds>
requires(!detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst, tuple_size_v<Bounds>>) COSMATI_HD
    detail::mistake_in_copy<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst, tuple_size_v<Bounds>> copy(
        TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst,
        Bounds const& bounds);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
