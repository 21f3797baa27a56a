// SPDX-License-Identifier: Apache-2.0
// composition, with_shape, max_common_layout and max_common_vector, against the layouts' values.
#include <gtest/gtest.h>

#include <cosmati/layout/algebra/composition.hpp>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// The law itself: r(i) == a(b(i)).
void is_the_function(tree const& r, tree const& a, tree const& b) {
  for (integer i = 0; i < count(b); ++i) {
    same(value(r, i), value(a, value(b, i)),
         [&] { return str(a) + " o " + str(b) + " = " + str(r) + " at " + std::to_string(i); });
  }
}

/// A layout of one leaf that composes with `a`: its extents divide by construction.
tree fitting_leaf(choices& c, tree const& a) {
  tree const m = algebra::coalesce(a);
  // Skip whole modes, then a divisor of the next; take whole modes, then a divisor of what follows.
  int const skipped = c.below(m.leaves);
  integer stride = 1;
  for (int i = 0; i < skipped; ++i) stride *= m.shape[i];
  integer const part = c.divisor(m.shape[skipped]);
  stride *= part;
  integer extent = m.shape[skipped] / part;
  if (skipped + 1 < m.leaves && c.chance(60)) {
    int const to = skipped + 1 + c.below(m.leaves - skipped - 1);
    for (int i = skipped + 1; i < to; ++i) extent *= m.shape[i];
    extent *= to + 1 == m.leaves && c.chance(20) ? 3 * m.shape[to] : c.divisor(m.shape[to]);
  } else {
    extent = c.divisor(extent);
  }
  tree r;
  r.add_leaf(extent, stride);
  return r;
}

TEST(Composition, OfAFittingModeIsAccepted) {
  EXPECT_TRUE(holds("composition with one mode", [](choices& c) {
    tree const a = random_layout(c, laid::any);
    tree const b = fitting_leaf(c, a);
    std::string const about = str(a) + " o " + str(b);
    tree const r = accepted([&] { return algebra::composition(a, b); }, about);
    is_composition(r, a, b);
    is_the_function(r, a, b);
  }));
}

TEST(Composition, IsThatOfEachModeOfTheRightLayout) {
  EXPECT_TRUE(holds("composition", [](choices& c) {
    tree const a = random_layout(c, laid::any);
    tree b;
    if (c.chance(50)) {
      int const rank = 1 + c.below(3);
      b.add_open(rank);
      for (int i = 0; i < rank; ++i) {
        if (c.chance(20)) {
          b.add_open(2);
          b.append(fitting_leaf(c, a));
        }
        b.append(fitting_leaf(c, a));
      }
    } else {
      b = random_layout(c, c.chance(80) ? laid::spaced : laid::any, 2, 256);
    }
    is_composition(algebra::composition(a, b), a, b);
  }));
}

TEST(Composition, WithTheCompactLayoutOfItsShapeIsTheSameFunction) {
  EXPECT_TRUE(holds("composition with a compact layout", [](choices& c) {
    tree const a = random_layout(c, laid::any);
    tree const b = algebra::make_layout(a);
    std::string const about = str(a) + " o " + str(b);
    tree const r = accepted([&] { return algebra::composition(a, b); }, about);
    is_composition(r, a, b);
    is_the_function(r, a, b);
    same(str(r), str(accepted([&] { return algebra::with_shape(a, a); }, about)), "with_shape");
  }));
}

/// Tiles for the first modes of `f`, nested where the layout is.
void add_tiles(choices& c, tree& t, tree const& f, int depth) {
  if (c.chance(15)) {
    t.add_node(tree::any);
  } else if (depth > 0 && c.chance(50)) {
    int const tiles = 1 + c.below(f.rank());
    t.add_node(tree::tile(tiles));
    for (int i = 0; i < tiles; ++i) add_tiles(c, t, mode(f, i), depth - 1);
  } else {
    t.append(fitting_leaf(c, f));
  }
}

