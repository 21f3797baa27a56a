// SPDX-License-Identifier: Apache-2.0
// What one call of `copy` costs, of values: by hand, from the counting rules, for each means of copying.
#include <gtest/gtest.h>
#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/tiled/algebra.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;
using algebra_test::layout;

namespace {

/// 32 threads in `thr`, each of values `val`, `at_once` of 32 bits in an instruction.
copy_values<std::int64_t> copy_of(copy_means means, char const* thr, char const* val, int at_once) {
  copy_values<std::int64_t> c;
  c.operation.means = means;
  c.operation.bits = 32 * at_once;
  c.layout_tv = algebra::layout_tv_of(layout(thr), layout(val));
  c.tiler = algebra::as_tiler(algebra::tiler_of(layout(thr), layout(val)));
  c.ref = c.src = c.dst = layout("(1," + std::to_string(at_once) + "):(0,1)");
  return c;
}
tensor_values<std::int64_t> tensor(memory_space space, char const* text) {
  tensor_values<std::int64_t> t;
  t.space = space;
  t.layout = layout(text);
  return t;
}
constexpr auto gmem = memory_space::gmem, smem = memory_space::smem;

TEST(CallCost, RowsOf128BytesAndTheirColumns) {
  // 8 rows of 32 floats; 32 threads along a row, one float each: 8 instructions, a line each.
  auto const along = copy_of(copy_means::at_once, "(1,32):(0,1)", "(1,1):(0,0)", 1);
  auto const c = copy_cost_of(along, tensor(gmem, "(8,32):(32,1)"), tensor(smem, "(8,32):(32,1)"));
  EXPECT_TRUE(c.vector.possible);
  EXPECT_EQ(c.source.instructions, 8);
  EXPECT_EQ(c.source.sectors, 8 * 4);
  EXPECT_EQ(c.destination.wavefronts, 8);
  EXPECT_EQ(c.destination.bank_conflicts, 0);
  // Turned in shared memory each store goes to one bank.
  auto const turned = copy_cost_of(along, tensor(gmem, "(8,32):(32,1)"), tensor(smem, "(8,32):(1,32)"));
  EXPECT_EQ(turned.destination.bank_conflicts, 8 * 31);
  EXPECT_EQ(turned.source.sectors, c.source.sectors);
}

TEST(CallCost, AVectorThatIsNotToBeHadCostsNothing) {
  auto const wide = copy_of(copy_means::at_once, "(32,1):(1,0)", "(1,4):(0,1)", 4);
  auto const c = copy_cost_of(wide, tensor(gmem, "(32,4):(1,32)"), tensor(smem, "(32,4):(4,1)"));
  EXPECT_FALSE(c.vector.possible);
  EXPECT_EQ(c.vector.limit, width_limit::stride);
  EXPECT_TRUE(c.vector.at_source);
  EXPECT_EQ(c.source.instructions + c.destination.instructions, 0);
  auto const right = copy_cost_of(wide, tensor(gmem, "(32,4):(4,1)"), tensor(smem, "(32,4):(4,1)"));
  EXPECT_TRUE(right.vector.possible);
  EXPECT_EQ(right.vector.bits, 128);
  EXPECT_EQ(right.source.instructions, 1);
  EXPECT_EQ(right.source.sectors, 16);
}

TEST(CallCost, AnAutomaticCopyTakesWhatBothSidesProve) {
  auto c = copy_of(copy_means::automatic, "(32,1):(1,0)", "(1,4):(0,1)", 1);
  c.operation.bits = 128;
  auto const four = copy_cost_of(c, tensor(gmem, "(32,4):(4,1)"), tensor(smem, "(32,4):(4,1)"));
  EXPECT_EQ(four.vector.values, 4);
  EXPECT_EQ(four.source.instructions, 1);
  auto const padded = copy_cost_of(c, tensor(gmem, "(32,4):(4,1)"), tensor(smem, "(32,4):(6,1)"));
  EXPECT_EQ(padded.vector.values, 4) << "where threads begin the addresses decide";
  auto const strided = copy_cost_of(c, tensor(gmem, "(32,4):(4,1)"), tensor(smem, "(32,4):(1,33)"));
  EXPECT_EQ(strided.vector.values, 1);
  EXPECT_EQ(strided.source.instructions, 4);
}

TEST(CallCost, AnAsynchronousCopyIsOneInstructionWithTwoSides) {
  auto const c = copy_of(copy_means::cp_async, "(32,1):(1,0)", "(1,4):(0,1)", 4);
  auto const cost = copy_cost_of(c, tensor(gmem, "(32,4):(4,1)"), tensor(smem, "(32,4):(4,1)"));
  EXPECT_EQ(cost.source.instructions, 1);
  EXPECT_EQ(cost.destination.instructions, 1);
  EXPECT_EQ(cost.destination.wavefronts, 4);
  EXPECT_EQ(cost.source.sectors, 16);
}

TEST(CallCost, FromRegistersToRegistersNothingIsInMemory) {
  auto const c = copy_of(copy_means::registers, "(32,1):(1,0)", "(1,1):(0,0)", 1);
  auto const cost = copy_cost_of(c, tensor_values<std::int64_t>{}, tensor_values<std::int64_t>{});
  EXPECT_EQ(cost.source.instructions + cost.destination.instructions, 0);
  EXPECT_EQ(side_cost_of(copy_of(copy_means::at_once, "(32,1):(1,0)", "(1,1):(0,0)", 1), tensor(gmem, "(32,1):(1,0)"))
                .sectors,
            4)
      << "one side by itself";
}

}  // namespace
