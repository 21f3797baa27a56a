// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`: copies elements from one tensor to another. docs/how-a-copy-works.md follows a call to its instruction.
///
/// A call makes four decisions, each in a file of algorithm/copy/:
/// - whether it is legal (check/copy_check.hpp, at compile time);
/// - whether it stays inside (bounds.hpp);
/// - which instruction moves a vector (instruction.hpp);
/// - how wide a vector is if no instruction is named (widest_access.hpp).
///
/// The loop is in vectors.hpp.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/bounds.hpp>
#include <cosmati/algorithm/copy/check/copy_check.hpp>
#include <cosmati/algorithm/copy/check/tiles_fit.hpp>
#include <cosmati/algorithm/copy/instruction.hpp>

namespace COSMATI_NAMESPACE {

/// @name copy
/// A destination may be a temporary, such as a slice or a partition. A view may also be const.
/// @{
/// Uses the widest accesses that layouts and addresses prove. Elements are converted if the types differ.
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest<128, 0>(src, to);
}
/// Assumes that addresses and run-time strides are multiples of 16 bytes.
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}
/// Copies by a policy: AutoVectorizingCopyWithAssumedAlignment<N>, AutoVectorizingCopy, DefaultCopy or AutoCopyAsync.
/// AutoCopyAsync uses cp.async if a vector of 4, 8 or 16 bytes goes from global to shared memory and the target has
/// cp.async. Always wait after it.
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
/// Uses the atom's instruction, once for each vector. @pre each vector is aligned as the instruction needs
template <class... A, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<Copy_Atom<A...>, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    Copy_Atom<A...> const& atom, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  detail::copy_by_instruction(atom, src, to);
}
/// Copies elements of any type by the traits of a bulk copy, with an mbarrier if it has one.
template <class Op, class... X, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(detail::is_bulk_copy<Op>) COSMATI_HD
    constexpr void copy(Copy_Traits<Op, X...> const& traits, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy(Copy_Atom<Copy_Traits<Op, X...>, typename Tensor<SrcEngine, SrcLayout>::value_type>{traits}, src, dst);
}
/// Copies partitions of a tiled copy. If a partition is known to reach beyond its tensor, it is an error: give bounds.
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable<TiledCopy<A, TV, Tiler>, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void copy(
    TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if constexpr (!detail::moves_tensors<A>) detail::check_tiles<Tiler>(src, to);  // else the descriptor has the bounds
  detail::copy_by_instruction(static_cast<A const&>(tiled_copy), src, to);
}
/// A tiled copy that stays inside its tile and its tensor. It neither reads nor writes elements that are not below
/// `bounds` (the tensor's shape, one integer for each mode), or beyond the extents of the tile or the tensor on either
/// side. A tile that lies inside, and that the tiled copy divides, costs one comparison. An atom that fills with zeros
/// (SM80_CP_ASYNC_..._ZFILL) writes zeros to the rest of the destination's tile.
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
/// They are only declared. The type of the result names the mistake (core/refused.hpp).
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
