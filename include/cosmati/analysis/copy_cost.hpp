// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of a copy, computed from its types: `bank_conflicts(tiled_copy, smem_layout)`, `copy_cost_of(tiled_copy,
/// src, dst)`.
///
/// @code
///   static_assert(bank_conflicts(tiled_copy, smem_layout) == 0);
///   static_assert(copy_cost_of(tiled_copy, in_global(gmem_layout), in_shared(smem_layout)).source.sector_ratio() ==
///   1);
/// @endcode
///
/// This header is opt-in: no kernel header includes it. It assumes that all threads of the tiled copy take part, and
/// that the memory begins at a multiple of 128 bytes, or of the swizzle's period if there is one. Only `ragged_cost_of`
/// counts tiles that reach beyond the tensor.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/bulk_cost.hpp>
#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/analysis/ragged_cost.hpp>
#include <cosmati/analysis/values_of_types.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class TiledCopy, class Src, class Dst>
struct static_copy_cost {
  static constexpr copy_cost value =
      copy_cost_of(copy_values_of<TiledCopy>(), tensor_values_of<Src>(), tensor_values_of<Dst>());
};
template <int bits, class Src, class Dst>
struct static_bulk_cost {
  static constexpr copy_cost value = bulk_cost_of(bits, tensor_values_of<Src>(), tensor_values_of<Dst>());
};
template <class Tile, class Src, class Dst, class Bounds>
inline constexpr bool is_static_ragged = is_static_v<Tile>&& is_static_place<Src>&& is_static_place<Dst> &&
                                         (std::is_same_v<Bounds, no_bounds_given> || is_static_v<Bounds>);
template <class TiledCopy, class Tile, class Src, class Dst, class Bounds>
struct static_ragged_cost {
  static constexpr ragged_cost value =
      ragged_cost_of(copy_values_of<TiledCopy>(), static_bounds<Tile>(), tensor_values_of<Src>(),
                     tensor_values_of<Dst>(), static_bounds<Bounds>());
};
template <class T>
constexpr vector_side<std::int64_t> whole_tensor() {
  tensor_values<std::int64_t> const t = tensor_values_of<T>();
  vector_side<std::int64_t> side;
  side.in_memory = t.in_memory();
  side.partition = t.layout;
  side.threads.add_leaf(1, 0);
  side.offset = t.offset;
  side.swizzle = t.swizzle;
  side.composed = t.composed;
  side.address_swizzle = t.address_swizzle;
  side.aligned_bits = t.aligned_bits;
  return side;
}
template <class Src, class Dst>
struct static_copy_width {
  using T = typename Src::value_type;
  static_assert(sizeof_bits_v<T> == sizeof_bits_v<typename Dst::value_type>,
                "copy_width: the element types differ in size, so that values are converted one by one");
  static constexpr vector_width value =
      prove_vector(whole_tensor<Src>(), whole_tensor<Dst>(), static_cast<int>(sizeof_bits_v<T>), 128, 0).width;
};
/// A layout as the tiled copy's side in that memory.
template <class TiledCopy, memory_space space, class L>
struct static_side_cost {
  static constexpr side_cost value =
      side_cost_of(copy_values_of<TiledCopy>(), tensor_values_of<placed_layout<space, L>>());
  static_assert(value.instructions > 0 || size(L{}) == 0,
                "cost of a copy: the atom's vector is not to be had from this layout: its values are not side by side "
                "or not aligned; `cosmati check` says where");
};
}  // namespace detail

/// The cost of both sides of `copy(tiled_copy, src, dst)`. @param src, dst static: layouts in_global(...) or
/// in_shared(...), in_registers, or tensors
template <class TiledCopy, class Src, class Dst>
requires(detail::is_static_place<Src>&& detail::is_static_place<Dst>) COSMATI_HD constexpr copy_cost
    copy_cost_of(TiledCopy const&, Src const&, Dst const&) {
  return detail::static_copy_cost<TiledCopy, Src, Dst>::value;
}
/// The cost at run time, for layouts that are not static. @throws error if the algebra cannot cut them
template <class TiledCopy, class Src, class Dst>
requires(!(detail::is_static_place<Src> && detail::is_static_place<Dst>)) copy_cost
    copy_cost_of(TiledCopy const&, Src const& src, Dst const& dst) {
  return copy_cost_of(detail::copy_values_at_run_time<TiledCopy>(), detail::tensor_values_at_run_time(src),
                      detail::tensor_values_at_run_time(dst));
}

