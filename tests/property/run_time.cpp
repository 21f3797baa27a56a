// SPDX-License-Identifier: Apache-2.0
// Operations on layouts with some run-time integers give the same functions as operations on known integers. Then
// strides that run backwards.
#include <gtest/gtest.h>

#include <cstdlib>

static int const fewer = setenv("RC_PARAMS", "max_success=3000", 0);  // each case makes many comparisons

#include "property/random_layouts.hpp"
#include "property/run_time_inputs.hpp"

using namespace algebra_test;

namespace {

/// Makes each integer of `f` a run-time integer with the given chance in percent. Extents of 1 and strides of 0 stay
/// known, because they have a meaning of their own: a mode without extent needs no stride.
numbers hidden(choices& c, run_time_inputs& inputs, tree const& f, int extents, int strides) {
  numbers r = as_numbers(f);
  for (int i = 0; i < r.leaves; ++i) {
    if (f.shape[i] != 1 && c.chance(extents)) r.shape[i] = inputs.input(f.shape[i]);
    if (f.stride[i] != 0 && c.chance(strides)) r.stride[i] = inputs.input(f.stride[i]);
  }
  return r;
}
/// The result with its run-time integers filled in.
tree filled(run_time_inputs const& inputs, numbers const& f) {
  tree r;
  int leaf = 0;
  for (int i = 0; i < f.nodes; ++i) {
    if (f.node[i] == numbers::leaf) {
      r.add_leaf(inputs.value(f.shape[leaf]), inputs.value(f.stride[leaf]));
      ++leaf;
    } else {
      r.add_node(f.node[i]);
    }
  }
  return r;
}

/// Expects that `r` is the function `expected`, with any modes.
void same_function(tree const& r, tree const& expected, std::string const& about) {
  same(count(r), count(expected), [&] { return "size of " + str(r) + ", " + about; });
  for (integer i = 0; i < count(expected); ++i) {
    same(value(r, i), value(expected, i), [&] { return str(r) + ", " + about + " at " + std::to_string(i); });
  }
}

/// `operation` on known numbers equals the operation on integers. With hidden integers in `a` (and `b`) it gives the
/// same function. A case that it cannot decide counts as refused.
template <class Operation>
void agrees(choices& c, tree const& a, tree const& b, Operation&& operation, int extents = 50, int strides = 50,
            int extents_b = 0, int strides_b = 0) {
  tree const expected = operation(a, b);
  std::string const about = "of " + str(a) + " and " + str(b) + ": " + str(expected);
  same(str(accepted([&] { return operation(as_numbers(a), as_numbers(b)); }, about)), str(expected), about);
  run_time_inputs inputs;
  numbers const x = hidden(c, inputs, a, extents, strides), y = hidden(c, inputs, b, extents_b, strides_b);
  same_function(filled(inputs, operation(x, y)), expected, about);
}

tree leaf_of(integer extent, integer stride) {
  tree t;
  t.add_leaf(extent, stride);
  return t;
}
/// A leaf extent:stride that composes with `a` by construction, even where no two of its modes are merged.
tree fitting_leaf(choices& c, tree const& m) {
  int const skipped = c.below(m.leaves);
  integer stride = 1;
  for (int i = 0; i < skipped; ++i) stride *= m.shape[i];
  integer const part = c.divisor(m.shape[skipped]);
  integer extent = m.shape[skipped] / part;
  for (int i = skipped + 1; i < m.leaves && c.chance(70); ++i) extent *= m.shape[i];
  return leaf_of(extent, stride * part);
}
tree fitting(choices& c, tree const& a) {
  if (c.chance(40)) return fitting_leaf(c, a);
  tree b;
  int const rank = 1 + c.below(3);
  b.add_open(rank);
  for (int i = 0; i < rank; ++i) b.append(fitting_leaf(c, a));
  return b;
}
tree spaced(choices& c, int depth = 2) { return random_layout(c, laid::spaced, depth, 512, true); }

TEST(RunTime, Composition) {
  EXPECT_TRUE(holds("composition after hidden integers", [](choices& c) {
    tree const a = spaced(c), b = fitting(c, a);
    auto const operation = [](auto const& x, auto const& y) { return algebra::composition(x, y); };
    agrees(c, a, b, operation, 60, 60);
    agrees(c, a, b, operation, 0, 100);  // hides all strides, so no mode is merged and each is walked through
  }));
}
TEST(RunTime, CompositionWithHiddenTiles) {
  EXPECT_TRUE(holds("composition with hidden integers", [](choices& c) {
    tree const a = spaced(c);
    agrees(
        c, a, fitting(c, a), [](auto const& x, auto const& y) { return algebra::composition(x, y); }, 40, 40, 50, 50);
  }));
}

/// The same tree with every stride negated.
tree backwards(tree f) {
  for (int i = 0; i < f.leaves; ++i) f.stride[i] = -f.stride[i];
  return f;
}
TEST(Backwards, CompositionWithStridesTurned) {
  EXPECT_TRUE(holds("composition with negative strides", [](choices& c) {
    tree const a = random_layout(c, laid::any, 3, 4096), b = fitting(c, a);
    std::string const about = str(a) + " o " + str(b);
    tree const forwards = algebra::composition(a, b);  // refused where modes of b meet in one mode of a
    same(str(accepted([&] { return algebra::composition(a, backwards(b)); }, about)), str(backwards(forwards)), about);
    same(str(accepted([&] { return algebra::composition(backwards(a), b); }, about)), str(backwards(forwards)), about);
    run_time_inputs inputs;
    numbers const x = hidden(c, inputs, a, 30, 70), y = hidden(c, inputs, backwards(b), 0, 60);
    same_function(filled(inputs, algebra::composition(x, y)), backwards(forwards), about);
  }));
}

TEST(RunTime, OneLayout) {
  EXPECT_TRUE(holds("coalesce, flatten, filter_zeros, with_shape, make_layout, zip of hidden integers", [](choices& c) {
    tree const a = c.chance(50) ? spaced(c, 3) : random_layout(c, laid::any, 3, 512, true);
    tree const expected = algebra::coalesce(a);
    run_time_inputs inputs;
    numbers const x = hidden(c, inputs, a, 40, 40);
    same_function(filled(inputs, algebra::coalesce(x)), a, str(a));
    if (!plain(filled(inputs, algebra::coalesce(as_numbers(a))))) RC_FAIL(str(a) + " is not coalesced");
    same(str(algebra::coalesce(as_numbers(a))), str(expected), "coalesce of numbers");
    same_function(filled(inputs, algebra::filter_zeros(x)), algebra::filter_zeros(a), "filter_zeros of " + str(a));
    agrees(c, a, a, [](auto const& f, auto const&) { return algebra::flatten(f); });
    agrees(c, a, a, [](auto const& f, auto const&) { return algebra::make_layout(f); });
    agrees(c, a, a, [](auto const& f, auto const&) { return algebra::make_layout(f, algebra::major::right); });
    agrees(
        c, a, algebra::make_layout(a), [](auto const& f, auto const& s) { return algebra::with_shape(f, s); }, 0, 100);
  }));
}

/// A fragment follows the order of the strides only if the extents are known.
TEST(RunTime, Fragments) {
  EXPECT_TRUE(holds("make_fragment_like of hidden extents", [](choices& c) {
    tree const a = random_layout(c, laid::any, 2, 512, true);
    run_time_inputs inputs;
    numbers const x = hidden(c, inputs, a, 20, 0);
    bool known = true;
    for (int i = 0; i < x.leaves; ++i) known = known && is_known(x.shape[i]);
    same_function(filled(inputs, algebra::make_fragment_like(x)),
                  known ? algebra::make_fragment_like(a) : algebra::make_layout(a), str(a));
  }));
}

TEST(RunTime, Complement) {
  EXPECT_TRUE(holds("complement of hidden integers", [](choices& c) {
    bool const one_mode = c.chance(50);  // for several modes, the strides have to be known
    tree const a = one_mode ? leaf_of(2 + c.below(6), 1 + c.below(6)) : random_layout(c, laid::spaced, 2, 64);
    agrees(
        c, a, random_shape(c, 2, 512), [](auto const& x, auto const& y) { return algebra::complement(x, y); }, 50,
        one_mode ? 50 : 0, 50);
  }));
}

TEST(RunTime, Inverses) {
  EXPECT_TRUE(holds("inverses of hidden integers", [](choices& c) {
    tree const a = random_layout(c, c.chance(60) ? laid::compact : laid::spaced, 2, 512);
    run_time_inputs inputs;
    tree const right = filled(inputs, algebra::right_inverse(hidden(c, inputs, a, 30, 10)));
    std::string const about = "right_inverse of " + str(a);
    if (count(right) > count(algebra::right_inverse(a))) RC_FAIL(about + " is too large: " + str(right));
    for (integer i = 0; i < count(right); ++i) same(value(a, value(right, i)), i, about);
    auto const left = [](auto const& x, auto const&) { return algebra::left_inverse(x); };
    run_time_inputs of_left;
    tree const r = filled(of_left, left(hidden(c, of_left, a, 40, 0), a));
    for (integer i = 0; i < count(a); ++i) same(value(r, value(a, i)), i, [&] { return str(r) + " of " + str(a); });
  }));
}

TEST(RunTime, Divides) {
  EXPECT_TRUE(holds("divides of hidden integers", [](choices& c) {
    tree const a = random_layout(c, laid::compact, 2, 512, true);
    tree const tile = fitting_leaf(c, algebra::make_layout(a));
    agrees(
        c, a, tile, [](auto const& x, auto const& y) { return algebra::logical_divide(x, y); }, 50, 70);
    tree tiler;
    int const tiles = 1 + c.below(a.rank());
    tiler.add_node(tree::tile(tiles));
    for (int i = 0; i < tiles; ++i) tiler.append(fitting_leaf(c, algebra::make_layout(mode(a, i))));
    agrees(
        c, a, tiler, [](auto const& x, auto const& y) { return algebra::logical_divide(x, y); }, 50, 70, 20, 20);
    agrees(
        c, a, tiler, [](auto const& x, auto const& y) { return algebra::zipped_divide(x, y); }, 50, 70, 20, 20);
    agrees(
        c, a, tiler, [](auto const& x, auto const& y) { return algebra::tiled_divide(x, y); }, 50, 70, 20, 20);
    agrees(
        c, a, tiler, [](auto const& x, auto const& y) { return algebra::flat_divide(x, y); }, 50, 70, 20, 20);
  }));
}

TEST(RunTime, Products) {
  EXPECT_TRUE(holds("products of hidden integers", [](choices& c) {
    tree const a = random_layout(c, laid::compact, 2, 64, true), tile = random_layout(c, laid::compact, 1, 32, true);
    agrees(
        c, a, tile, [](auto const& x, auto const& y) { return algebra::logical_product(x, y); }, 40, 0, 40, 40);
    agrees(
        c, a, tile, [](auto const& x, auto const& y) { return algebra::blocked_product(x, y); }, 40, 0, 40, 40);
    agrees(
        c, a, tile, [](auto const& x, auto const& y) { return algebra::raked_product(x, y); }, 40, 0, 40, 40);
    agrees(
        c, leaf_of(a.shape[0], 1), tile, [](auto const& x, auto const& y) { return algebra::logical_product(x, y); },
        50, 50, 40, 40);
  }));
}

TEST(RunTime, OtherUnits) {
  EXPECT_TRUE(holds("upcast, downcast of hidden integers", [](choices& c) {
    tree a = random_layout(c, laid::compact, 2, 512, true);
    integer const n = integer{1} << c.below(4);
    agrees(
        c, a, a, [&](auto const& x, auto const&) { return algebra::downcast(x, n); }, 60, 0);
    for (int i = 0; i < a.leaves; ++i) a.stride[i] *= n;
    agrees(
        c, a, a, [&](auto const& x, auto const&) { return algebra::upcast(x, n); }, 60, 60);
  }));
}

/// As `agrees`, for tuples: every integer is the same.
template <class Operation>
void agrees_as_tuple(choices& c, tree const& a, tree const& b, Operation&& operation) {
  std::string const expected = tuple_str(operation(a, b)), about = tuple_str(a) + " and " + tuple_str(b);
  same(tuple_str(operation(as_numbers(a), as_numbers(b))), expected, about);
  run_time_inputs inputs;
  numbers const x = hidden(c, inputs, a, 50, 0), y = hidden(c, inputs, b, 50, 0);
  same(tuple_str(filled(inputs, operation(x, y))), expected, about);
}
tree random_coordinate(choices& c, tree f) {
  for (int i = 0; i < f.leaves; ++i) f.shape[i] = c.below(static_cast<int>(f.shape[i]));
  return f;
}

TEST(RunTime, Tuples) {
  EXPECT_TRUE(holds("integer tuples with hidden integers", [](choices& c) {
    tree const a = random_shape(c, 3, 4096), index = leaf_of(c.below(static_cast<int>(count(a))), 0);
    tree const by = c.chance(50) ? leaf_of(1 + c.below(12), 0) : a;
    agrees_as_tuple(c, a, by, [](auto const& x, auto const& y) { return algebra::ceil_div(x, y); });
    agrees_as_tuple(c, a, leaf_of(c.divisor(count(a)), 0),
                    [](auto const& x, auto const& y) { return algebra::ceil_div(x, y); });
    agrees_as_tuple(c, a, by, [](auto const& x, auto const& y) { return algebra::round_up(x, y); });
    agrees_as_tuple(c, index, a, [](auto const& x, auto const& y) { return algebra::idx2crd(x, y); });
    tree const coordinate = random_coordinate(c, a);
    agrees_as_tuple(c, coordinate, a,
                    [&](auto const& x, auto const& y) { return algebra::make_leaf(algebra::crd2idx_in_shape(x, y)); });
    agrees_as_tuple(c, coordinate, a, [](auto const& x, auto const& y) { return algebra::crd2crd(x, y, y); });
    tree f = a;
    lay(c, f, laid::any);
    run_time_inputs inputs;
    numbers const layout = hidden(c, inputs, f, 60, 60), at = hidden(c, inputs, coordinate, 60, 0);
    integer offset = 0;
    for (int i = 0; i < f.leaves; ++i) offset += coordinate.shape[i] * f.stride[i];
    same(inputs.value(algebra::crd2idx(at, layout).shape[0]), offset, str(f));
    same(inputs.value(algebra::crd2idx(inputs.input(index.shape[0]), layout)), value(f, index.shape[0]), str(f));
    same(inputs.value(algebra::size(layout)), count(f), str(f));
    same(inputs.value(algebra::cosize(layout)), algebra::cosize(f), str(f));
  }));
}

}  // namespace
