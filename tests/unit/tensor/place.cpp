// SPDX-License-Identifier: Apache-2.0
// A tile remembers its place in its tensor, through slices that fix the modes that count tiles.
#include <gtest/gtest.h>
#include <cosmati/tensor/local_tile.hpp>

#include "unit/tiled/text_of.hpp"

using namespace cosmati;

namespace {

template <class T>
std::string place(T const& t) {
  auto const& p = t.engine().place();
  return text_of(p.origin()) + " " + text_of(p.tile()) + " of " + text_of(p.full());
}
template <class T>
inline constexpr bool knows_its_place = requires {
  typename T::engine_type::place_type::tile_type;
};
/// Whether the tensor was a tile's and is known to be no whole tensor.
template <class T>
inline constexpr bool has_lost_its_place = requires {
  requires std::is_same_v<typename T::engine_type::place_type, lost_place>;
};

/// An address that is never accessed. It is volatile, so that the compiler looks for no object there.
float* volatile data = reinterpret_cast<float*>(0x10000);

TEST(Place, OfATile) {
  auto const a = make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(100, 30));
  EXPECT_EQ(place(local_tile(a, Shape<_32, _8>{}, make_coord(3, 1))), "(96,8) (_32,_8) of (100,30)");
  EXPECT_EQ(place(local_tile(a, Shape<_32, _8>{}, make_coord(_1{}, _0{}))), "(_32,_0) (_32,_8) of (100,30)");
  EXPECT_EQ(place(local_tile(a, make_shape(32, 8), make_coord(2u, 3))), "(64,24) (32,8) of (100,30)");
  EXPECT_EQ(place(local_tile(a, Shape<_32, _8>{}, 5)), "(32,8) (_32,_8) of (100,30)") << "the sixth of 4 x 4 tiles";
}

TEST(Place, FollowsTheLoopOverTiles) {
  auto const a = make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(100, 30));
  auto const row = local_tile(a, Shape<_32, _8>{}, make_coord(3, _));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(place(row(_, _, k)), "(96," + std::to_string(8 * k) + ") (_32,_8) of (100,30)");
  auto const all = local_tile(a, Shape<_32, _8>{}, make_coord(_, _));
  EXPECT_EQ(place(all(_, _, 2, _)(_, _, 3)), "(64,24) (_32,_8) of (100,30)");
  EXPECT_EQ(place(all(_, _, _, 3)(_, _, 2)), "(64,24) (_32,_8) of (100,30)");
  auto const vector =
      local_tile(make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(100)), Shape<_16>{}, _);
  EXPECT_EQ(place(vector(_, 6)), "(96) (_16) of (100)");
}

TEST(Place, OfProjections) {
  auto const b = make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(512, 30));
  auto const tiles = local_tile(b, Shape<_32, _64, _4>{}, make_coord(1, 2, _), Step<X, _1, _1>{});
  EXPECT_EQ(place(tiles(_, _, 7)), "(128,28) (_64,_4) of (512,30)");
}

TEST(Place, IsForgottenWhereItWouldBeWrong) {
  auto const a = make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(100, 30));
  auto const tile = local_tile(a, Shape<_32, _8>{}, make_coord(3, _));
  static_assert(knows_its_place<std::remove_const_t<decltype(tile)>>);
  static_assert(!knows_its_place<decltype(tile(_, 2, 0))>, "a column is no tile");
  static_assert(!knows_its_place<decltype(local_tile(a, Shape<_32, _8>{}, _))>, "the tiles are one mode");
  static_assert(!knows_its_place<std::remove_const_t<decltype(a)>>);
  // A tensor made of a tile is no whole tensor; a tensor made of a whole tensor is one.
  static_assert(has_lost_its_place<decltype(tile(_, 2, 0))>);
  static_assert(has_lost_its_place<decltype(local_tile(a, Shape<_32, _8>{}, _))>);
  static_assert(has_lost_its_place<decltype(local_tile(a, make_tile(Layout<_4, _2>{}, _8{}), make_coord(0, 0)))>);
  static_assert(has_lost_its_place<decltype(local_partition(a, Layout<Shape<_4, _2>>{}, 3))>);
  static_assert(has_lost_its_place<decltype(group_modes<0, 2>(tile(_, _, 0)))>);
  static_assert(has_lost_its_place<decltype(recast<int>(tile(_, _, 0)))>);
  static_assert(has_lost_its_place<decltype(coalesce(tile(_, _, 0)))>);
  static_assert(!has_lost_its_place<decltype(a(_, 3))>);
  static_assert(!has_lost_its_place<decltype(group_modes<0, 2>(a))>);
  static_assert(!has_lost_its_place<decltype(recast<int>(a))>);
}

TEST(Place, OriginsPass32BitsWhereTheTensorDoes) {
  long long const n = 1LL << 34;
  auto const t = make_tensor(make_gmem_ptr(static_cast<float*>(nullptr)), make_shape(n));
  auto const tile = local_tile(t, Shape<_1024>{}, make_coord(1u << 23));
  EXPECT_EQ(static_cast<long long>(get<0>(tile.engine().place().origin())), 1LL << 33);
}

}  // namespace
