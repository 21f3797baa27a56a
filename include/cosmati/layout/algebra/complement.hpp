// SPDX-License-Identifier: Apache-2.0
/// @file
/// `complement`: the layout of the offsets that a layout leaves free. Both layouts together cover a target.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compact.hpp>
#include <cosmati/core/algebra/division.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>
#include <cosmati/layout/algebra/codomain.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void complement_of_a_layout_that_is_not_injective(std::int64_t stride, std::int64_t reached) {
  throw error(
      "complement: a mode of stride %lld begins below %lld, where the modes before it end; the layout must be "
      "injective",
      static_cast<long long>(stride), static_cast<long long>(reached));
}
[[noreturn]] inline void complement_of_a_stride_with_a_basis() {
  throw error("complement: a stride with a basis (such as 1@0) has no complement; use an integer stride");
}

namespace detail {
/// Whether `a` is known to be a multiple of `b`.
template <class Num>
constexpr bool is_multiple(Num const& a, Num const& b) {
  return is_known(a) && is_known(b) && !is_zero(b) && known(a, "") % known(b, "") == 0;
}
/// gap_before: how often the reach of the lower modes fits below a mode s:d. reach_behind: the reach including that
/// mode. A run-time mode may turn out to have the extent 1 or the stride 0, and then it has no effect.
constexpr std::int64_t gap_before(std::int64_t d, std::int64_t, std::int64_t reached) { return quotient(d, reached); }
constexpr std::int64_t reach_behind(std::int64_t d, std::int64_t s, std::int64_t) { return d * s; }
constexpr symbolic_integer gap_before(symbolic_integer const& d, symbolic_integer const& s,
                                      symbolic_integer const& reached) {
  if (is_known(s) && is_known(d)) return quotient(d, reached);
  if (same(d, reached)) return {1};
  symbolic_integer const gap = is_known(d) ? quotient(d, reached) : larger(quotient(d, reached), symbolic_integer(1));
  return is_known(s) ? gap : gap - symbolic_integer(1) / s * (gap - symbolic_integer(1));
}
constexpr symbolic_integer reach_behind(symbolic_integer const& d, symbolic_integer const& s,
                                        symbolic_integer const& reached) {
  if ((is_known(s) && is_known(d)) || same(d, reached)) return d * s;
  symbolic_integer const reach = is_known(d) ? d * s : larger(d * s, reached);
  return is_known(s) ? reach : reach - symbolic_integer(1) / s * (reach - reached);
}
/// Writes the complement of the filtered modes `m` in `target` to `out`, coalesced. `target` is a list of extents.
template <class Num>
constexpr void complement_into(mode_list<Num>& out, mode_list<Num> const& m, Num const* target, int targets,
                               refusal_note& note) {
  Num shape[2 * capacity_of<Num>];
  Num stride[2 * capacity_of<Num>];
  int n = 0;
  Num reached(1);
  Num rest[capacity_of<Num>];
  int rests = 0;
  if (m.count() == 1 && is(m.stride[m.first], 0)) {
    rests = merge_extents(rest, target, targets);
    out.first = out.end - rests;
    for (int i = 0; i < rests; ++i) out.shape[out.first + i] = rest[i];
    return compact_leaves(out.shape, out.stride, out.first, out.end, major::left, reached);
  } else {
    int order[capacity_of<Num>]{};
    int const count = m.count();
    for (int i = 0; i < count; ++i) {
      Num const& d = m.stride[m.first + i];
      if (basis_of(d) != 0) complement_of_a_stride_with_a_basis();
      if (count > 1 && !is_known(d)) {
        if (!note.is_read) undecidable_for_a_run_time_integer("the complement of a layout of several modes");
        note.write(refusal_reason::complement_of_a_run_time_stride, i, count);
        out.first = out.end;
        return;
      }
      int k = i;
      for (; k > 0 && known(d, "") < known(m.stride[m.first + order[k - 1]], ""); --k) order[k] = order[k - 1];
      order[k] = i;
    }
    for (int i = 0; i < count; ++i) {
      Num const& d = m.stride[m.first + order[i]];
      Num const& s = m.shape[m.first + order[i]];
      // If the layout fills a divisor of the target, the result is the same with and without a last mode of extent 1.
      bool const fills = i + 1 == count && targets == 1 && is_multiple(*target, d) && is_multiple(d, reached);
      shape[n] = fills ? quotient(d, reached) : gap_before(d, s, reached);
      stride[n] = reached;
      if (is(shape[n], 0)) {
        std::int64_t const stride_here = known(d, ""), end = known(reached, "complement");
        if (!note.is_read) complement_of_a_layout_that_is_not_injective(stride_here, end);
        note.write(refusal_reason::modes_overlap, stride_here, end);
        out.first = out.end;
        return;
      }
      if (!is_known(reached) || !is_known(s)) check_at_run_time(run_time_check::reach, d, reached, s);
      reached = fills ? d * s : reach_behind(d, s, reached);
      ++n;
    }
    Num divided[capacity_of<Num>];
    Num by = reached;
    for (int i = 0; i < targets; ++i) {
      divided[i] = ceil_div(target[i], by);
      if (i + 1 < targets) by = ceil_div(by, target[i]);
    }
    rests = merge_extents(rest, divided, targets);
  }
  for (int i = 0; i < rests; ++i) shape[n + i] = rest[i];
  compact_leaves(shape, stride, n, n + rests, major::left, reached);
  merge(out, shape, stride, 0, n + rests, merging::inside);
}
}  // namespace detail

/// The layout of the offsets that `layout` leaves free. Its values are 0 and offsets that `layout` does not reach, in
/// increasing order. (layout, result) covers [0, size(target)), rounded up. `target` is an integer, a shape, or a
/// layout, of which the shape is used.
/// @throws if the layout is provably not injective; if it has several modes and a stride is a run-time integer
template <class Num>
constexpr flat_tree<Num> complement(flat_tree<Num> const& layout, flat_tree<Num> const& target) {
  detail::mode_list<Num> m, out;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::filtering);
  flat_tree<Num> r;
  r.note = layout.note;
  detail::complement_into(out, m, target.shape, target.leaves, r.note);
  detail::emit(r, out);
  return r;
}
template <class Num>
constexpr flat_tree<Num> complement(flat_tree<Num> const& layout, std::type_identity_t<Num> const& target) {
  detail::mode_list<Num> m, out;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::filtering);
  flat_tree<Num> r;
  r.note = layout.note;
  detail::complement_into(out, m, &target, 1, r.note);
  detail::emit(r, out);
  return r;
}
/// The complement within the layout's own codomain.
template <class Num>
constexpr flat_tree<Num> complement(flat_tree<Num> const& layout) {
  return complement(layout, cosize(filter(layout)));
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
