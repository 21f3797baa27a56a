// SPDX-License-Identifier: Apache-2.0
// The cost of copies of ragged tensors, predicted from their layouts, equals the simulated device's counts. Extents,
// pitch and bounds are random, for tiled copies of several widths, orders and instructions.
#include <gtest/gtest.h>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/analysis/ragged_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>

#include <cstdlib>
#include <random>
#include <vector>

using namespace cosmati;

namespace {

// Overlapping blocks store the same values. That is no race, even if one block stores while another one has announced
// its store.
[[maybe_unused]] int const host_threads = setenv("COSMATI_THREADS", "4", 1);

using K = instruction_kind;

/// Sums the counters of several kinds of instructions as those of one side.
side_cost counted(std::initializer_list<instruction_costs> kinds) {
  side_cost sum;
  for (instruction_costs const& k : kinds) {
    side_cost c;
    c.instructions = static_cast<std::int64_t>(k.instructions);
    c.requests = static_cast<std::int64_t>(k.requests);
    c.sectors = static_cast<std::int64_t>(k.sectors);
    c.ideal_sectors = static_cast<std::int64_t>(k.ideal_sectors);
    c.lines = static_cast<std::int64_t>(k.lines);
    c.bytes_used = static_cast<std::int64_t>(k.bytes_used);
    c.bytes_moved = static_cast<std::int64_t>(k.bytes_moved);
    c.wavefronts = static_cast<std::int64_t>(k.wavefronts);
    c.wavefronts_floor = static_cast<std::int64_t>(k.wavefronts_floor);
    c.wavefronts_ideal = static_cast<std::int64_t>(k.wavefronts_ideal);
    c.bank_conflicts = static_cast<std::int64_t>(k.bank_conflicts);
    sum.add(c);
  }
  return sum;
}
void expect_global(side_cost const& predicted, side_cost const& counted) {
  EXPECT_EQ(predicted.instructions, counted.instructions);
  EXPECT_EQ(predicted.requests, counted.requests);
  EXPECT_EQ(predicted.sectors, counted.sectors);
  EXPECT_EQ(predicted.ideal_sectors, counted.ideal_sectors);
  EXPECT_EQ(predicted.lines, counted.lines);
  EXPECT_EQ(predicted.bytes_used, counted.bytes_used);
  EXPECT_EQ(predicted.bytes_moved, counted.bytes_moved);
}
void expect_shared(side_cost const& predicted, side_cost const& counted) {
  EXPECT_EQ(predicted.instructions, counted.instructions);
  EXPECT_EQ(predicted.wavefronts, counted.wavefronts);
  EXPECT_EQ(predicted.wavefronts_floor, counted.wavefronts_floor);
  EXPECT_EQ(predicted.wavefronts_ideal, counted.wavefronts_ideal);
  EXPECT_EQ(predicted.bank_conflicts, counted.bank_conflicts);
}

template <class TiledCopy, class Tile, class L, class Bounds>
__global__ void across(typename TiledCopy::ValType const* in, typename TiledCopy::ValType* out, L layout,
                       Bounds bounds) {
  TiledCopy tiled_copy;
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const place = make_coord(blockIdx.x, blockIdx.y);
  copy(tiled_copy, thread.partition_S(local_tile(make_tensor(make_gmem_ptr(in), layout), Tile{}, place)),
       thread.partition_D(local_tile(make_tensor(make_gmem_ptr(out), layout), Tile{}, place)), bounds);
}
/// @tparam Back tiled copy from the stage back to global memory
template <class TiledCopy, class Back, class Tile, class Stage, class L, class Bounds>
__global__ void staged(typename TiledCopy::ValType const* in, typename TiledCopy::ValType* out, L layout,
                       Bounds bounds) {
  using T = typename TiledCopy::ValType;
  auto const stage = make_tensor(make_smem_ptr(dynamic_shared<T>()), Stage{});
  auto const place = make_coord(blockIdx.x, blockIdx.y);
  TiledCopy there;
  Back back;
  auto const in_thread = there.get_slice(threadIdx.x);
  copy(there, in_thread.partition_S(local_tile(make_tensor(make_gmem_ptr(in), layout), Tile{}, place)),
       in_thread.partition_D(stage), bounds);
  cp_async_wait_all();
  __syncthreads();
  auto const out_thread = back.get_slice(threadIdx.x);
  copy(back, out_thread.partition_S(stage),
       out_thread.partition_D(local_tile(make_tensor(make_gmem_ptr(out), layout), Tile{}, place)), bounds);
}

std::mt19937 engine(20261122);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

struct drawn {
  int m = 1, n = 1, pitch = 1, bound_m = 1, bound_n = 1;
};
/// @param rows whether rows are contiguous
/// @param vector elements to which the pitch keeps rows aligned
drawn draw(int tile_m, int tile_n, bool rows, int vector) {
  drawn d;
  d.m = 1 + below(4 * tile_m);
  d.n = 1 + below(4 * tile_n);
  int const contiguous = rows ? d.n : d.m;
  d.pitch = (contiguous + vector - 1) / vector * vector + vector * below(5);
  d.bound_m = below(4) == 0 ? 1 + below(d.m) : d.m;
  d.bound_n = below(4) == 0 ? 1 + below(d.n) : d.n;
  return d;
}

template <class T>
void expect_copied(std::vector<T> const& from, std::vector<T> const& to, drawn const& d, bool rows) {
  std::vector<T> expected(from.size(), T(0));
  for (int i = 0; i < d.bound_m; ++i) {
    for (int j = 0; j < d.bound_n; ++j) {
      auto const at = static_cast<std::size_t>(rows ? i * d.pitch + j : i + j * d.pitch);
      expected[at] = from[at];
    }
  }
  EXPECT_EQ(expected == to, true);
}
template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> host(n);
  for (std::size_t i = 0; i < n; ++i) host[i] = static_cast<T>(1 + i % 101);
  return host;
}
std::int64_t edge_and_inside = 0;

