// SPDX-License-Identifier: Apache-2.0
/// @file
/// Makers of layouts: from shape and stride, from a shape in some order, from other layouts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/int_tuple.hpp>
#include <cosmati/layout/algebra/make.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct column_major_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& shape) {
    return algebra::make_layout(shape, algebra::major::left);
  }
};
struct row_major_object {
  static constexpr operand_forms operands{.notes_refusals = true};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& shape) {
    return algebra::make_layout(shape, algebra::major::right);
  }
};
/// The compact strides, starting with the second argument.
template <bool row_major>
struct compact_from_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& shape, flat_tree<Num> const& first) {
    flat_tree<Num> r = algebra::make_layout(shape, row_major ? algebra::major::right : algebra::major::left);
    for (int i = 0; i < r.leaves; ++i) r.stride[i] = r.stride[i] * first.shape[0];
    return r;
  }
};
template <class Major, class Shape>
struct strides_of_shape {
  using Op = operation<Major, Shape>;
  static_assert(Op::tree.note.why == refusal_reason::none,
                "Layout<Shape>: a stride of the compact layout would be 2^63 or more; check the shape's extents");
  using type = typename types_at<Op, 0, 0>::stride;
};
template <class Shape>
struct compact_strides : strides_of_shape<column_major_object, Shape> {};
}  // namespace detail

/// The orders of a compact layout, for `make_layout(shape, order)` and `Layout<Shape, Order::Apply<Shape>>`.
struct LayoutLeft {
  template <class Shape>
  using Apply = typename detail::compact_strides<Shape>::type;
};
struct LayoutRight {
  template <class Shape>
  using Apply = typename detail::strides_of_shape<detail::row_major_object, Shape>::type;
};
using GenColMajor = LayoutLeft;
using GenRowMajor = LayoutRight;

namespace detail {
template <int extents, int strides>
struct stride_does_not_match_the_shape : refused {
  static_assert(extents == strides,
                "make_layout(shape, stride): stride_does_not_match_the_shape<EXTENTS, STRIDES>: the shape has EXTENTS "
                "integers, the "
                "stride STRIDES; give every extent one stride (two layouts are joined by make_layout(layout, layout))");
};
}  // namespace detail

/// @name make_layout
/// @{
template <int_tuple S, int_tuple D>
requires(detail::leaves_of<S> == detail::leaves_of<D>) COSMATI_HD
    constexpr auto make_layout(S const& shape, D const& stride) {
  return Layout<S, D>{shape, stride};
}
template <int_tuple S, int_tuple D>
requires(detail::leaves_of<S> != detail::leaves_of<D>) COSMATI_HD
    detail::stride_does_not_match_the_shape<detail::leaves_of<S>, detail::leaves_of<D>> make_layout(S const& shape,
                                                                                                    D const& stride);
template <int_tuple S>
COSMATI_HD constexpr auto make_layout(S const& shape) {
  return detail::layout_result<detail::column_major_object, S>::make(shape);
}
template <int_tuple S>
COSMATI_HD constexpr auto make_layout(S const& shape, LayoutLeft) {
  return make_layout(shape);
}
template <int_tuple S>
COSMATI_HD constexpr auto make_layout(S const& shape, LayoutRight) {
  return detail::layout_result<detail::row_major_object, S>::make(shape);
}
/// A layout whose modes are the given layouts.
template <class... S, class... D>
requires(sizeof...(S) >= 1) COSMATI_HD constexpr auto make_layout(Layout<S, D> const&... layouts) {
  return Layout<tuple<S...>, tuple<D...>>{make_tuple(layouts.shape()...), make_tuple(layouts.stride()...)};
}
/// @}

/// @name Strides of compact layouts
/// @{
template <int_tuple S>
COSMATI_HD constexpr auto compact_col_major(S const& shape) {
  return make_layout(shape).stride();
}
template <int_tuple S, integer Index>
COSMATI_HD constexpr auto compact_col_major(S const& shape, Index const& first) {
  return detail::layout_result<detail::compact_from_object<false>, S, Index>::make(shape, first).stride();
}
template <int_tuple S>
COSMATI_HD constexpr auto compact_row_major(S const& shape) {
  return make_layout(shape, LayoutRight{}).stride();
}
template <int_tuple S, integer Index>
COSMATI_HD constexpr auto compact_row_major(S const& shape, Index const& first) {
  return detail::layout_result<detail::compact_from_object<true>, S, Index>::make(shape, first).stride();
}
template <class Major, int_tuple S>
COSMATI_HD constexpr auto compact_major(S const& shape) {
  return make_layout(shape, Major{}).stride();
}
template <class Major, int_tuple S, integer Index>
COSMATI_HD constexpr auto compact_major(S const& shape, Index const& first) {
  if constexpr (std::is_same_v<Major, LayoutRight>)
    return compact_row_major(shape, first);
  else
    return compact_col_major(shape, first);
}
/// @}

COSMATI_ALGEBRA_OBJECT(make_ordered_layout, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(make_layout_like)
COSMATI_ALGEBRA_OBJECT(make_identity_layout)

/// The compact layout whose mode of the smallest order is fastest: make_ordered_layout((3,5),(2,6)) is (3,5):(1,3).
template <int_tuple S, int_tuple O>
COSMATI_HD constexpr auto make_ordered_layout(S const& shape, O const& order) {
  return detail::layout_result<detail::make_ordered_layout_object, S, O>::make(shape, order);
}
template <int_tuple S, class Major>
requires(std::is_same_v<Major, LayoutLeft> || std::is_same_v<Major, LayoutRight>) COSMATI_HD
    constexpr auto make_ordered_layout(S const& shape, Major const& major) {
  return make_layout(shape, major);
}
/// The strides of make_ordered_layout.
template <int_tuple S, int_tuple O>
COSMATI_HD constexpr auto compact_order(S const& shape, O const& order) {
  return make_ordered_layout(shape, order).stride();
}
/// The compact layout whose strides have the order of the given layout's. Modes of stride 0 keep it.
template <class S, class D>
COSMATI_HD constexpr auto make_layout_like(Layout<S, D> const& layout) {
  return detail::layout_result<detail::make_layout_like_object, Layout<S, D>>::make(layout);
}
/// The layout that maps a coordinate of `shape` to itself: (4,5):(1@0,1@1).
template <int_tuple S>
COSMATI_HD constexpr auto make_identity_layout(S const& shape) {
  using F = detail::make_identity_layout_object;
  using Op = detail::operation_on<false, F, S>;
  using T = detail::types_at<Op, 0, 0>;
  return Layout<S, typename T::stride>{shape, typename T::stride{}};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