void is_composition_by_mode(tree const& r, tree const& f, tree const& tiler) {
  std::string const about = str(f) + " by a tiler = " + str(r);
  if (tiler.node[0] == tree::any) {
    same(str(r), str(f), about);
  } else if (tiler.is_tiler()) {
    same(r.rank(), tree::children(tiler.node[0]), about);
    RC_ASSERT(!r.is_leaf());
    for (int i = 0; i < r.rank(); ++i) is_composition_by_mode(mode(r, i), mode(f, i), mode(tiler, i));
  } else {
    is_composition(r, f, tiler);
  }
}

TEST(Composition, WithATilerIsThatOfItsModes) {
  EXPECT_TRUE(holds("composition with a tiler", [](choices& c) {
    tree const f = random_layout(c, laid::any, 3, 4096, true);
    tree tiler;
    add_tiles(c, tiler, f, 2);
    is_composition_by_mode(accepted([&] { return algebra::composition(f, tiler); }, str(f)), f, tiler);
  }));
}

TEST(Composition, WithBasesSelectsModes) {
  EXPECT_TRUE(holds("composition with strides that carry a basis", [](choices& c) {
    tree const f = random_layout(c, laid::any, 1, 4096, true);
    numbers const a = as_numbers(f);
    numbers b;
    int const rank = f.rank();
    b.add_open(rank);
    std::vector<tree> tiles;
    std::vector<int> modes;
    for (int i = 0; i < rank; ++i) {
      modes.push_back(c.below(rank));
      tiles.push_back(fitting_leaf(c, mode(f, modes.back())));
      b.add_leaf(tiles.back().shape[0],
                 symbolic_integer(tiles.back().stride[0], static_cast<std::uint32_t>(modes.back() + 1)));
    }
    numbers const r = accepted([&] { return algebra::composition(a, b); }, str(a) + " o " + str(b));
    for (int i = 0; i < rank; ++i) {
      auto const at = static_cast<std::size_t>(i);
      same(str(mode(r, i)), str(algebra::composition(mode(f, modes[at]), tiles[at])),
           [&] { return str(a) + " o " + str(b); });
    }
  }));
}

TEST(Composition, WithTheIdentityOfItsShapeIsTheSameLayout) {
  EXPECT_TRUE(holds("composition with an identity layout", [](choices& c) {
    tree const f = random_layout(c, laid::any, 3, 4096, true);
    numbers const a = as_numbers(f);
    numbers const r = accepted([&] { return algebra::composition(a, algebra::make_identity_layout(a)); }, str(f));
    same(str(r), str(f), "composition with the identity");
  }));
}

/// For i below the result, a and b have the element i in the same place; b is a bijection.
integer brute_force_vector(tree const& a, tree const& b) {
  std::vector<integer> where(static_cast<std::size_t>(count(b)));
  for (integer i = 0; i < count(b); ++i) where[static_cast<std::size_t>(value(b, i))] = i;
  integer n = 0;
  while (n < count(b) && value(a, where[static_cast<std::size_t>(n)]) == n) ++n;
  return n;
}

TEST(MaxCommon, VectorAndLayoutAreTheLongestCommonRun) {
  EXPECT_TRUE(holds("max_common_vector, max_common_layout", [](choices& c) {
    tree const b = random_layout(c, laid::compact);
    tree a = b;
    if (c.chance(40)) {
      a = random_layout(c, c.chance(50) ? laid::any : laid::compact);
    } else if (c.chance(60)) {
      // The same order as b up to some mode.
      integer const from = c.divisor(count(b));
      for (int i = 0; i < a.leaves; ++i) a.stride[i] *= a.stride[i] >= from ? 1 + c.below(3) : 1;
    }
    integer const n = algebra::max_common_vector(a, b);
    std::string const about = str(a) + " and " + str(b);
    integer const longest = brute_force_vector(a, b);
    bool composes = true;
    try {
      (void)algebra::composition(a, algebra::right_inverse(b));
    } catch (cosmati::error const&) {
      composes = false;  // then the answer is a lower bound
    }
    if (composes) same(n, longest, about);
    same(n <= longest, true, about);
    tree const r = algebra::max_common_layout(a, b);
    same(count(r), n, [&] { return "layout of " + about; });
    for (integer i = 0; i < n; ++i) {
      same(value(a, value(r, i)), i, about);
      same(value(b, value(r, i)), i, about);
    }
  }));
}

}  // namespace
