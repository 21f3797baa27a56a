// SPDX-License-Identifier: Apache-2.0
// logical_divide and its rearrangements, evenly_divides, contiguous_run, vector_alignment and max_alignment, compared
// with the layouts' values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/contiguous.hpp>
#include <numeric>
#include <set>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// An injective tile for a domain of n elements, as a leaf, a tuple or an integer. If `exactly`, the tile divides n.
tree random_tile(choices& c, integer n, bool exactly) {
  tree t;
  if (!exactly && c.chance(20)) {
    // A tile that repeats itself: modes of stride 0 do not affect the complement.
    t.add_open(2);
    t.add_leaf(1 + c.below(4), 0);
    t.add_leaf(c.divisor(n), 1);
    return t;
  }
  if (!exactly && c.chance(50)) {
    t.add_leaf(1 + c.below(static_cast<int>(std::min<integer>(n, 60)) + 3), 1 + c.below(3));
    return t;
  }
  integer const extent = c.divisor(n), stride = c.divisor(n / extent);
  if (c.chance(40)) {
    integer const first = c.divisor(extent);
    bool const swapped = c.chance(50);
    t.add_open(2);
    t.add_leaf(swapped ? extent / first : first, swapped ? stride * first : stride);
    t.add_leaf(swapped ? first : extent / first, swapped ? stride : stride * first);
  } else {
    t.add_leaf(extent, stride);
  }
  return t;
}

/// Number of tiles that cover a shape. The part of the tile beyond the first mode is taken from the next mode.
integer tiles_over(tree const& f, tree const& tile) {
  integer by = 1, n = 1;
  for (int i = 0; i < tile.leaves; ++i) {
    if (tile.shape[i] != 1 && tile.stride[i] != 0) by = std::max(by, tile.shape[i] * tile.stride[i]);
  }
  integer const reach = by;
  std::set<integer> places;
  for (integer v : values(tile)) places.insert(v);
  tree const m = algebra::coalesce(f);
  for (int i = 0; i < m.leaves; ++i) {
    n *= (m.shape[i] + by - 1) / by;
    by = (by + m.shape[i] - 1) / m.shape[i];
  }
  return n * reach / static_cast<integer>(places.size());
}

void is_division(tree const& r, tree const& f, tree const& tile) {
  std::string const about = str(f) + " by " + str(tile) + " = " + str(r);
  same(r.rank(), 2, about);
  RC_ASSERT(!r.is_leaf());
  tree const inner = mode(r, 0), rest = mode(r, 1);
  is_composition(inner, f, tile);
  is_composition(rest, f, algebra::complement(tile, algebra::coalesce(f)));
  same(count(rest), tiles_over(f, tile), [&] { return about + ": tiles"; });
}
/// Tile j begins at the lowest place that earlier tiles do not cover.
void is_the_function(tree const& r, tree const& f, tree const& tile) {
  std::string const about = str(f) + " by " + str(tile) + " = " + str(r);
  tree const rest = mode(r, 1);
  std::vector<integer> const in_tile = values(tile);
  std::set<integer> const distinct(in_tile.begin(), in_tile.end());
  auto const starts = greedy_complement({distinct.begin(), distinct.end()}, static_cast<std::size_t>(count(rest)));
  for (std::size_t j = 0; j < starts.size(); ++j) {
    for (std::size_t i = 0; i < in_tile.size(); ++i) {
      integer const at = static_cast<integer>(i + j * in_tile.size());
      same(value(r, at), value(f, in_tile[i] + starts[j]), [&] { return about + " at " + std::to_string(at); });
    }
  }
}

TEST(Divide, IntoTilesThatFitIsAccepted) {
  EXPECT_TRUE(holds("logical_divide by a tile that divides", [](choices& c) {
    // A compact layout: it composes with every tile that divides it.
    tree f = random_shape(c, 3, 512);
    f = algebra::make_layout(f);
    for (int i = 0; i < f.leaves; ++i) f.stride[i] *= 3;
    tree const tile = random_tile(c, count(f), true);
    tree const r = accepted([&] { return algebra::logical_divide(f, tile); }, str(f) + " by " + str(tile));
    is_division(r, f, tile);
    is_the_function(r, f, tile);
    same(count(r), count(f), [&] { return "size of " + str(r); });
    std::vector<integer> before = values(f), after = values(r);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    RC_ASSERT(before == after);
  }));
}

TEST(Divide, ByATileThatRepeatsItselfIsAccepted) {
  EXPECT_TRUE(holds("logical_divide by a tile with a stride 0", [](choices& c) {
    tree const f = algebra::make_layout(random_shape(c, 3, 512));
    tree tile;
    tile.add_open(2);
    tile.add_leaf(1 + c.below(4), 0);
    tile.add_leaf(c.divisor(count(f)), 1);
    is_division(accepted([&] { return algebra::logical_divide(f, tile); }, str(f) + " by " + str(tile)), f, tile);
  }));
}

