// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/any_layout.hpp>

#include <gtest/gtest.h>
#include <cosmati/layout/any_composed_layout.hpp>
#include <cosmati/layout/parse.hpp>
#include <cosmati/layout/text.hpp>
#include <set>

namespace {

using namespace cosmati;

AnyLayout operator""_l(char const* text, std::size_t length) { return parse_layout({text, length}); }
AnyTiler operator""_t(char const* text, std::size_t length) { return parse_tiler({text, length}); }
AnyTuple operator""_s(char const* text, std::size_t length) { return parse_tuple({text, length}); }

TEST(AnyTuple, NestsAndCompares) {
  AnyTuple const t{4, AnyTuple{2, 3}};
  EXPECT_EQ(to_string(t), "(4,(2,3))");
  EXPECT_EQ(rank(t), 2);
  EXPECT_EQ(depth(t), 2);
  EXPECT_EQ(size(t), 24);
  EXPECT_EQ(t[1], (AnyTuple{2, 3}));
  EXPECT_EQ(t[0].integer(), 4);
  EXPECT_THROW(t.integer(), error);
  EXPECT_FALSE(t == (AnyTuple{4, AnyTuple{3, 2}}));
}

TEST(AnyLayout, AnswersItsQuestions) {
  AnyLayout const l = "(2,(2,2)):(4,(1,2))"_l;
  EXPECT_EQ(l.size(), 8);
  EXPECT_EQ(l.cosize(), 8);
  EXPECT_EQ(l.rank(), 2);
  EXPECT_EQ(l.depth(), 2);
  EXPECT_EQ(l.shape(), "(2,(2,2))"_s);
  EXPECT_EQ(l.stride(), "(4,(1,2))"_s);
  EXPECT_EQ(l(1, AnyTuple{0, 1}), 6);
  EXPECT_EQ(l(1, 2), 6);
  EXPECT_EQ(l(5), 6);
  EXPECT_EQ(l[1], "(2,2):(1,2)"_l);
  EXPECT_TRUE(is_bijective(l));
  EXPECT_FALSE(is_injective("(4,2):(1,0)"_l));
}

TEST(AnyLayout, AShapeAloneIsCompact) {
  EXPECT_EQ(AnyLayout((AnyTuple{4, AnyTuple{1, 3}})), "(4,(1,3)):(1,(0,4))"_l);
  EXPECT_EQ(AnyLayout((AnyTuple{4, 2}), algebra::major::right), "(4,2):(2,1)"_l);
  EXPECT_EQ(AnyLayout(), "1:0"_l);
}

TEST(AnyLayout, RefusesAStrideThatIsNotCongruent) {
  EXPECT_THROW(AnyLayout((AnyTuple{4, 2}), (AnyTuple{1, 2, 3})), error);
}

TEST(AnyLayout, OverflowIsAnError) {
  AnyLayout const l((AnyTuple{std::int64_t{1} << 40, std::int64_t{1} << 40}), AnyTuple{1, 1});
  EXPECT_THROW(l.size(), error);
}

TEST(AnyLayout, MapsIdentityCoordinates) {
  AnyLayout const l = make_identity_layout(AnyTuple{4, 8});
  EXPECT_EQ(to_string(l), "(4,8):(1@0,1@1)");
  EXPECT_EQ(l.at(AnyTuple{2, 3}), (AnyTuple{2, 3}));
  EXPECT_THROW(l(2, 3), error);
}

TEST(AnyLayout, TheAlgebraOfMoYesPages) {
  EXPECT_EQ(to_string(coalesce("(2,(1,6)):(1,(6,2))"_l)), "12:1");
  EXPECT_EQ(to_string(composition("20:2"_l, "(4,5):(1,4)"_l)), "(4,5):(2,8)");
  EXPECT_EQ(to_string(composition("20:2"_l, "(4,5):(5,1)"_l)), "(4,5):(10,2)");
  EXPECT_EQ(to_string(complement("4:2"_l, 24)), "(2,3):(1,8)");
  EXPECT_EQ(to_string(make_layout("4:2"_l, complement("4:2"_l, 24))), "(4,(2,3)):(2,(1,8))");
  EXPECT_EQ(to_string(logical_divide("16:3"_l, "4:2"_l)), "(4,(2,2)):(6,(3,24))");
  AnyLayout const tile = "(2,2):(1,2)"_l;
  AnyLayout const many = "(3,4):(4,1)"_l;
  EXPECT_EQ(to_string(logical_product(tile, many)), "((2,2),(3,4)):((1,2),(16,4))");
  EXPECT_EQ(to_string(tiled_product(tile, many)), "((2,2),3,4):((1,2),16,4)");
  EXPECT_EQ(to_string(blocked_product(tile, many)), "((2,3),(2,4)):((1,16),(2,4))");
  AnyLayout const raked = raked_product(tile, many);
  EXPECT_EQ(to_string(raked), "((3,2),(4,2)):((16,1),(4,2))");
  EXPECT_EQ(to_string(logical_divide(raked, "(2:3,2:4)"_t)), "((2,3),(2,4)):((1,16),(2,4))");
  EXPECT_EQ(to_string(zipped_divide(raked, "(2:3,2:4)"_t)), "((2,2),(3,4)):((1,2),(16,4))");
  EXPECT_EQ(to_string(tiled_divide(raked, "(2:3,2:4)"_t)), "((2,2),3,4):((1,2),16,4)");
}

TEST(AnyLayout, InversesInvert) {
  AnyLayout const l = "(4,(2,3)):(6,(3,1))"_l;
  AnyLayout const right = right_inverse(l);
  AnyLayout const left = left_inverse(l);
  for (int i = 0; i < l.size(); ++i) {
    EXPECT_EQ(l(right(i)), i);
    EXPECT_EQ(left(l(i)), i);
    EXPECT_EQ(l(l.get_hier_coord(l(i))), l(i));
    EXPECT_EQ(l(l.get_1d_coord(l(i))), l(i));
    EXPECT_EQ(l(l.get_flat_coord(l(i))), l(i));
  }
}

TEST(AnyLayout, SlicesKeepTheFreeModes) {
  AnyLayout const l = "(4,(2,3)):(1,(4,8))"_l;
  EXPECT_EQ(to_string(slice("(_,(1,_))"_s, l)), "(4,3):(1,8)");
  EXPECT_EQ(to_string(dice("(_,(1,_))"_s, l)), "(2):(4)");
}

TEST(AnyTiler, AnIntegerStandsForItsCompactLayout) {
  AnyLayout const l = "(8,4):(1,8)"_l;
  EXPECT_EQ(zipped_divide(l, "(4,2)"_t), zipped_divide(l, "(4:1,2:1)"_t));
  EXPECT_EQ(to_string(composition(l, (AnyTiler{4, AnyTiler("2:2"_l)}))), "(4,2):(1,16)");
}

TEST(AnyTiler, TellsTheInteger1FromTheLayout) {
  AnyLayout const l = "(1,2):(4,3)"_l;
  EXPECT_EQ(to_string(logical_divide(l, "(1:1,1)"_t)), "((1,1),(1,2)):((4,0),(0,3))");
  EXPECT_EQ(to_string(logical_divide(l, (AnyTiler{AnyTiler("1:1"_l), 1}))), "((1,1),(1,2)):((4,0),(0,3))");
  EXPECT_EQ(to_string(logical_divide(l, (AnyTiler{AnyTiler{1}, AnyTiler("1:1"_l)}))),
            "(((1,1)),(1,2)):(((0,0)),(3,3))");
  EXPECT_EQ(to_string(composition(l, "(1:1,1)"_t)), "(1,1):(4,3)");
  EXPECT_EQ(to_string(logical_divide("16:3"_l, "1:1"_t)), "(1,16):(3,3)");
  EXPECT_EQ(to_string(logical_divide("16:3"_l, "1"_t)), "(1,16):(0,3)");
}

TEST(AnySwizzle, IsTheExclusiveOrOfItsBits) {
  AnySwizzle const s(2, 1, 3);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(s(i), i ^ (((i >> 4) & 3) << 1));
    EXPECT_EQ(s(s(i)), i);
    seen.insert(s(i));
  }
  EXPECT_EQ(seen.size(), 64u);
  EXPECT_EQ(*seen.rbegin(), 63);
  AnySwizzle const up(2, 1, -3);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(up(i), i ^ (((i >> 1) & 3) << 4));
}

