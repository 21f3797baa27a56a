// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of a layout's modes: taking, grouping, appending and slicing them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>
#include <cosmati/layout/algebra/codomain.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/open_modes.hpp>

namespace COSMATI_NAMESPACE {

/// @name Parts of a layout; template arguments <i, j, ...> select mode j of mode i
/// @{
template <int... Is, class S, class D>
COSMATI_HD constexpr decltype(auto) shape(Layout<S, D> const& l) {
  return l.template shape<Is...>();
}
template <int... Is, int_tuple T>
COSMATI_HD constexpr decltype(auto) shape(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return (t);
  else
    return get<Is...>(t);
}
template <int... Is, class S, class D>
COSMATI_HD constexpr decltype(auto) stride(Layout<S, D> const& l) {
  return l.template stride<Is...>();
}
/// Mode i (j, ...) as a new layout.
template <int... Is, class S, class D>
COSMATI_HD constexpr auto layout(Layout<S, D> const& l) {
  if constexpr (sizeof...(Is) == 0)
    return l;
  else
    return make_layout(l.template shape<Is...>(), l.template stride<Is...>());
}
template <std::size_t i, class S, class D>
COSMATI_HD constexpr auto get(Layout<S, D> const& l) {
  return layout<static_cast<int>(i)>(l);
}
template <int... Is, class S, class D>
COSMATI_HD constexpr auto size(Layout<S, D> const& l) {
  if constexpr (sizeof...(Is) == 0 && detail::holds_nothing<S>)
    return detail::literal<detail::static_product<S>>{};
  else
    return product(l.template shape<Is...>());
}
template <int... Is, class S, class D>
COSMATI_HD constexpr auto rank(Layout<S, D> const& l) {
  return rank(l.template shape<Is...>());
}
template <int... Is, class S, class D>
COSMATI_HD constexpr auto depth(Layout<S, D> const& l) {
  return depth(l.template shape<Is...>());
}

COSMATI_ALGEBRA_OBJECT(cosize)
COSMATI_ALGEBRA_OBJECT(coshape)
COSMATI_ALGEBRA_OBJECT(coprofile)
namespace detail {
/// The codomain's size for static integers, without the algebra.
template <class Tree>
constexpr std::int64_t cosize_of_tree(Tree const& t) {
  std::int64_t reach = 1;
  for (int i = 0; i < Tree::leaves; ++i) reach += (t.shape[i] - 1) * (t.stride[i] < 0 ? -t.stride[i] : t.stride[i]);
  return reach;
}
template <class L>
inline constexpr std::int64_t static_cosize = cosize_of_tree(tree_of<L>);
}  // namespace detail
/// The largest offset plus one, of the layout or of mode i, j, ...
template <int... Is, class S, class D>
COSMATI_HD constexpr auto cosize(Layout<S, D> const& l) {
  if constexpr (sizeof...(Is) != 0)
    return cosize(layout<Is...>(l));
  else if constexpr (detail::is_simple<Layout<S, D>>)
    return detail::literal<detail::static_cosize<Layout<S, D>>>{};
  else
    return detail::evaluate_tuple<detail::cosize_object>(l);
}
template <class L>
using cosize_t = decltype(cosize(std::declval<L>()));
template <class L>
inline constexpr auto cosize_v = cosize_t<L>::value;
/// The shape of the codomain: one integer, or one for each basis.
template <class S, class D>
COSMATI_HD constexpr auto coshape(Layout<S, D> const& l) {
  return detail::evaluate_tuple<detail::coshape_object>(l);
}
template <class S, class D>
COSMATI_HD constexpr auto coprofile(Layout<S, D> const& l) {
  return detail::evaluate_tuple<detail::coprofile_object>(l);
}
/// @}

template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto operator==(Layout<S, D> const& a, Layout<S2, D2> const& b) {
  return a.shape() == b.shape() && a.stride() == b.stride();
}

/// @name Rearranging modes
/// @{
namespace detail {
template <int... args>
struct take_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    return algebra::take(f, args...);
  }
};
template <int... args>
struct group_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    return algebra::group(f, args...);
  }
};
template <int... Is>
struct select_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    int const modes[] = {Is...};
    return algebra::select(f, modes, static_cast<int>(sizeof...(Is)));
  }
};
template <int N>
struct append_object {
  static constexpr operand_forms operands{};
  template <class Num, class... X>
  static constexpr auto apply(flat_tree<Num> const& f, X const&... x) {
    return algebra::append(f, N, x...);
  }
};
template <int N>
struct prepend_object {
  static constexpr operand_forms operands{};
  template <class Num, class... X>
  static constexpr auto apply(flat_tree<Num> const& f, X const&... x) {
    return algebra::prepend(f, N, x...);
  }
};
template <int i>
struct replace_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f, flat_tree<Num> const& x) {
    return algebra::replace(f, i, x);
  }
};
struct append_one_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f, flat_tree<Num> const& x) {
    return algebra::append(f, x);
  }
};
struct prepend_one_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f, flat_tree<Num> const& x) {
    return algebra::prepend(f, x);
  }
};
}  // namespace detail
COSMATI_ALGEBRA_OBJECT(flatten)
COSMATI_ALGEBRA_OBJECT(unflatten)
COSMATI_ALGEBRA_OBJECT(zip)

