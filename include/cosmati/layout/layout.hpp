// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Layout<Shape, Stride>`: a function from coordinates to offsets, as a type.
///
/// The offset of a coordinate is the sum of its integers times the strides. An integer at the position of a tuple in
/// the shape is split colexicographically (first mode fastest). Static integers live in the type alone.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/evaluate.hpp>
#include <cosmati/core/offset.hpp>
#include <cosmati/layout/refusals.hpp>
#include <cosmati/layout/run_time_checks.hpp>

namespace COSMATI_NAMESPACE {

/// The extents of a layout.
template <class... T>
using Shape = tuple<T...>;
/// The strides of a layout, nested as its shape.
template <class... T>
using Stride = tuple<T...>;
/// A projection: `_1` keeps a mode of a tiler, `X` leaves it out.
template <class... T>
using Step = tuple<T...>;
/// A coordinate. `_` stands for a whole mode.
template <class... T>
using Coord = tuple<T...>;
/// A tiler: a layout, an integer or `_` for each mode.
template <class... T>
using Tile = tuple<T...>;

/// @name Makers of tuples, under names that tell their purpose
/// @{
template <class... T>
COSMATI_HD constexpr Shape<T...> make_shape(T const&... t) {
  return make_tuple(t...);
}
template <class... T>
COSMATI_HD constexpr Stride<T...> make_stride(T const&... t) {
  return make_tuple(t...);
}
template <class... T>
COSMATI_HD constexpr Step<T...> make_step(T const&... t) {
  return make_tuple(t...);
}
template <class... T>
COSMATI_HD constexpr Coord<T...> make_coord(T const&... t) {
  return make_tuple(t...);
}
template <class... T>
COSMATI_HD constexpr Tile<T...> make_tile(T const&... t) {
  return make_tuple(t...);
}
/// @}

namespace detail {
template <class Shape>
struct compact_strides;  // layout/make_layout.hpp
}

namespace detail {
/// The members of a layout with run-time integers.
template <class Shape, class Stride>
struct layout_state {
  [[no_unique_address]] stored<layout_state, 0, Shape> shape_;
  [[no_unique_address]] stored<layout_state, 1, Stride> stride_;
  char : 0;  // see detail::stored_elements
  layout_state() = default;
  COSMATI_HD constexpr layout_state(Shape const& shape, Stride const& stride) : shape_(shape), stride_(stride) {}
};
/// A static layout stores nothing and has no members. nvcc accepts no parameter whose class has only empty members.
struct no_layout_state {
  no_layout_state() = default;
  template <class Shape, class Stride>
  COSMATI_HD constexpr no_layout_state(Shape const&, Stride const&) {}
};
template <bool empty>
struct pick_layout_state {
  template <class Shape, class Stride>
  using type = layout_state<Shape, Stride>;
};
template <>
struct pick_layout_state<true> {
  template <class Shape, class Stride>
  using type = no_layout_state;
};
template <class Shape, class Stride>
using state_of_layout =
    typename pick_layout_state<holds_nothing<Shape> && holds_nothing<Stride>>::template type<Shape, Stride>;

template <int i, int... Is, class T>
COSMATI_HD constexpr decltype(auto) nested(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return get<i>(t);
  else
    return nested<Is...>(get<i>(t));
}
}  // namespace detail

/// @tparam Shape an integer or a nested tuple of integers (static or not): the extents
/// @tparam Stride congruent to Shape; by default that of the compact column-major layout
template <class Shape, class Stride = typename detail::compact_strides<Shape>::type>
struct Layout : detail::state_of_layout<Shape, Stride> {
  static constexpr int rank = tuple_size_v<Shape>;

  Layout() = default;
  /// This constructor does not set run-time strides. Give shape and stride, or use make_layout(shape).
  COSMATI_HD constexpr Layout(Shape const& shape,
                              Stride const& stride = Stride{})  // NOLINT(google-explicit-constructor)
      : detail::state_of_layout<Shape, Stride>(shape, stride) {}

  /// The layout itself.
  COSMATI_HD constexpr Layout const& layout() const { return *this; }

  /// The shape. Template arguments i, j, ... select mode j of mode i, and so on.
  template <int... Is>
  COSMATI_HD constexpr decltype(auto) shape() const {
    if constexpr (sizeof...(Is) == 1)  // apart, so that the message of a mode that is not there is short
      return get<static_cast<std::size_t>(Is)...>(static_cast<Shape const&>(shape()));
    else if constexpr (sizeof...(Is) != 0)
      return detail::nested<Is...>(shape());
    else if constexpr (__is_empty(Shape))
      return Shape{};
    else
      return detail::unstore<Shape>(this->shape_);
  }
  template <int... Is>
  COSMATI_HD constexpr decltype(auto) stride() const {
    if constexpr (sizeof...(Is) == 1)  // apart, so that the message of a mode that is not there is short
      return get<static_cast<std::size_t>(Is)...>(static_cast<Stride const&>(stride()));
    else if constexpr (sizeof...(Is) != 0)
      return detail::nested<Is...>(stride());
    else if constexpr (__is_empty(Stride))
      return Stride{};
    else
      return detail::unstore<Stride>(this->stride_);
  }