TEST(AnySwizzle, RefusesWhatIsNone) {
  EXPECT_THROW(AnySwizzle(3, 0, 2), error);
  EXPECT_THROW(AnySwizzle(-1, 0, 2), error);
  EXPECT_THROW(AnySwizzle(3, 0, 90), error);
  EXPECT_THROW(make_swizzle(7, 14), error);
  EXPECT_THROW(make_swizzle(5, 40), error);
  EXPECT_THROW(upcast(AnySwizzle(3, 4, 3), 3), error);
}

TEST(AnySwizzle, CombinesAndRecasts) {
  EXPECT_EQ(make_swizzle(56, 7), AnySwizzle(3, 0, 3));
  EXPECT_EQ(make_swizzle(7, 56), AnySwizzle(3, 0, -3));
  EXPECT_EQ(composition(AnySwizzle(3, 0, 3), AnySwizzle(3, 0, 3)), AnySwizzle());
  EXPECT_EQ(upcast(AnySwizzle(3, 4, 3), 2), AnySwizzle(3, 3, 3));
  EXPECT_EQ(upcast(AnySwizzle(3, 4, 3), 32), AnySwizzle(2, 0, 3));
  EXPECT_EQ(downcast(AnySwizzle(3, 4, 3), 2), AnySwizzle(3, 5, 3));
}

TEST(AnySwizzle, ItsLinearPartIsItsSlice) {
  AnySwizzle const s(3, 0, 3);
  for (std::int64_t const offset : {0, 1, 5, 7}) {  // bits 0 to 2 fixed, the others free
    AnyLayout const linear(linear_part(s, offset));
    for (std::int64_t x = 0; x < 64; x += 8) EXPECT_EQ(linear(x), s(offset + x) - s(offset)) << offset << ' ' << x;
  }
  for (std::int64_t const offset : {0, 8, 48}) {
    AnyLayout const linear(linear_part(s, offset));
    for (std::int64_t x = 0; x < 8; ++x) EXPECT_EQ(linear(x), s(offset + x) - s(offset)) << offset << ' ' << x;
  }
}

TEST(AnyComposedLayout, SwizzlesWhatTheLayoutGives) {
  AnyComposedLayout const c = composition(AnySwizzle(3, 0, 3), "(8,8):(8,1)"_l);
  EXPECT_EQ(to_string(c), "Sw<3,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(c(AnyTuple{2, 1}), 19);
  EXPECT_EQ(c(9), 8);
  EXPECT_EQ(to_string(composition(c, "(4,2)"_t)), "Sw<3,0,3> o 0 o (4,2):(8,1)");
}

}  // namespace
