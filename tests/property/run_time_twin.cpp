// SPDX-License-Identifier: Apache-2.0
// Each function of the algebra on layouts with hidden run-time integers, extents of 1 and strides of 0 included. The
// result equals that of its twin, which knows all integers, or the call is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

static int const fewer = setenv("RC_PARAMS", "max_success=4000", 0);  // each case makes many comparisons

#include "property/random_layouts.hpp"
#include "property/run_time_inputs.hpp"

using namespace algebra_test;

namespace {

enum class hidden_integers { some, one, all };
/// The integers that a case hides, and a layout with them hidden.
class hiding {
 public:
  explicit hiding(choices& c) : c_(c), which_(static_cast<hidden_integers>(c.below(3))), one_(c.below(12)) {}
  numbers operator()(tree const& f, bool strides = true) {
    numbers r = as_numbers(f);
    for (int i = 0; i < r.leaves; ++i) {
      if (is_hidden()) r.shape[i] = inputs.input(f.shape[i]);
      if (strides && is_hidden()) r.stride[i] = inputs.input(f.stride[i]);
    }
    r.note.is_read = true;
    return r;
  }
  run_time_inputs inputs;

 private:
  bool is_hidden() {
    if (which_ == hidden_integers::one) return seen_++ == one_;
    return which_ == hidden_integers::all || c_.chance(40);
  }
  choices& c_;
  hidden_integers which_;
  int one_, seen_ = 0;
};
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

/// How a function's results compare.
struct outcome {
  int equal = 0, refused = 0, caught = 0;
};
std::string text_of(numbers const& f) { return str(f); }

/// `operation` on hidden integers equals the operation on known ones, unless it is refused at compile time or by its
/// checks at run time. `compare(result, expected)` compares the two.
template <class Operation, class Compare>
void is_its_twin(outcome& o, hiding& h, numbers const& x, Operation&& operation, tree const& a,
                 std::string const& about, Compare&& compare) {
  tree expected;
  bool twin_refuses = false;
  try {
    tree known = a;
    known.note = {};
    expected = operation(known);
  } catch (cosmati::error const&) {
    twin_refuses = true;
  }
  numbers result;
  try {
    result = operation(x);
  } catch (cosmati::error const& e) {
    // Only an error that says "cannot be decided" may end the evaluation of a type.
    if (!twin_refuses && std::string(e.what()).find("cannot be decided") == std::string::npos &&
        std::string(e.what()).find("intermediate run-time integers") == std::string::npos) {
      RC_FAIL(about + " of " + text_of(x) + ": " + e.what());
    }
    ++o.refused;
    return;
  }
  if (result.note.why != cosmati::refusal_reason::none) {
    ++o.refused;
    return;
  }
  if (!h.inputs.checks_hold()) {
    ++o.caught;
    return;
  }
  tree const r = filled(h.inputs, result);
  if (twin_refuses) RC_FAIL(about + " of " + str(a) + " is refused, but of " + text_of(x) + " it is " + str(r));
  compare(r, expected);
  ++o.equal;
}
void same_function(tree const& r, tree const& expected, std::string const& about) {
  same(count(r), count(expected), [&] { return about + ": size of " + str(r) + " beside " + str(expected); });
  for (integer i = 0; i < count(expected); ++i) {
    same(value(r, i), value(expected, i),
         [&] { return about + ": " + str(r) + " beside " + str(expected) + " at " + std::to_string(i); });
  }
}

/// Any layout; half of the draws are layouts that programs have.
tree any_layout(choices& c, integer largest = 256) {
  if (c.chance(50)) return random_layout(c, c.chance(50) ? laid::compact : laid::spaced, 2, largest, true);
  return random_layout(c, c.chance(50) ? laid::repeating : laid::any, 2, largest, true);
}
/// Expects that at least `percent` of the cases that the twin accepts are computed.
void at_least(outcome const& o, int percent) {
  int const cases = o.equal + o.refused + o.caught;
  EXPECT_GE(100 * o.equal, percent * cases)
      << o.equal << " equal, " << o.refused << " refused, " << o.caught << " caught at run time";
}

bool is_any(tree const&) { return true; }
/// Parts of an element join a mode of stride 1. If there are two such modes, either may take them.
template <integer group>
bool has_one_contiguous_mode(tree const& f) {
  int modes = 0;
  for (int i = 0; i < f.leaves; ++i) modes += f.stride[i] != 0 && std::abs(f.stride[i]) <= group;
  return modes < 2;
}
template <class Operation>
void one_layout(char const* name, int percent, Operation&& operation, bool (*is_wanted)(tree const&) = is_any) {
  outcome o;
  EXPECT_TRUE(holds(name, [&](choices& c) {
    tree const a = any_layout(c);
    if (!is_wanted(a)) return;
    hiding h(c);
    numbers const x = h(a);
    is_its_twin(o, h, x, operation, a, name,
                [&](tree const& r, tree const& expected) { same_function(r, expected, name + (" of " + str(a))); });
  }));
  at_least(o, percent);
}
#define ONE_LAYOUT(test, percent, expression, ...)                                                   \
  TEST(RunTimeTwin, test) {                                                                          \
    one_layout(#test, percent, [](auto const& x) { return expression; } __VA_OPT__(, ) __VA_ARGS__); \
  }
ONE_LAYOUT(Coalesce, 100, algebra::coalesce(x))
ONE_LAYOUT(Flatten, 100, algebra::flatten(x))
ONE_LAYOUT(MakeLayout, 100, algebra::make_layout(x))
ONE_LAYOUT(MakeLayoutRowMajor, 100, algebra::make_layout(x, algebra::major::right))
ONE_LAYOUT(Group, 100, algebra::group(x, 0, 1))
ONE_LAYOUT(Cosize, 100, algebra::make_leaf(algebra::cosize(x)))
ONE_LAYOUT(Upcast2, 30, algebra::upcast(x, 2))
ONE_LAYOUT(Upcast4, 20, algebra::upcast(x, 4))
ONE_LAYOUT(Downcast2, 20, algebra::downcast(x, 2), has_one_contiguous_mode<1>)
ONE_LAYOUT(Recast8To16, 30, algebra::recast_layout(x, 8, 16))
ONE_LAYOUT(Recast12To8, 15, algebra::recast_layout(x, 12, 8), has_one_contiguous_mode<2>)
ONE_LAYOUT(ComplementInItsCodomain, 10, algebra::complement(x))

/// Where modes overlap there are several right inverses. Which of them is the largest depends on the order.
TEST(RunTimeTwin, RightInverse) {
  outcome o;
  EXPECT_TRUE(holds("right_inverse", [&](choices& c) {
    tree const a = any_layout(c);
    hiding h(c);
    numbers const x = h(a);
    std::string const about = "right_inverse of " + str(a);
    is_its_twin(
        o, h, x, [](auto const& f) { return algebra::right_inverse(f); }, a, about,
        [&](tree const& r, tree const& expected) {
          bool const unique = algebra::is_injective(algebra::filter(a));
          same(count(r), unique ? count(expected) : count(r),
               [&] { return about + ": size of " + str(r) + " beside " + str(expected); });
          for (integer i = 0; i < count(r); ++i) same(value(a, value(r, i)), i, about);
        });
  }));
  at_least(o, 20);
}
/// The left inverse is not specified outside the layout's values.
TEST(RunTimeTwin, LeftInverse) {
  outcome o;
  EXPECT_TRUE(holds("left_inverse", [&](choices& c) {
    tree const a = any_layout(c);
    hiding h(c);
    numbers const x = h(a);
    std::string const about = "left_inverse of " + str(a);
    is_its_twin(
        o, h, x, [](auto const& f) { return algebra::left_inverse(f); }, a, about,
        [&](tree const& r, tree const& expected) {
          for (integer i = 0; algebra::is_injective(a) && i < count(a); ++i) {
            same(value(r, value(a, i)), i, [&] { return about + ": " + str(r) + " beside " + str(expected); });
          }
        });
  }));
  at_least(o, 15);
}

/// Compares with a second argument of known or hidden integers.
template <class Make, class Operation, class Compare>
void two_layouts(char const* name, int percent, Make&& make, Operation&& operation, Compare&& compare) {
  outcome o;
  EXPECT_TRUE(holds(name, [&](choices& c) {
    tree const a = any_layout(c);
    tree const b = make(c, a);
    hiding h(c);
    numbers const x = h(a), y = c.chance(50) ? h(b) : as_numbers(b);
    std::string const about = name + (" of " + str(a) + " and " + str(b));
    auto const of_both = [&](auto const& f) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(f)>, tree>)
        return operation(f, b);
      else
        return operation(f, y);
    };
    is_its_twin(o, h, x, of_both, a, about,
                [&](tree const& r, tree const& expected) { compare(r, expected, a, about); });
  }));
  at_least(o, percent);
}
void are_the_same_function(tree const& r, tree const& expected, tree const&, std::string const& about) {
  same_function(r, expected, about);
}
/// For a block with gaps, the algebra's complement may end too early, as CuTe's does. Its last mode is then not the
/// free one.
void are_the_same_product(tree const& r, tree const& expected, tree const& a, std::string const& about) {
  if (algebra::is_injective(a) && !algebra::is_injective(expected)) return;
  same_function(r, expected, about);
}
tree leaf_of(integer extent, integer stride) {
  tree t;
  t.add_leaf(extent, stride);
  return t;
}
/// A tile, which often divides `a`.
tree tile(choices& c, tree const& a) {
  if (c.chance(20)) return random_layout(c, laid::any, 1, 32);
  tree const m = algebra::coalesce(a);
  int const rank = 1 + c.below(2);
  tree r;
  if (rank > 1) r.add_open(rank);
  for (int k = 0; k < rank; ++k) {
    int const skipped = c.below(m.leaves);
    integer stride = 1;
    for (int i = 0; i < skipped; ++i) stride *= m.shape[i];
    integer const part = c.divisor(m.shape[skipped]);
    r.add_leaf(c.divisor(m.shape[skipped] / part), stride * part);
  }
  return r;
}
/// A target that the block's modes often divide.
tree tile_to(choices& c, tree const& a) {
  tree r;
  r.add_open(a.rank());
  for (int i = 0; i < a.rank(); ++i) {
    integer size = 1;
    tree const m = algebra::mode(a, i);
    for (int k = 0; k < m.leaves; ++k) size *= m.shape[k];
    r.add_leaf(c.chance(80) ? size * (1 + c.below(4)) : 1 + c.below(20), 0);
  }
  return r;
}
/// A tile for each of the first modes.
tree tiler(choices& c, tree const& a) {
  tree r;
  int const tiles = 1 + c.below(a.rank());
  r.add_node(tree::tile(tiles));
  for (int i = 0; i < tiles; ++i) r.append(tile(c, algebra::make_layout(algebra::mode(a, i))));
  return r;
}
tree an_order(choices& c, tree const& a) {
  tree r = a;
  for (int i = 0; i < r.leaves; ++i) r.shape[i] = c.below(4);
  return r;
}
tree shape_of_size(choices& c, tree const& a) {
  integer const size = count(a), first = c.divisor(size);
  tree r;
  r.add_open(2);
  r.add_leaf(first, 0);
  r.add_leaf(size / first, 0);
  return r;
}
#define TWO_LAYOUTS(test, percent, second, expression, compare)            \
  TEST(RunTimeTwin, test) {                                                \
    two_layouts(                                                           \
        #test, percent, [](choices& c, tree const& a) { return second; },  \
        [](auto const& x, auto const& y) { return expression; }, compare); \
  }
