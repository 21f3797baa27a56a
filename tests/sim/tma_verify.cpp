// SPDX-License-Identifier: Apache-2.0
// Whether tensor copies are right: the proof against each element of each box, against make_tma_copy, and mistakes.
#include <gtest/gtest.h>

#include <cosmati/analysis/tma_plan.hpp>
#include <cosmati/analysis/tma_verify.hpp>
#include <cosmati/analysis/tma_words.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace cosmati;

namespace {

std::mt19937 engine(20261128);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

using values = tma_copy_values<std::int64_t>;

flat_tree<std::int64_t> layout_of(std::vector<std::int64_t> const& shape, std::vector<std::int64_t> const& stride) {
  flat_tree<std::int64_t> f;
  f.add_open(static_cast<int>(shape.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) f.add_leaf(shape[i], stride[i]);
  return f;
}

/// A tensor of rows padded to 16 bytes, and a tile whose modes are in any order in shared memory.
values random_copy() {
  values v;
  v.loads = below(2) == 0;
  v.element_bytes = 1 << below(4);
  int const rank = 1 + below(3), inner = below(rank), chunk = 16 / v.element_bytes;
  auto const n = static_cast<std::size_t>(rank);
  std::vector<std::int64_t> extent(n), stride(n), tile(n), shared(n);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    tile[i] = 1 + below(6);
    extent[i] = tile[i] + below(9);
  }
  std::shuffle(order.begin(), order.end(), engine);
  std::swap(*std::find(order.begin(), order.end(), static_cast<std::size_t>(inner)), order[0]);
  int const bits = below(4);
  tile[order[0]] = bits == 0 ? chunk * (1 + below(4)) : (16 << bits) / v.element_bytes * (1 + below(2));
  extent[order[0]] = tile[order[0]] * (1 + below(2)) + chunk * below(3);
  if (bits != 0 && rank > 1) tile[order[1]] = 8 * (1 + below(2));
  std::int64_t d = 1, s = 1;
  for (std::size_t const i : order) {
    stride[i] = d;
    d = (d * extent[i] + chunk - 1) / chunk * chunk + chunk * below(2);
    shared[i] = s;
    s *= tile[i];
  }
  v.global.space = memory_space::gmem;
  v.global.layout = layout_of(extent, stride);
  v.global.offset = chunk * below(3);
  v.shared.space = memory_space::smem;
  v.shared.layout = layout_of(tile, shared);
  if (bits != 0) {
    int base = 4;
    for (int b = v.element_bytes; b > 1; b /= 2) --base;
    v.shared.composed = true;
    v.shared.swizzle = AnySwizzle(bits, base, 3);
  }
  return v;
}

/// Walks each element of each box of a tile. It goes to the place in shared memory behind the one before it, and must
/// be the tile's element whose place that is, before the swizzle.
void expect_each_element_once(values const& v, tma_plan const& plan) {
  std::int64_t const elements = algebra::size(v.shared.layout);
  std::vector<int> times(static_cast<std::size_t>(elements));
  std::int64_t place = 0;
  for (int box = 0; box < plan.boxes; ++box) {
    std::int64_t begin[tma_plan::most_modes] = {};
    for (int k = 0, rest = box; k < plan.step_count; ++k) {
      begin[plan.steps[k].mode] += rest % plan.steps[k].extent * plan.steps[k].step;
      rest /= static_cast<int>(plan.steps[k].extent);
    }
    for (int e = 0; e < plan.box_elements; ++e, ++place) {
      std::int64_t at = 0;
      for (int m = 0, rest = e; m < plan.rank; ++m) {
        std::int64_t const x = begin[m] + rest % plan.mode[m].box;
        rest /= plan.mode[m].box;
        at += x * v.shared.layout.stride[plan.mode[m].leaf];
      }
      ASSERT_EQ(at, place);
      ++times[static_cast<std::size_t>(at)];
    }
  }
  for (int const t : times) ASSERT_EQ(t, 1);
}

/// The sum over all boxes of all tiles.
side_cost sum_of_boxes(values const& v, tma_plan const& plan, tma_direction direction) {
  side_cost total;
  tma_box b;
  b.rank = plan.rank;
  b.element_bytes = v.element_bytes;
  b.swizzle = plan.swizzle;
  b.begin_bytes = v.global.offset * v.element_bytes;
  std::int64_t tiles = 1;
  for (int m = 0; m < b.rank; ++m) {
    b.extent[m] = plan.mode[m].extent;
    b.stride_bytes[m] = plan.mode[m].stride_bytes;
    b.box[m] = plan.mode[m].box;
    tiles *= plan.tiles[plan.mode[m].leaf];
  }
  for (std::int64_t t = 0; t < tiles; ++t) {
    for (int box = 0; box < plan.boxes; ++box) {
      std::int64_t rest = t;
      for (int m = 0; m < b.rank; ++m) {
        int const leaf = plan.mode[m].leaf;
        b.first[m] = rest % plan.tiles[leaf] * plan.tile[leaf];
        rest /= plan.tiles[leaf];
      }
      for (int k = 0, left = box; k < plan.step_count; ++k) {
        b.first[plan.steps[k].mode] += left % plan.steps[k].extent * plan.steps[k].step;
        left /= static_cast<int>(plan.steps[k].extent);
      }
      total.add(tma_box_cost(direction, b));
    }
  }
  return total;
}

TEST(TmaVerify, EachElementOfEachBox) {
  int right = 0;
  for (int k = 0; k < 600; ++k) {
    SCOPED_TRACE(k);
    values const v = random_copy();
    tma_verdict verdict;
    tma_plan const plan = tma_plan_of(v, verdict);
    tma_direction const direction = v.loads ? tma_direction::load : tma_direction::store;
    side_cost const cost = tma_cost_of(v, direction);
    if (!verdict.ok()) {
      EXPECT_EQ(cost.instructions, 0);
      EXPECT_FALSE(words_of(verdict, v.loads).empty());
      continue;
    }
    ++right;
    expect_each_element_once(v, plan);
    std::int64_t inside = 1, moved = 1;
    for (int i = 0; i < v.global.layout.leaves; ++i) {
      std::int64_t const n = v.global.layout.shape[i], tile = v.shared.layout.shape[i];
      inside *= n;
      moved *= (n + tile - 1) / tile * tile;
    }
    EXPECT_EQ(verdict.outside, moved - inside);
    side_cost const sum = sum_of_boxes(v, plan, direction);
    EXPECT_EQ(cost.instructions, sum.instructions);
    EXPECT_EQ(cost.sectors, sum.sectors);
    EXPECT_EQ(cost.requests, sum.requests);
    EXPECT_EQ(cost.bytes_used, inside * v.element_bytes);
  }
  EXPECT_GT(right, 200);
}

/// The plan of make_tma_copy, from types, has the same box.
template <class T, class Global, class Shared, class Tiler>
void expect_plan_of_types(Global const& global, Shared const& shared, Tiler const&) {
  using design = detail::tma_design<T, Global, Shared, Tiler>;
  tma_verdict verdict;
  tma_plan const plan = tma_plan_of(
      detail::static_tma_values<T, SM90_TMA_LOAD, decltype(in_global(global)), decltype(in_shared(shared))>(), verdict);
  EXPECT_TRUE(verdict.ok()) << words_of(verdict, true);
  ASSERT_EQ(plan.rank, design::plan.rank);
  EXPECT_EQ(plan.boxed, design::plan.boxed);
  EXPECT_EQ(plan.swizzle, design::swizzle);
  for (int i = 0; i < plan.rank; ++i) {
    EXPECT_EQ(plan.mode[i].leaf, design::plan.leaf[i]);
    EXPECT_EQ(plan.mode[i].box, design::plan.extent[i]);
  }
}

using k_major = Layout<Shape<Int<1024>, Int<512>>, Stride<Int<512>, _1>>;
template <int m, int k, template <class> class Atom = GMMA::Layout_K_SW128_Atom>
using tile_of = decltype(tile_to_shape(Atom<half_t>{}, Shape<Int<m>, Int<k>>{}));

TEST(TmaVerify, AsMakeTmaCopyPlans) {
  expect_plan_of_types<half_t>(k_major{}, tile_of<128, 64>{}, Shape<_128, _64>{});
  expect_plan_of_types<half_t>(k_major{}, tile_of<128, 128>{}, Shape<_128, _128>{});
  expect_plan_of_types<half_t>(k_major{}, tile_of<64, 64, GMMA::Layout_K_SW64_Atom>{}, Shape<_64, _64>{});
  expect_plan_of_types<half_t>(k_major{}, Layout<Shape<_64, _32>, Stride<_32, _1>>{}, Shape<_64, _32>{});
  expect_plan_of_types<half_t>(Layout<Shape<Int<1024>, Int<512>>>{}, tile_of<128, 64, GMMA::Layout_MN_SW128_Atom>{},
                               Shape<_128, _64>{});
}

// The proof is a constant expression.
static_assert(verify_tma<half_t>(SM90_TMA_LOAD{}, in_global(k_major{}), in_shared(tile_of<128, 64>{})));
static_assert(verify_tma<half_t>(SM90_TMA_STORE{}, in_shared(tile_of<128, 128>{}), in_global(k_major{})));

template <class Op, class Src, class Dst>
tma_fault fault_of(Op const& op, Src const& src, Dst const& dst) {
  return verify_tma<half_t>(op, src, dst).fault;
}

TEST(TmaVerify, Mistakes) {
  using right = Layout<Shape<_64, _64>, Stride<_64, _1>>;
  SM90_TMA_LOAD const load;
  SM90_TMA_STORE const store;
  auto const matrix = [](auto stride) {
    return in_global(make_layout(make_shape(256, 200), make_stride(stride, _1{})));
  };
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(right{})), tma_fault::none);
  EXPECT_EQ(fault_of(load, matrix(204), in_shared(right{})), tma_fault::stride_bytes);
  auto const row = make_layout(make_shape(1, 200), make_stride(203, _1{}));  // one row may have any stride
  EXPECT_EQ(fault_of(load, in_global(row), in_shared(right{})), tma_fault::none);
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(Layout<Shape<_64, _64>>{})), tma_fault::not_contiguous);
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(Layout<Shape<_64, _64>, Stride<Int<72>, _1>>{})),
            tma_fault::shared_not_dense);
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(Layout<Shape<_64, _4>, Stride<_4, _1>>{})), tma_fault::short_rows);
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(composition(Swizzle<3, 2, 3>{}, right{}))), tma_fault::swizzle);
  EXPECT_EQ(fault_of(load, matrix(200),
                     in_shared(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _32>, Stride<_32, _1>>{}))),
            tma_fault::narrow_rows);
  EXPECT_EQ(fault_of(load, matrix(200), in_shared(Layout<_64>{})), tma_fault::rank);
  EXPECT_EQ(fault_of(store, in_shared(right{}), in_global(make_layout(make_shape(256, 100), make_stride(104, _1{})))),
            tma_fault::stored_rows);
  EXPECT_EQ(fault_of(load, in_global(make_layout(make_shape(256, 100), make_stride(104, _1{}))), in_shared(right{})),
            tma_fault::none);
  EXPECT_EQ(fault_of(store, in_shared(right{}), matrix(64)), tma_fault::written_twice);
  EXPECT_EQ(fault_of(load, matrix(64), in_shared(right{})), tma_fault::none);
  tma_verdict const edge = verify_tma<half_t>(load, matrix(200), in_shared(right{}));
  EXPECT_EQ(edge.outside, 256 * 56);
  EXPECT_NE(words_of(edge, true).find("14336 elements outside, which get fill values"), std::string::npos);
}

TEST(TmaVerify, CostOfLayouts) {
  side_cost const c = tma_cost_of<half_t>(SM90_TMA_LOAD{}, in_global(k_major{}), in_shared(tile_of<128, 64>{}));
  EXPECT_EQ(c.instructions, 64);
  EXPECT_EQ(c.sectors, 1024 * 512 * 2 / 32);
  EXPECT_EQ(c.requests, 1024 * 512 * 2 / 128);
}

}  // namespace
