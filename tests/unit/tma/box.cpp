// SPDX-License-Identifier: Apache-2.0
// Boxes that tensor copies move, of tiles by hand: which modes of the tensor, how many elements, and what is left for
// further boxes.
#include <cosmati/tma/box.hpp>

#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <vector>

using namespace cosmati;

namespace {

struct expected_mode {
  int leaf, extent;
  bool operator==(expected_mode const&) const = default;
};

/// The box of a tile with this shared layout. @tparam span elements of the first mode that a box may have
template <class TensorShape, class Shared, class Tile, int span = 256>
detail::box_plan plan() {
  using Inverse = decltype(right_inverse(Shared{}));
  using Map = std::remove_cvref_t<decltype(coalesce(
      composition(composition(make_identity_layout(std::declval<TensorShape>()), Tile{}), Inverse{})))>;
  return detail::plan_box<TensorShape, Map, span>();
}
std::vector<expected_mode> modes(detail::box_plan const& p) {
  std::vector<expected_mode> all;
  for (int i = 0; i < p.rank; ++i) all.push_back({p.leaf[i], p.extent[i]});
  return all;
}

using Matrix = Shape<int, int>;
using modes_of = std::vector<expected_mode>;

TEST(Box, RowsAndColumns) {
  // The mode that is contiguous in shared memory comes first.
  auto const rows = plan<Matrix, Layout<Shape<_32, _64>, Stride<_64, _1>>, Shape<_32, _64>>();
  EXPECT_EQ(modes(rows), (modes_of{{1, 64}, {0, 32}}));
  EXPECT_EQ(rows.elements, 2048);
  auto const columns = plan<Matrix, Layout<Shape<_32, _64>>, Shape<_32, _64>>();
  EXPECT_EQ(modes(columns), (modes_of{{0, 32}, {1, 64}}));
}

TEST(Box, ATileWiderThanItsSwizzle) {
  // Bands of 64 columns: (32, (64, 4)):(64, (1, 2048)).
  using Bands = Layout<Shape<_32, Shape<_64, _4>>, Stride<_64, Stride<_1, _2048>>>;
  auto const bands = plan<Matrix, Bands, Shape<_32, _256>, 64>();
  EXPECT_EQ(modes(bands), (modes_of{{1, 64}, {0, 32}}));
  EXPECT_EQ(bands.elements, 2048);
  EXPECT_EQ(bands.tile_elements, 8192);
  // Rows of 256 elements in one run: the span cuts them, and a box has one row.
  auto const cut = plan<Matrix, Layout<Shape<_32, _256>, Stride<_256, _1>>, Shape<_32, _256>, 64>();
  EXPECT_EQ(modes(cut), (modes_of{{1, 64}, {0, 1}}));
}

TEST(Box, ExtentsBeyond256) {
  auto const tall = plan<Matrix, Layout<Shape<_512, _16>, Stride<_16, _1>>, Shape<_512, _16>>();
  EXPECT_EQ(modes(tall), (modes_of{{1, 16}, {0, 256}}));
  // 300 = 150 * 2: the largest divisor that fits.
  using Odd = Layout<Shape<C<300>, _16>, Stride<_16, _1>>;
  EXPECT_EQ(modes(plan<Matrix, Odd, Shape<C<300>, _16>>()), (modes_of{{1, 16}, {0, 150}}));
}

TEST(Box, OtherModesOfTheTensorFollow) {
  using Batches = Shape<int, int, int>;
  auto const one = plan<Batches, Layout<Shape<_32, _64, _1>, Stride<_64, _1, _0>>, Shape<_32, _64, _1>>();
  EXPECT_EQ(modes(one), (modes_of{{1, 64}, {0, 32}, {2, 1}}));
  // A mode of extent 1 by its type takes no place.
  EXPECT_EQ(modes(plan<Shape<int, int, _1>, Layout<Shape<_32, _64, _1>, Stride<_64, _1, _0>>, Shape<_32, _64, _1>>()),
            (modes_of{{1, 64}, {0, 32}}));
}

TEST(Box, GapsInSharedMemoryAreSeen) {
  using Padded = Layout<Shape<_32, _64>, Stride<C<72>, _1>>;
  EXPECT_EQ((plan<Matrix, Padded, Shape<_32, _64>>().tile_elements), 64);
}

}  // namespace
