// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a tensor copy (TMA) is right and what it costs, from the layouts that `make_tma_copy` takes.
///
/// @code
///   static_assert(verify_tma<half_t>(SM90_TMA_LOAD{}, in_global(gmem_layout), in_shared(smem_layout)));
///   side_cost const cost = tma_cost_of<half_t>(SM90_TMA_LOAD{}, in_global(gmem_layout), in_shared(smem_layout));
/// @endcode
///
/// The copy moves all tiles of the tensor. The tile's extents are those of the shared layout's modes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/tma_cost.hpp>
#include <cosmati/analysis/values_of_types.hpp>
#include <cosmati/atom/tma.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Src, class Dst>
inline constexpr bool are_static_tma_places = is_static_place<Src>&& is_static_place<Dst>;

template <class Op>
constexpr tma_direction tma_direction_of() {
  static_assert(is_tensor_copy<Op> && !is_multicast<Op>,
                "tensor copies are checked and counted for SM90_TMA_LOAD, SM90_TMA_STORE and SM90_TMA_REDUCE<...>; a "
                "multicast is right where the load is, and tma_multicast_cost counts its boxes");
  return is_tensor_load<Op>        ? tma_direction::load
         : is_tensor_reduction<Op> ? tma_direction::reduce
                                   : tma_direction::store;
}
template <class Num>
constexpr tma_copy_values<Num> tma_values(bool loads, int element_bytes, tensor_values<Num> const& src,
                                          tensor_values<Num> const& dst) {
  tma_copy_values<Num> v;
  v.loads = loads;
  v.element_bytes = element_bytes;
  v.global = loads ? src : dst;
  v.shared = loads ? dst : src;
  if (v.global.space != memory_space::gmem || v.shared.space != memory_space::smem)
    throw error("a tensor copy: a load goes from in_global to in_shared, a store from in_shared to in_global");
  return v;
}
template <class T, class Op, class Src, class Dst>
constexpr tma_copy_values<std::int64_t> static_tma_values() {
  return tma_values(is_tensor_load<Op>, static_cast<int>(sizeof(T)), tensor_values_of<Src>(), tensor_values_of<Dst>());
}
template <class T, class Op, class Src, class Dst>
tma_copy_values<symbolic_integer> tma_values_at_run_time(Src const& src, Dst const& dst) {
  return tma_values(is_tensor_load<Op>, static_cast<int>(sizeof(T)), tensor_values_at_run_time(src),
                    tensor_values_at_run_time(dst));
}

}  // namespace detail

/// @name verify_tma of layouts
/// Proved at compile time if both layouts are static, otherwise checked at the call on the host.
/// @tparam T the elements' type, of 1, 2, 4 or 8 bytes
/// @param src, dst `in_global(layout)` and `in_shared(layout)`, or tensors
/// @{
template <class T, class Op, class Src, class Dst>
requires(detail::are_static_tma_places<Src, Dst>) constexpr tma_verdict verify_tma(Op const&, Src const&, Dst const&) {
  (void)detail::tma_direction_of<Op>();
  return verify_tma(detail::static_tma_values<T, Op, Src, Dst>());
}
template <class T, class Op, class Src, class Dst>
requires(!detail::are_static_tma_places<Src, Dst>) tma_verdict verify_tma(Op const&, Src const& src, Dst const& dst) {
  (void)detail::tma_direction_of<Op>();
  return verify_tma(detail::tma_values_at_run_time<T, Op>(src, dst));
}
/// @}

/// The cost in global memory of a tensor copy of all tiles; all zero if the copy is wrong.
/// @tparam T the elements' type, @param src, dst as for `verify_tma`
/// @throws error if there are more than 2^24 boxes
template <class T, class Op, class Src, class Dst>
side_cost tma_cost_of(Op const&, Src const& src, Dst const& dst) {
  return tma_cost_of(detail::tma_values_at_run_time<T, Op>(src, dst), detail::tma_direction_of<Op>());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
