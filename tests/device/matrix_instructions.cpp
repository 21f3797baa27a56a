// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix, movmatrix and the shuffle transposes: the content of every lane's registers, compared with PTX's
// formula. Then the same through tiled copies, with and without a swizzle.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// The place of a row of 16 bytes. Rows are in a permuted order, so that a row from the wrong lane is noticed.
__host__ __device__ int place_of_row(int row) { return (row * 5 + 3) % 32; }

/// Register j of lane l: row r and column c of matrix j in the low half, the next column in the high half.
std::uint32_t expected_register(int lane, int j, bool transposed) {
  std::uint32_t word = 0;
  for (int e = 0; e < 2; ++e) {
    int const row = transposed ? 2 * (lane % 4) + e : lane / 4;
    int const column = transposed ? lane / 4 : 2 * (lane % 4) + e;
    word |= static_cast<std::uint32_t>(1000 * j + 10 * row + column) << (16 * e);
  }
  return word;
}

template <int matrices, bool transposed>
__global__ void load(std::uint32_t* out) {
  __shared__ __align__(16) std::uint16_t rows[32 * 8];
  int const lane = static_cast<int>(threadIdx.x);
  for (int c = 0; c < 8; ++c) {
    rows[8 * place_of_row(lane) + c] = static_cast<std::uint16_t>(1000 * (lane / 8) + 10 * (lane % 8) + c);
  }
  __syncthreads();
  std::uint32_t registers[matrices];
  ldmatrix<matrices, transposed>(registers, &rows[8 * place_of_row(lane)]);
  for (int j = 0; j < matrices; ++j) out[matrices * lane + j] = registers[j];
}
template <int matrices, bool transposed>
void check_load() {
  device_buffer<std::uint32_t> out(32 * matrices);
  launch(load<matrices, transposed>, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < matrices; ++j) {
      ASSERT_EQ(got[static_cast<std::size_t>(matrices * lane + j)], expected_register(lane, j, transposed))
          << "x" << matrices << (transposed ? ".trans" : "") << ", lane " << lane << ", register " << j;
    }
  }
}

TEST(Ldmatrix, EveryLaneAndRegister) {
  COSMATI_REQUIRE_DEVICE();
  check_load<1, false>();
  check_load<2, false>();
  check_load<4, false>();
  check_load<1, true>();
  check_load<2, true>();
  check_load<4, true>();
}

template <int matrices, bool transposed>
__global__ void store(std::uint32_t const* in, std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t rows[32 * 8];
  int const lane = static_cast<int>(threadIdx.x);
  for (int c = 0; c < 8; ++c) rows[8 * lane + c] = 7;
  __syncthreads();
  std::uint32_t registers[matrices];
  for (int j = 0; j < matrices; ++j) registers[j] = in[matrices * lane + j];
  stmatrix<matrices, transposed>(&rows[8 * place_of_row(lane)], registers);
  __syncthreads();
  for (int c = 0; c < 8; ++c) out[8 * lane + c] = rows[8 * place_of_row(lane) + c];
}
template <int matrices, bool transposed>
void check_store() {
  std::vector<std::uint32_t> host(32 * matrices);
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < matrices; ++j)
      host[static_cast<std::size_t>(matrices * lane + j)] = expected_register(lane, j, transposed);
  }
  device_buffer<std::uint32_t> in(host);
  device_buffer<std::uint16_t> out(32 * 8);
  launch(store<matrices, transposed>, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (int row = 0; row < 32; ++row) {
    for (int c = 0; c < 8; ++c) {
      int const expected = row < 8 * matrices ? 1000 * (row / 8) + 10 * (row % 8) + c : 7;
      ASSERT_EQ(got[static_cast<std::size_t>(8 * row + c)], expected)
          << "x" << matrices << (transposed ? ".trans" : "") << ", row " << row << ", column " << c;
    }
  }
}

