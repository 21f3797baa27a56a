// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies that stay inside a tensor: `copy(tiled_copy, source, destination, bounds)` for tiles that the tensor's extents do not
/// divide, and the check of copies without bounds.
///
/// Partitions of `local_tile`'s tiles know their coordinates in the whole tensor (tensor/place.hpp). A tile that lies inside
/// is copied without a predicate; only a tile at the edge compares coordinates, vector by vector.
#pragma once

#include <cosmati/algorithm/copy.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class T>
inline constexpr bool has_thread_place = false;
template <class Iterator, class Base, class Behind, class Idx, bool source, class L>
inline constexpr bool has_thread_place<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source>>, L>> = true;

template <int mode, int extent, int tile>
struct partition_reaches_beyond_the_tensor {
  static_assert(extent % tile == 0,
                "copy: the tile does not fit: partition_reaches_beyond_the_tensor<MODE, EXTENT, TILE>: along MODE the tensor has EXTENT "
                "elements, which TILE does not divide, so that threads would access elements that do not exist; pass the tensor's shape as "
                "bounds, copy(tiled_copy, source, destination, shape(tensor)), or choose thread and value layouts whose tile divides EXTENT");
  static constexpr bool ok = extent % tile == 0;
};

template <class T>
inline constexpr int extent_of_tile = 0;
template <auto v>
inline constexpr int extent_of_tile<C<v>> = static_cast<int>(v);
template <class S, class D>
inline constexpr int extent_of_tile<Layout<S, D>> = [] {
  if constexpr (is_static_v<S>) return static_cast<int>(decltype(size(S{}))::value);
  else return 0;
}();

/// The first mode of a static tile that the tiled copy's tile does not divide, and both extents; mode -1: all are divided.
struct misfit {
  int mode = -1, extent = 1, tile = 1;
};
template <class Shape, class Tiler, std::size_t... k>
constexpr misfit find_misfit(std::index_sequence<k...>) {
  misfit r;
  auto const look = [&](int mode, int extent, int tile) {
    if (r.mode < 0 && extent > 0 && tile > 0 && extent % tile != 0) r = {mode, extent, tile};
  };
  (look(static_cast<int>(k), extent_of_tile<tuple_element_t<k, Shape>>, extent_of_tile<tuple_element_t<k, Tiler>>), ...);
  return r;
}
template <class T, class Tiler>
inline constexpr misfit misfit_of{};
template <class Iterator, class Base, class Behind, class Idx, bool source, class L, class Tiler>
inline constexpr misfit misfit_of<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source>>, L>, Tiler> =
    find_misfit<typename Base::tile_type, Tiler>(std::make_index_sequence<tuple_size_v<Tiler>>{});

