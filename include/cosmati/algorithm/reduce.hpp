// SPDX-License-Identifier: Apache-2.0
/// @file
/// `reduce`: combines all elements of a tensor; `batch_reduce`: those of each column; `logical_reduce`: those of chosen
/// modes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/element.hpp>
#include <cosmati/core/functional.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T, class Source, class Op>
struct reduce_into {
  T& result;
  Source const& t;
  Op const& op;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    auto const x = load_element(t, i);
    result = as_written_as(static_cast<T>(op(result, x)), result, x);
  }
};
}  // namespace detail

/// op(...op(op(init, t(0)), t(1))..., t(n - 1)), in init's type.
template <class Engine, class Layout, class T, class Op = plus>
COSMATI_HD constexpr T reduce(Tensor<Engine, Layout> const& t, T const& init, Op const& op = {}) {
  T result = init;
  detail::for_each_index(t, detail::reduce_into<T, Tensor<Engine, Layout>, Op>{result, t, op});
  return result;
}

namespace detail {
template <class T, class Op, class Change, class... X>
COSMATI_HD constexpr T reduced_with(T const& result, Op const& op, Change const& change, X const&... x) {
  return as_written_as(static_cast<T>(op(result, change(x...))), result, x...);
}
template <class T, class Op, class Change, class... Source>
COSMATI_HD constexpr T transform_reduced(T result, int n, Op const& op, Change const& change, Source const&... t) {
  for (int i = 0; i < n; ++i) result = reduced_with(result, op, change, load_element(t, i)...);
  return result;
}
}  // namespace detail
/// op(...op(init, change(t(0)))..., change(t(n - 1))), in init's type.
template <class Engine, class Layout, class T, class Op, class Change>
COSMATI_HD constexpr T transform_reduce(Tensor<Engine, Layout> const& t, T const& init, Op const& op,
                                        Change const& change) {
  return detail::transform_reduced(init, static_cast<int>(size(t)), op, change, t);
}
/// Reduces two tensors of one size: it combines change(a(i), b(i)). The default is their inner product.
template <class Engine, class Layout, class Engine2, class Layout2, class T, class Op = plus, class Change = multiplies>
COSMATI_HD constexpr T transform_reduce(Tensor<Engine, Layout> const& a, Tensor<Engine2, Layout2> const& b,
                                        T const& init, Op const& op = {}, Change const& change = {}) {
  return detail::transform_reduced(init, static_cast<int>(size(a)), op, change, a, b);
}

/// Reduces the first mode of src: dst(j) becomes the reduction of src(_, j), starting from dst(j). src is (reduced,
/// batch...), dst is (batch...).
template <class Engine, class Layout, class Dst, class Op = plus>
requires(tensor_type<Dst>) COSMATI_HD
    constexpr void batch_reduce(Tensor<Engine, Layout> const& src, Dst&& dst, Op const& op = {}) {
  constexpr int modes = Tensor<Engine, Layout>::rank;
  static_assert(modes >= 2,
                "batch_reduce(src, dst): the source needs the mode that is reduced first, and behind it those of dst");
  if constexpr (modes >= 2) {
    auto const columns = group_modes<1, modes>(src);
    if (!detail::as_many_elements(columns(C<0>{}, _), dst)) return;
    detail::for_each_index(
        dst, [&](auto j) { detail::store_element(dst, j, reduce(columns(_, j), detail::load_element(dst, j), op)); });
  }
}

namespace detail {
template <class L>
COSMATI_HD constexpr auto one_mode_at_least(L const& layout) {
  if constexpr (rank_v<L> == 0)
    return Layout<C<1>, C<0>>{};
  else
    return layout;
}
}  // namespace detail

/// As `batch_reduce`, but along the modes where `targets` has integers. Modes with `_` are kept; they are the modes of
/// dst, in order. logical_reduce(src, dst, make_coord(_, 0)) reduces the columns of (rows, columns).
/// @param targets a tuple like src's shape; it is nested if a part of a mode is meant
template <class Engine, class Layout, class Dst, class Targets, class Op = plus>
requires(tensor_type<Dst>) COSMATI_HD constexpr void logical_reduce(Tensor<Engine, Layout> const& src, Dst&& dst,
                                                                    Targets const& targets, Op const& op = {}) {
  auto const reduced = detail::one_mode_at_least(dice(targets, src.layout()));
  auto const kept_modes = detail::one_mode_at_least(slice(targets, src.layout()));
  batch_reduce(make_tensor(src.data(), make_layout(reduced, kept_modes)), dst, op);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
