// SPDX-License-Identifier: Apache-2.0
// Tiled copies as values, by the definition: thread t at (m, n) of the thread layout holds the block of values whose
// corner is (m VM, n VN); a tensor is cut into such tiles.
#include <gtest/gtest.h>
#include <cosmati/tiled/algebra.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple_str;

namespace {

struct matrices {
  char const *thr, *val;
};
constexpr matrices all[] = {{"(4,2):(2,1)", "(1,4):(0,1)"}, {"(4,2):(1,4)", "(2,2):(1,2)"},
                            {"(2,3):(3,1)", "(2,1):(1,0)"}, {"(1,1):(0,0)", "(3,2):(2,1)"},
                            {"(8,1):(1,0)", "(1,1):(0,0)"}, {"((2,2),2):((1,4),2)", "(2,(2,2)):(1,(4,2))"}};

std::int64_t extent(cosmati::flat_tree<std::int64_t> const& l, int mode) { return algebra::size(l, mode); }

TEST(TiledAlgebra, EachValueStandsInItsThreadsBlock) {
  for (auto const& c : all) {
    auto const thr = layout(c.thr), val = layout(c.val);
    auto const tv = algebra::layout_tv_of(thr, val);
    std::int64_t const tm = extent(thr, 0), tn = extent(thr, 1), vm = extent(val, 0), vn = extent(val, 1);
    EXPECT_EQ(tuple_str(algebra::tiler_of(thr, val)),
              "(" + std::to_string(tm * vm) + "," + std::to_string(tn * vn) + ")");
    std::int64_t const threads = tm * tn;
    for (std::int64_t m = 0; m < tm; ++m)
      for (std::int64_t n = 0; n < tn; ++n)
        for (std::int64_t i = 0; i < vm; ++i)
          for (std::int64_t j = 0; j < vn; ++j) {
            std::int64_t const t = algebra::crd2idx(m + tm * n, thr), v = algebra::crd2idx(i + vm * j, val);
            EXPECT_EQ(algebra::crd2idx(t + threads * v, tv), m * vm + i + tm * vm * (n * vn + j)) << c.thr << c.val;
          }
  }
}

// An atom whose reference is one value a thread: sides alike.
TEST(TiledAlgebra, FragmentsOfATensor) {
  auto const thr = layout("(4,2):(2,1)"), val = layout("(1,4):(0,1)"), atom = layout("(1,4):(0,1)");
  auto const tv = algebra::layout_tv_of(thr, val);
  auto const tiler = algebra::as_tiler(algebra::tiler_of(thr, val));  // 4 x 8
  auto const thr_val = algebra::thread_values(tv, atom, atom);
  auto const tensor = layout("(8,24):(30,1)");
  auto const offsets = algebra::thread_offsets(tensor, tiler, thr_val);
  auto const partition = algebra::thread_partition(tensor, tiler, thr_val);
  EXPECT_EQ(partition.rank(), 3);
  for (std::int64_t t = 0; t < 8; ++t) EXPECT_EQ(algebra::crd2idx(t, offsets), 30 * (t / 2) + 4 * (t % 2));
  for (std::int64_t v = 0; v < 4; ++v)
    for (std::int64_t m = 0; m < 2; ++m)
      for (std::int64_t n = 0; n < 3; ++n)
        EXPECT_EQ(algebra::crd2idx(v + 4 * (m + 2 * n), partition), v + 4 * 30 * m + 8 * n);
  auto const side = algebra::side_layout_tv(tiler, thr_val);
  for (std::int64_t t = 0; t < 8; ++t)
    for (std::int64_t v = 0; v < 4; ++v) EXPECT_EQ(algebra::crd2idx(t + 8 * v, side), algebra::crd2idx(t + 8 * v, tv));
}

// The source gives 2 values of each of two threads; the destination takes them crosswise.
TEST(TiledAlgebra, SidesOfAnAtom) {
  auto const ref = layout("(2,2):(2,1)"), crossed = layout("(2,2):(1,2)");
  EXPECT_EQ(str(algebra::coalesce(algebra::reference_to_side(ref, ref))), "4:1");
  auto const to = algebra::reference_to_side(ref, crossed);
  for (std::int64_t i = 0; i < 4; ++i) {
    // value i of the crossed side, as (thread, value) of the reference
    std::int64_t const value = algebra::crd2idx(i, crossed), place = algebra::crd2idx(i, to);
    EXPECT_EQ(algebra::crd2idx(place, ref), value);
  }
}

TEST(TiledAlgebra, TilersAndTheirShapes) {
  auto const tiler = algebra::as_tiler(algebra_test::tuple("(4,(2,3))"));
  EXPECT_TRUE(tiler.is_tiler());
  EXPECT_EQ(tuple_str(algebra::tile_shape(tiler)), "(4,(2,3))");
  EXPECT_EQ(tuple_str(algebra::tile_shape(algebra_test::tiler("[4:2,8]"))), "(4,8)");
}

TEST(TiledAlgebra, LayoutsThatAreNoBijectionsAreRefused) {
  EXPECT_MESSAGE(algebra::layout_tv_of(layout("(4,2):(2,2)"), layout("(1,4):(0,1)")),
                 "the thread layout is not a bijection: it names 8 threads but reaches index 8");
  EXPECT_MESSAGE(algebra::layout_tv_of(layout("(4,2):(2,1)"), layout("(2,2):(1,1)")),
                 "the value layout is not a bijection: it has 4 values but reaches index 2");
}

}  // namespace
