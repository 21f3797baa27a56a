// SPDX-License-Identifier: Apache-2.0
// A thread's place in a tile: what a partition keeps of it, and what slices of the partition do.
#include <gtest/gtest.h>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/thread_place.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

using namespace cosmati;

namespace {

constexpr auto copy_rows = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                           Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _2>>{});

TEST(ThreadPlace, KnowsItsTensorAndItsThread) {
  float* const p = nullptr;
  auto const tensor = make_tensor(make_gmem_ptr(p), make_shape(40, 64), make_stride(64, _1{}));
  auto const tile = local_tile(tensor, Shape<_16, _32>{}, make_coord(2, _));  // (16, 32, tiles along mode 1)
  auto const mine = copy_rows.get_slice(13).partition_S(tile);
  using Place = std::remove_cvref_t<decltype(mine.engine().place())>;
  static_assert(Place::known && Place::source);
  auto const place = mine.engine().place();
  EXPECT_EQ(static_cast<int>(place.thr_idx()), 13);
  static_assert(Place::step == 2, "rows of 64, pairs of columns: every thread begins at a multiple of 2");
  EXPECT_EQ(static_cast<int>(get<0>(place.behind())), 2) << "two tiles";
  auto const of_tensor = copy_rows.get_slice(13).partition_S(tensor);
  static_assert(std::remove_cvref_t<decltype(of_tensor.engine().place())>::known, "a tensor begins at its origin");
  auto const of = copy_rows.get_slice(13).partition_D(tile);
  static_assert(!std::remove_cvref_t<decltype(of.engine().place())>::source);
}

// Modes behind the tile's count tiles: a slice there keeps the place, one in the values loses it.
TEST(ThreadPlace, SurvivesSlicesBehindTheTile) {
  using base = tile_place<Shape<_16, _32>, Shape<int, int>, tuple<int, int>>;
  using place = thread_place<base, Shape<int>, int, true>;
  static_assert(base::rank == 2);
  static_assert(place::survives<tuple<Underscore, Underscore, Underscore, int>>());
  static_assert(place::survives<tuple<Underscore, Underscore, Underscore, Underscore>>());
  static_assert(!place::survives<tuple<Underscore, int, Underscore, Underscore>>());
  static_assert(!place::survives<tuple<int, Underscore, Underscore, Underscore>>());
}

TEST(ThreadPlace, TakesNoRoomForWhatTypesTell) {
  using base = tile_place<Shape<_16, _32>, Shape<_64, _64>, tuple<_0, _0>>;
  static_assert(sizeof(thread_place<base, Shape<_3>, unsigned, true>) == sizeof(unsigned));
}

// One thread's one value: no stride of its place has a basis.
TEST(ThreadPlace, OfOneCoordinate) {
  auto const one =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_1, _1>>{}, Layout<Shape<_1, _1>>{});
  int const thread = 0;
  auto const mine = one.get_slice(thread).partition_S(make_identity_tensor(Shape<_1, _1>{}));
  EXPECT_TRUE(mine(0) == make_tuple(0, 0));
}

}  // namespace