template <bool rows, class Function>
void with_layout(drawn const& d, Function const& f) {
  if constexpr (rows)
    f(make_layout(make_shape(d.m, d.n), make_stride(d.pitch, _1{})));
  else
    f(make_layout(make_shape(d.m, d.n), make_stride(_1{}, d.pitch)));
}
std::size_t elements(drawn const& d, bool rows) {
  return static_cast<std::size_t>(d.pitch) * static_cast<std::size_t>(rows ? d.m : d.n);
}
dim3 grid_of(drawn const& d, int tile_m, int tile_n) {
  return dim3(static_cast<unsigned>((d.m + tile_m - 1) / tile_m), static_cast<unsigned>((d.n + tile_n - 1) / tile_n));
}
std::string text_of(drawn const& d) {
  return "extents " + std::to_string(d.m) + " x " + std::to_string(d.n) + " pitch " + std::to_string(d.pitch) +
         " bounds " + std::to_string(d.bound_m) + " x " + std::to_string(d.bound_n);
}

template <class Op, class T, class Thr, class Val, class Tile, bool rows>
void run_across(int times) {
  using TiledCopy = decltype(make_tiled_copy(Copy_Atom<Op, T>{}, Thr{}, Val{}));
  constexpr int tile_m = decltype(size<0>(Tile{}))::value, tile_n = decltype(size<1>(Tile{}))::value;
  for (int k = 0; k < times; ++k) {
    drawn const d = draw(tile_m, tile_n, rows, detail::atom_vector<typename TiledCopy::Atom>);
    SCOPED_TRACE(text_of(d));
    with_layout<rows>(d, [&](auto layout) {
      auto const bounds = make_shape(d.bound_m, d.bound_n);
      ragged_cost const predicted = ragged_cost_of(TiledCopy{}, Tile{}, in_global(layout), in_global(layout), bounds);
      ASSERT_TRUE(predicted.inside.vector.possible);
      auto const host = numbers<T>(elements(d, rows));
      device_buffer<T> in(host), out(std::vector<T>(host.size(), T(0)));
      cost_trace const costs;
      launch(across<TiledCopy, Tile, decltype(layout), decltype(bounds)>,
             {.grid = grid_of(d, tile_m, tile_n), .block = static_cast<unsigned>(size(TiledCopy{}))}, in.data(),
             out.data(), layout, bounds);
      kernel_costs const c = costs.of("across");
      expect_global(predicted.source(), counted({c[K::global_load]}));
      expect_global(predicted.destination(), counted({c[K::global_store]}));
      expect_copied(host, out.download(), d, rows);
      ragged_cost const alone = ragged_cost_of(TiledCopy{}, Tile{}, in_registers, in_global(layout), bounds);
      expect_global(alone.destination(), predicted.destination());
      EXPECT_EQ(alone.source().instructions, 0);
      edge_and_inside += predicted.edge_tiles > 0 && predicted.inside_tiles > 0 ? 1 : 0;
    });
  }
}

