// SPDX-License-Identifier: Apache-2.0
// complement, right_inverse, left_inverse, is_injective, is_bijective, cosize, against the layouts' values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/inverse.hpp>
#include <set>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// One more than the largest value of the modes that move, as multiples: where the next copy of the layout may begin.
integer reach_of(tree const& f) {
  integer reach = 1;
  for (int i = 0; i < f.leaves; ++i) {
    if (f.stride[i] != 0 && f.shape[i] != 1) reach = std::max(reach, f.shape[i] * f.stride[i]);
  }
  return reach;
}
integer divide_up(integer a, integer b) { return (a + b - 1) / b; }

void is_complement(tree const& r, tree const& f, integer copies) {
  std::string const about = "complement of " + str(f) + " = " + str(r);
  if (!coalesced(r)) RC_FAIL(about + ": not coalesced");
  std::set<integer> image;
  for (integer v : values(f)) image.insert(v);
  std::vector<integer> const places(image.begin(), image.end());
  integer const distinct = static_cast<integer>(places.size());
  // Ordered, disjoint, and covering without a gap: the least place not yet covered, each time.
  RC_ASSERT(values(r) == greedy_complement(places, static_cast<std::size_t>(count(r))));
  same(count(r) * distinct, copies * reach_of(f), about);
}

TEST(Complement, CoversTheTargetAndNoMore) {
  EXPECT_TRUE(holds("complement in a size", [](choices& c) {
    tree const f = random_layout(c, c.chance(60) ? laid::spaced : laid::repeating, 3, 64);
    integer const target = 1 + c.below(250) * (1 + c.below(6));
    std::string const about = str(f) + ", " + std::to_string(target);
    tree const r = accepted([&] { return algebra::complement(f, target); }, about);
    is_complement(r, f, divide_up(target, reach_of(f)));
    tree leaf;
    leaf.add_leaf(target, 0);
    same(str(algebra::complement(f, leaf)), str(r), "complement in a leaf");
  }));
}

TEST(Complement, OfItselfFillsItsOwnGaps) {
  EXPECT_TRUE(holds("complement in the codomain", [](choices& c) {
    tree const f = random_layout(c, c.chance(60) ? laid::spaced : laid::repeating, 3, 64);
    is_complement(accepted([&] { return algebra::complement(f); }, str(f)), f, 1);
  }));
}

TEST(Complement, InAShapeIsDividedFromItsFirstModeOn) {
  EXPECT_TRUE(holds("complement in a shape", [](choices& c) {
    tree const f = random_layout(c, laid::spaced, 2, 64);
    tree const target = random_shape(c, 3, 512);
    std::string const about = str(f) + ", " + tuple_str(target);
    tree const r = accepted([&] { return algebra::complement(f, target); }, about);
    integer by = reach_of(f), copies = 1;
    for (int i = 0; i < target.leaves; ++i) {
      copies *= divide_up(target.shape[i], by);
      by = divide_up(by, target.shape[i]);
    }
    is_complement(r, f, copies);
  }));
}

TEST(RightInverse, UndoesTheLayoutAsFarAsItIsContiguous) {
  EXPECT_TRUE(holds("right_inverse", [](choices& c) {
    tree const f = random_layout(c, c.chance(40) ? laid::compact : c.chance(50) ? laid::spaced : laid::any);
    std::string const about = str(f);
    tree const r = accepted([&] { return algebra::right_inverse(f); }, about);
    if (!coalesced(r)) RC_FAIL(about + ": " + str(r) + " is not coalesced");
    integer const n = count(r);
    for (integer i = 0; i < n; ++i) same(value(f, value(r, i)), i, [&] { return about + " after " + str(r); });
    // No mode goes on where it ends.
    tree const m = algebra::coalesce(f);
    for (int i = 0; i < m.leaves; ++i) {
      if (m.stride[i] == n && m.shape[i] > 1) RC_FAIL(about + ": " + str(r) + " ends too early");
    }
    if (n > 1 || m.stride[0] == 1) RC_ASSERT(value(r, 0) == 0);
  }));
}

TEST(RightInverse, OfABijectionIsAllOfIt) {
  EXPECT_TRUE(holds("right_inverse of a bijection", [](choices& c) {
    tree const f = random_layout(c, laid::compact);
    tree const r = accepted([&] { return algebra::right_inverse(f); }, str(f));
    same(count(r), count(f), [&] { return str(f); });
    same(str(accepted([&] { return algebra::left_inverse(f); }, str(f))), str(r),
         [&] { return "left_inverse of " + str(f); });
  }));
}

