// SPDX-License-Identifier: Apache-2.0
/// @file
/// Common parts of two layouts: `max_common_layout`, `max_common_vector`; and `max_alignment` of one layout.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/composition.hpp>
#include <cosmati/layout/algebra/divide.hpp>
#include <cosmati/layout/algebra/inverse.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// The extent of the leading mode of `a` after `inverse` if that mode is known and contiguous, otherwise 1. It is 0 if
/// the composition is refused, or is right for some run-time integers only.
template <class Num>
constexpr Num leading_extent(flat_tree<Num> const& a, flat_tree<Num> const& inverse) {
  flat_tree<Num> c;
  c.note.is_read = true;
  c.note.is_trial = true;
  compose(c, a, whole(a), inverse, whole(inverse));
  if (c.note.why != refusal_reason::none || c.note.is_open) return Num(0);
  mode_list<Num> m;
  merge(m, c.shape, c.stride, 0, c.leaves, merging::inside);
  return is_known(m.shape[m.first]) && is(m.stride[m.first], 1) ? m.shape[m.first] : Num(1);
}
/// The leading extent with as many leading modes of the inverse as `a` composes with.
template <class Num>
constexpr Num common_extent(flat_tree<Num> const& a, flat_tree<Num> const& inverse_b) {
  Num const extent_of_all = leading_extent(a, inverse_b);
  if (!is(extent_of_all, 0)) return extent_of_all;
  for (int count = inverse_b.leaves - 1; count > 0; --count) {
    flat_tree<Num> front;
    if (count > 1) front.add_open(count);
    for (int i = 0; i < count; ++i) front.add_leaf(inverse_b.shape[i], inverse_b.stride[i]);
    Num const extent = leading_extent(a, front);
    if (!is(extent, 0)) return extent;
  }
  // Not even the first mode composes. Its part within the first mode of `a` is tried.
  flat_tree<Num> const f = coalesce(a);
  if (!is_known(inverse_b.shape[0]) || !is_known(f.shape[0])) return Num(1);
  Num const extent = leading_extent(a, make_leaf(smaller(inverse_b.shape[0], f.shape[0]), inverse_b.stride[0]));
  return is(extent, 0) ? Num(1) : extent;
}
}  // namespace detail

/// The number n of elements that both layouts are known to place contiguously and alike: a(r(i)) == b(r(i)) == i for
/// each i < n, where r is the common layout. If run-time integers decide, n holds for any value of them.
template <class Num>
constexpr Num max_common_vector(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return detail::common_extent(a, detail::known_right_inverse(b));
}

/// The indices of these n elements, as a layout into the domain of `a` and `b`. It is 1:0 if n is 1.
template <class Num>
constexpr flat_tree<Num> max_common_layout(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> inverse = detail::known_right_inverse(b);
  inverse.note.is_trial = true;  // the extent is computed below, so that nothing is left open
  Num const extent = detail::common_extent(a, inverse);
  if (is(extent, 1)) return make_leaf(Num(1), Num(0));
  return composition(inverse, make_leaf(extent, Num(1)));
}

/// The largest n for which `upcast` by n is known to be possible. If run-time integers decide, n holds for any value of
/// them. It is 1 if a stride is a run-time integer.
template <class Num>
constexpr Num max_alignment(flat_tree<Num> const& layout) {
  flat_tree<Num> f = coalesce(layout);
  std::int64_t steps = 0;  // a common divisor of the strides of modes with run-time extents
  for (int i = 0; i < f.leaves; ++i) {
    if (!is_known(f.stride[i])) return Num(1);
    if (is_known(f.shape[i])) continue;
    steps = gcd(steps, known(magnitude(f.stride[i]), ""));
    f.shape[i] = Num(1);
    f.stride[i] = Num(0);
  }
  flat_tree<Num> const permuted = logical_divide(f, right_inverse(f));
  span_of_mode const rest = mode_span(permuted, 1);
  Num g = permuted.stride[rest.leaf_end - 1];
  for (int i = rest.leaf_end - 2; i >= rest.leaf; --i) g = gcd(permuted.stride[i], g);
  return gcd(gcd(size(permuted, 0), g), Num(steps));
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