TEST(Divide, RoundsTheNumberOfTilesUp) {
  EXPECT_TRUE(holds("logical_divide", [](choices& c) {
    tree const f = random_layout(c, laid::any, c.chance(50) ? 1 : 2, 512);
    tree const tile = random_tile(c, count(f), c.chance(60));
    tree const r = algebra::logical_divide(f, tile);
    is_division(r, f, tile);
    same(algebra::tiler_evenly_divides(f, tile), count(f) == count(tile) * algebra::size(algebra::complement(tile, f)),
         [&] { return str(f) + " by " + str(tile); });
  }));
}

void add_tiler(choices& c, tree& t, tree const& f, int depth, bool underscores) {
  if (underscores && c.chance(15)) {
    t.add_node(tree::any);
  } else if (depth > 0 && c.chance(50)) {
    int const tiles = 1 + c.below(f.rank());
    t.add_node(tree::tile(tiles));
    for (int i = 0; i < tiles; ++i) add_tiler(c, t, mode(f, i), depth - 1, underscores);
  } else {
    t.append(random_tile(c, count(f), true));
  }
}
/// A tiler with at least one tuple of tiles.
tree random_tiler(choices& c, tree const& f, bool underscores) {
  tree t;
  int const tiles = 1 + c.below(f.rank());
  t.add_node(tree::tile(tiles));
  for (int i = 0; i < tiles; ++i) add_tiler(c, t, mode(f, i), 1, underscores);
  return t;
}

void is_division_by_mode(tree const& r, tree const& f, tree const& tiler) {
  std::string const about = str(f) + " by a tiler = " + str(r);
  if (tiler.node[0] == tree::any) {
    same(str(r), str(f), about);
  } else if (tiler.is_tiler()) {
    same(r.rank(), f.rank(), about);
    RC_ASSERT(!r.is_leaf());
    for (int i = 0; i < f.rank(); ++i) {
      if (i < tiler.rank()) {
        is_division_by_mode(mode(r, i), mode(f, i), mode(tiler, i));
      } else {
        same(str(mode(r, i)), str(mode(f, i)), about);
      }
    }
  } else {
    is_division(r, f, tiler);
  }
}

bool every_tile_divides(tree const& f, tree const& tiler) {
  if (tiler.node[0] == tree::any) return true;
  if (!tiler.is_tiler()) return count(f) == count(tiler) * algebra::size(algebra::complement(tiler, f));
  for (int i = 0; i < tiler.rank(); ++i) {
    if (!every_tile_divides(mode(f, i), mode(tiler, i))) return false;
  }
  return true;
}

TEST(Divide, ByATilerIsThatOfItsModes) {
  EXPECT_TRUE(holds("logical_divide by a tiler", [](choices& c) {
    tree f = random_shape(c, 2, 512, true);
    lay(c, f, laid::compact);
    tree const tiler = random_tiler(c, f, true);
    tree const divided = algebra::logical_divide(f, tiler);
    is_division_by_mode(divided, f, tiler);
    same(algebra::tiler_evenly_divides(f, tiler), every_tile_divides(f, tiler),
         [&] { return str(f) + " = " + str(divided); });
  }));
}

/// The tiles (which == 0) or the rests of a logical divide, selected by the tiler.
tree gathered(tree const& divided, tree const& tiler, int which) {
  if (!tiler.is_tiler()) return mode(divided, which);
  tree r;
  r.add_open(which == 0 ? tiler.rank() : divided.rank());
  for (int i = 0; i < divided.rank(); ++i) {
    if (i < tiler.rank()) {
      r.append(gathered(mode(divided, i), mode(tiler, i), which));
    } else if (which == 1) {
      r.append(mode(divided, i));
    }
  }
  return r;
}
void add_opened(std::vector<std::string>& modes, tree const& f) {
  if (f.is_leaf() || f.rank() == 1) {
    modes.push_back(str(f));
  } else {
    for (int i = 0; i < f.rank(); ++i) modes.push_back(str(mode(f, i)));
  }
}
std::vector<std::string> modes_of(tree const& f) {
  std::vector<std::string> modes;
  for (int i = 0; i < f.rank(); ++i) modes.push_back(str(mode(f, i)));
  return modes;
}

