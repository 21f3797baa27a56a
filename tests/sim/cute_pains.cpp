// SPDX-License-Identifier: Apache-2.0
// What CuTe does wrong in silence (the number is that of its users' complaint) is right here, or an error. Mistakes
// that are known while compiling are in tests/compile_fail/cute_pains.cpp.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

using Scalar = Copy_Atom<UniversalCopy<float>, float>;
using Wide = Copy_Atom<UniversalCopy<uint128_t>, float>;

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.f);
  return v;
}

// 2. AutoVectorizingCopy with a predicate an element wrote whole vectors.
TEST(CutePains, N2_PredicatesOfElementsAreKept) {
  alignas(16) float from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  alignas(16) float to[8] = {};
  auto const source = make_tensor(&from[0], Layout<_8>{});
  auto const destination = make_tensor(&to[0], Layout<_8>{});
  auto predicate = make_tensor<bool>(Shape<_8>{});
  for (int i = 0; i < 8; ++i) predicate(i) = i < 3;
  copy_if(AutoVectorizingCopy{}, predicate, source, destination);
  EXPECT_EQ(std::vector<float>(to, to + 8), (std::vector<float>{1, 2, 3, 0, 0, 0, 0, 0}));
  copy_if(Wide{}, predicate, source, destination);
  EXPECT_EQ(std::vector<float>(to, to + 8), (std::vector<float>{1, 2, 3, 0, 0, 0, 0, 0}));
}

template <class TiledCopy>
__global__ void whole(float const* in, float* out, int rows, int columns, bool bounded, TiledCopy tiled_copy) {
  auto const layout = make_layout(make_shape(rows, columns), make_stride(columns, _1{}));
  auto const source = make_tensor(make_gmem_ptr(in), layout);
  auto const destination = make_tensor(make_gmem_ptr(out), layout);
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const from = thread.partition_S(source);
  auto const to = thread.partition_D(destination);
  if (bounded) {
    copy(tiled_copy, from, to, shape(source));
  } else {
    copy(tiled_copy, from, to);
  }
}

