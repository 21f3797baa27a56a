// SPDX-License-Identifier: Apache-2.0
// Warp instructions put together from lanes' accesses, and their costs. The expected numbers are worked out by hand
// from the rules of bench/results/counters; tests/device and bench compare with a GPU.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>

#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

using K = instruction_kind;

// Raw accesses
// ---------------------------------------------------------------------------------------------------------

__global__ void scale(float const* in, float* out) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

TEST(CostTrace, CoalescedRawAccesses) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(512, 1.f)), out(512);
  cost_trace const costs;
  launch(scale, {.grid = 4, .block = 128}, in.data(), out.data());
  kernel_costs const k = costs.of("scale");
  EXPECT_EQ(k.launches, 1u);
  EXPECT_EQ(k[K::global_load].instructions, 16u);
  EXPECT_EQ(k[K::global_load].requests, 16u);
  EXPECT_EQ(k[K::global_load].sectors, 64u);
  EXPECT_EQ(k[K::global_load].lines, 16u);
  EXPECT_EQ(k[K::global_store].sectors, 64u);
  EXPECT_EQ(k.global_requests(), 32u);
  EXPECT_EQ(k.global_sectors(), 128u);
  EXPECT_EQ(k[K::global_load].bytes_used, 512u * 4);
  EXPECT_EQ(k[K::global_load].bytes_moved, 512u * 4);
  EXPECT_EQ(k.shared_wavefronts(), 0u);
  launch(scale, {.grid = 4, .block = 128}, in.data(), out.data());
  EXPECT_EQ(costs.of("scale").global_requests(), 64u);
  EXPECT_EQ(costs.of("scale").launches, 2u);
}

__global__ void strided(float const* in, float* out, int stride) {
  out[threadIdx.x] = in[threadIdx.x * static_cast<unsigned>(stride)];
}

TEST(CostTrace, StridesCostSectors) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(32 * 32, 1.f)), out(32);
  for (auto const& [stride, sectors, lines] : {std::array{1, 4, 1}, {2, 8, 2}, {8, 32, 8}, {32, 32, 32}, {0, 1, 1}}) {
    cost_trace const costs;
    launch(strided, {.grid = 1, .block = 32}, in.data(), out.data(), stride);
    EXPECT_EQ(costs.of("strided")[K::global_load].sectors, static_cast<unsigned>(sectors)) << stride;
    EXPECT_EQ(costs.of("strided")[K::global_load].lines, static_cast<unsigned>(lines)) << stride;
    EXPECT_EQ(costs.of("strided")[K::global_load].ideal_sectors, stride == 0 ? 1u : 4u) << stride;
  }
}

template <int pitch>
__global__ void transpose(float const* in, float* out) {
  __shared__ float tile[32 * pitch];
  unsigned const x = threadIdx.x;
  unsigned const y = threadIdx.y;
  for (unsigned j = y; j < 32; j += 8) tile[j * pitch + x] = in[j * 32 + x];
  __syncthreads();
  for (unsigned j = y; j < 32; j += 8) out[j * 32 + x] = tile[x * pitch + j];
}

TEST(CostTrace, PaddedAndBadTransposes) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(1024, 1.f)), out(1024);
  cost_trace const costs;
  launch(transpose<32>, {.grid = 1, .block = {32, 8}}, in.data(), out.data());
  launch(transpose<33>, {.grid = 1, .block = {32, 8}}, in.data(), out.data());
  std::vector<kernel_costs> const kernels = costs.kernels();
  ASSERT_EQ(kernels.size(), 2u);
  for (kernel_costs const& k : kernels) {
    bool const padded = k.kernel.find("33") != std::string::npos;
    // 8 warps, 4 rows each.
    for (K const kind : {K::global_load, K::global_store, K::shared_load, K::shared_store}) {
      EXPECT_EQ(k[kind].instructions, 32u) << k.kernel;
    }
    EXPECT_EQ(k.global_sectors(), 2u * 32 * 4);
    EXPECT_EQ(k[K::shared_store].wavefronts, 32u);
    EXPECT_EQ(k[K::shared_load].wavefronts, padded ? 32u : 1024u);
    EXPECT_EQ(k.shared_bank_conflicts(), padded ? 0u : 32u * 31);
    EXPECT_EQ(k[K::shared_load].wavefronts_floor, 32u);
  }
}

