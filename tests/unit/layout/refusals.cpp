// SPDX-License-Identifier: Apache-2.0
// Calls that the algebra of layouts refuses. Each sentence has the numbers of the case and names the remedy.
#include <gtest/gtest.h>

#include <cosmati/layout/algebra/algebra.hpp>
#include <string>

#include "property/algebra_text.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::tiler;
using algebra_test::tuple;

namespace {

/// The sentence of the error; empty if there is none.
template <class Operation>
std::string refusal(Operation&& operation) {
  try {
    operation();
  } catch (cosmati::error const& e) {
    return e.what();
  }
  return "";
}
#define EXPECT_REFUSED(expression, part)                                                           \
  do {                                                                                             \
    std::string const sentence = refusal([&] { (void)(expression); });                             \
    EXPECT_NE(sentence.find(part), std::string::npos) << #expression << ": \"" << sentence << '"'; \
  } while (false)

TEST(Refusals, Composition) {
  EXPECT_REFUSED(algebra::composition(layout("(4,6,8):(2,3,5)"), layout("6:1")), "6 elements");
  EXPECT_REFUSED(algebra::composition(layout("(4,6,8):(2,3,5)"), layout("6:1")), "offers 4");
  EXPECT_REFUSED(algebra::composition(layout("(4,6,8):(2,3,5)"), layout("2:6")), "stride leaves 6");
  EXPECT_REFUSED(algebra::composition(layout("(4,6,8):(2,3,5)"), layout("2:6")), "extent 4");
  EXPECT_REFUSED(algebra::composition(layout("(4,6):(1,4)"), tiler("[2,3,4]")), "rank 3");
  EXPECT_REFUSED(algebra::composition(layout("(0,6):(1,4)"), layout("2:1")), "extent of the layout 0");
}

TEST(Refusals, Complement) {
  EXPECT_REFUSED(algebra::complement(layout("(2,2):(1,1)"), 16), "stride 1 begins below 2");
  EXPECT_REFUSED(algebra::complement(layout("(8,2):(1,4)"), 64), "stride 4 begins below 8");
}

TEST(Refusals, Inverses) {
  EXPECT_REFUSED(algebra::left_inverse(layout("(4,2):(2,3)")), "stride 3 is not a multiple of 2");
}

TEST(Refusals, Divides) {
  EXPECT_REFUSED(algebra::logical_divide(layout("(4,6):(1,4)"), tiler("[2,3,4]")), "tiler of rank 3");
  EXPECT_REFUSED(algebra::zipped_divide(layout("(4,6):(1,4)"), tiler("[_,3]")), "not `_`");
  EXPECT_REFUSED(algebra::logical_divide(layout("(4,6):(1,4)"), layout("(2,2):(1,1)")), "injective");
}

TEST(Refusals, Products) {
  EXPECT_REFUSED(algebra::logical_product(layout("(4,6):(1,4)"), tiler("[2,3,4]")), "tiler of rank 3");
  EXPECT_REFUSED(algebra::blocked_product(layout("(4):(1)"), layout("2:1")), "tuple");
  EXPECT_REFUSED(algebra::tile_to_shape(layout("(4,2):(1,4)"), tuple("(8,3)")), "2 elements");
  EXPECT_REFUSED(algebra::tile_to_shape(layout("(4,2):(1,4)"), tuple("(8,3)")), "target's 3");
  EXPECT_REFUSED(algebra::tile_to_shape(layout("(4,2):(1,4)"), tuple("8")), "rank 2");
}

TEST(Refusals, Recasts) {
  EXPECT_REFUSED(algebra::upcast(layout("(4,2):(1,3)"), 2), "stride 3");
  EXPECT_REFUSED(algebra::downcast(layout("(4,2):(2,8)"), 2), "no stride is 1");
  EXPECT_REFUSED(algebra::recast_layout(layout("4:1"), 0, 8), "positive");
}

TEST(Refusals, Modes) {
  EXPECT_REFUSED(algebra::get(layout("(4,2):(1,4)"), 2), "mode 2");
  EXPECT_REFUSED(algebra::take(layout("(4,2):(1,4)"), 1, 1), "[1, 1)");
  EXPECT_REFUSED(algebra::take(layout("(4,2):(1,4)"), 0, 3), "[0, 3)");
  EXPECT_REFUSED(algebra::group(layout("(4,2):(1,4)"), 1, 3), "[1, 3)");
  EXPECT_REFUSED(algebra::append(layout("(4,2):(1,4)"), 1), "rank 2");
  EXPECT_REFUSED(algebra::prepend(layout("(4,2):(1,4)"), 1), "rank 2");
  EXPECT_REFUSED(algebra::unflatten(layout("(4,2):(1,4)"), tuple("(1,(1,1))")), "2 leaves");
  EXPECT_REFUSED(algebra::zip(layout("((4,2),(2)):((1,4),(8))")), "rank 2 and 1");
  EXPECT_REFUSED(algebra::coalesce(layout("(4,2):(1,4)"), tuple("(1,1,1)")), "rank 3");
  EXPECT_REFUSED(algebra::make_layout(tuple("(4,2)"), tuple("(1,(4))")), "nesting");
}

TEST(Refusals, Coordinates) {
  EXPECT_REFUSED(algebra::crd2idx(tuple("(1,2,3)"), layout("(4,2):(1,4)")), "rank 3");
  EXPECT_REFUSED(algebra::slice(tuple("(_,2,3)"), layout("(4,2):(1,4)")), "rank 3");
  EXPECT_REFUSED(algebra::idx2crd(tuple("(1,2,3)"), tuple("(4,2)")), "rank 3");
  EXPECT_REFUSED(algebra::get_hier_coord(layout("(4,0):(1,4)"), 3), "extent of the layout 0");
}

TEST(Refusals, IdentityNeedsNumbers) {
  EXPECT_REFUSED(algebra::make_identity_layout(tuple("(4,2)")), "basis");
  EXPECT_EQ(algebra_test::str(algebra::make_identity_layout(tuple("4"))), "4:1");
}

// The same functions in constant expressions. A function that is not constant here does not compile.
constexpr algebra_test::flat_tree<std::int64_t> pair(std::int64_t s, std::int64_t t, std::int64_t d, std::int64_t e) {
  algebra_test::flat_tree<std::int64_t> f;
  f.add_open(2);
  f.add_leaf(s, d);
  f.add_leaf(t, e);
  return f;
}
constexpr auto composed = algebra::composition(pair(6, 2, 8, 2), pair(4, 3, 3, 1));
static_assert(composed.leaves == 3 && composed.stride[0] == 24 && composed.stride[1] == 2 && composed.stride[2] == 8);
constexpr auto raked = algebra::raked_product(pair(2, 2, 1, 2), pair(3, 4, 4, 1));
static_assert(raked.nodes == 7 && raked.stride[0] == 16 && raked.shape[3] == 2);
constexpr auto inverse = algebra::left_inverse(pair(4, 2, 2, 16));
static_assert(algebra::size(inverse) == 32);
static_assert(algebra::is_bijective(pair(4, 2, 2, 1)) && !algebra::is_bijective(pair(4, 2, 1, 2)));
static_assert(algebra::max_common_vector(pair(4, 2, 1, 4), pair(4, 2, 1, 8)) == 4);

}  // namespace
