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
template <class Iterator, class Base, class Shape, class ThrVal, class Tiler, class Idx, class L>
inline constexpr bool has_thread_place<Tensor<PlacedEngine<Iterator, thread_place<Base, Shape, ThrVal, Tiler, Idx>>, L>> = true;

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

template <class Place, std::size_t... k>
constexpr bool tiles_divide(std::index_sequence<k...>) {
  using Shape = typename Place::shape_type;
  using Tiler = typename Place::tiler;
  return ([] {
    using S = tuple_element_t<k, Shape>;
    constexpr int tile = extent_of_tile<tuple_element_t<k, Tiler>>;
    if constexpr (static_integer<S> && tile > 0) return partition_reaches_beyond_the_tensor<static_cast<int>(k), static_cast<int>(S::value), tile>::ok;
    else return true;
  }() && ...);
}
template <class T>
struct partition_fits {
  static constexpr bool ok = true;
};
template <class Iterator, class Base, class Shape, class ThrVal, class Tiler, class Idx, class L>
struct partition_fits<Tensor<PlacedEngine<Iterator, thread_place<Base, Shape, ThrVal, Tiler, Idx>>, L>> {
  static constexpr bool ok = tiles_divide<thread_place<Base, Shape, ThrVal, Tiler, Idx>>(std::make_index_sequence<tuple_size_v<Tiler>>{});
};