__global__ void vectors(float4 const* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }
struct pair_of_three {
  float x, y, z;
};
__global__ void triples(pair_of_three const* in, pair_of_three* out) { out[threadIdx.x] = in[threadIdx.x]; }

TEST(CostTrace, StructuresGoInPieces) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float4> in(64), out(64);
  device_buffer<pair_of_three> in3(64), out3(64);
  in.clear();
  in3.clear();
  cost_trace const costs;
  launch(vectors, {.grid = 1, .block = 64}, in.data(), out.data());
  kernel_costs const v = costs.of("vectors");
  EXPECT_EQ(v[K::global_load].instructions, 2u);
  EXPECT_EQ(v[K::global_load].sectors, 32u);
  launch(triples, {.grid = 1, .block = 64}, in3.data(), out3.data());
  kernel_costs const t = costs.of("triples");
  EXPECT_EQ(t[K::global_load].instructions, 6u);  // 3 x 4 bytes, each over 384 bytes: 12 sectors
  EXPECT_EQ(t[K::global_load].sectors, 6u * 12);
  EXPECT_EQ(t[K::global_load].ideal_sectors, 6u * 4);
}

// Divergence
// -----------------------------------------------------------------------------------------------------------

__global__ void two_ways(float const* in, float* out) {
  unsigned const i = threadIdx.x;
  if (i % 2 == 0) {
    out[i] = in[i];
  } else {
    out[i] = in[i] + 1;
  }
}
__global__ void some_lanes(float const* in, float* out, unsigned n) {
  unsigned const i = threadIdx.x;
  if (i < n) out[i] = in[i];
}
__device__ __attribute__((noinline)) void step_of(float const* in, float* out, unsigned i) { out[i] = in[i]; }
__global__ void two_calls(float const* in, float* out) {
  unsigned const i = threadIdx.x;
  if (i < 8) {
    step_of(in, out, i);
    __syncwarp(0xffu);
  } else {
    step_of(in, out, i + 32);
  }
}
__global__ void unequal_loops(float const* in, float* out) {
  unsigned const i = threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k <= i % 4; ++k) sum += in[32 * k + i];
  __syncwarp();
  out[i] = sum;
}

TEST(CostTrace, DivergedLanesAreWarpInstructionsOfTheirOwn) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(256, 1.f)), out(256);
  cost_trace const costs;
  launch(two_ways, {.grid = 1, .block = 32}, in.data(), out.data());
  kernel_costs const both = costs.of("two_ways");
  // Compilers may join the loads or the stores of the two ways; at least one stays apart.
  EXPECT_GE(both[K::global_load].instructions + both[K::global_store].instructions, 2u);
  EXPECT_LE(both[K::global_load].instructions + both[K::global_store].instructions, 4u);

  launch(some_lanes, {.grid = 1, .block = 96}, in.data(), out.data(), 40u);
  kernel_costs const some = costs.of("some_lanes");
  EXPECT_EQ(some[K::global_load].instructions, 2u);  // the third warp has none
  EXPECT_EQ(some[K::global_load].sectors, 4u + 1);
  EXPECT_EQ(some[K::global_load].bytes_used, 160u);

  launch(two_calls, {.grid = 1, .block = 32}, in.data(), out.data());
  kernel_costs const calls = costs.of("two_calls");
  EXPECT_EQ(calls[K::global_store].instructions, 2u);
  EXPECT_EQ(calls[K::global_store].sectors, 1u + 3);

  launch(unequal_loops, {.grid = 1, .block = 32}, in.data(), out.data());
  kernel_costs const loops = costs.of("unequal_loops");
  EXPECT_EQ(loops[K::global_load].instructions, 4u);
  EXPECT_EQ(loops[K::global_load].sectors, 4u * 4);
  EXPECT_EQ(loops[K::global_load].bytes_used, 4u * (32 + 24 + 16 + 8));
  EXPECT_EQ(loops[K::global_store].instructions, 1u);
}

