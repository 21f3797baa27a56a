// SPDX-License-Identifier: Apache-2.0
// The functions of integer tuples: sizes, divisions, coordinates, orders, compatible nestings.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// A tuple as an ordinary tree, for which the definitions are easy to write.
struct nested {
  integer value = 0;
  std::vector<nested> modes;
  bool tuple = false;
};
nested read(tree const& t, int& node, int& leaf) {
  nested n;
  std::uint8_t const code = t.node[node++];
  if (code == tree::leaf) {
    n.value = t.shape[leaf++];
    return n;
  }
  n.tuple = true;
  for (int i = 0; i < tree::children(code); ++i) n.modes.push_back(read(t, node, leaf));
  return n;
}
nested read(tree const& t) {
  int node = 0, leaf = 0;
  return read(t, node, leaf);
}
std::string text(nested const& n) {
  if (!n.tuple) return std::to_string(n.value);
  std::string s = "(";
  for (std::size_t i = 0; i < n.modes.size(); ++i) s += (i ? "," : "") + text(n.modes[i]);
  return s + ")";
}
integer product(nested const& n) {
  integer p = n.tuple ? 1 : n.value;
  for (nested const& m : n.modes) p *= product(m);
  return p;
}
int depth(nested const& n) {
  int d = 0;
  for (nested const& m : n.modes) d = std::max(d, depth(m));
  return n.tuple ? d + 1 : 0;
}
bool operator==(nested const& a, nested const& b) { return text(a) == text(b); }

integer divided_up(integer a, integer b) { return (a + b - 1) / b; }
nested ceil_div(nested const& a, nested const& b) {
  nested r = a;
  if (!a.tuple) {
    r.value = divided_up(a.value, product(b));
  } else if (b.tuple) {
    if (b.modes.size() > a.modes.size()) throw cosmati::error("ranks");
    for (std::size_t i = 0; i < b.modes.size(); ++i) r.modes[i] = ceil_div(a.modes[i], b.modes[i]);
  } else {
    nested rest = b;
    for (nested& m : r.modes) {
      integer const whole = product(m);
      m = ceil_div(m, rest);
      rest.value = divided_up(rest.value, whole);
    }
  }
  return r;
}
bool weakly_congruent(nested const& a, nested const& b, bool sizes) {
  if (!a.tuple) return !sizes || a.value == product(b);
  if (!b.tuple || a.modes.size() != b.modes.size()) return false;
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    if (!weakly_congruent(a.modes[i], b.modes[i], sizes)) return false;
  }
  return true;
}
bool lex_less(nested const& a, nested const& b, bool last_first) {
  if (a.tuple != b.tuple) throw cosmati::error("a tuple and an integer");
  if (!a.tuple) return a.value < b.value;
  auto x = a.modes, y = b.modes;
  if (last_first) {
    std::reverse(x.begin(), x.end());
    std::reverse(y.begin(), y.end());
  }
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) (void)lex_less(x[i], y[i], last_first);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (lex_less(x[i], y[i], last_first)) return true;
    if (!(x[i] == y[i])) return false;
  }
  return x.size() < y.size();
}
bool elem_less(nested const& a, nested const& b) {
  if (a.tuple != b.tuple) throw cosmati::error("a tuple and an integer");
  if (!a.tuple) return a.value < b.value;
  bool all = true;
  for (std::size_t i = 0; i < std::min(a.modes.size(), b.modes.size()); ++i) {
    all = elem_less(a.modes[i], b.modes[i]) && all;
  }
  return all && a.modes.size() <= b.modes.size();
}
bool evenly_divides(nested const& a, nested const& b) {
  if (!b.tuple) return product(a) == b.value * product(ceil_div(a, b));
  std::vector<nested> const modes = a.tuple ? a.modes : std::vector<nested>{a};
  if (b.modes.size() > modes.size()) return false;
  for (std::size_t i = 0; i < b.modes.size(); ++i) {
    if (!evenly_divides(modes[i], b.modes[i])) return false;
  }
  return true;
}

