// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of a tile in its tensor. `local_tile` and partitions keep it, so that copies know their bounds.
///
/// An element of a placed tensor has coordinates in the whole tensor. They are computed only if a copy needs them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integer_sequence.hpp>
#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// A view that knows its place.
template <class Iterator, class Place, class L>
COSMATI_HD constexpr auto make_placed_tensor(Iterator const& it, Place const& place, L const& l);

/// The unknown place of a view that was made from a tile by a slice into it, or by another layout. Copies with bounds
/// refuse such a view. A tensor without any place counts as a whole tensor instead.
struct lost_place {
  static constexpr bool of_tile = true;
  /// A slice of the view has no place either.
  template <class Coord>
  COSMATI_HD static constexpr bool survives() {
    return true;
  }
  /// The place of a slice, which is lost too.
  template <class Coord>
  COSMATI_HD constexpr lost_place after(Coord const&) const {
    return {};
  }
};

/// A view that knows its place. @tparam Place tile_place, or a thread's place in a tiled copy
///
/// A slice that fixes only modes which count tiles moves the place. Any other slice loses it.
template <class Iterator, class Place>
struct PlacedEngine {
  using place_type = Place;
  using iterator = Iterator;
  using value_type = iter_value_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using reference = iter_reference_t<Iterator>;

  iterator storage_;
  [[no_unique_address]] Place place_;
  char : 0;  // see detail::stored_elements

  COSMATI_HD constexpr iterator begin() const { return storage_; }
  /// The place of the view.
  COSMATI_HD constexpr Place const& place() const { return place_; }

  /// The slice at `coord` of a view with layout `l`. `first` points to the first element of the view.
  template <class Coord, class L>
  COSMATI_HD constexpr auto sliced(Coord const& coord, iterator const& first, L const& l) const {
    auto const rest = slice(coord, l);
    auto const at = [&] {
      if constexpr (composed_layout<L>)
        return first;
      else
        return detail::iterator_at<L>(first, crd2idx(coord, l));
    }();
    if constexpr (Place::template survives<Coord>()) {
      auto const moved = place_.after(coord);
      return make_placed_tensor(at, moved, rest);
    } else {
      return without_place(at, rest);
    }
  }
  /// A view of elements whose place is not known.
  template <class It, class L>
  COSMATI_HD static constexpr auto without_place(It const& it, L const& l) {
    if constexpr (requires { Place::of_tile; })
      return make_placed_tensor(it, lost_place{}, l);
    else
      return make_tensor(it, l);
  }
};

template <class Iterator, class Place, class L>
COSMATI_HD constexpr auto make_placed_tensor(Iterator const& it, Place const& place, L const& l) {
  using E = PlacedEngine<Iterator, Place>;
  return Tensor<E, L>{E{it, place}, l};
}

namespace detail {
template <int first, class Coord, int... open, class Place, std::size_t... k>
COSMATI_HD constexpr auto moved_place(Place const& p, Coord const& coord, std::index_sequence<k...>);
/// Whether Coord is a tuple with `_` in its first n modes, and `_` or an integer in the others.
template <class Coord, int n>
inline constexpr bool fixes_only_behind = false;
template <class... T, int n>
inline constexpr bool fixes_only_behind<tuple<T...>, n> = [] {
  bool ok = sizeof...(T) >= static_cast<unsigned>(n);
  int at = 0;
  ((ok = ok && (is_underscore_v<T> || (at >= n && integer<T>)), ++at), ...);
  return ok;
}();

/// The origin of a tile along one mode: the index of the tile times its extent. It has 64 bits if the tensor's extent
/// has.
template <class Extent = int, class C0, class T>
COSMATI_HD constexpr auto first_of_tile(C0 const& c, T const& tile) {
  if constexpr (is_underscore_v<C0>)
    return C<0>{};
  else if constexpr (static_integer<C0> && static_integer<T>)
    return c * tile;
  else if constexpr (sizeof(decltype(std::declval<Extent const&>() + 0)) > sizeof(int))
    return static_cast<std::int64_t>(c) * static_cast<std::int64_t>(tile);
  else
    return static_cast<int>(c) * static_cast<int>(tile);
}

/// The number of elements by which fixed coordinates move the origin along mode k. It sums over the modes that count
/// tiles along mode k.
template <int k, int first, class Coord, class Tile, int... j, int... open>
COSMATI_HD constexpr auto moved_along([[maybe_unused]] Coord const& coord, [[maybe_unused]] Tile const& tile,
                                      std::integer_sequence<int, j...>, std::integer_sequence<int, open...>) {
  auto const one = [&](auto position, auto mode) {
    using C1 = tuple_element_t<first + decltype(position)::value, Coord>;
    if constexpr (decltype(mode)::value != k || is_underscore_v<C1>)
      return C<0>{};
    else
      return first_of_tile(get<first + decltype(position)::value>(coord), get<k>(tile));
  };
  return (C<0>{} + ... + one(C<j>{}, C<open>{}));
}
template <int first, class Coord, int... open>
struct still_open {
  static constexpr auto compute() {
    struct list {
      int mode[sizeof...(open) + 1] = {};
      int count = 0;
    } r;
    return [&]<std::size_t... j>(std::index_sequence<j...>) {
      ((is_underscore_v<tuple_element_t<first + j, Coord>> ? void(r.mode[r.count++] = open) : void()), ...);
      return r;
    }
    (std::make_index_sequence<sizeof...(open)>{});
  }
  static constexpr auto value = compute();
};
}  // namespace detail

