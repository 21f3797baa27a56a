// SPDX-License-Identifier: Apache-2.0
// How many values an access moves, and why not more: each limit with its numbers, and widths against what the layouts'
// values show.
#include <gtest/gtest.h>
#include <cosmati/analysis/vector_width.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;

namespace {

using tree = flat_tree<std::int64_t>;

/// One side: a thread's values ((vector, others), rests...), and where threads begin.
vector_side<std::int64_t> side(char const* partition, char const* threads = "1:0") {
  vector_side<std::int64_t> s;
  s.partition = algebra_test::layout(partition);
  s.threads = algebra_test::layout(threads);
  return s;
}
vector_side<std::int64_t> registers() {
  vector_side<std::int64_t> s;
  s.in_memory = false;
  return s;
}
vector_width width(vector_side<std::int64_t> const& src, vector_side<std::int64_t> const& dst, int bits,
                   int widest = 128) {
  return prove_vector(src, dst, bits, widest, 128).width;
}

TEST(VectorWidth, EachLimitHasItsNumbers) {
  vector_width const sixteen = width(side("(8,1):(1,0)"), registers(), 32);
  EXPECT_EQ(sixteen.bits, 128);
  EXPECT_EQ(sixteen.limit, width_limit::hardware);

  vector_width const few = width(side("(2,1):(1,0)"), registers(), 32);
  EXPECT_EQ(few.values, 2);
  EXPECT_EQ(few.limit, width_limit::values);
  EXPECT_EQ(few.number, 2) << "so many lie side by side";

  vector_width const strided = width(registers(), side("(8,1):(3,0)"), 32);
  EXPECT_EQ(strided.values, 1);
  EXPECT_EQ(strided.limit, width_limit::stride);
  EXPECT_FALSE(strided.at_source);
  EXPECT_EQ(strided.number, 1) << "value 1";
  EXPECT_EQ(strided.found, 3);

  vector_width const odd_rows = width(side("(4,2):(1,6)"), registers(), 32);
  EXPECT_EQ(odd_rows.values, 2);
  EXPECT_EQ(odd_rows.limit, width_limit::alignment);
  EXPECT_EQ(odd_rows.number, 4);
  EXPECT_EQ(odd_rows.found, 6) << "the second vector starts there";

  vector_width const operation = width(side("(8,1):(1,0)"), registers(), 16, 32);
  EXPECT_EQ(operation.values, 2);
  EXPECT_EQ(operation.limit, width_limit::operation);
  EXPECT_EQ(operation.number, 4);
}

TEST(VectorWidth, OfSwizzlesPointersAndPieces) {
  vector_side<std::int64_t> swizzled = side("(8,1):(1,0)");
  swizzled.composed = true;
  swizzled.swizzle = AnySwizzle(2, 1, 3);
  vector_width const kept = width(swizzled, registers(), 32);
  EXPECT_EQ(kept.values, 2);
  EXPECT_EQ(kept.limit, width_limit::swizzle);
  EXPECT_EQ(kept.number, 2);

  vector_side<std::int64_t> by_address = side("(16,1):(1,0)");
  by_address.address_swizzle = AnySwizzle(3, 4, 3);  // of bytes: 16 stay together
  EXPECT_EQ(width(by_address, registers(), 8).bits, 128);
  by_address.address_swizzle = AnySwizzle(3, 2, 3);
  EXPECT_EQ(width(by_address, registers(), 8).bits, 32);

  vector_side<std::int64_t> unaligned = side("(8,1):(1,0)");
  unaligned.aligned_bits = 32;
  vector_width const w = prove_vector(unaligned, registers(), 32, 128, 32).width;
  EXPECT_EQ(w.values, 1);
  EXPECT_EQ(w.limit, width_limit::pointer);
  EXPECT_EQ(w.number, 4) << "bytes that the type proves";
  EXPECT_EQ(prove_vector(unaligned, registers(), 32, 128, 128).width.values, 4) << "trusted";

  vector_width const nibble = width(side("(1,3):(0,5)"), registers(), 4);
  EXPECT_EQ(nibble.values, 1);
  EXPECT_EQ(nibble.limit, width_limit::value_pieces) << "no whole byte";
}

TEST(VectorWidth, OfAnAtomSaysWhatForbidsIt) {
  auto const forbids = [](vector_side<std::int64_t> const& s, std::int64_t n) {
    vector_width w;
    EXPECT_FALSE(has_vectors(s, true, 32, n, w));
    EXPECT_FALSE(w.possible);
    EXPECT_TRUE(w.at_source);
    return w.limit;
  };
  EXPECT_EQ(forbids(side("(2,1):(1,0)"), 4), width_limit::values);
  EXPECT_EQ(forbids(side("(4,1):(2,0)"), 4), width_limit::stride);
  EXPECT_EQ(forbids(side("(4,2):(1,6)"), 4), width_limit::alignment);
  EXPECT_EQ(forbids(side("(4,1):(1,0)", "32:6"), 4), width_limit::alignment) << "where threads begin";
  vector_width w;
  EXPECT_TRUE(has_vectors(side("(4,2):(1,8)", "32:4"), true, 32, 4, w) && w.possible);
  EXPECT_TRUE(has_vectors(side("(4,1):(7,0)"), true, 32, 1, w)) << "one value always";
  EXPECT_TRUE(has_vectors(registers(), true, 32, 4, w));
}

// A width w is right where every group of w values that are moved together lies side by side and aligned in both.
TEST(VectorWidth, IsNeverMoreThanTheValuesShow) {
  char const* const all[] = {"(8,2):(1,8)", "(8,2):(1,12)", "(4,4):(1,4)",
                             "(4,4):(4,1)", "(2,8):(1,4)",  "(16,1):(1,0)"};
  for (char const* x : all) {
    for (char const* y : all) {
      auto const p = prove_vector(side(x), side(y), 32, 128, 128);
      int const n = p.width.values;
      for (std::int64_t i = 0; i < 16; i += n) {
        std::int64_t const a = algebra::crd2idx(i, p.src), b = algebra::crd2idx(i, p.dst);
        EXPECT_EQ(a % n, 0) << x << ' ' << y;
        EXPECT_EQ(b % n, 0) << x << ' ' << y;
        for (int v = 0; v < n; ++v) {
          EXPECT_EQ(algebra::crd2idx(i + v, p.src), a + v) << x << ' ' << y;
          EXPECT_EQ(algebra::crd2idx(i + v, p.dst), b + v) << x << ' ' << y;
        }
      }
    }
  }
}

}  // namespace
