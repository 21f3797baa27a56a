// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies that stay inside a tensor: `copy(tiled_copy, source, destination, bounds)` for tiles that the tensor's
/// extents do not divide, and the check of copies without bounds.
///
/// Partitions of `local_tile`'s tiles know their coordinates in the whole tensor (tensor/place.hpp). A tile that lies
/// inside is copied without a predicate; only a tile at the edge compares coordinates, vector by vector.
#pragma once

#include <cosmati/algorithm/copy.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Tile, class Full, class Origin, int... open>
COSMATI_HD constexpr auto open_list(tile_place<Tile, Full, Origin, open...> const&) {
  return std::integer_sequence<int, open...>{};
}
/// The extent of a tiled copy's tile along mode k; 0 where it has none, or one that is known at run time.
template <class Tiler, std::size_t k>
inline constexpr std::int64_t step_along = [] {
  if constexpr (static_cast<int>(k) < tuple_size_v<Tiler>)
    return extent_of_tile<tuple_element_t<k, Tiler>>;
  else
    return 0;
}();
template <int rank>
struct coordinate_ends {
  std::int64_t along[rank];
};
/// The largest coordinate along each mode, plus one, that a partition touches: the origin and whole tiles behind it.
template <class Tiler, class Place, int... open, int... j, std::size_t... k>
COSMATI_HD constexpr auto find_ends(Place const& p, std::integer_sequence<int, open...>,
                                    std::integer_sequence<int, j...>, std::index_sequence<k...>) {
  coordinate_ends<static_cast<int>(sizeof...(k))> const tile{{static_cast<std::int64_t>(get<k>(p.base.tile()))...}};
  constexpr std::int64_t step[] = {step_along<Tiler, k>...};
  coordinate_ends<static_cast<int>(sizeof...(k))> end{{static_cast<std::int64_t>(get<k>(p.base.origin()))...}};
  ((end.along[k] += step[k] > 0 ? (tile.along[k] + step[k] - 1) / step[k] * step[k] : tile.along[k]), ...);
  ((end.along[open] += (static_cast<std::int64_t>(get<j>(p.behind())) - 1) * tile.along[open]), ...);
  return end;
}
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD constexpr auto ends_of(Place const& p, std::index_sequence<k...> modes) {
  using Open = decltype(open_list(p.base));
  return find_ends<Tiler>(p, Open{}, std::make_integer_sequence<int, tuple_size_v<Open>>{}, modes);
}
/// Every element of all threads' partitions lies within bounds.
template <class Tiler, class Place, class Bounds, std::size_t... k>
COSMATI_HD constexpr bool lies_inside(Place const& p, Bounds const& bounds, std::index_sequence<k...> modes) {
  auto const end = ends_of<Tiler>(p, modes);
  return ((end.along[k] <= static_cast<std::int64_t>(get<k>(bounds))) && ...);
}