/// @name Bulk copies
/// The cost of one thread's `copy(Copy_Atom<SM90_BULK_COPY_AUTO, T>{}, src, dst)`. @tparam T the type of the elements
/// @param src, dst layouts in_global(...) and in_shared(...), or tensors
/// @{
template <class T, class Src, class Dst>
requires(detail::is_static_place<Src>&& detail::is_static_place<Dst>) COSMATI_HD constexpr copy_cost
    bulk_cost_of(Src const&, Dst const&) {
  return detail::static_bulk_cost<static_cast<int>(sizeof_bits_v<T>), Src, Dst>::value;
}
/// The cost at run time, for layouts that are not static.
template <class T, class Src, class Dst>
requires(!(detail::is_static_place<Src> && detail::is_static_place<Dst>)) copy_cost
    bulk_cost_of(Src const& src, Dst const& dst) {
  return bulk_cost_of(static_cast<int>(sizeof_bits_v<T>), detail::tensor_values_at_run_time(src),
                      detail::tensor_values_at_run_time(dst));
}
/// @}

/// @name Tiles that reach beyond the tensor
/// The cost of a kernel whose blocks each take a tile and copy with bounds: `copy(tiled_copy, partition_S(tile of src),
/// partition_D(tile of dst), bounds)`. It sums all tiles; those inside and those at the edge are separate.
/// @param tile the tile of a block
/// @param src, dst the whole tensor, a stage of the tile's shape, or in_registers
/// @param bounds by default the tensor's shape
/// @{
template <class TiledCopy, class Tile, class Src, class Dst, class Bounds = detail::no_bounds_given>
requires(detail::is_static_ragged<Tile, Src, Dst, Bounds>) COSMATI_HD constexpr ragged_cost
    ragged_cost_of(TiledCopy const&, Tile const&, Src const&, Dst const&, Bounds const& = {}) {
  return detail::static_ragged_cost<TiledCopy, Tile, Src, Dst, Bounds>::value;
}
/// The cost at run time, for layouts that are not static.
template <class TiledCopy, class Tile, class Src, class Dst, class Bounds = detail::no_bounds_given>
requires(!detail::is_static_ragged<Tile, Src, Dst, Bounds>) ragged_cost
    ragged_cost_of(TiledCopy const&, Tile const& tile, Src const& src, Dst const& dst, Bounds const& bounds = {}) {
  return ragged_cost_of(detail::copy_values_at_run_time<TiledCopy>(), detail::bounds_at_run_time(tile),
                        detail::tensor_values_at_run_time(src), detail::tensor_values_at_run_time(dst),
                        detail::bounds_at_run_time(bounds));
}
/// @}

/// The width of `copy(src, dst)` between one thread's tensors, and what limits it. For two tensors in memory, the
/// addresses decide at run time; they are assumed to be aligned.
template <tensor_type Src, tensor_type Dst>
requires(detail::is_static_place<Src>&& detail::is_static_place<Dst>) COSMATI_HD constexpr vector_width
    copy_width(Src const&, Dst const&) {
  return detail::static_copy_width<Src, Dst>::value;
}

/// @name One side of a copy
/// The other side is in registers, or for cp.async in the other memory with the same width.
/// @param layout a static layout, with or without a swizzle
/// @{
template <class TiledCopy, class L>
COSMATI_HD constexpr side_cost shared_cost_of(TiledCopy const&, L const&) {
  return detail::static_side_cost<TiledCopy, memory_space::smem, L>::value;
}
template <class TiledCopy, class L>
COSMATI_HD constexpr side_cost global_cost_of(TiledCopy const&, L const&) {
  return detail::static_side_cost<TiledCopy, memory_space::gmem, L>::value;
}
/// The passes of all warps beyond those that any layout needs. A swizzle or padding should make it 0. It counts loads,
/// except for cp.async and stmatrix.
template <class TiledCopy, class L>
COSMATI_HD constexpr std::int64_t bank_conflicts(TiledCopy const&, L const&) {
  return detail::static_side_cost<TiledCopy, memory_space::smem, L>::value.bank_conflicts;
}
/// The sectors that move, and the fewest that could hold the used bytes.
template <class TiledCopy, class L>
COSMATI_HD constexpr std::int64_t sectors(TiledCopy const&, L const&) {
  return detail::static_side_cost<TiledCopy, memory_space::gmem, L>::value.sectors;
}
template <class TiledCopy, class L>
COSMATI_HD constexpr std::int64_t ideal_sectors(TiledCopy const&, L const&) {
  return detail::static_side_cost<TiledCopy, memory_space::gmem, L>::value.ideal_sectors;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