TEST(Stmatrix, EveryRowAndColumn) {
  COSMATI_REQUIRE_DEVICE();
  check_store<1, false>();
  check_store<2, false>();
  check_store<4, false>();
  check_store<1, true>();
  check_store<2, true>();
  check_store<4, true>();
}

__global__ void transposes(std::uint32_t* out) {
  std::uint32_t const lane = threadIdx.x;
  out[lane] = movmatrix_trans(16 * (lane / 4) + 2 * (lane % 4) + ((16 * (lane / 4) + 2 * (lane % 4) + 1) << 16));
  std::uint32_t r[4];
  SM50_Shuffle_U32_2x2Trans_XOR1::copy(100 * lane, 100 * lane + 1, r[0], r[1]);
  SM50_Shuffle_U32_2x2Trans_XOR4::copy(100 * lane, 100 * lane + 1, r[2], r[3]);
  for (std::uint32_t i = 0; i < 4; ++i) out[32 + 4 * lane + i] = r[i];
}

TEST(Movmatrix, EveryLane) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<std::uint32_t> out(160);
  launch(transposes, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t const low = 16 * (2 * (lane % 4)) + lane / 4;
    EXPECT_EQ(got[lane], low + ((low + 16) << 16)) << lane;
    for (std::uint32_t r = 0; r < 2; ++r) {
      std::uint32_t const by1 = lane & 1, by4 = lane >> 2 & 1;
      EXPECT_EQ(got[32 + 4 * lane + r], 100 * ((lane & ~1u) + r) + by1) << lane;
      EXPECT_EQ(got[34 + 4 * lane + r], 100 * ((lane & ~4u) + 4 * r) + by4) << lane;
    }
  }
}

/// Loads a tile of 16 x 16 halves by ldmatrix.x4, and stores the registers to shared memory by stmatrix.
template <class Load, class Store, class SharedLayout>
__global__ void tile_through_registers(half_t const* in, half_t* out, std::uint16_t* registers, SharedLayout shared,
                                       Load load_copy, Store store_copy) {
  half_t* stage = dynamic_shared<half_t>();
  auto sIn = make_tensor(make_smem_ptr(stage), shared);
  auto sOut = make_tensor(make_smem_ptr(stage + 1024), shared);
  for (unsigned i = threadIdx.x; i < 256; i += 32) sIn(i / 16, i % 16) = in[i];
  __syncthreads();
  auto load = load_copy.get_slice(threadIdx.x);
  auto tIn = load.partition_S(sIn);
  auto held = make_tensor<half_t>(shape(load.partition_D(sIn)));
  copy(load_copy, tIn, held);
  for (int i = 0; i < size(held); ++i) registers[8 * threadIdx.x + i] = held(i).storage;
  auto store = store_copy.get_slice(threadIdx.x);
  auto tOut = store.partition_D(sOut);
  copy(store_copy, store.retile_S(held), tOut);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += 32) out[i] = sOut(i / 16, i % 16);
}

template <class LoadOp, class StoreOp, class SharedLayout>
void check_tile(SharedLayout shared) {
  // operand A of a product: quads of lanes down the rows, pairs along them, four matrices of 8 x 8
  using Values =
      Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<Int<32>, _1>, Stride<Int<16>, _8, Int<128>>>>;
  auto load_copy = make_tiled_copy_impl(Copy_Atom<LoadOp, half_t>{}, Values{}, Shape<_16, _16>{});
  auto store_copy = make_tiled_copy_impl(Copy_Atom<StoreOp, half_t>{}, Values{}, Shape<_16, _16>{});
  std::vector<half_t> host(256);
  for (int i = 0; i < 256; ++i) host[static_cast<std::size_t>(i)] = half_t(static_cast<float>(i));
  device_buffer<half_t> in(host), out(256);
  device_buffer<std::uint16_t> registers(256);
  launch(tile_through_registers<decltype(load_copy), decltype(store_copy), SharedLayout>,
         {.grid = 1, .block = 32, .shared_bytes = 4096}, in.data(), out.data(), registers.data(), shared, load_copy,
         store_copy);
  EXPECT_TRUE(out.download() == host);
  auto const got = registers.download();
  for (int lane = 0; lane < 32; ++lane) {
    for (int v = 0; v < 8; ++v) {
      int const row = lane / 4 + 8 * (v / 2 % 2), column = 2 * (lane % 4) + v % 2 + 8 * (v / 4);
      ASSERT_EQ(got[static_cast<std::size_t>(8 * lane + v)], half_t(static_cast<float>(16 * row + column)).storage)
          << "lane " << lane << ", value " << v;
    }
  }
}

