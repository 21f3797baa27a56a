// SPDX-License-Identifier: Apache-2.0
/// @file
/// `nullspace`: the part of the domain where a layout is 0. `domain_distribute`: elements spread over a shape.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compact.hpp>
#include <cosmati/core/algebra/division.hpp>
#include <cosmati/core/algebra/reduce.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE::algebra {

/// A layout into the domain of `layout`, with layout(result(i)) == 0. It consists of the modes whose stride is known to
/// be 0; it is 1:0 if there are none.
template <class Num>
constexpr flat_tree<Num> nullspace(flat_tree<Num> const& layout) {
  Num step[capacity_of<Num>];
  detail::compact_leaves(layout.shape, step, 0, layout.leaves, major::left, Num(1));
  int count = 0;
  for (int i = 0; i < layout.leaves; ++i) count += is(layout.stride[i], 0);
  flat_tree<Num> r;
  if (count == 0) {
    r.add_leaf(Num(1), Num(0));
    return r;
  }
  if (count > 1) r.add_open(count);
  for (int i = 0; i < layout.leaves; ++i) {
    if (is(layout.stride[i], 0)) r.add_leaf(layout.shape[i], step[i]);
  }
  return r;
}

/// A layout of up to `count` elements of the shape. Each of its modes divides a mode of the shape, starting with the
/// first. Both arguments must be known.
template <class Num>
constexpr flat_tree<Num> domain_distribute(flat_tree<Num> const& shape, std::type_identity_t<Num> const& count) {
  Num part[capacity_of<Num>];
  Num step[capacity_of<Num>];
  Num left = count;
  for (int i = 0; i < shape.leaves; ++i) {
    if (shape.note.is_read && (!is_known(shape.shape[i]) || !is_known(left))) {
      flat_tree<Num> refused = shape;
      refused.note.write(refusal_reason::distribution_at_run_time, i, shape.leaves);
      return refused;
    }
    part[i] = gcd(shape.shape[i], left);
    left = quotient(left, part[i]);
  }
  detail::compact_leaves(shape.shape, step, 0, shape.leaves, major::left, Num(1));
  detail::mode_list<Num> m;
  detail::merge(m, part, step, 0, shape.leaves, detail::merging::inside);
  flat_tree<Num> r;
  detail::emit(r, m);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
