// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies that stay inside a tile and its tensor: `copy(tiled_copy, source, destination, bounds)` for tiles that the
/// tensor's extents do not divide, or that the tiled copy does not, and the check of copies without bounds.
///
/// Partitions of `local_tile`'s tiles know their coordinates in the whole tensor (tensor/place.hpp). A tile that lies
/// inside is copied without a predicate; only a tile at the edge compares coordinates, vector by vector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/instruction.hpp>
#include <cosmati/algorithm/copy/place_bounds.hpp>

namespace COSMATI_NAMESPACE::detail {

/// One vector where all its elements are inside, single elements where some are. @param inside tells of an index
template <int vector, class Src, class Dst, class Inside>
COSMATI_HD constexpr void move_inside(Src const& src, Dst& dst, Inside const& inside) {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename Src::value_type>);
  auto const step = [&](auto i) {
    [[maybe_unused]] access_step const together;
    bool all = true;
    bool any = false;
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      bool const in = inside(i + static_cast<decltype(i)>(v));
      all = all && in;
      any = any || in;
    }
    if constexpr (vector * bits % 8 == 0) {
      if (all) return move_one<vector * bits / 8>(src, dst, i);
    }
    if (!any) return;
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      auto const at_v = i + static_cast<decltype(i)>(v);
      if (inside(at_v)) {
        if constexpr (bits % 8 == 0)
          move_one<bits / 8>(src, dst, at_v);
        else
          dst(at_v) = static_cast<typename Dst::value_type>(src(at_v));
      }
    }
  };
  constexpr int n = static_size<decltype(size(src))>::value;
  if constexpr (n != 0 && n / vector <= 256) {
    COSMATI_UNROLL
    for (int i = 0; i < n; i += vector) step(i);
  } else {
    count_up<false>(size(src), 0, vector, step);
  }
}

/// In debug builds and on the simulated device: a copy without bounds of a tile at the edge is an error, and one of a
/// tile that the tiled copy does not divide.
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD inline void check_place(Place const& p, std::index_sequence<k...> modes) {
  auto const end = ends_of<Tiler>(p, modes);
  if (!((end.along[k] <= static_cast<std::int64_t>(get<k>(p.base.full()))) && ...)) {
    long long const begin[] = {static_cast<long long>(get<k>(p.base.origin()))...};
    long long const extent[] = {static_cast<long long>(get<k>(p.base.full()))...};
    int mode = 0;
    while (end.along[mode] <= extent[mode]) ++mode;
    fail_as("out_of_bounds",
            "copy: the tile reaches beyond its tensor: along mode %d it covers elements %lld to %lld of %lld; pass the "
            "tensor's shape as bounds: "
            "copy(tiled_copy, source, destination, shape(tensor))",
            mode, begin[mode], static_cast<long long>(end.along[mode]) - 1, extent[mode]);
  }
  if (!fits_tile<Tiler>(p, modes)) {
    long long const extent[] = {static_cast<long long>(get<k>(p.base.tile()))...};
    long long const covered[] = {static_cast<long long>(covered_along<Tiler, k>(p))...};
    int mode = 0;
    while (covered[mode] <= extent[mode]) ++mode;
    fail_as(
        "out_of_bounds",
        "copy: the tiled copy reaches beyond the tile: along mode %d the tile has %lld elements, and the threads cover "
        "%lld; pass the tensor's shape as bounds, copy(tiled_copy, source, destination, shape(tensor)), or choose "
        "thread and value layouts whose tile divides %lld",
        mode, extent[mode], covered[mode], extent[mode]);
  }
}
template <class Tiler, class T>
COSMATI_HD constexpr void check_place([[maybe_unused]] T const& t) {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
  if constexpr (has_thread_place<T>) {
    using Place = typename T::engine_type::place_type;
    if (!__builtin_is_constant_evaluated())
      check_place<Tiler>(t.engine().place(), std::make_index_sequence<Place::base_type::rank>{});
  }
#endif
}

template <class A, class Tiler, class Src, class Dst>
COSMATI_HD constexpr void copy_tiled(A const& atom, Src const& src, Dst& dst) {
  check_place<Tiler>(src);
  check_place<Tiler>(dst);
  copy_with_atom(atom, src, dst);
}

template <class TC, class Src, class Dst, class Bounds>
COSMATI_HD constexpr void copy_tiled_inside(TC const& tiled_copy, Src const& src, Dst& dst, Bounds const& bounds) {
  using A = typename TC::Atom;
  constexpr bool by_source = place_weight<Src>::value >= place_weight<Dst>::value;
  auto const& leader = chosen<by_source>(src, dst);
  auto const& other = chosen<!by_source>(src, dst);
  auto const& p = leader.engine().place();
  auto const ends = bounded_ends(p, bounds, modes_of(leader));
  if (!sizes_agree(src, dst)) return;
  if (lies_inside<typename TC::Tiler_MN>(p, ends, modes_of(leader)) && side_lies_inside<TC>(other))
    return copy_with_atom(static_cast<A const&>(tiled_copy), src, dst);
  partition_coordinates<TC, std::remove_cvref_t<decltype(p)>> at(p, ends);
  with_other_side<TC>(at, other, [&](auto const& inside) {
    if constexpr (!cp_async_atom<typename A::CopyOp>) {
      move_inside<vector_of_atom<A>>(src, dst, inside);
    } else if constexpr (A::CopyOp::fills_with_zeros) {
      auto const fills = elements_to_fill<TC>(src, dst);
      copy_with_instruction_where(static_cast<A const&>(tiled_copy), src, dst, inside, fills);
    } else {
      copy_with_instruction_where(static_cast<A const&>(tiled_copy), src, dst, inside);
    }
  });
}
}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