/// Adds `f` to r, with parts replaced by their product, or by a divisor of it.
void add_coarser(choices& c, tree& r, tree const& f, algebra::cursor& at, bool divisors) {
  if (!algebra::detail::tuple_at(f, at) || c.chance(25)) {
    span_of_mode const s = subtree(f, at.node, at.leaf);
    integer size = 1;
    for (int i = s.leaf; i < s.leaf_end; ++i) size *= f.shape[i];
    r.add_leaf(divisors && c.chance(80) ? c.divisor(size) : size, 0);
    at = {s.node_end, s.leaf_end};
    return;
  }
  int const rank = tree::children(f.node[at.node]);
  int const kept = divisors && c.chance(20) ? 1 + c.below(rank) : rank;
  r.add_open(kept);
  ++at.node;
  for (int i = 0; i < rank; ++i) {
    if (i < kept) {
      add_coarser(c, r, f, at, divisors);
    } else {
      algebra::detail::skip_subtree(f, at);
    }
  }
}
tree coarser(choices& c, tree const& f, bool divisors) {
  tree r;
  algebra::cursor at;
  add_coarser(c, r, f, at, divisors);
  return r;
}
/// Compares an operation with its definition, refusals included: both throw, or both return the same.
template <class Ours, class Theirs>
void agree(Ours&& ours, Theirs&& theirs, std::string const& about) {
  std::string a, b;
  bool refused = false;
  try {
    b = theirs();
  } catch (cosmati::error const&) {
    refused = true;
    b = "refused";
  }
  try {
    a = ours();
  } catch (cosmati::error const&) {
    a = "refused";
  }
  same(a, b, about);
  if (refused) throw cosmati::error("refused");  // counted as refused
}
std::string str_of(bool b) { return b ? "true" : "false"; }

TEST(Reduce, IsTheDefinition) {
  EXPECT_TRUE(holds("size, product_each, product_like, sum, max, min, gcd, depth", [](choices& c) {
    tree const f = random_shape(c);
    std::string const about = tuple_str(f);
    nested const n = read(f);
    std::vector<integer> const leaves(f.shape, f.shape + f.leaves);
    same(algebra::size(f), product(n), about);
    same(algebra::product(f), product(n), about);
    same(algebra::sum(f), std::accumulate(leaves.begin(), leaves.end(), integer(0)), about);
    same(algebra::max(f), *std::max_element(leaves.begin(), leaves.end()), about);
    same(algebra::min(f), *std::min_element(leaves.begin(), leaves.end()), about);
    integer g = 0;
    for (integer x : leaves) g = std::gcd(g, x);
    same(algebra::gcd(f), g, about);
    same(algebra::depth(f), depth(n), about);
    same(algebra::rank(f), n.tuple ? static_cast<int>(n.modes.size()) : 1, about);
    tree const each = algebra::product_each(f);
    nested expected;
    expected.tuple = true;
    for (nested const& m : n.tuple ? n.modes : std::vector<nested>{n})
      expected.modes.push_back({product(m), {}, false});
    same(tuple_str(each), text(expected), about);
    for (int i = 0; i < f.rank(); ++i) same(algebra::size(f, i), each.shape[i], about);
    tree const guide = coarser(c, f, false);
    same(tuple_str(algebra::product_like(f, guide)), tuple_str(guide), about);
    integer inner = 0;
    for (integer x : leaves) inner += x * x;
    same(algebra::inner_product(f, f), inner, about);
    tree const scaled = algebra::elem_scale(guide, f);
    for (int i = 0; i < guide.leaves; ++i) same(scaled.shape[i], guide.shape[i] * guide.shape[i], about);
  }));
}

