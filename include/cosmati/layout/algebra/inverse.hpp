// SPDX-License-Identifier: Apache-2.0
/// @file
/// `right_inverse` and `left_inverse`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/division.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void left_inverse_needs_strides_that_divide(std::int64_t stride, std::int64_t before) {
  throw error(
      "left_inverse: stride %lld is not a multiple of %lld, the next smaller stride; the layout has no inverse layout",
      (long long)stride, (long long)before);
}
[[noreturn]] inline void inverse_of_a_stride_with_a_basis() {
  throw error("a layout whose strides carry a basis (such as 1@0) has no inverse; use integer strides");
}

namespace detail {
/// Indices of the modes with known strides, by increasing stride. Equal strides stand as exchange sort leaves them,
/// which decides which of them an inverse takes.
template <class Num>
constexpr int sort_by_stride(int* order, mode_list<Num> const& m) {
  int n = 0;
  for (int i = m.first; i < m.end; ++i) {
    if (basis_of(m.stride[i]) != 0) inverse_of_a_stride_with_a_basis();
    if (is_known(m.stride[i])) order[n++] = i;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (known(m.stride[order[j]], "") < known(m.stride[order[i]], "")) {
        int const swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
      }
    }
  }
  return n;
}
/// before[i]: the product of the extents in front of mode i.
template <class Num>
constexpr void prefix_products(Num* before, mode_list<Num> const& m) {
  Num p(1);
  for (int i = m.first; i < m.end; ++i) {
    before[i] = p;
    if (i + 1 < m.end) p = p * m.shape[i];
  }
}

template <class Num>
constexpr void right_inverse_into(mode_list<Num>& out, flat<Num> const& layout) {
  mode_list<Num> m;
  merge(m, layout.shape, layout.stride, 0, layout.leaves, merging::inside);
  int order[capacity_of<Num>]{};
  Num before[capacity_of<Num>];
  Num shape[capacity_of<Num>];
  Num stride[capacity_of<Num>];
  int const count = sort_by_stride(order, m);
  prefix_products(before, m);
  int n = 0;
  Num next(1);
  for (int k = 0; k < count; ++k) {
    int const i = order[k];
    if (!same(m.stride[i], next)) continue;
    shape[n] = m.shape[i];
    stride[n] = before[i];
    ++n;
    next = m.shape[i] * m.stride[i];
  }
  merge(out, shape, stride, 0, n, merging::inside);
}
}  // namespace detail

/// The largest layout with layout(result(i)) == i for all i < size(result), in as far as strides are known. 1:0 if
/// no stride is 1.
template <class Num>
constexpr flat<Num> right_inverse(flat<Num> const& layout) {
  if (layout.node[0] == flat<Num>::any) return layout;
  detail::mode_list<Num> m;
  detail::right_inverse_into(m, layout);
  flat<Num> r;
  detail::emit(r, m);
  return r;
}

/// A layout with result(layout(i)) == i for all i < size(layout) if `layout` is injective, and
/// layout(result(layout(i))) == layout(i) in any case.
/// @throws where a stride is no multiple of the next smaller one, or is a run-time integer
template <class Num>
constexpr flat<Num> left_inverse(flat<Num> const& layout) {
  if (layout.node[0] == flat<Num>::any) return layout;
  detail::mode_list<Num> m;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::inside);
  for (int i = m.first; i < m.end; ++i) {
    if (is_known(m.stride[i])) continue;
    if (!layout.note.is_read) undecidable_for_a_run_time_integer("a left inverse");
    flat<Num> refused = layout;
    refused.note.write(refusal_reason::left_inverse_of_a_run_time_stride, i - m.first, m.count());
    return refused;
  }
  int order[capacity_of<Num>]{};
  Num before[capacity_of<Num>];
  Num shape[capacity_of<Num> + 1];
  Num stride[capacity_of<Num> + 1];
  int const count = detail::sort_by_stride(order, m);
  detail::prefix_products(before, m);
  int n = 0;
  stride[0] = Num(0);
  Num covered(1);
  for (int k = 0; k < count; ++k) {
    int const i = order[k];
    if (is(m.stride[i], 0)) continue;
    std::int64_t const d = known(m.stride[i], ""), c = known(covered, "");
    if (d % c != 0) {
      if (!layout.note.is_read) left_inverse_needs_strides_that_divide(d, c);
      flat<Num> refused = layout;
      refused.note.write(refusal_reason::strides_do_not_divide, d, c);
      return refused;
    }
    shape[n] = Num(d / c);
    covered = covered * shape[n];
    stride[++n] = before[i];
  }
  shape[n] = m.shape[order[count - 1]];
  detail::mode_list<Num> out;
  detail::merge(out, shape, stride, 0, n + 1, detail::merging::inside);
  flat<Num> r;
  detail::emit(r, out);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