TEST(Ldmatrix, TiledCopies) {
  COSMATI_REQUIRE_DEVICE();
  Layout<Shape<_16, _16>, Stride<_16, _1>> const rows{};
  check_tile<SM75_U32x4_LDSM_N, SM90_U32x4_STSM_N>(rows);
  check_tile<SM75_U32x2_LDSM_N, SM90_U32x2_STSM_N>(rows);
  check_tile<SM75_U32x1_LDSM_N, SM90_U32x1_STSM_N>(rows);
  check_tile<SM75_U32x4_LDSM_N, SM90_U32x1_STSM_N>(Layout<Shape<_16, _16>, Stride<_24, _1>>{});
  check_tile<SM75_U32x4_LDSM_N, SM90_U32x4_STSM_N>(composition(Swizzle<1, 3, 3>{}, rows));
}

/// The transposing loads: a tile stored by columns gives the same registers as a tile stored by rows.
template <class Op>
__global__ void transposed_tile(half_t const* in, std::uint16_t* registers) {
  half_t* stage = dynamic_shared<half_t>();
  auto shared = make_tensor(make_smem_ptr(stage), Layout<Shape<_16, _16>, Stride<_1, _16>>{});
  for (unsigned i = threadIdx.x; i < 256; i += 32) shared(i / 16, i % 16) = in[i];
  __syncthreads();
  using Values =
      Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<Int<32>, _1>, Stride<Int<16>, _8, Int<128>>>>;
  auto tiled_copy = make_tiled_copy_impl(Copy_Atom<Op, half_t>{}, Values{}, Shape<_16, _16>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(shared);
  auto held = make_tensor<half_t>(shape(thread.partition_D(shared)));
  copy(tiled_copy, from, held);
  for (int i = 0; i < size(held); ++i) registers[8 * threadIdx.x + i] = held(i).storage;
}
template <class Op>
void check_transposed_tile() {
  std::vector<half_t> host(256);
  for (int i = 0; i < 256; ++i) host[static_cast<std::size_t>(i)] = half_t(static_cast<float>(i));
  device_buffer<half_t> in(host);
  device_buffer<std::uint16_t> registers(256);
  launch(transposed_tile<Op>, {.grid = 1, .block = 32, .shared_bytes = 512}, in.data(), registers.data());
  auto const got = registers.download();
  for (int lane = 0; lane < 32; ++lane) {
    for (int v = 0; v < 8; ++v) {
      int const row = lane / 4 + 8 * (v / 2 % 2), column = 2 * (lane % 4) + v % 2 + 8 * (v / 4);
      ASSERT_EQ(got[static_cast<std::size_t>(8 * lane + v)], half_t(static_cast<float>(16 * row + column)).storage)
          << "lane " << lane << ", value " << v;
    }
  }
}
TEST(Ldmatrix, TransposingTiledCopies) {
  COSMATI_REQUIRE_DEVICE();
  check_transposed_tile<SM75_U16x2_LDSM_T>();
  check_transposed_tile<SM75_U16x4_LDSM_T>();
  check_transposed_tile<SM75_U16x8_LDSM_T>();
}

}  // namespace
