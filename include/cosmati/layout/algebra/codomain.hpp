// SPDX-License-Identifier: Apache-2.0
/// @file
/// The codomain of a layout: `coshape`, `cosize`, `coprofile`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/reduce.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// The sum of (extent - 1) * |stride| over leaves [first, last).
template <class Num>
constexpr void add_reach(index_sum<Num>& sum, flat_tree<Num> const& layout, int first, int last) {
  for (int i = first; i < last; ++i) sum.add((layout.shape[i] - Num(1)) * magnitude(layout.stride[i]));
}
template <class Num>
constexpr bool has_basis(flat_tree<Num> const& layout, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (basis_of(layout.stride[i]) != 0) return true;
  }
  return false;
}
}  // namespace detail

/// The largest value plus one, for each dimension of the codomain. Strides count with their magnitudes.
template <class Num>
constexpr flat_tree<Num> coshape(flat_tree<Num> const& layout) {
  detail::index_sum<Num> sum;
  detail::add_reach(sum, layout, 0, layout.leaves);
  flat_tree<Num> r = sum.value();
  for (int i = 0; i < r.leaves; ++i) r.shape[i] = r.shape[i] + Num(1);
  return r;
}

/// The size of the codomain, which is the number of elements that the memory must have.
template <class Num>
constexpr Num cosize(flat_tree<Num> const& layout) {
  if (detail::has_basis(layout, 0, layout.leaves)) return size(coshape(layout));
  detail::index_sum<Num> sum;
  detail::add_reach(sum, layout, 0, layout.leaves);
  return sum.integer() + Num(1);
}

/// The nesting of the layout's values, with 0 at each leaf.
template <class Num>
constexpr flat_tree<Num> coprofile(flat_tree<Num> const& layout) {
  // Integers mixed with bases are an error, unless they are 0. Among integers alone, the sum does not matter.
  bool const bases = detail::has_basis(layout, 0, layout.leaves);
  detail::index_sum<Num> sum;
  for (int i = 0; bases && i < layout.leaves; ++i) sum.add(layout.stride[i]);
  flat_tree<Num> r = sum.value();
  for (int i = 0; i < r.leaves; ++i) r.shape[i] = Num(0);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
