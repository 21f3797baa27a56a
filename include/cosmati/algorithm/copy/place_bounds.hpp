// SPDX-License-Identifier: Apache-2.0
/// @file
/// The elements of a thread's partition that exist: those of its tile, and those of the tensor that the tile was cut
/// from.
///
/// A partition rounds up twice. The last tile reaches beyond the tensor, and the tiled copy reaches beyond a tile that
/// it does not divide. Elements beyond a tile's end belong to another tile, of this block or of another one.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/place_facts.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Tile, class Full, class Origin, int... open>
COSMATI_HD constexpr auto open_list(tile_place<Tile, Full, Origin, open...> const&) {
  return std::integer_sequence<int, open...>{};
}
template <class Base>
inline constexpr int count_of_open_modes = 0;
template <class Tile, class Full, class Origin, int... open>
inline constexpr int count_of_open_modes<tile_place<Tile, Full, Origin, open...>> = static_cast<int>(sizeof...(open));

/// For each mode, one more than the largest allowed coordinate.
template <int rank>
struct coordinate_ends {
  std::int64_t along[std::size_t{rank}];
};
/// An end beyond any coordinate.
inline constexpr std::int64_t no_end = INT64_C(1) << 62;

/// @name Ends
/// @{
/// The number of elements along mode k, from the tile's first, that the partitions of all threads cover.
template <class Tiler, std::size_t k, class Place>
COSMATI_HD constexpr std::int64_t covered_along(Place const& p) {
  constexpr std::int64_t step = step_along<Tiler, k>;
  auto const tile = static_cast<std::int64_t>(get<k>(p.base.tile()));
  return step > 1 ? (tile + step - 1) / step * step : tile;
}
/// The ends of the range that a partition touches: the origin plus whole tiles.
template <class Tiler, class Place, int... open, int... j, std::size_t... k>
COSMATI_HD constexpr auto find_ends(Place const& p, std::integer_sequence<int, open...>,
                                    std::integer_sequence<int, j...>, std::index_sequence<k...>) {
  [[maybe_unused]] coordinate_ends<static_cast<int>(sizeof...(k))> const tile{
      {static_cast<std::int64_t>(get<k>(p.base.tile()))...}};
  coordinate_ends<static_cast<int>(sizeof...(k))> end{
      {(static_cast<std::int64_t>(get<k>(p.base.origin())) + covered_along<Tiler, k>(p))...}};
  ((end.along[open] += (static_cast<std::int64_t>(get<j>(p.behind())) - 1) * tile.along[open]), ...);
  return end;
}
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD constexpr auto ends_of(Place const& p, std::index_sequence<k...> modes) {
  using Open = decltype(open_list(p.base));
  return find_ends<Tiler>(p, Open{}, std::make_integer_sequence<int, tuple_size_v<Open>>{}, modes);
}
/// The ends of the tensor.
template <class Place, std::size_t... k>
COSMATI_HD constexpr auto tensor_ends(Place const& p, std::index_sequence<k...>) {
  return coordinate_ends<static_cast<int>(sizeof...(k))>{{static_cast<std::int64_t>(get<k>(p.base.full()))...}};
}
COSMATI_HD constexpr std::int64_t nearer_end(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
/// The ends of the bounds, or of the tensor if it ends earlier.
template <class Place, class Bounds, std::size_t... k>
COSMATI_HD constexpr auto bounded_ends(Place const& p, Bounds const& bounds, std::index_sequence<k...>) {
  return coordinate_ends<static_cast<int>(sizeof...(k))>{
      {nearer_end(static_cast<std::int64_t>(get<k>(bounds)), static_cast<std::int64_t>(get<k>(p.base.full())))...}};
}
/// Whether no thread reaches beyond the tile's own extents.
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD constexpr bool fits_tile(Place const& p, std::index_sequence<k...>) {
  return ((divides_tile<Tiler, typename Place::base_type, k> ||
           covered_along<Tiler, k>(p) <= static_cast<std::int64_t>(get<k>(p.base.tile()))) &&
          ...);
}
/// Whether every element of all partitions belongs to the tile and lies before the ends.
template <class Tiler, class Place, int rank, std::size_t... k>
COSMATI_HD constexpr bool lies_inside(Place const& p, coordinate_ends<rank> const& ends,
                                      std::index_sequence<k...> modes) {
  auto const end = ends_of<Tiler>(p, modes);
  return fits_tile<Tiler>(p, modes) && ((end.along[k] <= ends.along[k]) && ...);
}
/// @}

/// The coordinates of a partition's elements, and whether they belong to the tile and lie before given ends.
template <class Place, class Tiler, class ThrVal>
class element_coordinates {
 public:
  using base_type = typename Place::base_type;
  static constexpr int rank = base_type::rank;
  COSMATI_HD constexpr element_coordinates(Place const& p, coordinate_ends<rank> const& ends)
      : place_(p), layout_(relative(p)) {
    auto const at = R0::make(make_identity_layout(p.shape()), Tiler{}, ThrVal{})(p.thr_idx());
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((first_[k] = origin<k>(p) + component<k>(at)), ...);
      ((end_[k] = limited<k>(p, ends.along[k])), ...);
    }
    (std::make_index_sequence<std::size_t{rank}>{});
  }
  /// Excludes the elements outside another tile. @param p the place of that tile, which has the same coordinates
  template <class Other, class OtherPlace>
  COSMATI_HD constexpr void confine(OtherPlace const& p) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((end_[k] = nearer_end(end_[k], Other::template limited<k>(p, static_cast<std::int64_t>(get<k>(p.base.full()))) -
                                          Other::template origin<k>(p) + origin<k>(place_))),
       ...);
    }
    (std::make_index_sequence<std::size_t{rank}>{});
  }
  /// Whether element i (colexicographic in the partition) is inside.
  template <class Index>
  COSMATI_HD constexpr bool inside(Index i) const {
    auto const c = layout_(i);
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return (inside_along<k>(c) && ...); }
    (std::make_index_sequence<std::size_t{rank}>{});
  }

  template <std::size_t k>
  COSMATI_HD static constexpr std::int64_t origin(Place const& p) {
    return static_cast<std::int64_t>(get<k>(p.base.origin()));
  }
  /// The given end, or the tile's end if it may be nearer. It may be for a single tile that the tiled copy does not
  /// divide.
  template <std::size_t k>
  COSMATI_HD static constexpr std::int64_t limited([[maybe_unused]] Place const& p, std::int64_t end) {
    if constexpr (divides<k> || counts_tiles<k>)
      return end;
    else
      return nearer_end(end, origin<k>(p) + static_cast<std::int64_t>(get<k>(p.base.tile())));
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
  /// Whether a mode after the tile's counts tiles along mode k.
  template <std::size_t k, int... open>
  static constexpr bool is_among(std::integer_sequence<int, open...>) {
    return ((open == static_cast<int>(k)) || ...);
  }
  template <std::size_t k>
  static constexpr bool counts_tiles = is_among<k>(decltype(open_list(std::declval<base_type>())){});
  template <std::size_t k>
  static constexpr bool divides = divides_tile<Tiler, base_type, k>;

  template <std::size_t k, class C0>
  COSMATI_HD constexpr bool inside_along(C0 const& c) const {
    std::int64_t const at = first_[k] + component<k>(c);
    if constexpr (counts_tiles<k> && !divides<k>) {
      if (at - origin<k>(place_) >= static_cast<std::int64_t>(get<k>(place_.base.tile()))) return false;
    }
    return at + open_part<k>(c, open_list(place_.base)) < end_[k];
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
  std::int64_t first_[std::size_t{rank}];  // the coordinates of the thread's first element
  std::int64_t end_[std::size_t{rank}];

 public:
  /// Whether equal layouts imply equal coordinates: the extents are known, and no mode counts tiles.
  static constexpr bool is_static = is_static_v<decltype(layout_)> && count_of_open_modes<base_type> == 0;
  using layout_type = decltype(layout_);
  using thread_values = ThrVal;
};
/// The predicate of a partition whose elements are all inside.
struct everything {
  template <class Index>
  COSMATI_HD static constexpr bool inside(Index) {
    return true;
  }
};

/// @name The two partitions of a copy
/// @{
/// The coordinates of one side's partition by a tiled copy.
template <class TC, class Place>
using partition_coordinates =
    element_coordinates<Place, typename TC::Tiler_MN,
                        std::conditional_t<Place::source, typename TC::ThrValSrc, typename TC::ThrValDst>>;
/// Whether the elements of a side are known to be inside. They are if the tiled copy divides a whole tensor. A side
/// without a place (a fragment) counts as inside, because nothing is known about it.
template <class TC, class T>
inline constexpr bool is_always_inside = [] {
  if constexpr (has_thread_place<T>) {
    using Base = typename T::engine_type::place_type::base_type;
    return is_whole_place<Base> && divides_all_modes<typename TC::Tiler_MN, Base>;
  } else {
    return true;
  }
}();
/// Returns the first or the second argument.
template <bool first, class A, class B>
COSMATI_HD constexpr auto const& chosen([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
  if constexpr (first)
    return a;
  else
    return b;
}
template <class T>
COSMATI_HD constexpr auto modes_of(T const& t) {
  return std::make_index_sequence<std::remove_cvref_t<decltype(t.engine().place())>::base_type::rank>{};
}
/// Whether all elements of a side exist, in its tile and in its tensor.
template <class TC, class T>
COSMATI_HD constexpr bool side_lies_inside([[maybe_unused]] T const& t) {
  if constexpr (is_always_inside<TC, T>) {
    return true;
  } else {
    auto const& p = t.engine().place();
    using Base = typename std::remove_cvref_t<decltype(p)>::base_type;
    if constexpr (is_whole_place<Base>)
      return fits_tile<typename TC::Tiler_MN>(p, modes_of(t));
    else
      return lies_inside<typename TC::Tiler_MN>(p, tensor_ends(p, modes_of(t)), modes_of(t));
  }
}
/// The predicate that tells which elements of a side exist.
template <class TC, class T>
COSMATI_HD constexpr auto elements_inside([[maybe_unused]] T const& t) {
  if constexpr (is_always_inside<TC, T>) {
    return everything{};
  } else {
    auto const& p = t.engine().place();
    return partition_coordinates<TC, std::remove_cvref_t<decltype(p)>>(p, tensor_ends(p, modes_of(t)));
  }
}
/// The predicate that tells which elements of a side belong to its tile, even if they lie outside the tensor.
template <class TC, class T>
COSMATI_HD constexpr auto elements_of_tile([[maybe_unused]] T const& t) {
  if constexpr (!has_thread_place<T>) {
    return everything{};
  } else {
    auto const& p = t.engine().place();
    using Place = std::remove_cvref_t<decltype(p)>;
    if constexpr (divides_all_modes<typename TC::Tiler_MN, typename Place::base_type>) {
      return everything{};
    } else {
      coordinate_ends<Place::base_type::rank> none{};
      for (std::int64_t& end : none.along) end = no_end;
      return partition_coordinates<TC, Place>(p, none);
    }
  }
}
/// The predicate that tells which elements an instruction fills with zeros. They must belong to the destination's tile.
/// If the destination knows no place, such as a slice of a partition, the source's tile replaces it.
template <class TC, class Src, class Dst>
COSMATI_HD constexpr auto elements_to_fill([[maybe_unused]] Src const& src, [[maybe_unused]] Dst const& dst) {
  if constexpr (has_thread_place<Dst>)
    return elements_inside<TC>(dst);
  else
    return elements_of_tile<TC>(src);
}
template <class A, class B>
inline constexpr bool same_coordinates = [] {
  if constexpr (A::is_static && B::is_static && A::rank == B::rank)
    return std::is_same_v<typename A::layout_type, typename B::layout_type> &&
           std::is_same_v<typename A::thread_values, typename B::thread_values>;
  else
    return false;
}();
/// Calls f(holds), where holds(i) tells whether element i is inside `at` and also exists on the other side, `t`.
template <class TC, class At, class T, class Function>
COSMATI_HD constexpr void with_other_side(At& at, [[maybe_unused]] T const& t, Function const& f) {
  using Other = std::remove_cvref_t<decltype(elements_inside<TC>(t))>;
  if constexpr (std::is_same_v<Other, everything>) {
    f([&](auto i) { return at.inside(i); });
  } else if constexpr (same_coordinates<At, Other>) {
    at.template confine<Other>(t.engine().place());
    f([&](auto i) { return at.inside(i); });
  } else {
    auto const other = elements_inside<TC>(t);
    f([&](auto i) { return at.inside(i) && other.inside(i); });
  }
}
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
