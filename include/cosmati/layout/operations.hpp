// SPDX-License-Identifier: Apache-2.0
/// @file
/// The algebra of layouts as types: composition, complement, inverses, divides, products, recasts.
///
/// Each function is that of layout/algebra/ with the same name. If a run-time integer would decide the form of the
/// result, it is an error that says so. A *tiler* is a layout, an integer n (for n:1), `_`, or a tuple of tilers, one
/// for each mode.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/layout/algebra/algebra.hpp>
#include <cosmati/layout/modes.hpp>
#include <cosmati/layout/tiler_check.hpp>

namespace COSMATI_NAMESPACE {

COSMATI_ALGEBRA_OBJECT(coalesce)
COSMATI_ALGEBRA_OBJECT(coalesce_shape)
COSMATI_ALGEBRA_OBJECT(filter_zeros)
COSMATI_ALGEBRA_OBJECT(filter)
COSMATI_ALGEBRA_OBJECT(composition, .second = read_as::tiler, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(complement, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(right_inverse, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(left_inverse, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(max_common_layout)
COSMATI_ALGEBRA_OBJECT(max_common_vector)
COSMATI_ALGEBRA_OBJECT(max_alignment)
COSMATI_ALGEBRA_OBJECT(nullspace)
COSMATI_ALGEBRA_OBJECT(with_shape, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(logical_divide, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(zipped_divide, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(tiled_divide, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(flat_divide, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(ceil_div_by_layout)
COSMATI_ALGEBRA_OBJECT(logical_product, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(zipped_product, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(tiled_product, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(flat_product, .second = read_as::divisor, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(blocked_product, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(raked_product, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(make_fragment_like)
COSMATI_ALGEBRA_OBJECT(tile_unzip, .second = read_as::tiler)
COSMATI_ALGEBRA_OBJECT(is_injective)
COSMATI_ALGEBRA_OBJECT(is_bijective)

namespace detail {
struct domain_distribute_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& shape, flat_tree<Num> const& count) {
    return algebra::domain_distribute(shape, count.shape[0]);
  }
};
struct tile_to_shape_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& block, flat_tree<Num> const& target, flat_tree<Num> const& order) {
    return algebra::tile_to_shape(block, target, order);
  }
};
template <bool right>
struct tile_to_shape_in_order_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& block, flat_tree<Num> const& target) {
    return algebra::tile_to_shape(block, target, right ? algebra::major::right : algebra::major::left);
  }
};
template <std::int64_t N>
struct upcast_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    return algebra::upcast(f, N);
  }
};
template <std::int64_t N>
struct downcast_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    return algebra::downcast(f, N);
  }
};
template <std::int64_t old_bits, std::int64_t new_bits>
struct recast_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& f) {
    return algebra::recast_layout(f, old_bits, new_bits);
  }
};
}  // namespace detail

/// @name Simplifying
/// @{
/// The same function of the linear index, with the fewest modes.
template <class S, class D>
COSMATI_HD constexpr auto coalesce(Layout<S, D> const& l) {
  return detail::layout_result<detail::coalesce_object, Layout<S, D>>::make(l);
}
/// Coalesces within each mode of the profile: coalesce(l, (1,1)) keeps two modes.
template <class S, class D, int_tuple P>
COSMATI_HD constexpr auto coalesce(Layout<S, D> const& l, P const& profile) {
  return detail::layout_result<detail::coalesce_object, Layout<S, D>, P>::make(l, profile);
}
/// A shape of the same size, with known extents multiplied together.
template <int_tuple S>
COSMATI_HD constexpr auto coalesce(S const& shape) {
  return detail::evaluate_tuple<detail::coalesce_shape_object>(shape);
}
/// Sets extents to 1 in modes whose stride is known to be 0.
template <class S, class D>
COSMATI_HD constexpr auto filter_zeros(Layout<S, D> const& l) {
  return detail::layout_result<detail::filter_zeros_object, Layout<S, D>>::make(l);
}
/// The layout without modes that are known to have the extent 1 or the stride 0.
template <class S, class D>
COSMATI_HD constexpr auto filter(Layout<S, D> const& l) {
  return detail::layout_result<detail::filter_object, Layout<S, D>>::make(l);
}
template <class S, class D, int_tuple P>
COSMATI_HD constexpr auto filter(Layout<S, D> const& l, P const& profile) {
  return detail::layout_result<detail::filter_object, Layout<S, D>, P>::make(l, profile);
}
/// @}

/// @name Composition, complement, inverses
/// @{
/// lhs after rhs: composition(a, b)(i) == a(b(i)) for each i below size(b). A tuple of tilers applies mode by mode. A
/// composition that strides cannot express is refused. If run-time integers decide, debug builds and the simulated
/// device check it.
template <class S, class D, class Tiler>
requires(detail::tiler_fits<Tiler, S>) COSMATI_HD
    constexpr auto composition(Layout<S, D> const& lhs, Tiler const& rhs) {
  return detail::layout_result<detail::composition_object, Layout<S, D>, Tiler>::make(lhs, rhs);
}
/// The layout of the offsets of [0, cotarget) that `l` does not reach, in increasing order.
template <class S, class D, int_tuple T>
COSMATI_HD constexpr auto complement(Layout<S, D> const& l, T const& cotarget) {
  return detail::layout_result<detail::complement_object, Layout<S, D>, T>::make(l, cotarget);
}
template <class S, class D>
COSMATI_HD constexpr auto complement(Layout<S, D> const& l) {
  return detail::layout_result<detail::complement_object, Layout<S, D>>::make(l);
}
/// l(right_inverse(l)(i)) == i, as far as the offsets are contiguous from 0. It is refused if a run-time integer
/// decides how far.
template <class S, class D>
COSMATI_HD constexpr auto right_inverse(Layout<S, D> const& l) {
  return detail::layout_result<detail::right_inverse_object, Layout<S, D>>::make(l);
}
/// left_inverse(l)(l(i)) == i. @pre static strides, injective
template <class S, class D>
COSMATI_HD constexpr auto left_inverse(Layout<S, D> const& l) {
  return detail::layout_result<detail::left_inverse_object, Layout<S, D>>::make(l);
}
/// The layout of the longest run of elements that both layouts are known to place contiguously and alike, for any
/// values of their run-time integers.
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto max_common_layout(Layout<S, D> const& a, Layout<S2, D2> const& b) {
  return detail::layout_result<detail::max_common_layout_object, Layout<S, D>, Layout<S2, D2>>::make(a, b);
}
/// The length of that run, which is the number of elements that one vector access can move.
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto max_common_vector(Layout<S, D> const& a, Layout<S2, D2> const& b) {
  return detail::evaluate_tuple<detail::max_common_vector_object>(a, b);
}
/// The largest n that is known to divide every offset of the layout, apart from those of its contiguous run. It is 1 if
/// a stride is known only at run time.
template <class S, class D>
COSMATI_HD constexpr auto max_alignment(Layout<S, D> const& l) {
  return detail::evaluate_tuple<detail::max_alignment_object>(l);
}
/// The part of the domain where l is known to be constant: composition(l, nullspace(l)) has only stride 0.
template <class S, class D>
COSMATI_HD constexpr auto nullspace(Layout<S, D> const& l) {
  return detail::layout_result<detail::nullspace_object, Layout<S, D>>::make(l);
}
/// Splits the domain of `shape` over `count` workers: (count, rest).
template <int_tuple S, integer N>
COSMATI_HD constexpr auto domain_distribute(S const& shape, N const& count) {
  return detail::layout_result<detail::domain_distribute_object, S, N>::make(shape, count);
}
/// The same offsets with another shape: composition(l, make_layout(shape)).
template <class S, class D, int_tuple T>
COSMATI_HD constexpr auto with_shape(Layout<S, D> const& l, T const& shape) {
  return detail::layout_result<detail::with_shape_object, Layout<S, D>, T>::make(l, shape);
}
/// @}

/// @name Divides
/// A divide cuts a layout into tiles. Extents that a tile does not divide are rounded up.
/// @{
/// Each mode becomes (tile, rest).
template <class S, class D, class Tiler>
requires(detail::tiler_fits<Tiler, S>) COSMATI_HD constexpr auto logical_divide(Layout<S, D> const& l, Tiler const& t) {
  return detail::layout_result<detail::logical_divide_object, Layout<S, D>, Tiler>::make(l, t);
}
/// The result is ((tiles...), (rests...)).
template <class S, class D, class Tiler>
requires(detail::tiler_fits<Tiler, S>) COSMATI_HD constexpr auto zipped_divide(Layout<S, D> const& l, Tiler const& t) {
  return detail::layout_result<detail::zipped_divide_object, Layout<S, D>, Tiler>::make(l, t);
}
/// The result is ((tiles...), rest, rest, ...).
template <class S, class D, class Tiler>
requires(detail::tiler_fits<Tiler, S>) COSMATI_HD constexpr auto tiled_divide(Layout<S, D> const& l, Tiler const& t) {
  return detail::layout_result<detail::tiled_divide_object, Layout<S, D>, Tiler>::make(l, t);
}
/// The result is (tile, tile, ..., rest, rest, ...).
template <class S, class D, class Tiler>
requires(detail::tiler_fits<Tiler, S>) COSMATI_HD constexpr auto flat_divide(Layout<S, D> const& l, Tiler const& t) {
  return detail::layout_result<detail::flat_divide_object, Layout<S, D>, Tiler>::make(l, t);
}
/// The number of times that the layout's shape fits the target, rounded up: the shape of the rest of a divide.
template <int_tuple T, class S, class D>
COSMATI_HD constexpr auto ceil_div(T const& target, Layout<S, D> const& l) {
  return detail::layout_result<detail::ceil_div_by_layout_object, T, Layout<S, D>>::make(target, l).shape();
}
template <class S, class D, class Tiler>
COSMATI_HD constexpr auto tile_unzip(Layout<S, D> const& l, Tiler const& t) {
  return detail::layout_result<detail::tile_unzip_object, Layout<S, D>, Tiler>::make(l, t);
}
/// @}

/// @name Products, which repeat a layout
/// @{
/// The result is (block, repetitions of it by the tiler).
template <class S, class D, class Tiler>
COSMATI_HD constexpr auto logical_product(Layout<S, D> const& block, Tiler const& t) {
  return detail::layout_result<detail::logical_product_object, Layout<S, D>, Tiler>::make(block, t);
}
template <class S, class D, class Tiler>
COSMATI_HD constexpr auto zipped_product(Layout<S, D> const& block, Tiler const& t) {
  return detail::layout_result<detail::zipped_product_object, Layout<S, D>, Tiler>::make(block, t);
}
template <class S, class D, class Tiler>
COSMATI_HD constexpr auto tiled_product(Layout<S, D> const& block, Tiler const& t) {
  return detail::layout_result<detail::tiled_product_object, Layout<S, D>, Tiler>::make(block, t);
}
template <class S, class D, class Tiler>
COSMATI_HD constexpr auto flat_product(Layout<S, D> const& block, Tiler const& t) {
  return detail::layout_result<detail::flat_product_object, Layout<S, D>, Tiler>::make(block, t);
}
/// (block, repetitions) mode by mode: blocks stay together.
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto blocked_product(Layout<S, D> const& block, Layout<S2, D2> const& t) {
  return detail::layout_result<detail::blocked_product_object, Layout<S, D>, Layout<S2, D2>>::make(block, t);
}
/// (repetitions, block) mode by mode: blocks interleave.
template <class S, class D, class S2, class D2>
COSMATI_HD constexpr auto raked_product(Layout<S, D> const& block, Layout<S2, D2> const& t) {
  return detail::layout_result<detail::raked_product_object, Layout<S, D>, Layout<S2, D2>>::make(block, t);
}
/// Repeats the block until the shape is `target`. The repetitions follow the given order of modes.
template <class S, class D, int_tuple T, int_tuple O>
COSMATI_HD constexpr auto tile_to_shape(Layout<S, D> const& block, T const& target, O const& order) {
  return detail::layout_result<detail::tile_to_shape_object, Layout<S, D>, T, O>::make(block, target, order);
}
template <class S, class D, int_tuple T>
COSMATI_HD constexpr auto tile_to_shape(Layout<S, D> const& block, T const& target, LayoutLeft = {}) {
  return detail::layout_result<detail::tile_to_shape_in_order_object<false>, Layout<S, D>, T>::make(block, target);
}
template <class S, class D, int_tuple T>
COSMATI_HD constexpr auto tile_to_shape(Layout<S, D> const& block, T const& target, LayoutRight) {
  return detail::layout_result<detail::tile_to_shape_in_order_object<true>, Layout<S, D>, T>::make(block, target);
}
/// @}

/// @name Other units
/// @{
/// The layout of groups of N elements. An extent whose stride is a run-time integer becomes a run-time integer too,
/// with one exception. If a static mode of stride 1 holds whole groups, the run-time strides must be multiples of N,
/// which debug builds check.
template <int N, class S, class D>
COSMATI_HD constexpr auto upcast(Layout<S, D> const& l) {
  if constexpr (N == 1)
    return l;
  else
    return detail::layout_result<detail::upcast_object<N>, Layout<S, D>>::make(l);
}
/// The layout of the N parts of each element. The parts join the mode of the static stride 1.
template <int N, class S, class D>
COSMATI_HD constexpr auto downcast(Layout<S, D> const& l) {
  if constexpr (N == 1)
    return l;
  else
    return detail::layout_result<detail::downcast_object<N>, Layout<S, D>>::make(l);
}
/// The layout of the same memory in elements of another type. The sizes are in bits.
template <int OldBits, int NewBits, class S, class D>
COSMATI_HD constexpr auto recast_layout_bits(Layout<S, D> const& l) {
  if constexpr (OldBits == NewBits)
    return l;
  else
    return detail::layout_result<detail::recast_object<OldBits, NewBits>, Layout<S, D>>::make(l);
}
/// The layout of the same memory as elements of New.
template <class Old, class New, class L>
COSMATI_HD constexpr auto recast_layout(L const& l) {
  return recast_layout_bits<sizeof_bits_v<Old>, sizeof_bits_v<New>>(l);
}
/// A compact layout for a thread's own copy. Mode 0 (a vector) is contiguous; the other modes follow in the order of
/// l's strides.
template <class S, class D>
COSMATI_HD constexpr auto make_fragment_like(Layout<S, D> const& l) {
  return detail::layout_result<detail::make_fragment_like_object, Layout<S, D>>::make(l);
}
/// @}

/// @name Coordinates of a linear index
/// @{
namespace detail {
enum class coordinate_form { hierarchical, flat, linear };
template <coordinate_form form>
struct coordinate_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& layout, flat_tree<Num> const& index) {
    if constexpr (form == coordinate_form::hierarchical)
      return algebra::get_hier_coord(layout, index.shape[0]);
    else if constexpr (form == coordinate_form::flat)
      return algebra::get_flat_coord(layout, index.shape[0]);
    else
      return algebra::get_1d_coord(layout, index.shape[0]);
  }
};
}  // namespace detail
COSMATI_ALGEBRA_OBJECT(idx2crd)
COSMATI_ALGEBRA_OBJECT(crd2crd)
/// The coordinate of a linear index in a shape, colexicographic. It is static if both are. An extent of 0 gives
/// coordinate 0.
template <int_tuple Index, int_tuple S>
COSMATI_HD constexpr auto idx2crd(Index const& i, S const& shape) {
  return detail::evaluate_tuple<detail::idx2crd_object>(i, shape);
}
template <int_tuple Index, int_tuple S, int_tuple D>
COSMATI_HD constexpr auto idx2crd(Index const& i, S const& shape, D const& stride) {
  return detail::evaluate_tuple<detail::idx2crd_object>(i, shape, stride);
}
/// Converts a coordinate of one shape to the coordinate of another with the same index.
template <int_tuple T, int_tuple S, int_tuple S2>
COSMATI_HD constexpr auto crd2crd(T const& coord, S const& from, S2 const& to) {
  return detail::evaluate_tuple<detail::crd2crd_object>(coord, from, to);
}
/// @}

template <class S, class D>
template <class... Other>
COSMATI_HD constexpr auto Layout<S, D>::compose(Other const&... other) const {
  if constexpr (sizeof...(Other) == 1)
    return composition(*this, other...);
  else
    return composition(*this, make_tile(other...));
}
template <class S, class D>
template <class... NewShape>
COSMATI_HD constexpr auto Layout<S, D>::with_shape(NewShape const&... shape) const {
  if constexpr (sizeof...(NewShape) == 1)
    return COSMATI_NAMESPACE::with_shape(*this, shape...);
  else
    return COSMATI_NAMESPACE::with_shape(*this, make_shape(shape...));
}
template <class S, class D>
template <class... Other>
COSMATI_HD constexpr auto Layout<S, D>::tile(Other const&... other) const {
  if constexpr (sizeof...(Other) == 1)
    return tiled_divide(*this, other...);
  else
    return tiled_divide(*this, make_tile(other...));
}
template <class S, class D>
template <class Index>
COSMATI_HD constexpr auto Layout<S, D>::get_hier_coord(Index const& i) const {
  return detail::evaluate_tuple<detail::coordinate_object<detail::coordinate_form::hierarchical>>(*this, i);
}
template <class S, class D>
template <class Index>
COSMATI_HD constexpr auto Layout<S, D>::get_flat_coord(Index const& i) const {
  return detail::evaluate_tuple<detail::coordinate_object<detail::coordinate_form::flat>>(*this, i);
}
template <class S, class D>
template <class Index>
COSMATI_HD constexpr auto Layout<S, D>::get_1d_coord(Index const& i) const {
  return detail::evaluate_tuple<detail::coordinate_object<detail::coordinate_form::linear>>(*this, i);
}

}  // namespace COSMATI_NAMESPACE

#undef COSMATI_ALGEBRA_OBJECT  // the headers that use it are included above

#include <cosmati/core/macros_end.hpp>