TEST(Divide, ZippedTiledAndFlatRearrangeTheLogicalOne) {
  EXPECT_TRUE(holds("zipped_divide, tiled_divide, flat_divide", [](choices& c) {
    tree f = random_shape(c, 2, 512, true);
    lay(c, f, laid::compact);
    tree const tiler = c.chance(80) ? random_tiler(c, f, false) : random_tile(c, count(f), true);
    tree const divided = algebra::logical_divide(f, tiler);
    std::string const about = str(f) + " = " + str(divided);
    tree const zipped = accepted([&] { return algebra::zipped_divide(f, tiler); }, about);
    tree const tiles = gathered(divided, tiler, 0), rests = gathered(divided, tiler, 1);
    RC_ASSERT((modes_of(zipped) == std::vector<std::string>{str(tiles), str(rests)}));
    std::vector<std::string> modes{str(tiles)};
    add_opened(modes, rests);
    RC_ASSERT(modes_of(accepted([&] { return algebra::tiled_divide(f, tiler); }, about)) == modes);
    modes.clear();
    add_opened(modes, tiles);
    add_opened(modes, rests);
    RC_ASSERT(modes_of(accepted([&] { return algebra::flat_divide(f, tiler); }, about)) == modes);
  }));
}

TEST(CeilDiv, ByALayoutIsTheShapeOfItsComplement) {
  EXPECT_TRUE(holds("ceil_div by a layout", [](choices& c) {
    tree const target = random_shape(c, 2, 512);
    tree const tile = random_layout(c, laid::spaced, 1, 32);
    tree const r = algebra::ceil_div_by_layout(target, tile);
    same(tuple_str(r), tuple_str(algebra::complement(tile, target)), [&] { return str(tile); });
    for (int i = 0; i < r.leaves; ++i) same(r.stride[i], integer(0), "strides of a shape");
  }));
}

TEST(Contiguous, RunsAndTheirVectors) {
  EXPECT_TRUE(holds("contiguous_run, vector_alignment", [](choices& c) {
    tree f = random_layout(c, c.chance(50) ? laid::compact : laid::any, 2, 256);
    if (c.chance(60)) {  // begins with a run
      int const k = f.leaves - 1;
      for (int i = 0; i <= k; ++i) f.stride[i] *= f.shape[0];
      f.stride[0] = 1;
    }
    integer const run = algebra::contiguous_run(f), n = count(f);
    auto const about = [&] { return str(f); };
    for (integer i = 0; i < run; ++i) same(value(f, i), i, about);
    if (run < n && value(f, run) == run) RC_FAIL(str(f) + " runs beyond " + std::to_string(run));
    integer const vector = c.divisor(run);
    integer divisor = 0;
    for (integer i = 0; i < n; i += vector) divisor = std::gcd(divisor, value(f, i));
    auto const vectors = [&] { return str(f) + ", vectors of " + std::to_string(vector); };
    same(algebra::vector_alignment(algebra::coalesce(f), vector, 1), divisor, vectors);
    integer const proved = algebra::vector_alignment(f, vector, 1);  // less where a vector crosses modes
    same(std::gcd(divisor, proved), proved, vectors);
  }));
}

TEST(MaxAlignment, IsTheWidestAlignedVector) {
  EXPECT_TRUE(holds("max_alignment", [](choices& c) {
    tree f = random_layout(c, c.chance(50) ? laid::compact : laid::spaced, 2, 256);
    if (c.chance(30)) {
      for (int i = 0; i < f.leaves; ++i) f.stride[i] *= 2;
    }
    integer const n = accepted([&] { return algebra::max_alignment(f); }, str(f));
    // The image consists of aligned runs of n elements, and not of wider ones.
    std::vector<integer> const v = values(f);
    std::set<integer> const image(v.begin(), v.end());
    auto const runs_of = [&](integer width) {
      if (static_cast<integer>(image.size()) % width != 0) return false;
      for (integer x : image) {
        integer const begin = x / width * width;
        for (integer k = 0; k < width; ++k) {
          if (image.count(begin + k) == 0) return false;
        }
      }
      return true;
    };
    RC_ASSERT(n > 0);
    if (!runs_of(n)) RC_FAIL(str(f) + " is not made of runs of " + std::to_string(n));
    for (integer wider = 2 * n; wider <= count(f); wider += n) {
      if (runs_of(wider))
        RC_FAIL(str(f) + " is made of runs of " + std::to_string(wider) + ", not " + std::to_string(n));
    }
  }));
}

TEST(MaxAlignment, IsTheCommonDivisorOfTheVectorAndTheOtherStrides) {
  EXPECT_TRUE(holds("max_alignment of a vector with other strides", [](choices& c) {
    int const rank = 2 + c.below(2), contiguous = c.below(rank);
    tree f;
    f.add_open(rank);
    integer vector = 2 + c.below(30), expected = vector, stride = vector + 1;
    for (int i = 0; i < rank; ++i) {
      if (i == contiguous) {
        f.add_leaf(vector, 1);
        continue;
      }
      stride += c.below(20);
      f.add_leaf(2 + c.below(3), stride);
      expected = std::gcd(expected, stride);
      stride *= 6;
    }
    same(accepted([&] { return algebra::max_alignment(f); }, str(f)), expected, [&] { return str(f); });
  }));
}

}  // namespace