TEST(CostTrace, PartialWarps) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(256, 1.f)), out(256);
  cost_trace const costs;
  launch(scale, {.grid = 1, .block = 40}, in.data(), out.data());
  EXPECT_EQ(costs.of("scale")[K::global_load].instructions, 2u);
  EXPECT_EQ(costs.of("scale")[K::global_load].sectors, 5u);
}

__global__ void realigned_by_syncwarp(float const* in, float* out) {
  // A lane that skips a turn does not fall behind at the next one.
  for (unsigned k = 0; k < 4; ++k) {
    if ((threadIdx.x + k) % 4 != 0) out[32 * k + threadIdx.x] = in[32 * k + threadIdx.x];
    __syncwarp();
  }
}

TEST(CostTrace, ConvergenceRealigns) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(128, 1.f)), out(128);
  cost_trace const costs;
  launch(realigned_by_syncwarp, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(costs.of("realigned_by_syncwarp")[K::global_load].instructions, 4u);
  EXPECT_EQ(costs.of("realigned_by_syncwarp")[K::global_load].sectors, 16u);
}

__global__ void adds(int* counter) {
  __shared__ int mine[32];
  mine[threadIdx.x] = 0;
  __syncwarp();
  atomicAdd(mine + threadIdx.x % 4, 1);
  atomicAdd(counter, 1);
}

TEST(CostTrace, AtomicsAreApart) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> counter(1);
  counter.clear();
  cost_trace const costs;
  launch(adds, {.grid = 2, .block = 32}, counter.data());
  kernel_costs const k = costs.of("adds");
  EXPECT_EQ(k[K::global_atomic].instructions, 2u);
  EXPECT_EQ(k[K::shared_atomic].instructions, 2u);
  EXPECT_EQ(k.global_requests(), 0u);
  EXPECT_EQ(k.shared_wavefronts(), 2u);  // of the stores
}

// Tiled copies
// ---------------------------------------------------------------------------------------------------------

template <class TiledCopy, class LayoutIn, class LayoutOut>
__global__ void tiled(float const* in, float* out, TiledCopy tiled_copy, LayoutIn layout_in, LayoutOut layout_out) {
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const src = make_tensor(make_gmem_ptr(in), layout_in);
  auto dst = make_tensor(make_gmem_ptr(out), layout_out);
  copy(tiled_copy, thread.partition_S(src), thread.partition_D(dst));
}

template <class Op, class Thr, class Val>
void expect_tiled(unsigned instructions, unsigned sectors_in, unsigned sectors_out) {
  device_buffer<float> in(std::vector<float>(32 * 128, 1.f)), out(32 * 128);
  auto const tiled_copy = make_tiled_copy(Copy_Atom<Op, float>{}, Thr{}, Val{});
  using RowMajor = Layout<Shape<_32, _128>, Stride<_128, _1>>;
  cost_trace const costs;
  launch(tiled<decltype(tiled_copy), RowMajor, RowMajor>, {.grid = 1, .block = static_cast<unsigned>(size(tiled_copy))},
         in.data(), out.data(), tiled_copy, RowMajor{}, RowMajor{});
  kernel_costs const k = costs.of("tiled");
  EXPECT_EQ(k[K::global_load].instructions, instructions);
  EXPECT_EQ(k[K::global_store].instructions, instructions);
  EXPECT_EQ(k[K::global_load].sectors, sectors_in);
  EXPECT_EQ(k[K::global_store].sectors, sectors_out);
}

