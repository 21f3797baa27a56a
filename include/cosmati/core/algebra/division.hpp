// SPDX-License-Identifier: Apache-2.0
/// @file
/// Division of integers and of tuples: `ceil_div`, `round_up`, `shape_div`, `safe_div`, `evenly_divides`.
///
/// An integer divides a tuple from its first leaf on: the next leaf gets the part of the divisor that one leaf cannot
/// take.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/reduce.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void shape_div_needs_one_number_to_divide_the_other(std::int64_t a, std::int64_t b) {
  throw error("shape_div(%lld, %lld): one of the two must divide the other", static_cast<long long>(a),
              static_cast<long long>(b));
}
[[noreturn]] inline void safe_div_needs_a_divisor(std::int64_t a, std::int64_t b) {
  throw error("safe_div(%lld, %lld): the second must divide the first", static_cast<long long>(a),
              static_cast<long long>(b));
}
[[noreturn]] inline void divisor_has_more_modes_than_the_dividend(int dividend, int divisor) {
  throw error("a tuple of rank %d cannot be divided by one of rank %d", dividend, divisor);
}

/// a / b, truncated. A zero divisor is an error, also at run time.
constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero("/", a);
  return a / b;
}
constexpr symbolic_integer quotient(symbolic_integer const& a, symbolic_integer const& b) { return a / b; }
/// a % b, with the sign of a.
constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero("%", a);
  return a % b;
}
constexpr symbolic_integer remainder(symbolic_integer const& a, symbolic_integer const& b) { return a % b; }

/// (a + b - 1) / b: the quotient rounded up for positive numbers.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero("ceil_div", a);
  return (a + b - 1) / b;
}
constexpr symbolic_integer ceil_div(symbolic_integer const& a, symbolic_integer const& b) {
  if (!is_known(a) || !is_known(b) || a.basis || b.basis) return ceil_divide(a, b);
  if (b.value == 0) division_by_zero("ceil_div", a.value);
  return (a + b - symbolic_integer(1)) / b;
}

namespace detail {
struct rounding_up {
  template <class Num>
  static constexpr Num divide(Num const& a, Num const& b, refusal_note&) {
    return ceil_div(a, b);
  }
};
struct shape_division {
  template <class Num>
  static constexpr Num divide(Num const& a, Num const& b, refusal_note& note) {
    if (is_known(a) && is_known(b)) {
      std::int64_t const x = known(a, ""), y = known(b, "");
      if (x == 0) division_by_zero("shape_div", y);
      if (y == 0) division_by_zero("shape_div", x);
      if (x % y != 0 && y % x != 0) {
        if (!note.is_read) shape_div_needs_one_number_to_divide_the_other(x, y);
        note.write(refusal_reason::neither_divides, x, y);
      }
    }
    return ceil_div(a, b);
  }
};
/// Divides the subtree at `at` of `a` leaf by leaf. `rest` is the part of the divisor that is left.
template <class Divide, class Num>
constexpr void divide_by_integer(flat_tree<Num>& r, flat_tree<Num> const& a, cursor& at, Num rest) {
  span_of_mode const s = subtree(a, at.node, at.leaf);
  int leaf = s.leaf;
  for (int i = s.node; i < s.node_end; ++i) {
    if (a.node[i] == flat_tree<Num>::leaf) {
      r.add_leaf(Divide::template divide<Num>(a.shape[leaf], rest, r.note));
      if (leaf + 1 < s.leaf_end) rest = Divide::template divide<Num>(rest, a.shape[leaf], r.note);
      ++leaf;
    } else {
      r.add_node(a.node[i]);
    }
  }
  at = {s.node_end, s.leaf_end};
}
/// @param equal_ranks whether the tuples must have equal ranks; otherwise missing modes of `b` count as 1
template <class Divide, class Num>
constexpr void divide(flat_tree<Num>& r, flat_tree<Num> const& a, cursor& at, flat_tree<Num> const& b, cursor& bt,
                      bool equal_ranks) {
  if (!tuple_at(b, bt)) {
    divide_by_integer<Divide>(r, a, at, b.shape[bt.leaf]);
    skip_subtree(b, bt);
  } else if (!tuple_at(a, at)) {
    span_of_mode const s = subtree(b, bt.node, bt.leaf);
    divide_by_integer<Divide>(r, a, at, product_of_leaves(b, s.leaf, s.leaf_end));
    bt = {s.node_end, s.leaf_end};
  } else {
    int const rank = rank_at(a, at), divisors = rank_at(b, bt);
    if (divisors > rank || (equal_ranks && divisors != rank)) divisor_has_more_modes_than_the_dividend(rank, divisors);
    r.add_open(rank);
    ++at.node;
    ++bt.node;
    for (int i = 0; i < rank; ++i) {
      if (i < divisors) {
        divide<Divide>(r, a, at, b, bt, equal_ranks);
      } else {
        divide_by_integer<Divide>(r, a, at, Num(1));
      }
    }
  }
}
}  // namespace detail