template <class Op, class Back, class T, class Thr, class Val, class Tile, class Stage, bool rows>
void run_staged(int times) {
  using TiledCopy = decltype(make_tiled_copy(Copy_Atom<Op, T>{}, Thr{}, Val{}));
  using BackCopy = decltype(make_tiled_copy(Copy_Atom<Back, T>{}, Thr{}, Val{}));
  constexpr int tile_m = decltype(size<0>(Tile{}))::value, tile_n = decltype(size<1>(Tile{}))::value;
  for (int k = 0; k < times; ++k) {
    drawn const d = draw(tile_m, tile_n, rows, detail::atom_vector<typename TiledCopy::Atom>);
    SCOPED_TRACE(text_of(d));
    with_layout<rows>(d, [&](auto layout) {
      auto const bounds = make_shape(d.bound_m, d.bound_n);
      ragged_cost const there = ragged_cost_of(TiledCopy{}, Tile{}, in_global(layout), in_shared(Stage{}), bounds);
      ragged_cost const back = ragged_cost_of(BackCopy{}, Tile{}, in_shared(Stage{}), in_global(layout), bounds);
      ASSERT_TRUE(there.inside.vector.possible);
      ASSERT_TRUE(back.inside.vector.possible);
      auto const host = numbers<T>(elements(d, rows));
      device_buffer<T> in(host), out(std::vector<T>(host.size(), T(0)));
      cost_trace const costs;
      launch(staged<TiledCopy, BackCopy, Tile, Stage, decltype(layout), decltype(bounds)>,
             {.grid = grid_of({d.bound_m, d.bound_n}, tile_m, tile_n),
              .block = static_cast<unsigned>(size(TiledCopy{})),
              .shared_bytes = static_cast<unsigned>(cosize_v<Stage> * sizeof(T) + 1024)},
             in.data(), out.data(), layout, bounds);
      kernel_costs const c = costs.of("staged");
      expect_global(there.source(), counted({c[K::global_load], c[K::cp_async]}));
      expect_shared(there.destination(), counted({c[K::shared_store], c[K::cp_async]}));
      expect_shared(back.source(), counted({c[K::shared_load]}));
      expect_global(back.destination(), counted({c[K::global_store]}));
      expect_copied(host, out.download(), d, rows);
      edge_and_inside += there.edge_tiles > 0 && there.inside_tiles > 0 ? 1 : 0;
    });
  }
}

using by_8 = Layout<Shape<_16, _8>, Stride<_8, _1>>;
using by_32 = Layout<Shape<_4, _32>, Stride<_32, _1>>;
using down = Layout<Shape<_32, _4>>;
using odd = Layout<Shape<_3, _16>, Stride<_16, _1>>;  // a warp and a half
using one = Layout<Shape<_1, _1>>;