TEST(CostTrace, TiledCopiesOfSeveralWidths) {
  // 4096 floats are 512 sectors, where no sector is fetched twice.
  expect_tiled<UniversalCopy<float>, Layout<Shape<_4, _32>, Stride<_32, _1>>, Layout<_1>>(128, 512, 512);
  expect_tiled<UniversalCopy<uint64_t>, Layout<Shape<_4, _32>, Stride<_32, _1>>, Layout<Shape<_1, _2>>>(64, 512, 512);
  expect_tiled<UniversalCopy<uint128_t>, Layout<Shape<_4, _32>, Stride<_32, _1>>, Layout<Shape<_1, _4>>>(32, 512, 512);
  // Scalars of vectors: neighbours 16 bytes apart, each sector four times.
  expect_tiled<UniversalCopy<float>, Layout<Shape<_4, _32>, Stride<_32, _1>>, Layout<Shape<_1, _4>>>(128, 2048, 2048);
  // Down the columns: every lane its own sector.
  expect_tiled<UniversalCopy<float>, Layout<Shape<_32, _4>>, Layout<_1>>(128, 4096, 4096);
  expect_tiled<UniversalCopy<uint128_t>, Layout<Shape<_32, _4>>, Layout<Shape<_1, _4>>>(32, 1024, 1024);
}

template <class SharedLayout, class TiledCopy>
__global__ void through_shared(float const* in, float* out, TiledCopy tiled_copy) {
  __shared__ float stage[decltype(cosize(SharedLayout{}))::value];
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  Layout<Shape<_32, _32>, Stride<_32, _1>> const rows;
  auto const src = make_tensor(make_gmem_ptr(in), rows);
  auto dst = make_tensor(make_gmem_ptr(out), rows);
  auto tile = make_tensor(make_smem_ptr(stage), SharedLayout{});
  copy(tiled_copy, thread.partition_S(src), thread.partition_D(tile));
  __syncthreads();
  // Turned: the same threads go down the tile's columns.
  auto const turned = make_tensor(tile.data(), select<1, 0>(tile.layout()));
  copy(tiled_copy, thread.partition_S(turned), thread.partition_D(dst));
}

template <class SharedLayout>
kernel_costs cost_through_shared() {
  device_buffer<float> in(std::vector<float>(1024, 1.f)), out(1024);
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                          Layout<Shape<_4, _32>, Stride<_32, _1>>{}, Layout<_1>{});
  cost_trace const costs;
  launch(through_shared<SharedLayout, decltype(tiled_copy)>, {.grid = 1, .block = 128}, in.data(), out.data(),
         tiled_copy);
  return costs.of("through_shared");
}

TEST(CostTrace, TiledTransposes) {
  kernel_costs const plain = cost_through_shared<Layout<Shape<_32, _32>, Stride<_32, _1>>>();
  EXPECT_EQ(plain[K::shared_store].instructions, 32u);
  EXPECT_EQ(plain[K::shared_store].bank_conflicts, 0u);
  EXPECT_EQ(plain[K::shared_load].bank_conflicts, 32u * 31);
  EXPECT_EQ(plain[K::shared_load].wavefronts, 1024u);
  EXPECT_EQ(plain.global_sectors(), 2u * 128);
  kernel_costs const padded = cost_through_shared<Layout<Shape<_32, _32>, Stride<C<33>, _1>>>();
  EXPECT_EQ(padded.shared_bank_conflicts(), 0u);
  EXPECT_EQ(padded.shared_wavefronts(), 64u);
  kernel_costs const by_two = cost_through_shared<Layout<Shape<_32, _32>, Stride<C<34>, _1>>>();
  EXPECT_EQ(by_two[K::shared_load].bank_conflicts, 32u);
}

template <class TiledCopy>
__global__ void ragged(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  auto const src = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto dst = make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(columns, _1{}));
  auto const tile_in = local_tile(src, Shape<_8, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto tile_out = local_tile(dst, Shape<_8, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(tile_in), thread.partition_D(tile_out), make_shape(rows, columns));
}