TEST(Elementwise, NeedsTheSameNesting) {
  EXPECT_TRUE(holds("elem_scale, filter_zeros of other nestings", [](choices& c) {
    tree const a = random_shape(c, 2, 64), b = c.chance(60) ? random_shape(c, 3, 64) : a;
    bool const fits = weakly_congruent(read(a), read(b), false);
    auto const refuses = [](auto&& operation) {
      try {
        operation();
        return false;
      } catch (cosmati::error const&) {
        return true;
      }
    };
    auto const about = [&] { return tuple_str(a) + " and " + tuple_str(b); };
    same(refuses([&] { algebra::elem_scale(a, b); }), !fits, about);
    same(refuses([&] { algebra::filter_zeros(a, b); }), !fits, about);
  }));
}

TEST(Division, CeilDivAndRoundUp) {
  EXPECT_TRUE(holds("ceil_div", [](choices& c) {
    tree const a = random_shape(c);
    tree const b = c.chance(80) ? coarser(c, a, true) : random_shape(c, 2, 64);
    agree([&] { return tuple_str(algebra::ceil_div(a, b)); }, [&] { return text(ceil_div(read(a), read(b))); },
          tuple_str(a) + " by " + tuple_str(b));
  }));
  EXPECT_TRUE(holds("round_up", [](choices& c) {
    tree const a = random_shape(c);
    tree b = a;
    for (int i = 0; i < b.leaves; ++i) b.shape[i] = 1 + c.below(7);
    tree const r = algebra::round_up(a, b);
    for (int i = 0; i < a.leaves; ++i) {
      same(r.shape[i] % b.shape[i], 0, [&] { return tuple_str(a); });
      RC_ASSERT(r.shape[i] >= a.shape[i] && r.shape[i] - a.shape[i] < b.shape[i]);
    }
    if (!b.is_leaf()) {
      tree const shorter = algebra::take(b, 0, 1 + c.below(b.rank()));
      tree const s = algebra::round_up(a, shorter);
      for (int i = 0; i < a.leaves; ++i) {
        same(s.shape[i], i < shorter.leaves ? r.shape[i] : a.shape[i], [&] { return tuple_str(a); });
      }
    }
  }));
}

TEST(Division, ShapeDivAndSafeDivNeedDivisors) {
  EXPECT_TRUE(holds("shape_div", [](choices& c) {
    tree const a = random_shape(c);
    tree b = c.chance(60) ? a : tree{};
    if (b.nodes == 0) {
      b.add_leaf(c.divisor(count(a)), 0);
    } else {
      for (int i = 0; i < b.leaves; ++i) b.shape[i] = c.chance(90) ? c.divisor(a.shape[i]) : 1 + c.below(9);
    }
    agree([&] { return tuple_str(algebra::shape_div(a, b)); },
          [&] {
            integer rest = b.shape[0];
            tree r = a;
            for (int i = 0; i < a.leaves; ++i) {
              integer const by = b.is_leaf() && !a.is_leaf() ? rest : b.shape[i];
              if (a.shape[i] % by != 0 && by % a.shape[i] != 0) throw cosmati::error("divisor");
              r.shape[i] = divided_up(a.shape[i], by);
              rest = divided_up(rest, a.shape[i]);
            }
            return tuple_str(r);
          },
          tuple_str(a) + " by " + tuple_str(b));
    integer const x = a.shape[0], y = 1 + c.below(6);
    agree([&] { return std::to_string(algebra::safe_div(x * y + (x % 3 == 0), y)); },
          [&] {
            if ((x * y + (x % 3 == 0)) % y != 0) throw cosmati::error("divisor");
            return std::to_string((x * y + (x % 3 == 0)) / y);
          },
          "safe_div");
  }));
}

TEST(Division, EvenlyDivides) {
  EXPECT_TRUE(holds("evenly_divides", [](choices& c) {
    tree const a = random_shape(c);
    tree const b = c.chance(80) ? coarser(c, a, true) : random_shape(c, 2, 64);
    same(str_of(algebra::evenly_divides(a, b)), str_of(evenly_divides(read(a), read(b))),
         [&] { return tuple_str(a) + " by " + tuple_str(b); });
  }));
}