/// Elements behind the origin that a partition's tiles span along mode k.
template <class Tiler, std::size_t k, class Place>
COSMATI_HD constexpr std::int64_t reach_along(Place const& p) {
  std::int64_t reach = static_cast<std::int64_t>(get<k>(p.base.tile()));
  if constexpr (static_cast<int>(k) < tuple_size_v<Tiler>) {
    constexpr std::int64_t tile = extent_of_tile<tuple_element_t<k, Tiler>>;
    if constexpr (tile > 0) reach = (reach + tile - 1) / tile * tile;
  }
  return reach;
}
template <class Tile, class Full, class Origin, int... open>
COSMATI_HD constexpr auto open_list(tile_place<Tile, Full, Origin, open...> const&) {
  return std::integer_sequence<int, open...>{};
}
/// The largest coordinate along mode k, plus one, that the partition touches.
template <class Tiler, std::size_t k, class Place, int... open, int... j>
COSMATI_HD constexpr std::int64_t end_along(Place const& p, std::integer_sequence<int, open...>, std::integer_sequence<int, j...>) {
  std::int64_t end = static_cast<std::int64_t>(get<k>(p.base.origin())) + reach_along<Tiler, k>(p);
  ((open == static_cast<int>(k) ? void(end += (static_cast<std::int64_t>(get<j>(p.behind())) - 1) * static_cast<std::int64_t>(get<k>(p.base.tile()))) : void()), ...);
  return end;
}
template <class Tiler, std::size_t k, class Place, int... open>
COSMATI_HD constexpr std::int64_t end_along(Place const& p, std::integer_sequence<int, open...> list) {
  return end_along<Tiler, k>(p, list, std::make_integer_sequence<int, sizeof...(open)>{});
}
/// Every element of all threads' partitions lies within bounds.
template <class Tiler, class Place, class Bounds, std::size_t... k>
COSMATI_HD constexpr bool lies_inside(Place const& p, Bounds const& bounds, std::index_sequence<k...>) {
  return ((end_along<Tiler, k>(p, open_list(p.base)) <= static_cast<std::int64_t>(get<k>(bounds))) && ...);
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
    }(std::make_index_sequence<rank>{});
  }
  /// Element i (colexicographic in the partition) is inside.
  template <class Index, class Bounds>
  COSMATI_HD constexpr bool inside(Index i, Bounds const& bounds) const {
    auto const c = layout_(i);
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return ((first_[k] + along<k>(c) < static_cast<std::int64_t>(get<k>(bounds))) && ...);
    }(std::make_index_sequence<rank>{});
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
    if constexpr (!tuple_type<decltype(t)>) return k == 0 ? static_cast<std::int64_t>(t) : 0;
    else if constexpr (static_cast<int>(k) < tuple_size_v<decltype(t)>) return static_cast<std::int64_t>(get<k>(t));
    else return 0;
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
  COSMATI_HD constexpr std::int64_t open_sum([[maybe_unused]] C0 const& c, std::integer_sequence<int, open...>, std::integer_sequence<int, j...>) const {
    return (std::int64_t{0} + ... + (open == static_cast<int>(k) ? component<rank + j>(c) * static_cast<std::int64_t>(get<k>(place_.base.tile())) : 0));
  }

  Place place_;
  std::remove_cvref_t<decltype(relative(std::declval<Place>()))> layout_;
  std::int64_t first_[rank];
};

/// A tile's place says more of the bounds than a whole tensor's; global memory more than shared.
template <class T>
struct place_weight {
  static constexpr int value = -1;
};
template <class Iterator, class Base, class Behind, class Idx, bool source, class L>
struct place_weight<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source>>, L>> {
  static constexpr int value = (memory_space_v<Iterator> == memory_space::gmem ? 2 : 0) + (std::is_same_v<typename Base::tile_type, typename Base::full_type> ? 0 : 1);
};

template <bool ok_>
struct neither_tensor_knows_its_place {
  static constexpr bool ok = ok_;
  static_assert(ok, "copy with bounds: neither tensor knows its coordinates; partition a tensor, or a tile made by local_tile, with "
                    "get_slice(thread).partition_S / partition_D, and slice no more than the modes behind the tile's");
};
template <int rank, int bounds>
struct bounds_have_another_rank {
  static constexpr bool ok = rank == bounds;
  static_assert(ok, "copy with bounds: the bounds have another number of modes than the tensor that was tiled "
                    "(bounds_have_another_rank<TENSOR, BOUNDS>); pass the tensor's shape");
};