TEST(CostTrace, RaggedEdges) {
  // 13 rows of 40 floats (160 bytes, 5 sectors): tiles (8,32), a warp each, rows one after another.
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_1, _32>>{}, Layout<Shape<_8, _1>>{});
  device_buffer<float> in(std::vector<float>(13 * 40, 1.f)), out(13 * 40);
  cost_trace const costs;
  launch(ragged<decltype(tiled_copy)>, {.grid = {2, 2}, .block = 32}, in.data(), out.data(), 13, 40, tiled_copy);
  kernel_costs const k = costs.of("ragged");
  // A row of the left tiles is 4 sectors, of the right ones, 8 floats, 1.
  EXPECT_EQ(k[K::global_load].instructions, 26u);
  EXPECT_EQ(k[K::global_load].sectors, 13u * 5);
  EXPECT_EQ(k[K::global_store].sectors, 13u * 5);

  // Lanes along rows and columns: in the lower tile lanes drop out of different steps, and none falls behind.
  auto const diagonal =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{},
                      Layout<Shape<_2, _4>, Stride<_1, _2>>{});
  launch(ragged<decltype(diagonal)>, {.grid = {2, 2}, .block = 32}, in.data(), out.data(), 13, 40, diagonal);
  kernel_costs const both = costs.of("ragged");
  // The scalars of lane (a,b) are rows 2a, 2a+1, columns 4b ... 4b+3 of the tile. Whole tile: 8 steps of 4 rows x 8
  // columns, 4 apart: 16 sectors each. Upper right (8 x 8): 2 lanes a row, 1 sector: 4 a step. Lower left (5 rows):
  // even rows 0, 2, 4 and odd rows 1, 3: 4 steps of 12 sectors, 4 of 8. Lower right: 4 steps of 3, 4 of 2.
  EXPECT_EQ(both[K::global_load].instructions - k[K::global_load].instructions, 32u);
  EXPECT_EQ(both[K::global_load].sectors - k[K::global_load].sectors,
            8u * 16 + 8 * 4 + (4 * 12 + 4 * 8) + (4 * 3 + 4 * 2));
}

template <class Pred>
__global__ void every_other(float const* in, float* out) {
  Layout<Shape<_8>, Stride<_32>> const mine;
  auto const src = make_tensor(make_gmem_ptr(in + threadIdx.x), mine);
  auto dst = make_tensor(make_gmem_ptr(out + threadIdx.x), mine);
  for (int k = 0; k < 2; ++k) copy_if([](auto i) { return (i + static_cast<int>(threadIdx.x)) % 2 == 0; }, src, dst);
}

TEST(CostTrace, PredicatesDoNotMisalign) {
  device_buffer<float> in(std::vector<float>(256, 1.f)), out(256);
  cost_trace const costs;
  launch(every_other<int>, {.grid = 1, .block = 32}, in.data(), out.data());
  kernel_costs const k = costs.of("every_other");
  // Eight rows of 4 sectors, half of the lanes in each, twice.
  EXPECT_EQ(k[K::global_load].instructions, 16u);
  EXPECT_EQ(k[K::global_load].sectors, 64u);
  EXPECT_EQ(k[K::global_load].bytes_used, 2u * 512);
}

/// Rows as long as the lane says, a store behind each, and every fourth lane skips the second row.
__global__ void rows_of_lanes(float const* in, float* out) {
  unsigned const lane = threadIdx.x;
  float sum = 0;
  for (unsigned row = 0; row < 2 + lane / 16; ++row) {
    access_step const turn;
    if (row == 1 && lane % 4 == 0) continue;
    for (unsigned k = 0; k <= lane % 4; ++k) {
      access_step const inner;
      if (k == 1 && lane % 2 == 0) continue;
      sum += in[128 * row + 32 * k + lane];
    }
    out[32 * row + lane] = sum;
  }
}

TEST(CostTrace, StepsWithinSteps) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(512, 1.f)), out(128);
  cost_trace const costs;
  launch(rows_of_lanes, {.grid = 1, .block = 32}, in.data(), out.data());
  kernel_costs const k = costs.of("rows_of_lanes");
  // Whatever lanes do in one row, they are together again behind it and in the next: three rows of four turns.
  EXPECT_EQ(k[K::global_load].instructions, 3u * 4);
  EXPECT_EQ(k[K::global_store].instructions, 3u);
  // Lanes of turn k: those of lane % 4 >= k, of the second one the odd ones. The third row is of 16 lanes.
  EXPECT_EQ(k[K::global_load].bytes_used, 4u * (32 + 16 + 16 + 8 + (24 + 16 + 16 + 8) + (16 + 8 + 8 + 4)));
  EXPECT_EQ(k[K::global_load].sectors, 4u * 4 + 4 * 4 + 4 * 2);
  EXPECT_EQ(k[K::global_store].bytes_used, 4u * (32 + 24 + 16));
  EXPECT_EQ(k[K::global_store].sectors, 4u + 4 + 2);
}