TEST(Profile, WrapAndUnwrap) {
  EXPECT_TRUE(holds("wrap, unwrap", [](choices& c) {
    tree f = random_shape(c);
    if (c.chance(50)) {  // within tuples of one mode
      tree outer;
      for (int i = c.below(4); i >= 0; --i) outer.add_open(1);
      outer.append(f);
      f = outer;
    }
    nested inside = read(f);
    while (inside.tuple && inside.modes.size() == 1) inside = nested(inside.modes[0]);
    auto const about = [&] { return tuple_str(f); };
    same(str_of(read(algebra::unwrap(f)) == inside), str_of(true), about);
    same(tuple_str(algebra::wrap(f)), f.is_leaf() ? "(" + tuple_str(f) + ")" : tuple_str(f), about);
  }));
}

TEST(Profile, Fitting) {
  EXPECT_TRUE(holds("congruent, weakly_congruent, compatible", [](choices& c) {
    tree const b = random_shape(c);
    tree a = c.chance(70) ? coarser(c, b, c.chance(30)) : random_shape(c);
    if (c.chance(30)) a = b;
    if (c.chance(10)) a.shape[c.below(a.leaves)] += 1;
    auto const about = [&] { return tuple_str(a) + " and " + tuple_str(b); };
    same(str_of(algebra::weakly_congruent(a, b)), str_of(weakly_congruent(read(a), read(b), false)), about);
    same(str_of(algebra::compatible(a, b)), str_of(weakly_congruent(read(a), read(b), true)), about);
    same(str_of(algebra::congruent(a, b)),
         str_of(weakly_congruent(read(a), read(b), false) && weakly_congruent(read(b), read(a), false)), about);
    same(str_of(algebra::equal(a, b)), str_of(read(a) == read(b)), about);
  }));
}

TEST(Compare, Orders) {
  EXPECT_TRUE(holds("elem_less, lex_less, colex_less", [](choices& c) {
    tree const a = random_shape(c);
    tree b = c.chance(90) ? a : random_shape(c);
    for (int i = 0; i < b.leaves; ++i) b.shape[i] += c.below(4) == 0 ? c.below(3) - 1 : 0;
    if (c.chance(20) && !b.is_leaf()) b = algebra::take(b, 0, 1 + c.below(b.rank()));
    nested const x = read(a), y = read(b);
    std::string const about = tuple_str(a) + " and " + tuple_str(b);
    agree([&] { return str_of(algebra::elem_less(a, b)) + str_of(algebra::elem_gtr(a, b)); },
          [&] { return str_of(elem_less(x, y)) + str_of(elem_less(y, x)); }, "elem " + about);
    agree([&] { return str_of(algebra::elem_leq(a, b)) + str_of(algebra::elem_geq(a, b)); },
          [&] { return str_of(!elem_less(y, x)) + str_of(!elem_less(x, y)); }, "elem or equal " + about);
    agree([&] { return str_of(algebra::lex_less(a, b)) + str_of(algebra::lex_gtr(a, b)); },
          [&] { return str_of(lex_less(x, y, false)) + str_of(lex_less(y, x, false)); }, "lex " + about);
    agree([&] { return str_of(algebra::lex_leq(a, b)) + str_of(algebra::lex_geq(a, b)); },
          [&] { return str_of(!lex_less(y, x, false)) + str_of(!lex_less(x, y, false)); }, "lex or equal " + about);
    agree([&] { return str_of(algebra::colex_less(a, b)) + str_of(algebra::colex_gtr(a, b)); },
          [&] { return str_of(lex_less(x, y, true)) + str_of(lex_less(y, x, true)); }, "colex " + about);
    agree([&] { return str_of(algebra::colex_leq(a, b)) + str_of(algebra::colex_geq(a, b)); },
          [&] { return str_of(!lex_less(y, x, true)) + str_of(!lex_less(x, y, true)); }, "colex or equal " + about);
  }));
}