TEST(RaggedCost, GlobalToGlobal) {
  edge_and_inside = 0;
  run_across<UniversalCopy<float>, float, by_32, one, Shape<_16, _32>, true>(12);
  run_across<UniversalCopy<float>, float, down, one, Shape<_32, _8>, true>(6);
  run_across<UniversalCopy<uint128_t>, float, by_8, Layout<Shape<_1, _4>>, Shape<_32, _32>, true>(12);
  run_across<UniversalCopy<std::uint64_t>, std::uint16_t, by_8, Layout<Shape<_1, _4>>, Shape<_16, _32>, true>(12);
  run_across<UniversalCopy<std::uint16_t>, std::uint16_t, by_8, Layout<Shape<_1, _4>>, Shape<_16, _32>, true>(6);
  run_across<UniversalCopy<uint128_t>, std::uint8_t, odd, Layout<Shape<_1, _16>>, Shape<_6, _256>, true>(6);
  run_across<UniversalCopy<double>, double, odd, Layout<Shape<_2, _1>>, Shape<_12, _32>, false>(6);
  run_across<UniversalCopy<std::uint64_t>, float, down, Layout<Shape<_2, _2>>, Shape<_64, _8>, false>(6);
  // Tiles that the tiled copy does not divide, along one mode or both.
  run_across<UniversalCopy<float>, float, by_32, one, Shape<Int<6>, _32>, true>(6);
  run_across<UniversalCopy<float>, float, by_32, one, Shape<Int<6>, Int<20>>, true>(6);
  run_across<UniversalCopy<uint128_t>, float, by_8, Layout<Shape<_1, _4>>, Shape<_8, Int<44>>, true>(6);
  EXPECT_GE(edge_and_inside, 20);
}

TEST(RaggedCost, ThroughSharedMemory) {
  edge_and_inside = 0;
  using padded = Layout<Shape<_32, _32>, Stride<Int<36>, _1>>;
  using plain = Layout<Shape<_32, _32>, Stride<_32, _1>>;
  using swizzled = decltype(composition(Swizzle<3, 2, 3>{}, plain{}));
  using turned = Layout<Shape<_32, _32>>;
  using fours = Layout<Shape<_1, _4>>;
  using T32 = Shape<_32, _32>;
  using V = UniversalCopy<uint128_t>;
  using S = UniversalCopy<float>;
  run_staged<V, V, float, by_8, fours, T32, padded, true>(8);
  run_staged<V, V, float, by_8, fours, T32, swizzled, true>(8);
  run_staged<S, S, float, by_32, one, T32, turned, true>(8);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, V, float, by_8, fours, T32, plain, true>(8);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, V, float, by_8, fours, T32, swizzled, true>(8);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS<float>, S, float, by_32, one, T32, turned, true>(6);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, UniversalCopy<std::uint64_t>, std::uint16_t, by_8, fours, T32,
             padded, true>(8);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint64_t>, UniversalCopy<std::uint64_t>, std::uint16_t, by_8, fours,
             T32, plain, true>(8);
  EXPECT_GE(edge_and_inside, 20);
}
// The tile is no whole number of tiles of the tiled copy. Nothing beyond the tile is copied or zeroed.
TEST(RaggedCost, StagesThatTheTiledCopyDoesNotDivide) {
  using fours = Layout<Shape<_1, _4>>;
  using T = Shape<_12, Int<44>>;
  using stage = Layout<T, Stride<Int<44>, _1>>;
  using V = UniversalCopy<uint128_t>;
  run_staged<V, V, float, by_8, fours, T, stage, true>(6);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, V, float, by_8, fours, T, stage, true>(6);
  run_staged<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, V, float, by_8, fours, T, stage, true>(6);
  using odd_tile = Shape<_12, Int<42>>;  // its last vector is cut; there is one tile along the rows, so all tiles are
                                         // aligned
  using odd_stage = Layout<odd_tile, Stride<Int<44>, _1>>;
  for (int k = 0; k < 4; ++k) {
    auto const layout = make_layout(make_shape(10 + below(20), 42), make_stride(44, _1{}));
    using Z =
        decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, float>{}, by_8{}, fours{}));
    using B = decltype(make_tiled_copy(Copy_Atom<V, float>{}, by_8{}, fours{}));
    ragged_cost const there = ragged_cost_of(Z{}, odd_tile{}, in_global(layout), in_shared(odd_stage{}));
    auto const bounds = layout.shape();
    device_buffer<float> in(numbers<float>(44 * 30)), out(std::vector<float>(44 * 30, 0.f));
    cost_trace const costs;
    launch(
        staged<Z, B, odd_tile, odd_stage, std::remove_const_t<decltype(layout)>, std::remove_cvref_t<decltype(bounds)>>,
        {.grid = static_cast<unsigned>(ceil_div(size<0>(layout), 12)),
         .block = static_cast<unsigned>(size(Z{})),
         .shared_bytes = 12 * 44 * sizeof(float)},
        in.data(), out.data(), layout, bounds);
    kernel_costs const c = costs.of("staged");
    expect_global(there.source(), counted({c[K::global_load], c[K::cp_async]}));
    expect_shared(there.destination(), counted({c[K::shared_store], c[K::cp_async]}));
  }
}