TEST(Inverses, OfAnUnderscoreAreItself) {
  tree any;
  any.add_node(tree::any);
  EXPECT_EQ(str(algebra::right_inverse(any)), "_:_");
  EXPECT_EQ(str(algebra::left_inverse(any)), "_:_");
}

TEST(LeftInverse, TakesEachValueBack) {
  EXPECT_TRUE(holds("left_inverse", [](choices& c) {
    tree const f = random_layout(c, laid::spaced);
    tree const r = accepted([&] { return algebra::left_inverse(f); }, str(f));
    if (!coalesced(r)) RC_FAIL(str(f) + ": " + str(r) + " is not coalesced");
    for (integer i = 0; i < count(f); ++i) same(value(r, value(f, i)), i, [&] { return str(r) + " after " + str(f); });
  }));
}

TEST(LeftInverse, OfStridesZeroGoesBackToTheFirst) {
  EXPECT_TRUE(holds("left_inverse with strides 0", [](choices& c) {
    tree const f = random_layout(c, laid::repeating);
    tree const r = accepted([&] { return algebra::left_inverse(f); }, str(f));
    for (integer i = 0; i < count(f); ++i) {
      integer const v = value(f, i);
      same(value(f, value(r, v)), v, [&] { return str(r) + " after " + str(f); });
    }
  }));
}

TEST(LeftInverse, NeedsEachStrideToDivideTheNext) {
  EXPECT_TRUE(holds("left_inverse of any strides", [](choices& c) {
    tree f = random_layout(c, laid::any, 2, 256);
    tree const m = algebra::coalesce(f);
    std::vector<integer> strides(m.stride, m.stride + m.leaves);
    std::sort(strides.begin(), strides.end());
    bool possible = true;
    integer before = 1;
    for (integer d : strides) {
      if (d == 0) continue;
      possible = possible && d % before == 0;
      before = d;
    }
    bool refused = false;
    try {
      algebra::left_inverse(f);
    } catch (cosmati::error const&) {
      refused = true;
    }
    same(int(refused), int(!possible), [&] { return str(f); });
  }));
}

TEST(Injective, AgreesWithTheSetOfValues) {
  EXPECT_TRUE(holds("is_injective, is_bijective", [](choices& c) {
    tree f = random_layout(c, c.chance(50) ? laid::any : c.chance(50) ? laid::compact : laid::spaced, 3, 256);
    if (c.chance(40)) {
      // Small extents and dense strides: collisions that only several modes together make.
      f = tree{};
      f.add_open(4);
      for (int i = 0; i < 4; ++i) f.add_leaf(2 + c.below(3), 1 + c.below(40));
    }
    if (c.chance(20)) f.stride[c.below(f.leaves)] *= -1;
    std::vector<integer> v = values(f);
    std::sort(v.begin(), v.end());
    bool const injective = std::unique(v.begin(), v.end()) == v.end();
    same(algebra::is_injective(f), injective, [&] { return "is_injective of " + str(f); });
    same(algebra::is_bijective(f), injective && v.front() == 0 && v.back() == count(f) - 1,
         [&] { return "is_bijective of " + str(f); });
  }));
}

TEST(Cosize, IsOneMoreThanTheLargestValue) {
  EXPECT_TRUE(holds("cosize, coshape", [](choices& c) {
    tree const f = random_layout(c, laid::any);
    std::vector<integer> const v = values(f);
    integer const largest = *std::max_element(v.begin(), v.end());
    same(algebra::cosize(f), largest + 1, [&] { return str(f); });
    same(tuple_str(algebra::coshape(f)), std::to_string(largest + 1), [&] { return str(f); });
    same(algebra::size(f), count(f), [&] { return str(f); });
    tree negative = f;
    negative.stride[c.below(f.leaves)] *= -1;
    same(algebra::cosize(negative), largest + 1, [&] { return str(negative); });
  }));
}

TEST(Identity, GivesEachCoordinate) {
  EXPECT_TRUE(holds("make_identity_layout", [](choices& c) {
    tree const s = random_shape(c, 3, 4096, true);
    numbers const shape = as_numbers(s);
    numbers const r = algebra::make_identity_layout(shape);
    numbers coord = shape;
    for (int i = 0; i < s.leaves; ++i) coord.shape[i] = c.below(static_cast<int>(s.shape[i]));
    same(tuple_str(algebra::crd2idx(coord, r)), tuple_str(coord), [&] { return str(r); });
    same(tuple_str(algebra::coshape(r)), tuple_str(shape), [&] { return str(r); });
    same(algebra::cosize(r).value, count(s), [&] { return str(r); });
  }));
}

}  // namespace
