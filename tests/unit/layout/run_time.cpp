// SPDX-License-Identifier: Apache-2.0
// Layouts with some run-time integers. The results are CuTe's, and the same integers stay static.
#include "unit/layout/run_time.hpp"

#include <gtest/gtest.h>

#include <cosmati/layout/algebra/algebra.hpp>

namespace algebra = cosmati::algebra;
using algebra_test::run_time;

namespace {

/// m = 12, n = 20, leading dimension 16: column-major, row-major, and half known.
char const* const columns = "(?12,?20):(1,?16)";
char const* const rows = "(?12,?20):(?16,1)";
char const* const mixed = "(?12,8):(8,1)";
char const* const tile = "[4,5]";

TEST(RunTime, CoalesceMergesOnlyWhatIsKnown) {
  run_time t;
  EXPECT_EQ(t.str(algebra::coalesce(t.layout(columns))), "(12,20):(_1,16)");
  EXPECT_EQ(t.str(algebra::coalesce(t.layout(mixed))), "(12,_8):(_8,_1)");
  EXPECT_EQ(t.str(algebra::coalesce(t.layout("(4,?20):(1,4)"))), "(_4,20):(_1,_4)");
  EXPECT_EQ(t.str(algebra::coalesce(t.layout("(?20,4):(0,0)"))), "80:_0");
  EXPECT_EQ(t.str(algebra::coalesce(t.layout("(2,?1,6):(1,6,2)"))), "(_2,1,_6):(_1,_6,_2)");
  EXPECT_EQ(t.str(algebra::filter(t.layout("(?12,?20,2):(0,?16,1)"))), "(20,_2):(16,_1)");
  EXPECT_EQ(t.tuple_str(algebra::coalesce_shape(t.tuple("(2,3,?12,?20,4)"))), "(_6,240,_4)");
}

TEST(RunTime, Divides) {
  run_time t;
  auto const five = "[4,5]";
  EXPECT_EQ(t.str(algebra::logical_divide(t.layout(columns), t.layout(five))), "((_4,3),(_5,4)):((_1,_4),(16,80))");
  EXPECT_EQ(t.str(algebra::zipped_divide(t.layout(rows), t.layout(five))), "((_4,_5),(3,4)):((16,_1),(64,_5))");
  EXPECT_EQ(t.str(algebra::tiled_divide(t.layout(columns), t.layout(five))), "((_4,_5),3,4):((_1,16),_4,80)");
  EXPECT_EQ(t.str(algebra::flat_divide(t.layout(columns), t.layout(five))), "(_4,_5,3,4):(_1,16,_4,80)");
  EXPECT_EQ(t.str(algebra::logical_divide(t.layout(columns), t.layout("4"))), "((4,1),(3,20)):((_1,16),(_4,16))");
  EXPECT_EQ(t.str(algebra::zipped_divide(t.layout(columns), t.layout("[4:2,5]"))),
            "((_4,_5),((_2,2),4)):((_2,16),((_1,_8),80))");
}

TEST(RunTime, OnlyWhatIsNeededIsRecorded) {
  run_time t;
  auto const l = t.layout("(?12,?20):(1,?16)");
  auto const before = t.steps();
  (void)algebra::zipped_divide(l, t.layout(tile));
  EXPECT_LE(t.steps() - before, 10) << "steps for two rest modes and one stride";
}

TEST(RunTime, Compositions) {
  run_time t;
  EXPECT_EQ(t.str(algebra::composition(t.layout(columns), t.layout("[4,(2,2):(1,4)]"))), "(_4,(_2,_2)):(_1,(16,64))");
  EXPECT_EQ(t.str(algebra::composition(t.layout(columns), t.layout("4"))), "(4,1):(_1,16)");
  EXPECT_EQ(t.str(algebra::composition(t.layout(mixed), t.layout("16:1"))), "(12,1):(_8,1)");
  EXPECT_EQ(t.str(algebra::composition(t.layout(columns), t.layout("?12:1"))), "(12,1):(_1,16)");
  // A mode of known extent goes through every mode, for all strides.
  EXPECT_EQ(t.str(algebra::composition(t.layout("(4,2,?8):(1,?16,?40)"), t.layout("16:1"))), "(_4,_2,_2):(_1,16,40)");
  auto const four = t.layout("(2,2,2,2):(?3,?5,?7,?9)");
  EXPECT_EQ(t.str(algebra::composition(four, t.layout("16:1"))), "(_2,_2,_2,_2):(3,5,7,9)");
  EXPECT_EQ(t.str(algebra::composition(four, t.layout("4:2"))), "(_2,_2):(5,7)");
  EXPECT_EQ(t.str(algebra::composition(four, t.layout("(2,2):(8,1)"))), "(_2,_2):(9,3)");
  EXPECT_EQ(t.str(algebra::with_shape(t.layout(columns), t.tuple("(4,60)"))), "((4,1),(3,20)):((_1,16),(_4,16))");
}

TEST(RunTime, Complements) {
  run_time t;
  EXPECT_EQ(t.str(algebra::complement(t.layout("4:2"), t.tuple("?20"))), "(_2,3):(_1,_8)");
  EXPECT_EQ(t.str(algebra::complement(t.layout("4:?16"), t.tuple("?20"))), "(16,1):(_1,64)");
  EXPECT_EQ(t.str(algebra::complement(t.layout("?20:2"), t.tuple("128"))), "(_2,4):(_1,40)");
  EXPECT_EQ(t.str(algebra::complement(t.layout("4:1"), t.tuple("(?12,4,8,?20)"))), "1920:_4");
  EXPECT_EQ(t.str(algebra::complement(t.layout("4:0"), t.tuple("(1,?20,4)"))), "(_1,20,_4):(_0,_1,20)");
  EXPECT_THROW(algebra::complement(t.layout("(4,2):(?16,1)"), t.tuple("64")), cosmati::error);
}

TEST(RunTime, Inverses) {
  run_time t;
  EXPECT_EQ(t.str(algebra::right_inverse(t.layout("(4,?20,2):(2,8,1)"))), "(_2,_4,20):(80,_1,_4)");
  // A run-time stride, or the stride of the mode after a run-time extent, may or may not continue the earlier modes.
  EXPECT_THROW(algebra::right_inverse(t.layout("(4,?20,2):(2,?16,1)")), cosmati::error);
  EXPECT_THROW(algebra::right_inverse(t.layout("(?12,20):(1,16)")), cosmati::error);
  EXPECT_EQ(t.str(algebra::left_inverse(t.layout("(?12,4):(4,1)"))), "(_4,12):(12,_1)");
  EXPECT_THROW(algebra::left_inverse(t.layout(columns)), cosmati::error);
}

TEST(RunTime, CommonVectorsAndAlignment) {
  run_time t;
  EXPECT_EQ(t.show(algebra::max_common_vector(t.layout(columns), t.layout(columns))), "_1");
  EXPECT_EQ(t.str(algebra::max_common_layout(t.layout(mixed), t.layout(mixed))), "_1:_0");
  EXPECT_EQ(t.show(algebra::max_common_vector(t.layout("(4,?20):(1,?16)"), t.layout("8:1"))), "_4");
  EXPECT_EQ(t.show(algebra::max_alignment(t.layout("(8,?20):(1,?16)"))), "_1");  // the stride may be odd
  EXPECT_EQ(t.show(algebra::max_alignment(t.layout("(8,?20):(1,12)"))), "_4");
  EXPECT_EQ(t.show(algebra::max_alignment(t.layout("(8,?20):(1,24)"))), "_8");
}

TEST(RunTime, OrderedAndLike) {
  run_time t;
  EXPECT_EQ(t.str(algebra::make_ordered_layout(t.tuple("(?2,?3,?4,?5)"), t.tuple("(2,67,42,50)"))),
            "(2,3,4,5):(_1,40,2,8)");
  EXPECT_THROW(algebra::make_ordered_layout(t.tuple("(2,3)"), t.tuple("(2,?67)")), cosmati::error);
  EXPECT_EQ(t.str(algebra::make_layout_like(t.layout("(?2,?3,?4,?5):(0,?42,1,0)"))), "(2,3,4,5):(_0,4,_1,_0)");
  EXPECT_EQ(t.str(algebra::make_fragment_like(t.layout("((4,2),3,5):((1,?16),?12,1)"))),
            "((_4,_2),_3,_5):((_1,_4),_40,_8)");
  EXPECT_EQ(t.str(algebra::make_fragment_like(t.layout(columns))), "(12,20):(_1,12)");
}

TEST(RunTime, Recasts) {
  run_time t;
  EXPECT_EQ(t.str(algebra::upcast(t.layout(columns), 4)), "(3,20):(_1,4)");
  EXPECT_EQ(t.str(algebra::upcast(t.layout("(?12,?20):(2,?16)"), 4)), "(6,20):(_1,4)");
  EXPECT_EQ(t.str(algebra::upcast(t.layout("?16:?1"), 2)), "8:1");
  EXPECT_EQ(t.str(algebra::upcast(t.layout("(8,?64):(?64,?1)"), 4)), "(8,16):(16,1)");
  EXPECT_EQ(t.str(algebra::upcast(t.layout("(6,?5):(?-2,?0)"), 4)), "(3,5):(-1,0)");
  // With a static mode that holds the groups, the extents stay static.
  EXPECT_EQ(t.str(algebra::upcast(t.layout("(8,64):(?64,1)"), 4)), "(_8,_16):(16,_1)");
  EXPECT_EQ(t.str(algebra::downcast(t.layout(columns), 2)), "(24,20):(_1,32)");
  EXPECT_EQ(t.str(algebra::downcast(t.layout("(8,64):(?64,1)"), 2)), "(_8,_128):(128,_1)");
  EXPECT_EQ(t.str(algebra::downcast(t.layout("(?4,1):(?3,1)"), 2)), "(4,_2):(6,_1)");
}

TEST(RunTime, Products) {
  run_time t;
  EXPECT_EQ(t.str(algebra::blocked_product(t.layout("(4,2):(1,4)"), t.layout("(?12,?20):(1,?12)"))),
            "((_4,12),(_2,20)):((_1,_8),(_4,96))");
  EXPECT_EQ(t.str(algebra::raked_product(t.layout("(4,2):(1,4)"), t.layout("(3,?20):(1,3)"))),
            "((_3,_4),(20,_2)):((_8,_1),(_24,_4))");
  EXPECT_EQ(t.str(algebra::tile_to_shape(t.layout("(4,2):(2,1)"), t.tuple("(?12,?20)"))),
            "((_4,3),(_2,10)):((_2,_8),(_1,24))");
  EXPECT_EQ(t.str(algebra::tile_to_shape(t.layout("(4,2):(2,1)"), t.tuple("(8,?20)"), t.tuple("(2,1)"))),
            "((_4,_2),(_2,10)):((_2,80),(_1,_8))");
  EXPECT_EQ(t.str(algebra::logical_product(t.layout("4:1"), t.layout("?20:?16"))), "(_4,20):(_1,64)");
}

TEST(RunTime, SizesAndCoordinates) {
  run_time t;
  EXPECT_EQ(t.show(algebra::cosize(t.layout(columns))), "316");
  EXPECT_EQ(t.show(algebra::size(t.layout(mixed))), "96");
  EXPECT_EQ(t.tuple_str(algebra::coshape(t.layout(rows))), "196");
  EXPECT_EQ(t.str(algebra::nullspace(t.layout("(?12,?20,2):(0,?16,0)"))), "(12,_2):(_1,240)");
  EXPECT_EQ(t.tuple_str(algebra::idx2crd(t.tuple("?37"), t.tuple("(?12,?20)"))), "(1,3)");
  EXPECT_EQ(t.tuple_str(algebra::get_hier_coord(t.layout(columns), t.tuple("?37").shape[0])), "(1,2)");
  EXPECT_EQ(t.tuple_str(algebra::get_flat_coord(t.layout(columns), t.tuple("?37").shape[0])), "(1,2)");
  EXPECT_EQ(t.tuple_str(algebra::ceil_div(t.tuple("(?12,?20)"), t.tuple("(5,8)"))), "(3,3)");
  EXPECT_EQ(t.tuple_str(algebra::shape_div(t.tuple("(?12,?20)"), t.tuple("24"))), "(1,10)");
  EXPECT_EQ(t.tuple_str(algebra::compact_row_major(t.tuple("(?12,1,?20)"))), "(20,_0,_1)");
  EXPECT_EQ(t.show(algebra::max(t.tuple("(2,?12,7)"))), "12");
}

TEST(RunTime, IdentityLayouts) {
  run_time t;
  auto const identity = algebra::make_identity_layout(t.tuple("(?12,?20)"));
  EXPECT_EQ(t.str(identity), "(12,20):(_1@0,_1@1)");
  EXPECT_EQ(t.str(algebra::zipped_divide(identity, t.layout("[4,5]"))), "((_4,_5),(3,4)):((_1@0,_1@1),(_4@0,_5@1))");
  EXPECT_EQ(t.str(algebra::composition(identity, t.layout("[4:2,5]"))), "(_4,_5):(_2@0,_1@1)");
  EXPECT_EQ(t.str(algebra::slice(t.tuple("(_,(1,2))"), algebra::zipped_divide(identity, t.layout("[4,5]")))),
            "((_4,_5)):((_1@0,_1@1))");
  EXPECT_EQ(t.tuple_str(algebra::crd2idx(t.tuple("(?3,?4)"), identity)), "(3,4)");
  EXPECT_EQ(t.tuple_str(algebra::coshape(identity)), "(12,20)");
  EXPECT_EQ(t.show(algebra::cosize(identity)), "240");
  EXPECT_EQ(t.str(algebra::with_shape(identity, t.tuple("(4,3,?20)"))),
            "((4,1),(3,1),(1,20)):((_1@0,1@1),(_4@0,1@1),(_12@0,1@1))");

  auto const known = algebra::make_identity_layout(t.tuple("(4,5)"));
  EXPECT_EQ(t.str(algebra::coalesce(known)), "(_4,_5):(_1@0,_1@1)");
  EXPECT_EQ(t.str(algebra::logical_divide(known, t.layout("2"))), "(_2,(_2,_5)):(_1@0,(_2@0,_1@1))");
  auto const nested = algebra::make_identity_layout(t.tuple("(4,(5,6))"));
  EXPECT_EQ(t.str(nested), "(_4,(_5,_6)):(_1@0,(_1@0@1,_1@1@1))");
  EXPECT_EQ(t.str(algebra::composition(nested, t.layout("[2,(5,3):(1,10)]"))), "(_2,(_5,_3)):(_1@0,(_1@0@1,_2@1@1))");
  EXPECT_EQ(t.str(algebra::composition(t.layout("(4,(5,6)):(30,(6,1))"), nested)), "(_4,(_5,_6)):(_30,(_6,_1))");
  EXPECT_EQ(t.str(algebra::composition(t.layout("(8,6):(6,1)"), t.layout("(2,3,4):(4@0,2@1,1@0)"))),
            "(_2,_3,_4):(_24,_2,_6)");
  EXPECT_EQ(t.str(algebra::composition(t.layout("8:6"), t.layout("(2):(4@0)"))), "(_2):(_24)");
  EXPECT_THROW(algebra::complement(known), cosmati::error);
  EXPECT_THROW(algebra::right_inverse(known), cosmati::error);
  EXPECT_THROW(algebra::composition(t.layout("(8,6):(6,1)"), t.layout("2:1@2")), cosmati::error);
}

}  // namespace