/// Elements behind the origin that a partition's tiles span along mode k.
template <std::size_t k, class Place>
COSMATI_HD constexpr std::int64_t reach_along(Place const& p) {
  using Tiler = typename Place::tiler;
  std::int64_t reach = static_cast<std::int64_t>(get<k>(p.shape()));
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
template <std::size_t k, class Place, int... open, int... j>
COSMATI_HD constexpr std::int64_t end_along(Place const& p, std::integer_sequence<int, open...>, std::integer_sequence<int, j...>) {
  constexpr int base = Place::base_type::rank;
  std::int64_t end = static_cast<std::int64_t>(get<k>(p.base.origin())) + reach_along<k>(p);
  ((open == static_cast<int>(k) ? void(end += (static_cast<std::int64_t>(get<base + j>(p.shape())) - 1) * static_cast<std::int64_t>(get<k>(p.base.tile()))) : void()), ...);
  return end;
}
/// Every element of all threads' partitions lies within bounds.
template <class Place, class Bounds, std::size_t... k>
COSMATI_HD constexpr bool lies_inside(Place const& p, Bounds const& bounds, std::index_sequence<k...>) {
  auto const list = open_list(p.base);
  return ((end_along<k>(p, list, std::make_integer_sequence<int, list.size()>{}) <= static_cast<std::int64_t>(get<k>(bounds))) && ...);
}

/// The coordinates, in the whole tensor, of a partition's elements.
template <class Place>
class element_coordinates {
 public:
  static constexpr int rank = Place::base_type::rank;
  COSMATI_HD constexpr explicit element_coordinates(Place const& p) : place_(p), layout_(relative(p)) {
    auto const at = R0::make(make_identity_layout(p.shape()), typename Place::tiler{}, typename Place::thr_val{})(p.thr_idx());
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
  using R0 = layout_result<thread_offsets_object, Identity, typename Place::tiler, typename Place::thr_val>;
  using R1 = layout_result<thread_partition_object, Identity, typename Place::tiler, typename Place::thr_val>;

  COSMATI_HD static constexpr auto relative(Place const& p) {
    return R1::make(make_identity_layout(p.shape()), typename Place::tiler{}, typename Place::thr_val{});
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
template <class Iterator, class Base, class Shape, class ThrVal, class Tiler, class Idx, class L>
struct place_weight<Tensor<PlacedEngine<Iterator, thread_place<Base, Shape, ThrVal, Tiler, Idx>>, L>> {
  static constexpr int value = (memory_space_v<Iterator> == memory_space::gmem ? 2 : 0) + (std::is_same_v<typename Base::tile_type, typename Base::full_type> ? 0 : 1);
};

template <class Src, class Dst>
struct neither_tensor_knows_its_place {
  static constexpr bool ok = place_weight<Src>::value >= 0 || place_weight<Dst>::value >= 0;
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
template <class T>
COSMATI_HD constexpr void check_place([[maybe_unused]] T const& t) {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
  if constexpr (has_thread_place<T>) {
    auto const& p = t.engine().place();
    if (!__builtin_is_constant_evaluated() && !lies_inside(p, p.base.full(), std::make_index_sequence<std::remove_cvref_t<decltype(p)>::base_type::rank>{})) {
      long long at = 0, end = 0, extent = 0;
      int mode = -1;
      auto const list = open_list(p.base);
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        ((mode < 0 && end_along<k>(p, list, std::make_integer_sequence<int, list.size()>{}) > static_cast<std::int64_t>(get<k>(p.base.full()))
              ? void((mode = static_cast<int>(k), at = static_cast<long long>(get<k>(p.base.origin())),
                      end = end_along<k>(p, list, std::make_integer_sequence<int, list.size()>{}), extent = static_cast<long long>(get<k>(p.base.full()))))
              : void()),
         ...);
      }(std::make_index_sequence<std::remove_cvref_t<decltype(p)>::base_type::rank>{});
      fail("copy: the tile reaches beyond its tensor: along mode %d it covers elements %lld to %lld of %lld; pass the tensor's shape as bounds: "
           "copy(tiled_copy, source, destination, shape(tensor))",
           mode, at, end - 1, extent);
    }
  }
#endif
}

template <class A, class Src, class Dst>
COSMATI_HD constexpr void copy_tiled(A const& atom, Src const& src, Dst& dst) {
  if constexpr (partition_fits<Src>::ok && partition_fits<Dst>::ok) {
    check_place(src);
    check_place(dst);
    copy(atom, src, dst);
  }
}
template <class A, class... T>
COSMATI_HD constexpr auto const& atom_of(TiledCopy<A, T...> const& tiled_copy) {
  return static_cast<A const&>(tiled_copy);
}
}  // namespace detail

template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  detail::copy_tiled(detail::atom_of(tiled_copy), src, dst);
}

/// A tiled copy that stays inside: elements whose coordinates are not below `bounds` (the tensor's shape, an integer a mode) are
/// neither read nor written. A tile that lies inside costs one comparison.
/// @pre src or dst is a partition of a tensor, or of a tile made by `local_tile`
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout, int_tuple Bounds>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const&, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst, Bounds const& bounds) {
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  if constexpr (detail::neither_tensor_knows_its_place<Src, Dst>::ok) {
    auto const& p = [&]() -> auto const& {
      if constexpr (detail::place_weight<Src>::value >= detail::place_weight<Dst>::value) return src.engine().place();
      else return dst.engine().place();
    }();
    using Place = std::remove_cvref_t<decltype(p)>;
    constexpr int rank = Place::base_type::rank;
    auto const limits = product_each(wrap(bounds));
    if constexpr (detail::bounds_have_another_rank<rank, tuple_size_v<decltype(limits)>>::ok) {
      if (!detail::sizes_agree(src, dst)) return;
      constexpr int auto_bits = detail::auto_vector_bits<typename A::CopyOp>;
      if (detail::lies_inside(p, limits, std::make_index_sequence<rank>{})) {
        copy(static_cast<A const&>(A{}), src, dst);
      } else {
        detail::element_coordinates<Place> const at(p);
        if constexpr (auto_bits > 0) detail::move_inside<A, 1>(src, dst, at, limits);
        else if constexpr (detail::vectors_fit<A, Src, Dst>()) detail::move_inside<A, detail::atom_vector<A>>(src, dst, at, limits);
      }
    }
  }
}
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout, int_tuple Bounds>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst, Bounds const& bounds) {
  copy(tiled_copy, src, dst, bounds);
}

}  // namespace COSMATI_NAMESPACE
