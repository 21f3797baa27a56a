// SPDX-License-Identifier: Apache-2.0
/// @file
/// The coordinates of a shape, one after the other: `for (auto coord : make_coord_iterator(shape)) ...`
///
/// By default the first mode is the fastest (colexicographic order). An `Order` argument changes that.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/array.hpp>
#include <cosmati/core/tuple/flatten.hpp>

namespace COSMATI_NAMESPACE {

/// The sentinel that ends every range of coordinates.
struct ForwardCoordIteratorSentinel {};

namespace detail {
template <class T>
inline constexpr bool is_wide = sizeof(T) > 4;
template <auto v>
inline constexpr bool is_wide<C<v>> = sizeof(v) > 4;
template <class... T>
inline constexpr bool is_wide<tuple<T...>> = (is_wide<T> || ...);

/// Leaves in the order in which they step: leaf k of `by_turn` has the k-th smallest order.
template <int... order>
struct leaf_order {
  static constexpr int size = sizeof...(order);
  struct table {
    int leaf[std::size_t{size}]{};
  };
  static constexpr table make() {
    int const number[] = {order...};
    table r;
    for (int i = 0; i < size; ++i) {
      int place = 0;
      for (int k = 0; k < size; ++k) place += number[k] < number[i] || (number[k] == number[i] && k < i) ? 1 : 0;
      r.leaf[place] = i;
    }
    return r;
  }
};
template <int... order>
inline constexpr typename leaf_order<order...>::table leaf_order_v = leaf_order<order...>::make();

template <class Seq>
struct steps_of;
template <int... order>
struct steps_of<seq<order...>> {
  template <class Turn>
  struct permuted;
  template <int... k>
  struct permuted<seq<k...>> {
    using type = seq<leaf_order_v<order...>.leaf[k]...>;
  };
  using type = typename permuted<make_seq<sizeof...(order)>>::type;
};
}  // namespace detail

/// A coordinate that walks through a shape, and the range that starts at this coordinate.
/// @tparam Shape the nesting of each coordinate
/// @tparam Extents the leaves of the shape
/// @tparam Steps the leaves as a `seq`, fastest first
template <class Shape, class Extents, class Steps>
struct ForwardCoordIterator;

template <class Shape, class Extents, int... step>
struct ForwardCoordIterator<Shape, Extents, seq<step...>> {
  static constexpr int leaves = sizeof...(step);
  static_assert(leaves != 0, "make_coord_iterator: the shape has no extents");
  using index_type = std::conditional_t<detail::is_wide<Extents>, std::int64_t, int>;

  array<index_type, std::size_t{leaves}> at;  ///< the leaves of the coordinate
  [[no_unique_address]] Extents extents;      ///< the leaves of the shape
  char : 0;                                   // see detail::stored_elements

  /// The coordinate, nested as the shape is.
  COSMATI_HD constexpr auto operator*() const { return detail::unflatten_as<0, Shape>(at); }
  COSMATI_HD constexpr ForwardCoordIterator& operator++() {
    static_cast<void>((carries<step>() && ...));
    return *this;
  }
  COSMATI_HD constexpr ForwardCoordIterator operator++(int) {
    ForwardCoordIterator const before = *this;
    ++*this;
    return before;
  }
  friend COSMATI_HD constexpr bool operator==(ForwardCoordIterator const& a, ForwardCoordIterator const& b) {
    return a.at == b.at;
  }
  friend COSMATI_HD constexpr bool operator==(ForwardCoordIterator const& a, ForwardCoordIteratorSentinel) {
    return a.at[last] == static_cast<index_type>(get<last>(a.extents));
  }

  COSMATI_HD constexpr ForwardCoordIterator begin() const { return *this; }
  COSMATI_HD static constexpr ForwardCoordIteratorSentinel end() { return {}; }

 private:
  static constexpr int last = [] {
    int leaf = 0;
    ((leaf = step), ...);
    return leaf;
  }();
  /// Steps leaf i. @return whether the leaf starts again at 0, so that the next leaf steps too
  template <int i>
  COSMATI_HD constexpr bool carries() {
    if (++at[i] != static_cast<index_type>(get<i>(extents)) || i == last) return false;
    at[i] = 0;
    return true;
  }
};

namespace detail {
template <class Steps, class Shape, class T, class E, int... i>
COSMATI_HD constexpr auto coord_iterator_at(T const& start, E const& extents, seq<i...>) {
  using Iterator = ForwardCoordIterator<Shape, E, Steps>;
  using Index = typename Iterator::index_type;
  Iterator it{{static_cast<Index>(get<i>(start))...}, extents};
  if (((get<i>(extents) == 0) || ...)) {  // the shape has no coordinates
    ((it.at[i] = static_cast<Index>(get<i>(extents))), ...);
  }
  return it;
}
template <class Order, int leaves>
struct steps_by {
  using type = typename steps_of<to_seq_t<decltype(flatten_to_tuple(Order{}))>>::type;
};
template <int leaves>
struct steps_by<void, leaves> {
  using type = make_seq<leaves>;
};
}  // namespace detail

/// The coordinates of `shape`, starting at (0, ..., 0).
/// @tparam Order a tuple of static integers, nested as the shape; the smallest marks the fastest mode
template <class Order = void, class Shape>
COSMATI_HD constexpr auto make_coord_iterator(Shape const& shape) {
  constexpr int n = detail::count_leaves<Shape>;
  return detail::coord_iterator_at<typename detail::steps_by<Order, n>::type, Shape>(
      array<int, std::size_t{n}>{}, flatten_to_tuple(shape), make_seq<n>{});
}
/// The coordinates of `shape`, starting at `start`.
template <class Order = void, class Coord, class Shape>
COSMATI_HD constexpr auto make_coord_iterator(Coord const& start, Shape const& shape) {
  constexpr int n = detail::count_leaves<Shape>;
  static_assert(detail::count_leaves<Coord> == n, "make_coord_iterator: the coordinate must be nested as the shape");
  return detail::coord_iterator_at<typename detail::steps_by<Order, n>::type, Shape>(
      flatten_to_tuple(start), flatten_to_tuple(shape), make_seq<n>{});
}

namespace detail {
template <bool is_last, class Coord, class Shape>
COSMATI_HD constexpr bool increment_carries(Coord& coord, Shape const& shape);
template <bool is_last, class Coord, class Shape, int... i>
COSMATI_HD constexpr bool increment_modes(Coord& coord, Shape const& shape, seq<i...>) {
  return (increment_carries < is_last && i == sizeof...(i) - 1 > (get<i>(coord), get<i>(shape)) && ...);
}
template <bool is_last, class Coord, class Shape>
COSMATI_HD constexpr bool increment_carries(Coord& coord, Shape const& shape) {
  if constexpr (tuple_type<Coord>) {
    return increment_modes<is_last>(coord, shape, tuple_seq<Coord>{});
  } else {
    ++coord;
    if (is_last || coord != static_cast<Coord>(shape)) return false;
    coord = 0;
    return true;
  }
}
}  // namespace detail
/// Advances a coordinate of run-time integers to the next one of its shape. After the last coordinate, the last leaf
/// equals its extent.
template <class Coord, class Shape>
COSMATI_HD constexpr void increment(Coord& coord, Shape const& shape) {
  detail::increment_carries<true>(coord, shape);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
