// SPDX-License-Identifier: Apache-2.0
// Coordinates and indices: CuTe's results, the way there and back for every index, and strides with a basis.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/coordinate.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::tuple;
using algebra_test::tuple_str;
using cosmati::symbolic_integer;

namespace {

TEST(AlgebraCoordinate, OfTuples) {
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("41"), tuple("(4,(5,6))"))), "(1,(0,2))");
  EXPECT_EQ(algebra::crd2idx_in_shape(tuple("(1,10)"), tuple("(4,(5,6))")), 41);
  EXPECT_EQ(tuple_str(algebra::crd2crd(tuple("(1,10)"), tuple("(4,30)"), tuple("((2,2),(5,6))"))), "((1,0),(0,2))");
  EXPECT_EQ(tuple_str(algebra::crd2idx(tuple("(1,2)"), tuple("(4,5)"), tuple("(10,1)"))), "12");
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("3"), tuple("(1,4)"))), "(0,3)") << "an extent of 1 takes nothing";
}

TEST(AlgebraCoordinate, ThereAndBack) {
  for (char const* text : {"6", "(1)", "(2,3)", "((2,1),(3,2))", "(3,(1,(2,2)))"}) {
    auto const shape = tuple(text);
    std::int64_t size = 1;
    for (int i = 0; i < shape.leaves; ++i) size *= shape.shape[i];
    for (std::int64_t i = 0; i < size; ++i) {
      auto const coordinate = algebra::idx2crd(algebra::make_leaf(i), shape);
      for (int leaf = 0; leaf < shape.leaves; ++leaf) EXPECT_LT(coordinate.shape[leaf], shape.shape[leaf]) << text;
      EXPECT_EQ(algebra::crd2idx_in_shape(coordinate, shape), i) << text;
      EXPECT_EQ(algebra::crd2idx(coordinate, shape, algebra::compact_col_major(shape)).shape[0], i) << text;
    }
  }
}

TEST(AlgebraCoordinate, TheLastLeafGoesOnBeyondTheShape) {
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("13"), tuple("(2,3)"))), "(1,6)");
  EXPECT_EQ(algebra::crd2idx(std::int64_t{13}, layout("(2,3):(10,1)")), 16);  // (1,6)
  EXPECT_EQ(algebra::crd2idx(std::int64_t{0}, layout("(2,3):(10,1)")), 0);
}

TEST(AlgebraCoordinate, SlicesKeepWhereTheUnderscoresStand) {
  EXPECT_EQ(tuple_str(algebra::slice(tuple("(_,(2,_))"), tuple("(3,(4,5))"))), "(3,5)");
  EXPECT_EQ(tuple_str(algebra::dice(tuple("(_,(2,_))"), tuple("(3,(4,5))"))), "(4)");
  EXPECT_EQ(tuple_str(algebra::slice(tuple("_"), tuple("(3,(4,5))"))), "(3,(4,5))");
  EXPECT_EQ(tuple_str(algebra::slice(tuple("(1,1)"), tuple("(3,(4,5))"))), "()");
  EXPECT_EQ(tuple_str(algebra::crd2idx(tuple("(_,(2,_))"), tuple("(3,(4,5))"), tuple("(1,(10,100))"))), "20")
      << "an underscore counts as 0";
}

TEST(AlgebraCoordinate, OfStridesWithABasis) {
  auto const at = [](char const* coordinate, char const* of) {
    return algebra_test::tuple_str(algebra::crd2idx(tuple<symbolic_integer>(coordinate), layout<symbolic_integer>(of)));
  };
  EXPECT_EQ(at("(3,4)", "(8,8):(1@0,1@1)"), "(3,4)");
  EXPECT_EQ(at("(3,4)", "(8,8):(2@1,1@0)"), "(4,6)");
  EXPECT_EQ(at("(0,0)", "(8,8):(1@0,1@1)"), "(0,0)") << "the tuple keeps its rank at 0";
  EXPECT_EQ(at("(3,(1,2))", "(8,(2,4)):(1@0,(1@0@1,1@1@1))"), "(3,(1,2))");
  EXPECT_EQ(at("(3,2)", "(8,8):(1@0,5@0)"), "(13)") << "one basis, one sum";
  EXPECT_MESSAGE(at("(3,4)", "(8,8):(1@0,1)"), "an integer and a multiple of a basis");
}

TEST(AlgebraCoordinate, RefusesAnotherNesting) {
  EXPECT_MESSAGE(algebra::crd2idx(tuple("(1,2,3)"), tuple("(4,5)"), tuple("(1,4)")),
                 "a coordinate of rank 3 does not fit a shape of rank 2");
  EXPECT_MESSAGE(algebra::idx2crd(tuple("((1,2),0)"), tuple("(4,5)")), "a coordinate of rank 2 does not fit");
  EXPECT_MESSAGE(algebra::crd2crd(tuple("(1,2)"), tuple("(4,5)"), tuple("(4,5,1)")), "does not fit a shape of rank 3");
}

}  // namespace
