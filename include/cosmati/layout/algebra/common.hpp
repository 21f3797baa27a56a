// SPDX-License-Identifier: Apache-2.0
/// @file
/// What two layouts have in common: `max_common_layout`, `max_common_vector`; and `max_alignment` of one.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/composition.hpp>
#include <cosmati/layout/algebra/divide.hpp>
#include <cosmati/layout/algebra/inverse.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// The extent of the leading mode of a o right_inverse(b) if it is known and contiguous, else 1.
template <class Num>
constexpr Num common_extent(flat<Num> const& a, flat<Num> const& inverse_b) {
  flat<Num> const c = composition(a, inverse_b);
  mode_list<Num> m;
  merge(m, c.shape, c.stride, 0, c.leaves, merging::inside);
  return is_known(m.shape[m.first]) && is(m.stride[m.first], 1) ? m.shape[m.first] : Num(1);
}
}  // namespace detail

/// The number n of elements that both layouts have side by side in the same places: for i < n, and r the common
/// layout, a(r(i)) == b(r(i)) == i.
template <class Num>
constexpr Num max_common_vector(flat<Num> const& a, flat<Num> const& b) {
  return detail::common_extent(a, right_inverse(b));
}

/// The places of these elements, as a layout into the domain of `a` and `b`; 1:0 if there is one only.
template <class Num>
constexpr flat<Num> max_common_layout(flat<Num> const& a, flat<Num> const& b) {
  flat<Num> const inverse = right_inverse(b);
  Num const extent = detail::common_extent(a, inverse);
  if (is(extent, 1)) return make_leaf(Num(1), Num(0));
  return composition(inverse, make_leaf(extent, Num(1)));
}

/// The largest n for which `upcast` by n is possible, as far as extents and strides are known.
template <class Num>
constexpr Num max_alignment(flat<Num> const& layout) {
  flat<Num> f = coalesce(layout);
  for (int i = 0; i < f.leaves; ++i) {
    if (!is_known(f.shape[i])) f.shape[i] = Num(1);
    if (!is_known(f.stride[i])) f.stride[i] = Num(0);
  }
  flat<Num> const permuted = logical_divide(f, right_inverse(f));
  span_of_mode const rest = mode_span(permuted, 1);
  Num g = permuted.stride[rest.leaf_end - 1];
  for (int i = rest.leaf_end - 2; i >= rest.leaf; --i) g = gcd(permuted.stride[i], g);
  return gcd(size(permuted, 0), g);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