TWO_LAYOUTS(Composition, 30, tile(c, a), algebra::composition(x, y), are_the_same_function)
TWO_LAYOUTS(WithShape, 30, shape_of_size(c, a), algebra::with_shape(x, y), are_the_same_function)
TWO_LAYOUTS(Complement, 20, leaf_of(1 + c.below(200), (void(a), 0)), algebra::complement(x, y.shape[0]),
            are_the_same_function)
TWO_LAYOUTS(LogicalDivide, 20, tile(c, a), algebra::logical_divide(x, y), are_the_same_function)
TWO_LAYOUTS(ZippedDivide, 20, tiler(c, a), algebra::zipped_divide(x, y), are_the_same_function)
TWO_LAYOUTS(FlatDivide, 20, tiler(c, a), algebra::flat_divide(x, y), are_the_same_function)
TWO_LAYOUTS(CompositionByMode, 20, tiler(c, a), algebra::composition(x, y), are_the_same_function)
TWO_LAYOUTS(LogicalProduct, 20, tile(c, a), algebra::logical_product(x, y), are_the_same_product)
TWO_LAYOUTS(BlockedProduct, 20, (void(a), random_layout(c, laid::compact, 1, 32, true)), algebra::blocked_product(x, y),
            are_the_same_product)
TWO_LAYOUTS(RakedProduct, 20, (void(a), random_layout(c, laid::compact, 1, 32, true)), algebra::raked_product(x, y),
            are_the_same_product)