/// The coordinate of the integer i, as deep as the shape.
tree digits(tree const& shape, integer i) {
  tree r = shape;
  for (int k = 0; k < r.leaves; ++k) {
    r.shape[k] = r.is_leaf() ? i : i % shape.shape[k];
    i /= shape.shape[k];
  }
  return r;
}
/// Adds the coordinate of the coarser shape that belongs to a coordinate of the finer one.
void add_coarse(tree& r, tree const& fine, tree const& shape, algebra::cursor& at, tree const& coarse,
                algebra::cursor& ct) {
  if (!algebra::detail::tuple_at(coarse, ct)) {
    span_of_mode const s = subtree(shape, at.node, at.leaf);
    integer index = 0;
    for (int i = s.leaf_end - 1; i >= s.leaf; --i) index = index * shape.shape[i] + fine.shape[i];
    r.add_leaf(index, 0);
    at = {s.node_end, s.leaf_end};
    algebra::detail::skip_subtree(coarse, ct);
    return;
  }
  int const rank = tree::children(coarse.node[ct.node]);
  r.add_open(rank);
  ++ct.node;
  ++at.node;
  for (int i = 0; i < rank; ++i) add_coarse(r, fine, shape, at, coarse, ct);
}

TEST(Coordinate, ThereAndBack) {
  EXPECT_TRUE(holds("idx2crd, crd2idx, crd2crd", [](choices& c) {
    tree const shape = random_shape(c);
    integer const i = c.below(static_cast<int>(count(shape)));
    tree index;
    index.add_leaf(i, 0);
    auto const about = [&] { return std::to_string(i) + " in " + tuple_str(shape); };
    tree const fine = digits(shape, i);
    same(tuple_str(algebra::idx2crd(index, shape)), tuple_str(fine), about);
    same(tuple_str(algebra::idx2crd(index, shape, algebra::compact_col_major(shape))), tuple_str(fine), about);
    same(algebra::crd2idx_in_shape(fine, shape), i, about);
    tree const coarse = coarser(c, shape, false);
    tree coord;
    algebra::cursor at, ct;
    add_coarse(coord, fine, shape, at, coarse, ct);
    same(algebra::crd2idx_in_shape(coord, shape), i, about);
    same(tuple_str(algebra::idx2crd(coord, shape)), tuple_str(fine), about);
    same(tuple_str(algebra::crd2crd(fine, shape, coarse)), tuple_str(coord), about);
    same(tuple_str(algebra::crd2crd(coord, coarse, shape)), tuple_str(fine), about);

    tree layout = shape;
    lay(c, layout, laid::any);
    same(tuple_str(algebra::crd2idx(coord, layout)), std::to_string(value(layout, i)), about);
    same(tuple_str(algebra::crd2idx(fine, layout)), std::to_string(value(layout, i)), about);
    same(algebra::crd2idx(i, layout), value(layout, i), about);
    same(algebra::crd2idx(i + count(layout), layout), value(layout, i + count(layout)), about);
    same(tuple_str(algebra::crd2idx(fine, shape, algebra::stride(layout))), std::to_string(value(layout, i)), about);

    lay(c, layout, laid::compact);
    integer const at_i = value(layout, i);
    same(tuple_str(algebra::get_hier_coord(layout, at_i)), tuple_str(fine), [&] { return str(layout); });
    same(algebra::get_1d_coord(layout, at_i), i, [&] { return str(layout); });
    tree const flat_coord = algebra::get_flat_coord(layout, at_i);
    for (int k = 0; k < shape.rank(); ++k) {
      same(flat_coord.shape[k], algebra::crd2idx_in_shape(mode(fine, k), mode(shape, k)), [&] { return str(layout); });
    }
    RC_ASSERT(flat_coord.is_leaf() == (shape.rank() == 1));
  }));
}

}  // namespace
