// SPDX-License-Identifier: Apache-2.0
// Products, tile_to_shape, ordered and fragment layouts, against the layouts' values; and the two theorems on which
// tiled copies rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/product.hpp>
#include <set>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// Where repetitions of `block` may begin: the k-th place of its complement.
std::vector<integer> starts_of(tree const& block, integer how_many) {
  std::vector<integer> const v = values(block);
  std::set<integer> const places(v.begin(), v.end());
  return greedy_complement({places.begin(), places.end()}, static_cast<std::size_t>(how_many));
}

/// rest(j) is the tile(j)-th place that the block leaves free.
void are_repetitions(tree const& rest, tree const& block, tree const& tile) {
  auto const about = [&] { return "repetitions " + str(rest) + " of " + str(block) + " over " + str(tile); };
  if (!refines(tile, rest)) RC_FAIL(about() + ": the shape does not refine the tiler's");
  std::vector<integer> const order = values(tile);
  auto const starts = starts_of(block, *std::max_element(order.begin(), order.end()) + 1);
  for (std::size_t j = 0; j < order.size(); ++j) {
    same(value(rest, static_cast<integer>(j)), starts[static_cast<std::size_t>(order[j])], about);
  }
}

/// Layouts that compose with any complement of a dense block: blocks without gaps.
tree random_block(choices& c, bool tuple = false) {
  return random_layout(c, c.chance(70) ? laid::compact : laid::repeating, 2, 64, tuple);
}
tree random_tile(choices& c, bool tuple = false) { return random_layout(c, laid::compact, 2, 32, tuple); }

TEST(Product, RepeatsTheBlockOverTheTiler) {
  EXPECT_TRUE(holds("logical_product", [](choices& c) {
    tree const block = c.chance(70) ? random_block(c) : random_layout(c, laid::spaced, 2, 64);
    tree const tile = c.chance(60) ? random_tile(c) : random_layout(c, laid::any, 1, 32);
    tree const r = algebra::logical_product(block, tile);
    same(r.rank(), 2, "rank");
    same(str(mode(r, 0)), str(block), "the block");
    is_composition(mode(r, 1), algebra::complement(block, count(block) * algebra::cosize(tile)), tile);
  }));
}

TEST(Product, OfADenseBlockIsAcceptedAndInjective) {
  EXPECT_TRUE(holds("logical_product of a bijection", [](choices& c) {
    tree const block = random_layout(c, laid::compact, 2, 64), tile = random_tile(c);
    tree const r = accepted([&] { return algebra::logical_product(block, tile); }, str(block) + " x " + str(tile));
    if (!tile.is_leaf() || tile.shape[0] != 1) are_repetitions(mode(r, 1), block, tile);
    std::vector<integer> v = values(r);
    std::sort(v.begin(), v.end());
    for (std::size_t i = 0; i < v.size(); ++i) same(v[i], static_cast<integer>(i), [&] { return str(r); });
  }));
}

void is_product_by_mode(tree const& r, tree const& block, tree const& tiler) {
  if (tiler.node[0] == tree::any) {
    same(str(r), str(block), "_");
  } else if (tiler.is_tiler()) {
    same(r.rank(), block.rank(), "rank");
    RC_ASSERT(!r.is_leaf());
    for (int i = 0; i < block.rank(); ++i) {
      if (i < tiler.rank()) {
        is_product_by_mode(mode(r, i), mode(block, i), mode(tiler, i));
      } else {
        same(str(mode(r, i)), str(mode(block, i)), "a mode without tile");
      }
    }
  } else {
    same(str(r), str(algebra::logical_product(block, tiler)), "the product of a mode");
  }
}
void add_tiler(choices& c, tree& t, tree const& f, int depth, bool underscores) {
  if (underscores && c.chance(15)) {
    t.add_node(tree::any);
  } else if (depth > 0 && c.chance(50)) {
    int const tiles = 1 + c.below(f.rank());
    t.add_node(tree::tile(tiles));
    for (int i = 0; i < tiles; ++i) add_tiler(c, t, mode(f, i), depth - 1, underscores);
  } else {
    t.append(random_layout(c, laid::compact, 1, 16));
  }
}
tree random_tiler(choices& c, tree const& f, bool underscores) {
  tree t;
  int const tiles = 1 + c.below(f.rank());
  t.add_node(tree::tile(tiles));
  for (int i = 0; i < tiles; ++i) add_tiler(c, t, mode(f, i), 1, underscores);
  return t;
}