/// The quotient rounded up. A tuple divides a tuple mode by mode; missing modes of `b` count as 1. An integer divides a
/// tuple from the first leaf on. A tuple divides an integer as its product does.
template <class Num>
constexpr flat_tree<Num> ceil_div(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> r;
  cursor at, bt;
  detail::divide<detail::rounding_up>(r, a, at, b, bt, false);
  return r;
}

/// As `ceil_div`, but one of each pair of known integers must divide the other.
template <class Num>
constexpr flat_tree<Num> shape_div(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> r;
  r.note = a.note;
  cursor at, bt;
  detail::divide<detail::shape_division>(r, a, at, b, bt, true);
  return r;
}

/// a / b. If both are known, b must divide a.
template <class Num>
constexpr Num safe_div(Num const& a, Num const& b) {
  if (is_known(a) && is_known(b)) {
    std::int64_t const x = known(a, ""), y = known(b, "");
    if (y == 0) division_by_zero("safe_div", x);
    if (x % y != 0) safe_div_needs_a_divisor(x, y);
  }
  return a / b;
}

namespace detail {
template <class Num>
constexpr void round_up(flat_tree<Num>& r, flat_tree<Num> const& a, cursor& at, flat_tree<Num> const& b, cursor& bt) {
  if (!tuple_at(a, at) && !tuple_at(b, bt)) {
    Num const n = b.shape[bt.leaf];
    r.add_leaf(ceil_div(a.shape[at.leaf], n) * n);
    ++at.node, ++at.leaf, ++bt.node, ++bt.leaf;
    return;
  }
  int const rank = rank_at(a, at), divisors = tuple_at(b, bt) ? rank_at(b, bt) : 0;
  if (!tuple_at(a, at) || !tuple_at(b, bt) || divisors > rank) {
    divisor_has_more_modes_than_the_dividend(rank, divisors);
  }
  r.add_open(rank);
  ++at.node;
  ++bt.node;
  for (int i = 0; i < rank; ++i) {
    if (i < divisors) {
      round_up(r, a, at, b, bt);
    } else {
      copy_subtree(r, a, at);
    }
  }
}
}  // namespace detail

/// The smallest multiple of `b` that is at least `a`; mode by mode for tuples.
template <class Num>
constexpr flat_tree<Num> round_up(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> r;
  cursor at, bt;
  detail::round_up(r, a, at, b, bt);
  return r;
}

namespace detail {
template <class Num>
constexpr bool evenly_divides(flat_tree<Num> const& a, cursor& at, flat_tree<Num> const& b, cursor& bt) {
  if (!tuple_at(b, bt)) {
    flat_tree<Num> quotients;
    span_of_mode const s = subtree(a, at.node, at.leaf);
    Num const n = b.shape[bt.leaf];
    divide_by_integer<rounding_up>(quotients, a, at, n);
    skip_subtree(b, bt);
    Num const whole = product_of_leaves(a, s.leaf, s.leaf_end);
    Num const covered = n * product_of_leaves(quotients, 0, quotients.leaves);
    return known(whole, "evenly_divides") == known(covered, "evenly_divides");
  }
  int const rank = rank_at(a, at), tiles = rank_at(b, bt);
  if (tiles > rank) return false;
  cursor child = first_child(a, at);
  ++bt.node;
  for (int i = 0; i < tiles; ++i) {
    if (!evenly_divides(a, child, b, bt)) return false;
  }
  skip_subtree(a, at);
  return true;
}
}  // namespace detail

/// Whether tiles of shape `b` cover the shape `a` exactly, mode by mode.
template <class Num>
constexpr bool evenly_divides(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  cursor at, bt;
  return detail::evenly_divides(a, at, b, bt);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