/// Modes B to E - 1 as a layout.
template <int B, int E, class S, class D>
COSMATI_HD constexpr auto take(Layout<S, D> const& l) {
  return detail::layout_result<detail::take_object<B, E>, Layout<S, D>>::make(l);
}
/// The given modes, in the given order.
template <int... Is, class S, class D>
COSMATI_HD constexpr auto select(Layout<S, D> const& l) {
  return detail::layout_result<detail::select_object<Is...>, Layout<S, D>>::make(l);
}
/// Groups modes B to E - 1 into one.
template <int B, int E, class S, class D>
COSMATI_HD constexpr auto group(Layout<S, D> const& l) {
  return detail::layout_result<detail::group_object<B, E>, Layout<S, D>>::make(l);
}
template <int B, int E, class S, class D>
COSMATI_HD constexpr auto group_modes(Layout<S, D> const& l) {
  return group<B, E>(l);
}
/// The layout with all its leaves on one level.
template <class S, class D>
COSMATI_HD constexpr auto flatten(Layout<S, D> const& l) {
  return detail::layout_result<detail::flatten_object, Layout<S, D>>::make(l);
}
/// The leaves of l in the nesting of `target`.
template <class S, class D, int_tuple P>
COSMATI_HD constexpr auto unflatten(Layout<S, D> const& l, P const& target) {
  return detail::layout_result<detail::unflatten_object, Layout<S, D>, P>::make(l, target);
}
/// Appends modes x (1:0 by default) until the rank is N. Without N it appends one mode.
template <int N, class S, class D, class S2 = C<1>, class D2 = C<0>>
COSMATI_HD constexpr auto append(Layout<S, D> const& l, Layout<S2, D2> const& x = {}) {
  return detail::layout_result<detail::append_object<N>, Layout<S, D>, Layout<S2, D2>>::make(l, x);
}
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto append(Layout<S, D> const& l, Layout<S2, D2> const& x) {
  return detail::layout_result<detail::append_one_object, Layout<S, D>, Layout<S2, D2>>::make(l, x);
}
template <int N, class S, class D, class S2 = C<1>, class D2 = C<0>>
COSMATI_HD constexpr auto prepend(Layout<S, D> const& l, Layout<S2, D2> const& x = {}) {
  return detail::layout_result<detail::prepend_object<N>, Layout<S, D>, Layout<S2, D2>>::make(l, x);
}
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto prepend(Layout<S, D> const& l, Layout<S2, D2> const& x) {
  return detail::layout_result<detail::prepend_one_object, Layout<S, D>, Layout<S2, D2>>::make(l, x);
}
template <int i, class S, class D, class S2, class D2>
COSMATI_HD constexpr auto replace(Layout<S, D> const& l, Layout<S2, D2> const& x) {
  return detail::layout_result<detail::replace_object<i>, Layout<S, D>, Layout<S2, D2>>::make(l, x);
}
/// Transposes: ((a,b),(c,d)) becomes ((a,c),(b,d)). Two layouts count as the pair of them.
template <class S, class D>
COSMATI_HD constexpr auto zip(Layout<S, D> const& l) {
  return detail::layout_result<detail::zip_object, Layout<S, D>>::make(l);
}
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto zip(Layout<S, D> const& a, Layout<S2, D2> const& b) {
  return detail::layout_result<detail::zip_object, Layout<S, D>, Layout<S2, D2>>::make(a, b);
}
/// @}

