// SPDX-License-Identifier: Apache-2.0
#include <cosmati/tiled/tv_tiler.hpp>

#include <gtest/gtest.h>

#include <cosmati/layout/print.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace {

using namespace cosmati;

TEST(tv_tiler, deals_out_every_element_once) {
  // 4 threads along the rows, each with 2 neighbours along the columns: a tile of 4 x 2
  auto const tiler = make_tiler_impl(Layout<Shape<_4, _2>, Stride<_1, _4>>{}, Shape<_4, _2>{});
  int memory[8 * 6];
  for (int i = 0; i < 48; ++i) memory[i] = 0;
  auto const whole = make_tensor(&memory[0], Shape<_8, _6>{});
  for (int thread = 0; thread < 4; ++thread) {
    auto part = tiler.get_slice(make_coord(thread, _)).partition(whole);
    static_assert(decltype(rank(part))::value == 3 && decltype(size(part))::value == 2 * 2 * 3);
    for (int v = 0; v < 2; ++v) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) {
          ASSERT_EQ(&part(v, i, j), &memory[(4 * i + thread) + 8 * (2 * j + v)]);
          ++part(v, i, j);
        }
      }
    }
  }
  for (int const x : memory) EXPECT_EQ(x, 1);
}

}  // namespace