/// The coordinates, in the whole tensor, of a partition's elements.
template <class Place, class Tiler, class ThrVal>
class element_coordinates {
 public:
  static constexpr int rank = Place::base_type::rank;
  COSMATI_HD constexpr explicit element_coordinates(Place const& p) : place_(p), layout_(relative(p)) {
    auto const at = R0::make(make_identity_layout(p.shape()), Tiler{}, ThrVal{})(p.thr_idx());
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((first_[k] = static_cast<std::int64_t>(get<k>(p.base.origin())) + component<k>(at)), ...);
    }
    (std::make_index_sequence<rank>{});
  }
  /// Element i (colexicographic in the partition) is inside.
  template <class Index, class Bounds>
  COSMATI_HD constexpr bool inside(Index i, Bounds const& bounds) const {
    auto const c = layout_(i);
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return ((first_[k] + along<k>(c) < static_cast<std::int64_t>(get<k>(bounds))) && ...);
    }
    (std::make_index_sequence<rank>{});
  }

 private:
  using Identity = decltype(make_identity_layout(std::declval<Place>().shape()));
  using R0 = layout_result<thread_offsets_object, Identity, Tiler, ThrVal>;
  using R1 = layout_result<thread_partition_object, Identity, Tiler, ThrVal>;

  COSMATI_HD static constexpr auto relative(Place const& p) {
    return R1::make(make_identity_layout(p.shape()), Tiler{}, ThrVal{});
  }
  template <std::size_t k, class C0>
  COSMATI_HD static constexpr std::int64_t component(C0 const& c) {
    auto const t = as_arithmetic_tuple(c);
    if constexpr (!tuple_type<decltype(t)>)
      return k == 0 ? static_cast<std::int64_t>(t) : 0;
    else if constexpr (static_cast<int>(k) < tuple_size_v<decltype(t)>)
      return static_cast<std::int64_t>(get<k>(t));
    else
      return 0;
  }
  template <std::size_t k, class C0>
  COSMATI_HD constexpr std::int64_t along(C0 const& c) const {
    return component<k>(c) + open_part<k>(c, open_list(place_.base));
  }
  template <std::size_t k, class C0, int... open>
  COSMATI_HD constexpr std::int64_t open_part(C0 const& c, std::integer_sequence<int, open...>) const {
    return open_sum<k>(c, std::integer_sequence<int, open...>{}, std::make_integer_sequence<int, sizeof...(open)>{});
  }
  template <std::size_t k, class C0, int... open, int... j>
  COSMATI_HD constexpr std::int64_t open_sum([[maybe_unused]] C0 const& c, std::integer_sequence<int, open...>,
                                             std::integer_sequence<int, j...>) const {
    return (std::int64_t{0} + ... +
            (open == static_cast<int>(k)
                 ? component<rank + j>(c) * static_cast<std::int64_t>(get<k>(place_.base.tile()))
                 : 0));
  }

  Place place_;
  std::remove_cvref_t<decltype(relative(std::declval<Place>()))> layout_;
  std::int64_t first_[rank];
};

/// One vector where all its elements are inside, single elements where some are.
template <class Atom, int vector, class Src, class Dst, class Coordinates, class Bounds>
COSMATI_HD constexpr void move_inside(Src const& src, Dst& dst, Coordinates const& at, Bounds const& bounds) {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename Src::value_type>);
  auto const step = [&](auto i) {
    [[maybe_unused]] access_step const together;
    bool all = true;
    bool any = false;
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      bool const in = at.inside(i + static_cast<decltype(i)>(v), bounds);
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
      if (at.inside(at_v, bounds)) {
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

/// In debug builds and on the simulated device: a copy without bounds of a tile at the edge is an error.
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD inline void check_place(Place const& p, std::index_sequence<k...> modes) {
  auto const end = ends_of<Tiler>(p, modes);
  if (((end.along[k] <= static_cast<std::int64_t>(get<k>(p.base.full()))) && ...)) return;
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
  using Tiler = typename TC::Tiler_MN;
  constexpr bool by_source = place_weight<Src>::value >= place_weight<Dst>::value;
  auto const& p = [&]() -> auto const& {
    if constexpr (by_source)
      return src.engine().place();
    else
      return dst.engine().place();
  }
  ();
  using Place = std::remove_cvref_t<decltype(p)>;
  constexpr int rank = Place::base_type::rank;
  using ThrVal = std::conditional_t<Place::source, typename TC::ThrValSrc, typename TC::ThrValDst>;
  if (!sizes_agree(src, dst)) return;
  if (lies_inside<Tiler>(p, bounds, std::make_index_sequence<rank>{})) {
    copy_with_atom(static_cast<A const&>(tiled_copy), src, dst);
  } else if constexpr (cp_async_atom<typename A::CopyOp>) {
    element_coordinates<Place, Tiler, ThrVal> const at(p);
    copy_with_instruction_where(static_cast<A const&>(tiled_copy), src, dst,
                                [&](auto i) { return at.inside(i, bounds); });
  } else {
    element_coordinates<Place, Tiler, ThrVal> const at(p);
    move_inside<A, vector_of_atom<A>>(src, dst, at, bounds);
  }
}
}  // namespace detail

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

/// A tiled copy that stays inside: elements whose coordinates are not below `bounds` (the tensor's shape, an integer a
/// mode) are neither read nor written. A tile that lies inside costs one comparison. An atom that fills with zeros
/// (SM80_CP_ASYNC_..._ZFILL) writes zeros there.
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

}  // namespace COSMATI_NAMESPACE