TWO_LAYOUTS(TileToShape, 10, tile_to(c, a), algebra::tile_to_shape(x, y), are_the_same_product)
TWO_LAYOUTS(DomainDistribute, 10, (void(a), leaf_of(1 + c.below(24), 0)), algebra::domain_distribute(x, y.shape[0]),
            are_the_same_function)
TWO_LAYOUTS(OrderedLayout, 20, an_order(c, a), algebra::make_ordered_layout(x, y), are_the_same_function)

/// Results that are lower bounds by definition: they hold for any values of the run-time integers.
TEST(RunTimeTwin, LowerBounds) {
  EXPECT_TRUE(holds("max_common_vector, max_common_layout, max_alignment, filter, nullspace", [](choices& c) {
    tree const a = any_layout(c), b = c.chance(50) ? a : any_layout(c);
    hiding h(c);
    numbers const x = h(a), y = h(b);
    std::string const about = str(a) + " and " + str(b);
    integer const n = h.inputs.value(algebra::max_common_vector(x, y));
    tree const places = filled(h.inputs, algebra::max_common_layout(x, y));
    same(count(places), n, [&] { return "max_common_layout of " + about; });
    for (integer i = 0; i < n; ++i) {
      same(value(a, value(places, i)), i, about);
      same(value(b, value(places, i)), i, about);
    }
    integer const aligned = h.inputs.value(algebra::max_alignment(x)), known = algebra::max_alignment(a);
    if (known % aligned != 0)
      RC_FAIL("max_alignment of " + text_of(x) + ", " + str(a) + ": " + std::to_string(aligned));
    // The same values, with any multiplicity.
    std::vector<integer> all, left;
    tree const filtered = filled(h.inputs, algebra::filter(x));
    for (integer i = 0; i < count(a); ++i) all.push_back(value(a, i));
    for (integer i = 0; i < count(filtered); ++i) left.push_back(value(filtered, i));
    for (std::vector<integer>* v : {&all, &left}) {
      std::sort(v->begin(), v->end());
      v->erase(std::unique(v->begin(), v->end()), v->end());
    }
    if (all != left) RC_FAIL("filter of " + text_of(x) + ", " + str(a) + ": " + str(filtered));
    tree const still = filled(h.inputs, algebra::nullspace(x));
    for (integer i = 0; i < count(still); ++i) same(value(a, value(still, i)), 0, "nullspace of " + str(a));
  }));
}

}  // namespace
