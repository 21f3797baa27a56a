// SPDX-License-Identifier: Apache-2.0
/// @file
/// `slice` keeps the modes of a tuple or layout where a coordinate says `_`, `dice` the others.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// Appends the modes kept to `r` and returns how many they are.
template <class Num>
constexpr int keep(flat<Num>& r, flat<Num> const& coord, cursor& ct, flat<Num> const& f, cursor& at, bool underscores) {
  if (!tuple_at(coord, ct)) {
    bool const kept = (coord.node[ct.node] == flat<Num>::any) == underscores;
    skip_subtree(coord, ct);
    if (kept) {
      copy_subtree(r, f, at);
    } else {
      skip_subtree(f, at);
    }
    return kept;
  }
  int const rank = rank_at(coord, ct);
  if (!tuple_at(f, at) || rank_at(f, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(f, at) ? rank_at(f, at) : 0);
  }
  ++ct.node;
  ++at.node;
  int count = 0;
  for (int i = 0; i < rank; ++i) count += keep(r, coord, ct, f, at, underscores);
  return count;
}
template <class Num>
constexpr flat<Num> kept(flat<Num> const& coord, flat<Num> const& f, bool underscores) {
  flat<Num> r;
  cursor ct, at;
  if (!tuple_at(coord, ct)) {
    if ((coord.node[0] == flat<Num>::any) == underscores) return f;
    r.add_open(0);
    return r;
  }
  r.add_open(0);
  int const count = keep(r, coord, ct, f, at, underscores);
  r.node[0] = flat<Num>::open(count);
  return r;
}
}  // namespace detail

/// The modes where `coord` has `_`, in one tuple without the nesting above them.
template <class Num>
constexpr flat<Num> slice(flat<Num> const& coord, flat<Num> const& f) {
  return detail::kept(coord, f, true);
}
/// The modes where `coord` has an integer.
template <class Num>
constexpr flat<Num> dice(flat<Num> const& coord, flat<Num> const& f) {
  return detail::kept(coord, f, false);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
