// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies that stay inside a tile and its tensor: `copy(tiled_copy, source, destination, bounds)`. They are for tiles
/// that do not divide the tensor, or that the tiled copy does not divide.
///
/// Partitions of `local_tile`'s tiles know their coordinates in the whole tensor (tensor/place.hpp). A tile that lies
/// inside the tensor is copied without predicates. Only a tile at the edge compares coordinates, vector by vector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/instruction.hpp>
#include <cosmati/algorithm/copy/place_bounds.hpp>
#include <cosmati/algorithm/copy/where.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Copies the elements of a partition that are below the bounds, in their tile and in their tensor.
template <class TC, class Src, class Dst, class Bounds>
COSMATI_HD constexpr void copy_inside(TC const& tiled_copy, Src const& src, Dst& dst, Bounds const& bounds) {
  using A = typename TC::Atom;
  constexpr bool by_source = place_weight<Src>::value >= place_weight<Dst>::value;
  auto const& leader = chosen<by_source>(src, dst);
  auto const& other = chosen<!by_source>(src, dst);
  auto const& p = leader.engine().place();
  auto const ends = bounded_ends(p, bounds, modes_of(leader));
  if (!sizes_agree(src, dst)) return;
  if (lies_inside<typename TC::Tiler_MN>(p, ends, modes_of(leader)) && side_lies_inside<TC>(other))
    return copy_by_instruction(static_cast<A const&>(tiled_copy), src, dst);
  partition_coordinates<TC, std::remove_cvref_t<decltype(p)>> at(p, ends);
  with_other_side<TC>(at, other, [&](auto const& inside) {
    if constexpr (own_copy_operation<typename A::CopyOp>) {
      copy_by_own_operation_where<A>(src, dst, inside);
    } else if constexpr (!cp_async_atom<typename A::CopyOp>) {
      constexpr int vector = vector_of_atom<A>;
      constexpr int bits = vector * bits_of_value<Src>;
      copy_vectors_where<bits % 8 == 0 ? bits / 8 : 0, vector, false>(inside, src, dst);
    } else if constexpr (A::CopyOp::fills_with_zeros) {
      auto const fills = elements_to_fill<TC>(src, dst);
      copy_async_where(static_cast<A const&>(tiled_copy), src, dst, inside, fills);
    } else {
      copy_async_where(static_cast<A const&>(tiled_copy), src, dst, inside);
    }
  });
}
}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