/// One vector where all its elements are inside, single elements where some are.
template <class Atom, int vector, class Src, class Dst, class Coordinates, class Bounds>
COSMATI_HD constexpr void move_inside(Src const& src, Dst& dst, Coordinates const& at, Bounds const& bounds) {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename Src::value_type>);
  auto const step = [&](auto i) {
    bool all = true;
    bool any = false;
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      bool const in = at.inside(i + v, bounds);
      all = all && in;
      any = any || in;
    }
    if constexpr (vector * bits % 8 == 0) {
      if (all) return move_one<vector * bits / 8>(src, dst, i);
    }
    if (!any) return;
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      if (at.inside(i + v, bounds)) {
        if constexpr (bits % 8 == 0) move_one<bits / 8>(src, dst, i + v);
        else dst(i + v) = static_cast<typename Dst::value_type>(src(i + v));
      }
    }
  };
  constexpr int n = static_size<decltype(size(src))>::value;
  if constexpr (n != 0 && n / vector <= 256) {
    COSMATI_UNROLL
    for (int i = 0; i < n; i += vector) step(i);
  } else {
    auto const count = static_cast<int>(size(src));
    COSMATI_NO_UNROLL
    for (int i = 0; i < count; i += vector) step(i);
  }
}

/// In debug builds and on the simulated device: a copy without bounds of a tile at the edge is an error.
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD inline void check_place(Place const& p, std::index_sequence<k...> modes) {
  if (lies_inside<Tiler>(p, p.base.full(), modes)) return;
  auto const list = open_list(p.base);
  long long const begin[] = {static_cast<long long>(get<k>(p.base.origin()))...};
  long long const end[] = {static_cast<long long>(end_along<Tiler, k>(p, list))...};
  long long const extent[] = {static_cast<long long>(get<k>(p.base.full()))...};
  int mode = 0;
  while (end[mode] <= extent[mode]) ++mode;
  fail("copy: the tile reaches beyond its tensor: along mode %d it covers elements %lld to %lld of %lld; pass the tensor's shape as bounds: "
       "copy(tiled_copy, source, destination, shape(tensor))",
       mode, begin[mode], end[mode] - 1, extent[mode]);
}
template <class Tiler, class T>
COSMATI_HD constexpr void check_place([[maybe_unused]] T const& t) {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
  if constexpr (has_thread_place<T>) {
    using Place = typename T::engine_type::place_type;
    if (!__builtin_is_constant_evaluated()) check_place<Tiler>(t.engine().place(), std::make_index_sequence<Place::base_type::rank>{});
  }
#endif
}

/// What is checked where a tiled copy is called, so that an error names that call and little else.
#define COSMATI_TILED_COPY_FITS(A, Tiler, Src, Dst)                                                                                   \
  detail::destination_is_read_only<typename Dst::element_type>::ok &&                                                                 \
      detail::element_types_differ_in_size<typename Src::value_type, typename Dst::value_type, detail::bits_of_value<Src>,            \
                                           detail::bits_of_value<Dst>>::ok &&                                                         \
      detail::element_types_differ_in_size<typename A::ValType, typename Src::value_type, A::value_bits, detail::bits_of_value<Src>>::ok && \
      detail::source_and_destination_sizes_differ<detail::known_size<Src, Dst>, detail::known_size<Dst, Src>>::ok &&                  \
      detail::values_are_no_whole_vectors<detail::size_or<Src, detail::atom_vector<A>>, detail::atom_vector<A>>::ok &&                \
      detail::source_vector_is_not_contiguous<typename Src::layout_type, detail::run_of<Src>, detail::vector_of_atom<A>>::ok &&       \
      detail::destination_vector_is_not_contiguous<typename Dst::layout_type, detail::run_of<Dst>, detail::vector_of_atom<A>>::ok
#define COSMATI_PARTITIONS_FIT(Tiler, Src, Dst)                                                                                     \
  detail::partition_reaches_beyond_the_tensor<detail::misfit_of<Src, Tiler>.mode, detail::misfit_of<Src, Tiler>.extent,               \
                                              detail::misfit_of<Src, Tiler>.tile>::ok &&                                              \
      detail::partition_reaches_beyond_the_tensor<detail::misfit_of<Dst, Tiler>.mode, detail::misfit_of<Dst, Tiler>.extent,           \
                                                  detail::misfit_of<Dst, Tiler>.tile>::ok

template <class A, class Tiler, class Src, class Dst>
COSMATI_HD constexpr void copy_tiled(A const& atom, Src const& src, Dst& dst) {
  check_place<Tiler>(src);
  check_place<Tiler>(dst);
  copy(atom, src, dst);
}