// 3. A TiledCopy larger than the tensor, or that does not divide it, went out of range.
TEST(CutePains, N3_ATiledCopyLargerThanTheTensor) {
  auto const square = make_tiled_copy(Scalar{}, Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  for (auto const& [rows, columns] : {std::pair{8, 16}, std::pair{20, 16}, std::pair{16, 16}, std::pair{31, 17}}) {
    auto const values = counted(static_cast<std::size_t>(rows) * columns);
    device_buffer<float> in(values), out(values.size());
    launch(whole<decltype(square)>, {.grid = 1, .block = 256}, in.data(), out.data(), rows, columns, true, square);
    EXPECT_EQ(out.download(), values) << rows << " x " << columns;
  }
  auto const values = counted(20 * 16);
  device_buffer<float> in(values), out(values.size());
  EXPECT_MESSAGE(
      launch(whole<decltype(square)>, {.grid = 1, .block = 256}, in.data(), out.data(), 8, 16, false, square),
      "along mode 0 it covers elements 0 to 15 of 8; pass the tensor's shape as bounds");
  EXPECT_MESSAGE(
      launch(whole<decltype(square)>, {.grid = 1, .block = 256}, in.data(), out.data(), 20, 16, false, square),
      "along mode 0 it covers elements 0 to 31 of 20");
}

// 3. More threads than the TiledCopy has.
TEST(CutePains, N3_MoreThreadsThanTheTiledCopy) {
  auto const eight = make_tiled_copy(Scalar{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  EXPECT_MESSAGE(eight.get_slice(100), "get_slice: thread 100 of a tiled copy of 64 threads");
  EXPECT_MESSAGE(eight.get_thread_slice(64), "get_slice: thread 64 of a tiled copy of 64 threads");
  auto const values = counted(256);
  device_buffer<float> in(values), out(values.size());
  EXPECT_MESSAGE(launch(whole<decltype(eight)>, {.grid = 1, .block = 128}, in.data(), out.data(), 16, 16, false, eight),
                 "of a tiled copy of 64 threads");
}

template <class TiledCopy>
__global__ void by_tiles(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  auto const source = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto const destination = make_tensor(make_gmem_ptr(out), source.layout());
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const from = thread.partition_S(local_tile(source, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y)));
  auto const to = thread.partition_D(local_tile(destination, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y)));
  copy(tiled_copy, from, to, shape(source));
}

// 4. Predication was the user's work: identity tensors, their partitions, comparisons.
TEST(CutePains, N4_BoundsPredicate) {
  auto const vectors = make_tiled_copy(Wide{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  for (auto const& [rows, columns] : {std::pair{33, 36}, std::pair{1, 4}, std::pair{95, 100}}) {
    auto const values = counted(static_cast<std::size_t>(rows) * columns);
    device_buffer<float> in(values), out(values.size());
    dim3 const grid(static_cast<unsigned>(rows + 31) / 32, static_cast<unsigned>(columns + 31) / 32);
    launch(by_tiles<decltype(vectors)>, {.grid = grid, .block = 128}, in.data(), out.data(), rows, columns, vectors);
    EXPECT_EQ(out.download(), values) << rows << " x " << columns;
  }
}

template <class Tiler, class TiledCopy>
__global__ void by_run_time_tiles(float const* in, float* out, int rows, bool bounded, Tiler tiler,
                                  TiledCopy tiled_copy) {
  auto const source = make_tensor(make_gmem_ptr(in), make_shape(rows, _32{}), make_stride(_32{}, _1{}));
  auto const destination = make_tensor(make_gmem_ptr(out), source.layout());
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const from = thread.partition_S(local_tile(source, tiler, make_coord(blockIdx.x, _0{})));
  auto const to = thread.partition_D(local_tile(destination, tiler, make_coord(blockIdx.x, _0{})));
  if (bounded) {
    copy(tiled_copy, from, to, shape(source));
  } else {
    copy(tiled_copy, from, to);
  }
}

// 5. A tiler known at run time that does not divide: sizes round up, and what is beyond is never copied in silence.
TEST(CutePains, N5_RunTimeTilersRoundUp) {
  auto const layout = make_layout(make_shape(12, 32), make_stride(64, 1));
  EXPECT_EQ(static_cast<int>(size(zipped_divide(layout, make_shape(5, 8)))), 480);
  EXPECT_EQ(static_cast<int>(size<0>(zipped_divide(layout, make_shape(5, 8)))), 40);
  EXPECT_EQ(static_cast<int>(size<1>(zipped_divide(layout, make_shape(5, 8)))), 12);
  EXPECT_EQ(static_cast<int>(size(logical_divide(Layout<Shape<_12, _32>, Stride<_64, _1>>{}, make_shape(_5{}, _8{})))),
            480);

  auto const tiled_copy = make_tiled_copy(Scalar{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  auto const values = counted(60 * 32);
  device_buffer<float> in(values), out(values.size());
  auto const tiler = make_shape(24, 32);
  auto const run = [&](int rows, bool bounded) {
    launch(by_run_time_tiles<std::remove_const_t<decltype(tiler)>, std::remove_const_t<decltype(tiled_copy)>>,
           {.grid = 3, .block = 64}, in.data(), out.data(), rows, bounded, tiler, tiled_copy);
  };
  run(60, true);
  EXPECT_EQ(out.download(), values);
  EXPECT_MESSAGE(run(60, false), "along mode 0 it covers elements 48 to 71 of 60; pass the tensor's shape as bounds");
}

__global__ void strided(float const* in, float* out, int ld) {
  auto const source = make_tensor(make_gmem_ptr(in), make_shape(_4{}, _16{}), make_stride(ld, _1{}));
  auto const destination = make_tensor(make_gmem_ptr(out), make_shape(_4{}, _16{}), make_stride(ld, _1{}));
  copy(source(threadIdx.x, _), destination(threadIdx.x, _));
}
/// The number of accesses to global memory, all of the same width, that `f` makes.
template <class F>
std::pair<long long, int> executed(F&& f) {
  std::pair<long long, int> out{0, 0};
  cosmati_sim_trace_begin(0, 0);
  f();
  cosmati_sim_trace_counts(
      [](void* to, cosmati_sim_traced const* t) {
        auto& sum = *static_cast<std::pair<long long, int>*>(to);
        if (t->space > 1) return;
        sum.first += static_cast<long long>(t->accesses);
        sum.second = sum.second == 0 || sum.second == static_cast<int>(t->bytes) ? static_cast<int>(t->bytes) : -1;
      },
      &out);
  cosmati_sim_trace_end();
  return out;
}

// 7. A run-time stride made copies scalar; addresses and layouts prove the width here.
TEST(CutePains, N7_RunTimeStridesDoNotMakeCopiesScalar) {
  auto const values = counted(4 * 20);
  device_buffer<float> in(values), out(values.size());
  EXPECT_EQ(executed([&] { launch(strided, {.grid = 1, .block = 4}, in.data(), out.data(), 20); }),
            (std::pair{32LL, 16}));
  // Static layouts are trusted: an address that does not allow their vectors is an error.
  EXPECT_MESSAGE(launch(strided, {.grid = 1, .block = 1}, in.data() + 1, out.data() + 1, 20), "misaligned");
}
// 7. A copy that converts says so by its types, and converts; an instruction that would have to is an error
// (compile_fail).
TEST(CutePains, N7_ConversionsConvert) {
  float from[4] = {1.5f, -2.f, 1024.f, 0.f};
  half_t to[4];
  copy(make_tensor(&from[0], Shape<_4>{}), make_tensor(&to[0], Shape<_4>{}));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(static_cast<float>(to[i]), from[i]);
}

// 11. Offsets and sizes beyond 2^31.
TEST(CutePains, N11_OffsetsTake64Bits) {
  auto const fixed = Layout<Shape<Int<65536>, Int<65536>>>{};
  static_assert(size(fixed) == C<4294967296LL>{});
  static_assert(fixed(65535, 65535) == 4294967295LL);
  static_assert(cosize(fixed) == C<4294967296LL>{});
  int const n = 65536;
  auto const dynamic = make_layout(make_shape(n, n));
  EXPECT_EQ(static_cast<long long>(size(dynamic)), 4294967296LL);
  EXPECT_EQ(static_cast<long long>(dynamic(n - 1, n - 1)), 4294967295LL);
  EXPECT_EQ(static_cast<long long>(cosize(dynamic)), 4294967296LL);
  EXPECT_EQ(static_cast<long long>(make_layout(make_shape(n, n), make_stride(n, _1{}))(n - 1, n - 1)), 4294967295LL);
  auto const tile = local_tile(make_counting_tensor(dynamic), Shape<_64, _64>{}, make_coord(1023, 1023));
  EXPECT_EQ(tile(63, 63) - tile(0, 0), 63 + 63 * n);
}

template <class TiledCopy>
__global__ void nibbles(void const* in, void* out, TiledCopy tiled_copy) {
  auto const layout = Layout<Shape<_32, _64>, Stride<_64, _1>>{};
  auto const source = make_tensor(recast_ptr<uint4_t>(static_cast<std::uint8_t const*>(in)), layout);
  auto const destination = make_tensor(recast_ptr<uint4_t>(static_cast<std::uint8_t*>(out)), layout);
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(source), thread.partition_D(destination));
}

// 12. Packed elements: a tiled copy of them, and iterators that advance by elements.
TEST(CutePains, N12_PackedElements) {
  std::vector<std::uint8_t> values(32 * 32);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * 37 + 11);
  device_buffer<std::uint8_t> in(values), out(values.size());
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint32_t>, uint4_t>{},
                                          Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  launch(nibbles<std::remove_const_t<decltype(tiled_copy)>>, {.grid = 1, .block = 128},
         static_cast<void const*>(in.data()), static_cast<void*>(out.data()), tiled_copy);
  EXPECT_EQ(out.download(), values);

  auto const value = [](uint4_t x) { return static_cast<int>(x); };
  auto iterator = recast_ptr<uint4_t>(values.data());
  for (int i = 0; i < 8; ++i) {
    int const expected = (values[static_cast<std::size_t>(i) / 2] >> (4 * (i % 2))) & 15;
    EXPECT_EQ(value(*iterator), expected) << i;
    EXPECT_EQ(value(recast_ptr<uint4_t>(values.data())[i]), expected) << i;
    ++iterator;
  }
}

}  // namespace