  /// The offset of a coordinate, which is an integer or a tuple weakly congruent to the shape. If it contains `_`, the
  /// result is the sublayout of the modes with `_`. The offset has 32 bits if the layout is static and its offsets fit,
  /// otherwise 64.
  template <class C0>
  COSMATI_HD constexpr auto operator()(C0 const& coord) const;
  template <class C0, class C1, class... Cs>
  requires(2 + sizeof...(Cs) == rank) COSMATI_HD constexpr auto operator()(C0 const& c0, C1 const& c1,
                                                                           Cs const&... cs) const {
    return operator()(make_tuple(c0, c1, cs...));
  }
  template <class C0, class C1, class... Cs>
  requires(2 + sizeof...(Cs) != rank) COSMATI_HD detail::coordinate_rank_differs<2 + sizeof...(Cs), rank>
  operator()(C0 const& c0, C1 const& c1, Cs const&... cs) const;

  /// composition(*this, other...).
  template <class... Other>
  COSMATI_HD constexpr auto compose(Other const&... other) const;
  /// The same offsets in the same order, with another shape of the same size.
  template <class... NewShape>
  COSMATI_HD constexpr auto with_shape(NewShape const&... shape) const;
  /// tiled_divide(*this, other...).
  template <class... Other>
  COSMATI_HD constexpr auto tile(Other const&... other) const;

  /// The coordinate of the linear index i: congruent to the shape, with one integer per mode, or as one integer.
  template <class Index>
  COSMATI_HD constexpr auto get_hier_coord(Index const& i) const;
  template <class Index>
  COSMATI_HD constexpr auto get_flat_coord(Index const& i) const;
  template <class Index>
  COSMATI_HD constexpr auto get_1d_coord(Index const& i) const;
};

template <class Shape, class Stride>
Layout(Shape const&, Stride const&) -> Layout<Shape, Stride>;
template <class Shape>
Layout(Shape const&) -> Layout<Shape>;

namespace detail {
template <class S, class D>
inline constexpr bool holds_nothing<Layout<S, D>> = holds_nothing<S>&& holds_nothing<D>;
template <class T>
inline constexpr bool is_layout_of = false;
template <class S, class D>
inline constexpr bool is_layout_of<Layout<S, D>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_layout_of)
}  // namespace detail
/// Whether T is a Layout, possibly const or a reference.
template <class T>
inline constexpr bool is_layout_v = detail::is_layout_of<T>;
/// `is_layout_v` as a type.
template <class T>
struct is_layout : bool_constant<is_layout_v<T>> {};
/// A Layout, which has no swizzle.
template <class T>
concept plain_layout = detail::is_layout_of<T>;

namespace detail {
template <class S, class D>
inline constexpr auto tree_of<Layout<S, D>> = tree_of_layout(tree_of<S>, tree_of<D>);

template <>
struct type_of_result<refusal_reason::none> {
  template <class Op, class...>
  using type = Layout<typename types_at<Op, 0, 0>::shape, typename types_at<Op, 0, 0>::stride>;
};
/// The layout that F returns for layouts, tuples and tilers.
template <class F, class... A>
struct layout_result {
  using Op = operation<F, A...>;
  using type = typename type_of_result<Op::tree.note.why>::template type<Op, A...>;
  static constexpr bool is_static = !Op::is_recorded || Op::tree.note.why != refusal_reason::none;
  COSMATI_HD static constexpr auto make(A const&... a) {
    if constexpr (is_static) {
      return type{};
    } else {
      look_at_checks<Op>(a...);
      return type{build<Op, false, 0, 0>(a...), build<Op, true, 0, 0>(a...)};
    }
  }
};

/// The largest distance from offset 0 that a static layout reaches. The width of its offsets follows from it.
template <class Num>
constexpr bool reaches_beyond_32_bits(flat_tree<Num> const& f) {
  std::int64_t reach = 1;
  for (int i = 0; i < f.leaves; ++i) {
    std::int64_t const extent = f.shape[i];
    std::int64_t const stride = algebra::magnitude(f.stride[i]);
    if (extent > 1 && stride > INT64_C(0x7fffffff) / extent) return true;
    reach += extent > 0 ? (extent - 1) * stride : 0;
  }
  return reach > INT64_C(0x7fffffff);
}
template <class L, bool is_static = std::is_empty_v<L>>
struct index_of {
  using type = std::int64_t;
};
template <class L>
struct index_of<L, true> {
  using type = std::conditional_t<reaches_beyond_32_bits(lifted<std::int64_t, L>()), std::int64_t, int>;
};

template <class D>
inline constexpr bool has_basis = scaled_basis<D>;
template <class... T>
inline constexpr bool has_basis<tuple<T...>> = (has_basis<T> || ...);
}  // namespace detail

template <int K, class S, class D>
COSMATI_HD constexpr auto leaf_at(Layout<S, D> const& l) {
  constexpr int n = detail::leaves_of<S>;
  if constexpr (K < n)
    return leaf_at<K>(l.shape());
  else
    return leaf_at<K - n>(l.stride());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
