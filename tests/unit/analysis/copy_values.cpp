// SPDX-License-Identifier: Apache-2.0
// Tiled copies and tensors as values: sizes, a side's partition against the definition, and where its instructions
// point.
#include <gtest/gtest.h>
#include <cosmati/analysis/copy_values.hpp>
#include <cosmati/tiled/algebra.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;
using algebra_test::layout;

namespace {

/// 4 x 2 threads of 1 x 4 values each, 4 at once: rows of 8.
copy_values<std::int64_t> rows() {
  copy_values<std::int64_t> c;
  c.operation = {copy_means::at_once, 128, 128};
  auto const thr = layout("(4,2):(2,1)"), val = layout("(1,4):(0,1)");
  c.layout_tv = algebra::layout_tv_of(thr, val);
  c.tiler = algebra::as_tiler(algebra::tiler_of(thr, val));
  c.ref = c.src = c.dst = layout("(1,4):(0,1)");
  return c;
}
tensor_values<std::int64_t> tensor(memory_space space, char const* text) {
  tensor_values<std::int64_t> t;
  t.space = space;
  t.layout = layout(text);
  return t;
}

TEST(CopyValues, Sizes) {
  auto const c = rows();
  EXPECT_EQ(c.threads(), 8);
  EXPECT_EQ(c.values(), 4);
  EXPECT_EQ(c.at_once(true), 4);
  EXPECT_TRUE(tensor(memory_space::smem, "(4,8):(8,1)").in_memory());
  EXPECT_FALSE(tensor(memory_space::rmem, "(4,8):(8,1)").in_memory());
  EXPECT_FALSE((vector_side_of(c, tensor(memory_space::rmem, "(4,8):(8,1)"), true).in_memory));
}

// Thread t holds row t / 2, columns 4 (t % 2) to 4 (t % 2) + 3, of each tile of 4 x 8.
TEST(CopyValues, ASideIsTheThreadsPartition) {
  auto const side = vector_side_of(rows(), tensor(memory_space::gmem, "(8,16):(20,1)"), true);
  for (std::int64_t t = 0; t < 8; ++t) EXPECT_EQ(algebra::crd2idx(t, side.threads), 20 * (t / 2) + 4 * (t % 2));
  ASSERT_EQ(algebra::size(side.partition), 16);
  for (std::int64_t v = 0; v < 4; ++v) {
    for (std::int64_t m = 0; m < 2; ++m) {
      for (std::int64_t n = 0; n < 2; ++n)
        EXPECT_EQ(algebra::crd2idx(v + 4 * (m + 2 * n), side.partition), v + 80 * m + 8 * n);
    }
  }
}

TEST(CopyValues, InstructionsPointAtTheirVectors) {
  auto const side = vector_side_of(rows(), tensor(memory_space::gmem, "(8,16):(20,1)"), true);
  side_access const a = side_access_of(side, side.partition, 32, 4);
  EXPECT_EQ(a.thread_count(), 8);
  ASSERT_EQ(a.steps.size(), 4) << "of 16 values";
  for (std::int64_t step = 0; step < 4; ++step) EXPECT_EQ(a.steps(step), 80 * (step % 2) + 8 * (step / 2));
  EXPECT_EQ(a.bytes_at(a.threads(3) + a.steps(1)), 4 * (20 + 4 + 80));
}

TEST(CopyValues, ExtentsOfModes) {
  auto const e = detail::extents_of(algebra_test::tuple("((2,3),4)"));
  EXPECT_EQ(e.rank, 2);
  EXPECT_EQ(e.at(0), 6);
  EXPECT_EQ(e.at(1), 4);
  EXPECT_EQ(e.at(5), 1) << "modes that are not there";
}

}  // namespace