// What is reported by name
// ---------------------------------------------------------------------------------------------

__global__ void matrices(int pitch, int count, char const* name) {
  float* const stage = dynamic_shared<float>();
  for (int i = static_cast<int>(threadIdx.x); i < 32 * 36; i += 32) stage[i] = 0;
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < 8 * count) {
    note_access(access_kind::load, stage + threadIdx.x * static_cast<unsigned>(pitch) / 4, 16, 16, no_description{},
                nullptr, name);
  }
  __syncwarp();
}

TEST(CostTrace, MatricesByName) {
  NEEDS_INSTRUMENTATION();
  struct expected {
    int pitch, count;
    char const* name;
    unsigned wavefronts, conflicts;
  };
  for (expected const& e : {expected{16, 4, "ldmatrix.x4", 4, 0}, expected{128, 4, "ldmatrix.x4.trans", 32, 28},
                            expected{144, 4, "ldmatrix.x4", 4, 0}, expected{64, 2, "ldmatrix.x2", 8, 6},
                            expected{128, 1, "ldmatrix.x1", 8, 7}}) {
    cost_trace const costs;
    launch(matrices, {.grid = 1, .block = 32, .shared_bytes = 32 * 144}, e.pitch, e.count, e.name);
    instruction_costs const c = costs.of("matrices")[K::ldmatrix];
    EXPECT_EQ(c.instructions, 1u) << e.name;
    EXPECT_EQ(c.wavefronts, e.wavefronts) << e.name;
    EXPECT_EQ(c.bank_conflicts, e.conflicts) << e.name;
  }
}

__global__ void asynchronous(float const* in, int pitch) {
  float* const stage = dynamic_shared<float>();
  cosmati_sim_cp_async(stage + threadIdx.x * static_cast<unsigned>(pitch) / 4, in + 4 * threadIdx.x, 16,
                       threadIdx.x < 30 ? 16 : 0, 1, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, __FILE__,
                       __LINE__);
  cosmati_sim_cp_async_wait(-1, __FILE__, __LINE__);
}

TEST(CostTrace, AsynchronousCopiesHaveTwoSides) {
  device_buffer<float> in(std::vector<float>(128, 1.f));
  for (int const pitch : {16, 128}) {
    cost_trace const costs;
    launch(asynchronous, {.grid = 1, .block = 32, .shared_bytes = 32 * 128}, in.data(), pitch);
    kernel_costs const k = costs.of("asynchronous");
    EXPECT_EQ(k[K::cp_async].instructions, 1u);
    EXPECT_EQ(k.global_requests(), 1u);
    EXPECT_EQ(k.global_sectors(), 15u);  // the last two lanes only write zeros
    EXPECT_EQ(k.shared_wavefronts(), pitch == 16 ? 4u : 32u);
    EXPECT_EQ(k.shared_bank_conflicts(), pitch == 16 ? 0u : 28u);
  }
}

// Life
// -----------------------------------------------------------------------------------------------------------------

TEST(CostTrace, OneAtATimeAndOnlyWhileItLives) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(128, 1.f)), out(128);
  {
    cost_trace const first;
    EXPECT_MESSAGE(cost_trace(), "one at a time");
    launch(scale, {.grid = 1, .block = 32}, in.data(), out.data());
    EXPECT_EQ(first.kernels().size(), 1u);
    EXPECT_MESSAGE((void)first.of("scal"), "no kernel called scal was launched");
  }
  launch(scale, {.grid = 1, .block = 32}, in.data(), out.data());
  cost_trace const second;
  EXPECT_TRUE(second.kernels().empty());
}

}  // namespace
