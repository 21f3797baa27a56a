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
      static_cast<long long>(stride), static_cast<long long>(before));
}
[[noreturn]] inline void left_inverse_of_modes_that_overlap(std::int64_t stride, std::int64_t reached) {
  throw error(
      "left_inverse: a mode of stride %lld and of an extent that is known only at run time begins below %lld, where "
      "the "
      "modes before it end; its inverse cannot be decided: make that extent static (Int<N>{})",
      static_cast<long long>(stride), static_cast<long long>(reached));
}
[[noreturn]] inline void inverse_of_a_stride_with_a_basis() {
  throw error("a layout whose strides carry a basis (such as 1@0) has no inverse; use integer strides");
}

namespace detail {
/// The indices of the modes with known strides, by increasing stride. Exchange sort decides the order of equal strides,
/// and so which of them an inverse uses.
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
/// before[i] is the product of the extents before mode i.
template <class Num>
constexpr void prefix_products(Num* before, mode_list<Num> const& m) {
  Num p(1);
  for (int i = m.first; i < m.end; ++i) {
    before[i] = p;
    if (i + 1 < m.end) p = p * m.shape[i];
  }
}

/// One more than the largest offset of the modes order[0] to order[count - 1].
template <class Num>
constexpr Num reached_by(mode_list<Num> const& m, int const* order, int count) {
  Num reach(1);
  for (int k = 0; k < count; ++k) reach = reach + (m.shape[order[k]] - Num(1)) * m.stride[order[k]];
  return reach;
}
/// Writes the modes of the right inverse, as far as the integers are known. `m` becomes the coalesced layout.
/// @returns a mode of `m` that decides at run time whether there are more modes; m.end if there is none
template <class Num>
constexpr int right_inverse_into(mode_list<Num>& out, mode_list<Num>& m, flat_tree<Num> const& layout) {
  merge(m, layout.shape, layout.stride, 0, layout.leaves, merging::inside);
  int order[capacity_of<Num>]{};
  Num before[capacity_of<Num>];
  Num shape[capacity_of<Num>];
  Num stride[capacity_of<Num>];
  int const count = sort_by_stride(order, m);
  prefix_products(before, m);
  int n = 0, open = m.end, last = m.end;
  Num next(1);
  for (int i = m.first; i < m.end && open == m.end; ++i) {
    if (!is_known(m.stride[i])) open = i;
  }
  for (int k = 0; k < count; ++k) {
    int const i = order[k];
    if (!is_known(next) && open == m.end) open = last;
    if (!same(m.stride[i], next)) continue;
    last = i;
    shape[n] = m.shape[i];
    stride[n] = before[i];
    ++n;
    next = m.shape[i] * m.stride[i];
  }
  merge(out, shape, stride, 0, n, merging::inside);
  return open;
}
/// The part of the right inverse that is right for any values of the run-time integers.
template <class Num>
constexpr flat_tree<Num> known_right_inverse(flat_tree<Num> const& layout) {
  if (layout.node[0] == flat_tree<Num>::any) return layout;
  mode_list<Num> out, m;
  right_inverse_into(out, m, layout);
  flat_tree<Num> r;
  emit(r, out);
  return r;
}
}  // namespace detail

/// The largest layout with layout(result(i)) == i for all i < size(result). It is 1:0 if no stride is 1.
/// @throws if a run-time integer decides how large the result is
template <class Num>
constexpr flat_tree<Num> right_inverse(flat_tree<Num> const& layout) {
  if (layout.node[0] == flat_tree<Num>::any) return layout;
  detail::mode_list<Num> out, m;
  int const open = detail::right_inverse_into(out, m, layout);
  if (open != m.end) {
    if (!layout.note.is_read) undecidable_for_a_run_time_integer("a right inverse");
    flat_tree<Num> refused = layout;
    refused.note.write(refusal_reason::right_inverse_at_run_time, open - m.first, m.count());
    return refused;
  }
  flat_tree<Num> r;
  detail::emit(r, out);
  return r;
}

/// A layout with layout(result(layout(i))) == layout(i) for all i < size(layout). If `layout` is injective,
/// result(layout(i)) == i.
/// @throws if a stride is not a multiple of the next smaller one, or is a run-time integer
template <class Num>
constexpr flat_tree<Num> left_inverse(flat_tree<Num> const& layout) {
  if (layout.node[0] == flat_tree<Num>::any) return layout;
  detail::mode_list<Num> m;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::inside);
  for (int i = m.first; i < m.end; ++i) {
    if (is_known(m.stride[i])) continue;
    if (!layout.note.is_read) undecidable_for_a_run_time_integer("a left inverse");
    flat_tree<Num> refused = layout;
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
    if (!is_known(m.shape[i])) {
      // The mode would count even with the extent 1, if smaller strides reach beyond it.
      Num const reach = detail::reached_by(m, order, k);
      detail::check_at_run_time(run_time_check::reach, m.stride[i], reach, Num(2));
      if (is_known(reach) && known(reach, "") > d) {
        if (!layout.note.is_read) left_inverse_of_modes_that_overlap(d, known(reach, ""));
        flat_tree<Num> refused = layout;
        refused.note.write(refusal_reason::modes_overlap, d, known(reach, ""));
        return refused;
      }
    }
    if (d % c != 0) {
      if (!layout.note.is_read) left_inverse_needs_strides_that_divide(d, c);
      flat_tree<Num> refused = layout;
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
  flat_tree<Num> r;
  detail::emit(r, out);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