/// The place of a tile, or of a whole tensor.
///
/// @tparam Tile   the extents of the tile, one for each mode of the tensor
/// @tparam Full   the shape of the whole tensor
/// @tparam Origin the coordinate of the tile's first element
/// @tparam open   for each mode after the tile's own: the mode along which it counts tiles
template <class Tile, class Full, class Origin, int... open>
struct tile_place {
  using tile_type = Tile;
  using full_type = Full;
  static constexpr bool of_tile = true;
  [[no_unique_address]] detail::stored<tile_place, 0, Tile> tile_;
  [[no_unique_address]] detail::stored<tile_place, 1, Full> full_;
  [[no_unique_address]] detail::stored<tile_place, 2, Origin> origin_;
  char : 0;  // see detail::stored_elements

  static constexpr int rank = tuple_size_v<Tile>;
  /// The tile's extents, the whole tensor's shape, and the coordinate at which the tile begins.
  COSMATI_HD constexpr decltype(auto) tile() const { return detail::unstore<Tile>(tile_); }
  COSMATI_HD constexpr decltype(auto) full() const { return detail::unstore<Full>(full_); }
  COSMATI_HD constexpr decltype(auto) origin() const { return detail::unstore<Origin>(origin_); }

  /// Whether a slice keeps all modes of the tile, and fixes at most modes that count tiles.
  template <class Coord>
  COSMATI_HD static constexpr bool survives() {
    return detail::fixes_only_behind<Coord, rank>;
  }
  template <class Coord>
  COSMATI_HD constexpr auto after(Coord const& coord) const {
    return detail::moved_place<rank, Coord, open...>(*this, coord, std::make_index_sequence<std::size_t{rank}>{});
  }
};

namespace detail {
template <class T>
inline constexpr bool is_tile_place = false;
template <class Tile, class Full, class Origin, int... open>
inline constexpr bool is_tile_place<tile_place<Tile, Full, Origin, open...>> = true;

template <class T>
inline constexpr bool flat_integers = false;
template <class... T>
inline constexpr bool flat_integers<tuple<T...>> = (integer<T> && ...);
template <class T>
inline constexpr bool integers_or_underscores = integer<T> || is_underscore_v<T>;
template <class... T>
inline constexpr bool integers_or_underscores<tuple<T...>> = ((integer<T> || is_underscore_v<T>)&&...);

template <class Coord, int... k>
constexpr auto open_modes(std::integer_sequence<int, k...>) {
  struct list {
    int mode[sizeof...(k) + 1] = {};
    int count = 0;
  } r;
  ((is_underscore_v<tuple_element_t<std::size_t{k}, Coord>> ? void(r.mode[r.count++] = k) : void()), ...);
  return r;
}
template <class Coord>
struct open_modes_of {
  static constexpr auto value = open_modes<Coord>(std::make_integer_sequence<int, tuple_size_v<Coord>>{});
};

template <class Tile, class Full, class Origin, class Still, int... k>
COSMATI_HD constexpr auto place_with_open(Tile const& tile, Full const& full, Origin const& origin,
                                          std::integer_sequence<int, k...>) {
  return tile_place<Tile, Full, Origin, Still::value.mode[k]...>{tile, full, origin};
}
/// The place after a slice. `coord` fixes some of the modes from `first` on.
template <int first, class Coord, int... open, class Place, std::size_t... k>
COSMATI_HD constexpr auto moved_place(Place const& p, Coord const& coord, std::index_sequence<k...>) {
  using positions = std::make_integer_sequence<int, sizeof...(open)>;
  using modes = std::integer_sequence<int, open...>;
  auto const origin = make_tuple(
      (get<k>(p.origin()) + moved_along<static_cast<int>(k), first>(coord, p.tile(), positions{}, modes{}))...);
  using Still = still_open<first, Coord, open...>;
  return place_with_open<typename Place::tile_type, typename Place::full_type, std::remove_const_t<decltype(origin)>,
                         Still>(p.tile(), p.full(), origin, std::make_integer_sequence<int, Still::value.count>{});
}

/// The place of the tile at `coord`. `coord` is padded with `_` to as many modes as the tensor has.
template <class Full, class Tile, class Coord, std::size_t... k>
COSMATI_HD constexpr auto place_of_tile(Full const& full, Tile const& tile, Coord const& coord,
                                        std::index_sequence<k...>) {
  auto const origin = make_tuple(first_of_tile<tuple_element_t<k, Full>>(get<k>(coord), get<k>(tile))...);
  return place_with_open<Tile, Full, std::remove_const_t<decltype(origin)>, open_modes_of<Coord>>(
      tile, full, origin, std::make_integer_sequence<int, open_modes_of<Coord>::value.count>{});
}

/// The place of a tensor: that of the tile that it is, or the whole tensor.
template <class E, class L>
COSMATI_HD constexpr auto place_of(Tensor<E, L> const& t) {
  auto const shape = product_each(wrap(t.shape()));
  return place_of_tile(shape, shape, repeat<tuple_size_v<decltype(shape)>>(C<0>{}),
                       std::make_index_sequence<tuple_size_v<decltype(shape)>>{});
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