/// Static layouts, counted at compile time. An atom that chooses its width uses wide accesses inside, and single values
/// at the edge.
template <class Op, class T, class Thr, class Val, class Tile, class L>
void run_static() {
  using TiledCopy = decltype(make_tiled_copy(Copy_Atom<Op, T>{}, Thr{}, Val{}));
  constexpr ragged_cost predicted = ragged_cost_of(TiledCopy{}, Tile{}, in_global(L{}), in_global(L{}));
  static_assert(predicted.inside.vector.possible && predicted.edge_tiles > 0);
  constexpr int tile_m = decltype(size<0>(Tile{}))::value, tile_n = decltype(size<1>(Tile{}))::value;
  constexpr int m = decltype(size<0>(L{}))::value, n = decltype(size<1>(L{}))::value;
  using Bounds = Shape<C<m>, C<n>>;
  device_buffer<T> in(numbers<T>(cosize_v<L>)), out(cosize_v<L>);
  cost_trace const costs;
  launch(across<TiledCopy, Tile, L, Bounds>,
         {.grid = grid_of({m, n}, tile_m, tile_n), .block = static_cast<unsigned>(size(TiledCopy{}))}, in.data(),
         out.data(), L{}, Bounds{});
  kernel_costs const c = costs.of("across");
  expect_global(predicted.source(), counted({c[K::global_load]}));
  expect_global(predicted.destination(), counted({c[K::global_store]}));
}
TEST(RaggedCost, WhileCompiling) {
  using fours = Layout<Shape<_1, _4>>;
  run_static<AutoVectorizingCopy, float, by_8, fours, Shape<_16, _32>,
             Layout<Shape<Int<37>, Int<70>>, Stride<Int<72>, _1>>>();
  run_static<UniversalCopy<uint128_t>, float, by_8, fours, Shape<_16, _32>,
             Layout<Shape<Int<33>, Int<66>>, Stride<Int<68>, _1>>>();
  run_static<AutoVectorizingCopy, std::uint16_t, by_8, fours, Shape<_16, _32>,
             Layout<Shape<Int<31>, Int<65>>, Stride<Int<68>, _1>>>();
}

TEST(RaggedCost, Refusals) {
  auto const thr = by_8{};
  auto const layout = make_layout(make_shape(30, 50), make_stride(50, _1{}));
  auto const wide = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, thr, Layout<Shape<_1, _4>>{});
  ragged_cost const odd_rows = ragged_cost_of(wide, Shape<_16, _32>{}, in_global(layout), in_registers);
  EXPECT_FALSE(odd_rows.inside.vector.possible);  // rows of 50 floats: every other row begins at 8 bytes
  EXPECT_EQ(odd_rows.source().instructions, 0);
  auto const any = make_tiled_copy(Copy_Atom<AutoVectorizingCopy, std::uint16_t>{}, thr, Layout<Shape<_1, _4>>{});
  constexpr auto odd_halves = in_global(Layout<Shape<Int<31>, Int<65>>, Stride<Int<65>, _1>>{});
  static_assert(!ragged_cost_of(any, Shape<_16, _32>{}, odd_halves, odd_halves).inside.vector.possible);
  EXPECT_THROW((void)ragged_cost_of(wide, Shape<_16>{}, in_global(layout), in_registers), error);
  EXPECT_THROW((void)ragged_cost_of(wide, Shape<_16, _32>{}, in_global(layout), in_shared(Layout<Shape<_16, _16>>{})),
               error);
  auto const matrices =
      make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, Layout<Shape<_16, _2>>{}, Layout<Shape<_2, _4>>{});
  EXPECT_THROW((void)ragged_cost_of(matrices, Shape<_32, _8>{}, in_shared(layout), in_registers), error);
}

}  // namespace