template <class TC, class Src, class Dst, class Bounds>
COSMATI_HD constexpr void copy_tiled_inside(TC const& tiled_copy, Src const& src, Dst& dst, Bounds const& bounds) {
  using A = typename TC::Atom;
  using Tiler = typename TC::Tiler_MN;
  constexpr bool by_source = place_weight<Src>::value >= place_weight<Dst>::value;
  auto const& p = [&]() -> auto const& {
    if constexpr (by_source) return src.engine().place();
    else return dst.engine().place();
  }();
  using Place = std::remove_cvref_t<decltype(p)>;
  constexpr int rank = Place::base_type::rank;
  using ThrVal = std::conditional_t<Place::source, typename TC::ThrValSrc, typename TC::ThrValDst>;
  if (!sizes_agree(src, dst)) return;
  if (lies_inside<Tiler>(p, bounds, std::make_index_sequence<rank>{})) {
    copy(static_cast<A const&>(tiled_copy), src, dst);
  } else {
    element_coordinates<Place, Tiler, ThrVal> const at(p);
    move_inside<A, vector_of_atom<A>>(src, dst, at, bounds);
  }
}
template <class Src, class Dst>
inline constexpr int rank_of_place = [] {
  if constexpr (place_weight<Src>::value < 0 && place_weight<Dst>::value < 0) return 0;
  else if constexpr (place_weight<Src>::value >= place_weight<Dst>::value) return Src::engine_type::place_type::base_type::rank;
  else return Dst::engine_type::place_type::base_type::rank;
}();
}  // namespace detail

template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  if constexpr (COSMATI_PARTITIONS_FIT(Tiler, Src, Dst) && COSMATI_TILED_COPY_FITS(A, Tiler, Src, Dst)) {
    detail::copy_tiled<A, Tiler>(static_cast<A const&>(tiled_copy), src, dst);
  }
}
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  if constexpr (COSMATI_PARTITIONS_FIT(Tiler, Src, Dst) && COSMATI_TILED_COPY_FITS(A, Tiler, Src, Dst)) {
    detail::copy_tiled<A, Tiler>(static_cast<A const&>(tiled_copy), src, dst);
  }
}

/// A tiled copy that stays inside: elements whose coordinates are not below `bounds` (the tensor's shape, an integer a mode) are
/// neither read nor written. A tile that lies inside costs one comparison.
/// @pre src or dst is a partition of a tensor, or of a tile made by `local_tile`
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout, int_tuple Bounds>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst, Bounds const& bounds) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  if constexpr (detail::neither_tensor_knows_its_place<(detail::place_weight<Src>::value >= 0 || detail::place_weight<Dst>::value >= 0)>::ok) {
    if constexpr (detail::bounds_have_another_rank<detail::rank_of_place<Src, Dst>, tuple_size_v<Bounds>>::ok && COSMATI_TILED_COPY_FITS(A, Tiler, Src, Dst)) {
      detail::copy_tiled_inside(tiled_copy, src, dst, product_each(wrap(bounds)));
    }
  }
}
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout, int_tuple Bounds>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst, Bounds const& bounds) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  if constexpr (detail::neither_tensor_knows_its_place<(detail::place_weight<Src>::value >= 0 || detail::place_weight<Dst>::value >= 0)>::ok) {
    if constexpr (detail::bounds_have_another_rank<detail::rank_of_place<Src, Dst>, tuple_size_v<Bounds>>::ok && COSMATI_TILED_COPY_FITS(A, Tiler, Src, Dst)) {
      detail::copy_tiled_inside(tiled_copy, src, dst, product_each(wrap(bounds)));
    }
  }
}
#undef COSMATI_TILED_COPY_FITS
#undef COSMATI_PARTITIONS_FIT

}  // namespace COSMATI_NAMESPACE