/// @name Slicing
/// @{
COSMATI_ALGEBRA_OBJECT(slice)
COSMATI_ALGEBRA_OBJECT(dice)
/// The modes where the coordinate has `_`.
template <class Coord, class S, class D>
COSMATI_HD constexpr auto slice([[maybe_unused]] Coord const& coord, Layout<S, D> const& l) {
  if constexpr (detail::is_flat_slice<Coord, S>)
    return detail::modes_at(l, typename detail::open_positions_of<Coord>::type{});
  else
    return detail::layout_result<detail::slice_object, Coord, Layout<S, D>>::make(coord, l);
}
/// The modes where the coordinate has an integer.
template <class Coord, class S, class D>
COSMATI_HD constexpr auto dice(Coord const& coord, Layout<S, D> const& l) {
  return detail::layout_result<detail::dice_object, Coord, Layout<S, D>>::make(coord, l);
}

namespace detail {
/// The coordinate that c becomes through strides with bases: a sum of multiples of E<...>.
template <class C0, class Shape, class Stride>
COSMATI_HD constexpr auto coordinates_of(C0 const& c, Shape const& s, Stride const& d);
template <class C0, class Shape, class Stride, int... Is>
COSMATI_HD constexpr auto coordinates_of_modes(C0 const& c, Shape const& s, Stride const& d,
                                               std::integer_sequence<int, Is...>) {
  return (coordinates_of(get<Is>(c), get<Is>(s), get<Is>(d)) + ...);
}
template <int i, class C0, class Shape, class Stride>
COSMATI_HD constexpr auto coordinates_of_linear(C0 const& c, Shape const& s, Stride const& d) {
  if constexpr (i + 1 == tuple_size_v<Shape>) {
    return coordinates_of(c, get<i>(s), get<i>(d));
  } else {
    auto const extent = size(get<i>(s));
#if defined(__CUDA_ARCH__)
    return coordinates_of(c % extent, get<i>(s), get<i>(d)) + coordinates_of_linear<i + 1>(c / extent, s, d);
#else
    return coordinates_of(guarded_remainder(c, extent), get<i>(s), get<i>(d)) +
           coordinates_of_linear<i + 1>(guarded_quotient(c, extent), s, d);
#endif
  }
}
template <class C0, class Shape, class Stride>
COSMATI_HD constexpr auto coordinates_of(C0 const& c, Shape const& s, Stride const& d) {
  if constexpr (is_underscore_v<C0>)
    return coordinates_of(C<0>{}, s, d);
  else if constexpr (tuple_type<C0>)
    return coordinates_of_modes(c, s, d, std::make_integer_sequence<int, tuple_size_v<C0>>{});
  else if constexpr (tuple_type<Shape>)
    return coordinates_of_linear<0>(c, s, d);
  else
    return c * d;
}
}  // namespace detail

/// The offset of a coordinate, where `_` counts as 0. It is static if all integers are. It is a coordinate if the
/// strides have bases.
template <class Coord, class S, class D>
COSMATI_HD constexpr auto crd2idx(Coord const& c, Layout<S, D> const& l) {
  if constexpr (detail::has_basis<D>) {
    return detail::coordinates_of(c, l.shape(), l.stride());
  } else if constexpr (std::is_empty_v<Coord> && std::is_empty_v<S> && std::is_empty_v<D>) {
    return detail::literal<detail::offset_of_static<Coord, S, D>>{};
  } else {
    return detail::offset_of<typename detail::index_of<Layout<S, D>>::type>(c, l.shape(), l.stride());
  }
}
template <class Coord, class S, class D>
requires(int_tuple<S>&& int_tuple<D>) COSMATI_HD
    constexpr auto crd2idx(Coord const& c, S const& shape, D const& stride) {
  return crd2idx(c, Layout<S, D>{shape, stride});
}
template <class Coord, int_tuple S>
requires(!plain_layout<S>) COSMATI_HD constexpr auto crd2idx(Coord const& c, S const& shape) {
  return crd2idx(c, make_layout(shape));
}

/// (sublayout, offset of the fixed modes).
template <class Coord, class S, class D>
COSMATI_HD constexpr auto slice_and_offset(Coord const& coord, Layout<S, D> const& l) {
  return make_tuple(slice(coord, l), crd2idx(coord, l));
}
/// (the layout, offset of `coord`): coordinates count from `coord`.
template <class Coord, class S, class D>
COSMATI_HD constexpr auto domain_offset(Coord const& coord, Layout<S, D> const& l) {
  return make_tuple(l, crd2idx(coord, l));
}
/// @}

template <class S, class D>
template <class C0>
COSMATI_HD constexpr auto Layout<S, D>::operator()(C0 const& coord) const {
  if constexpr (detail::any_underscore<C0>)
    return slice(coord, *this);
  else
    return crd2idx(coord, *this);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