TEST(Product, ByATilerIsThatOfItsModes) {
  EXPECT_TRUE(holds("logical_product by a tiler", [](choices& c) {
    tree block = random_shape(c, 2, 64, true);
    lay(c, block, laid::compact);
    tree const tiler = random_tiler(c, block, true);
    is_product_by_mode(algebra::logical_product(block, tiler), block, tiler);
  }));
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

TEST(Product, ZippedTiledAndFlatRearrangeTheLogicalOne) {
  EXPECT_TRUE(holds("zipped_product, tiled_product, flat_product", [](choices& c) {
    tree const block = random_layout(c, laid::compact, 2, 64, true);
    tree const tiler = c.chance(70) ? random_tiler(c, block, false) : random_tile(c);
    tree const zipped = algebra::zipped_product(block, tiler);
    same(str(zipped), str(algebra::tile_unzip(algebra::logical_product(block, tiler), tiler)), "zipped");
    same(zipped.rank(), 2, "rank");
    if (!tiler.is_tiler()) {
      same(str(mode(zipped, 0)), str(block), "the block");
    } else {
      same(mode(zipped, 0).rank(), tiler.rank(), "blocks");
      same(mode(zipped, 1).rank(), block.rank(), "repetitions");
    }
    std::vector<std::string> modes{str(mode(zipped, 0))};
    add_opened(modes, mode(zipped, 1));
    RC_ASSERT(modes_of(algebra::tiled_product(block, tiler)) == modes);
    modes.clear();
    add_opened(modes, mode(zipped, 0));
    add_opened(modes, mode(zipped, 1));
    RC_ASSERT(modes_of(algebra::flat_product(block, tiler)) == modes);
  }));
}

TEST(Product, BlockedAndRakedPairTheModes) {
  EXPECT_TRUE(holds("blocked_product, raked_product", [](choices& c) {
    tree const block = random_block(c, true), tile = random_tile(c, true);
    int const rank = std::max(block.rank(), tile.rank());
    auto const about = [&] { return str(block) + " x " + str(tile); };
    tree const product = algebra::logical_product(block, tile);
    tree const blocked = algebra::blocked_product(block, tile), raked = algebra::raked_product(block, tile);
    same(blocked.rank(), rank, about);
    same(raked.rank(), rank, about);
    for (int i = 0; i < rank; ++i) {
      std::string const in = i < block.rank() ? str(mode(block, i)) : "1:0";
      std::string const out = i < tile.rank() ? str(mode(mode(product, 1), i)) : "1:0";
      RC_ASSERT((modes_of(mode(blocked, i)) == std::vector<std::string>{in, out}));
      RC_ASSERT((modes_of(mode(raked, i)) == std::vector<std::string>{out, in}));
    }
  }));
}

TEST(Product, BlockedAndRakedOfIntegersHaveOneMode) {
  EXPECT_TRUE(holds("blocked_product, raked_product of leaves", [](choices& c) {
    tree block, tile;
    block.add_leaf(1 + c.below(9), 1);
    tile.add_leaf(2 + c.below(8), c.chance(70) ? 1 : 2);
    auto const about = [&] { return str(block) + " x " + str(tile); };
    std::string const in = str(block), out = str(mode(algebra::logical_product(block, tile), 1));
    tree const blocked = accepted([&] { return algebra::blocked_product(block, tile); }, about());
    tree const raked = accepted([&] { return algebra::raked_product(block, tile); }, about());
    same(blocked.rank(), 1, about);
    RC_ASSERT((modes_of(mode(blocked, 0)) == std::vector<std::string>{in, out}));
    same(raked.rank(), 1, about);
    RC_ASSERT((modes_of(mode(raked, 0)) == std::vector<std::string>{out, in}));
  }));
}

TEST(TileToShape, RepeatsTheBlockInTheOrderAsked) {
  EXPECT_TRUE(holds("tile_to_shape", [](choices& c) {
    tree const block = random_layout(c, laid::compact, 2, 64, true);
    int const rank = block.rank() + c.below(2);
    tree target;
    target.add_open(rank);
    std::vector<integer> tiles;
    for (int i = 0; i < rank; ++i) {
      tiles.push_back(1 + c.below(4));
      integer const in = i < block.rank() ? count(mode(block, i)) : 1;
      integer const whole = in * tiles.back();
      if (c.chance(30)) {
        integer const first = c.divisor(whole);
        target.add_open(2);
        target.add_leaf(first, 0);
        target.add_leaf(whole / first, 0);
      } else {
        target.add_leaf(whole, 0);
      }
    }
    std::vector<int> order(static_cast<std::size_t>(rank));
    for (int i = 0; i < rank; ++i) order[static_cast<std::size_t>(i)] = i;
    int const kind = c.below(3);
    if (kind == 1) std::reverse(order.begin(), order.end());
    if (kind == 2) {
      for (int i = rank - 1; i > 0; --i) std::swap(order[std::size_t(i)], order[std::size_t(c.below(i + 1))]);
    }
    auto const about = [&] { return str(block) + " to " + tuple_str(target); };
    tree asked;  // order[k] is the k-th fastest mode; asked[i] the rank of mode i
    asked.add_open(rank);
    for (int i = 0; i < rank; ++i) asked.add_leaf(std::find(order.begin(), order.end(), i) - order.begin() + 5, 0);
    tree const r = accepted(
        [&] {
          return kind == 0   ? algebra::tile_to_shape(block, target)
                 : kind == 1 ? algebra::tile_to_shape(block, target, algebra::major::right)
                             : algebra::tile_to_shape(block, target, asked);
        },
        about());
    same(r.rank(), rank, about);
    // Coordinate x of mode i stands in tile x / block_i at x % block_i.
    std::vector<integer> step(static_cast<std::size_t>(rank));
    integer next = count(block);
    for (int i : order) {
      step[static_cast<std::size_t>(i)] = next;
      next *= tiles[static_cast<std::size_t>(i)];
    }
    for (int i = 0; i < rank; ++i) {
      tree const m = mode(r, i);
      integer const in = i < block.rank() ? count(mode(block, i)) : 1;
      same(count(m), count(mode(target, i)), about);
      for (integer x = 0; x < count(m); ++x) {
        integer const inside = i < block.rank() ? value(mode(block, i), x % in) : 0;
        same(value(m, x), inside + x / in * step[static_cast<std::size_t>(i)], about);
      }
    }
  }));
}

TEST(TileToShape, RefusesWhatDoesNotDivide) {
  EXPECT_TRUE(holds("tile_to_shape of what does not divide", [](choices& c) {
    tree block, target;
    block.add_open(1);
    block.add_leaf(2 + c.below(6), 1);
    target.add_open(1);
    target.add_leaf(1 + c.below(20), 0);
    bool refused = false;
    try {
      algebra::tile_to_shape(block, target);
    } catch (cosmati::error const&) {
      refused = true;
    }
    same(refused, target.shape[0] % block.shape[0] != 0, [&] { return str(block) + " to " + tuple_str(target); });
  }));
}

/// Strides of the parts that leaves of `order` name: by increasing order, then compact within.
void is_ordered(tree const& r, tree const& shape, tree const& order) {
  auto const about = [&] { return tuple_str(shape) + " by " + tuple_str(order) + " = " + str(r); };
  RC_ASSERT(algebra::congruent(r, shape));
  for (int i = 0; i < r.leaves; ++i) same(r.shape[i], shape.shape[i], about);
  std::vector<span_of_mode> part_of;
  algebra::cursor ot, at;
  algebra::detail::along(order, ot, shape, at, "test", [&](int, span_of_mode const& s) { part_of.push_back(s); });
  for (int k = 0; k < order.leaves; ++k) {
    integer expected = 1;
    for (int j = 0; j < order.leaves; ++j) {
      span_of_mode const& s = part_of[static_cast<std::size_t>(j)];
      for (int i = s.leaf; i < s.leaf_end; ++i) expected *= order.shape[j] < order.shape[k] ? shape.shape[i] : 1;
    }
    span_of_mode const& s = part_of[static_cast<std::size_t>(k)];
    for (int i = s.leaf; i < s.leaf_end; ++i) {
      same(r.stride[i], shape.shape[i] == 1 ? 0 : expected, about);
      expected *= shape.shape[i];
    }
  }
}

TEST(Ordered, StridesFollowTheOrder) {
  EXPECT_TRUE(holds("make_ordered_layout, compact_order", [](choices& c) {
    tree const shape = random_shape(c);
    tree order;
    algebra::cursor at;
    auto const add = [&](auto&& self) -> void {
      if (!algebra::detail::tuple_at(shape, at) || c.chance(25)) {
        order.add_leaf(c.below(7), 0);
        algebra::detail::skip_subtree(shape, at);
        return;
      }
      int const rank = tree::children(shape.node[at.node]);
      order.add_open(rank);
      ++at.node;
      for (int i = 0; i < rank; ++i) self(self);
    };
    add(add);
    tree const r = accepted([&] { return algebra::make_ordered_layout(shape, order); }, tuple_str(shape));
    is_ordered(r, shape, order);
    same(tuple_str(algebra::compact_order(shape, order)), tuple_str(algebra::stride(r)), "compact_order");
  }));
}

TEST(Compact, LeftAndRight) {
  EXPECT_TRUE(holds("make_layout of a shape", [](choices& c) {
    tree const shape = random_shape(c);
    tree order = shape;
    for (int i = 0; i < order.leaves; ++i) order.shape[i] = i;
    is_ordered(algebra::make_layout(shape), shape, order);
    same(tuple_str(algebra::compact_col_major(shape)), tuple_str(algebra::stride(algebra::make_layout(shape))), "left");
    for (int i = 0; i < order.leaves; ++i) order.shape[i] = -i;
    tree const right = algebra::make_layout(shape, algebra::major::right);
    is_ordered(right, shape, order);
    same(tuple_str(algebra::compact_row_major(shape)), tuple_str(algebra::stride(right)), "right");
    same(tuple_str(algebra::shape(right)), tuple_str(shape), "shape");
    same(str(algebra::make_layout(algebra::shape(right), algebra::stride(right))), str(right), "make_layout");
  }));
}

TEST(Compact, NotesAStrideThatExceeds64Bits) {
  EXPECT_TRUE(holds("make_layout of huge extents", [](choices& c) {
    tree shape;
    shape.add_open(3);
    int bits[3];
    for (int& b : bits) shape.add_leaf(integer{1} << (b = 1 + c.below(40)), 0);
    shape.note.is_read = true;
    for (auto const fastest : {algebra::major::left, algebra::major::right}) {
      int const before_last = bits[1] + bits[fastest == algebra::major::left ? 0 : 2];
      bool const noted = algebra::make_layout(shape, fastest).note.why != cosmati::refusal_reason::none;
      same(noted, before_last > 62, [&] { return tuple_str(shape); });
    }
  }));
}

TEST(Like, KeepsTheOrderAndTheZeros) {
  EXPECT_TRUE(holds("make_layout_like", [](choices& c) {
    tree const f = random_layout(c, laid::repeating);
    tree const r = accepted([&] { return algebra::make_layout_like(f); }, str(f));
    tree shape = f, order = f;
    for (int i = 0; i < f.leaves; ++i) {
      shape.shape[i] = f.stride[i] == 0 ? 1 : f.shape[i];
      order.shape[i] = f.stride[i];
    }
    tree zeros_as_ones = r;
    for (int i = 0; i < f.leaves; ++i) {
      same(r.shape[i], f.shape[i], [&] { return str(f); });
      zeros_as_ones.shape[i] = shape.shape[i];
    }
    is_ordered(zeros_as_ones, shape, order);
  }));
}

TEST(Like, FragmentHasTheFirstModeFastest) {
  EXPECT_TRUE(holds("make_fragment_like", [](choices& c) {
    tree const f = random_layout(c, c.chance(60) ? laid::repeating : laid::spaced);
    tree const r = accepted([&] { return algebra::make_fragment_like(f); }, str(f));
    auto const about = [&] { return str(f) + " = " + str(r); };
    if (f.rank() == 1) {
      same(str(r), str(algebra::make_layout(f)), about);
      return;
    }
    same(r.rank(), f.rank(), about);
    tree const first = mode(f, 0), block = mode(r, 0);
    integer next = 1;
    for (int i = 0; i < first.leaves; ++i) {
      same(block.shape[i], first.shape[i], about);
      bool const still = first.stride[i] == 0 || first.shape[i] == 1;
      same(block.stride[i], still ? 0 : next, about);
      next *= still ? 1 : first.shape[i];
    }
    // The other modes follow behind the block's values, by increasing stride: a dense tile of them.
    tree const rest = algebra::take(f, 1, f.rank());
    tree const ordered = algebra::make_ordered_layout(rest, algebra::stride(rest));
    std::vector<integer> const order = values(ordered);
    tree const repeated = r.rank() == 2 ? mode(r, 1) : algebra::take(r, 1, r.rank());
    for (std::size_t i = 0; i < order.size(); ++i) {
      same(value(repeated, static_cast<integer>(i)), order[i] * next, about);
    }
  }));
}

// For compact thr and val, (T, V) = right_inverse(raked_product(thr, val)) with the shape (size(thr), size(val)) is the
// inverse of "which thread holds an element of the tile, and as which of its values".
TEST(TiledCopyTheorems, EveryValueBelongsToItsThreadAndLiesAsTheValueLayoutSays) {
  EXPECT_TRUE(holds("right_inverse(raked_product(thr, val))", [](choices& c) {
    int const rank = 1 + c.below(3);
    auto const random_thr_or_val = [&](integer largest) {
      tree f;
      f.add_open(rank);
      for (int i = 0; i < rank; ++i) {
        integer const s = std::vector<integer>{1, 2, 4, 3, 8}[std::size_t(c.below(5))];
        f.add_leaf(s <= largest ? s : 1, 0);
        largest /= s <= largest ? s : 1;
      }
      lay(c, f, laid::compact);
      return f;
    };
    tree const thr = random_thr_or_val(256), val = random_thr_or_val(64);
    std::string const about = "thr " + str(thr) + ", val " + str(val);
    tree const raked = accepted([&] { return algebra::raked_product(thr, val); }, about);
    tree threads_and_values;
    threads_and_values.add_open(2);
    threads_and_values.add_leaf(count(thr), 0);
    threads_and_values.add_leaf(count(val), 0);
    tree const tv =
        accepted([&] { return algebra::with_shape(algebra::right_inverse(raked), threads_and_values); }, about);
    integer const threads = count(thr), vals = count(val);
    same(count(tv), threads * vals, about);
    // Tile coordinates, mode by mode: x_i = thread's x_i * val_i + value's x_i.
    auto const coordinates = [&](integer linear, tree const& shape) {
      std::vector<integer> x;
      for (int i = 0; i < rank; ++i) {
        x.push_back(linear % shape.shape[i]);
        linear /= shape.shape[i];
      }
      return x;
    };
    std::vector<integer> thread_at(static_cast<std::size_t>(threads)), value_at(static_cast<std::size_t>(vals));
    for (integer k = 0; k < threads; ++k) thread_at[std::size_t(value(thr, k))] = k;
    for (integer k = 0; k < vals; ++k) value_at[std::size_t(value(val, k))] = k;
    for (integer t = 0; t < threads; ++t) {
      auto const at_thread = coordinates(thread_at[std::size_t(t)], thr);
      for (integer v = 0; v < vals; ++v) {
        auto const at_value = coordinates(value_at[std::size_t(v)], val);
        integer expected = 0, step = 1;
        for (int i = 0; i < rank; ++i) {
          auto const k = static_cast<std::size_t>(i);
          expected += (at_thread[k] * val.shape[i] + at_value[k]) * step;
          step *= thr.shape[i] * val.shape[i];
        }
        same(value(tv, t + threads * v), expected, about);
      }
    }
  }));
}

}  // namespace
