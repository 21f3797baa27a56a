// SPDX-License-Identifier: Apache-2.0
// ldmatrix on the simulated device: each lane's registers by PTX's formula, rows at any 16-byte address, as an array of
// registers and as one object.
#include <gtest/gtest.h>
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

/// Element (row, column) of matrix j.
constexpr unsigned element(int j, int row, int column) { return static_cast<unsigned>(1000 * j + 10 * row + column); }
/// Rows lie in the order 3, 8, 13, ... of 32 places, so that a row taken from a wrong lane is seen.
inline int place_of_row(int row) { return (5 * row + 3) % 32; }

struct four_words {
  std::uint32_t word[4];
};
template <bool transposed>
__global__ void load(std::uint32_t* by_registers, std::uint32_t* by_object) {
  __shared__ __align__(16) std::uint16_t rows[256];
  int const lane = static_cast<int>(threadIdx.x);
  for (int c = 0; c < 8; ++c)
    rows[8 * place_of_row(lane) + c] = static_cast<std::uint16_t>(element(lane / 8, lane % 8, c));
  __syncthreads();
  void const* const row = &rows[8 * place_of_row(lane)];
  std::uint32_t registers[4];
  ldmatrix<4, transposed>(registers, row);
  four_words object;
  if constexpr (transposed)
    copy_ldsm_trans(static_cast<uint128_t const*>(row), &object);
  else
    copy_ldsm(static_cast<uint128_t const*>(row), &object);
  for (int j = 0; j < 4; ++j) {
    by_registers[4 * lane + j] = registers[j];
    by_object[4 * lane + j] = object.word[j];
  }
}
template <bool transposed>
void check_load() {
  device_buffer<std::uint32_t> by_registers(128), by_object(128);
  launch(load<transposed>, {.grid = 1, .block = 32}, by_registers.data(), by_object.data());
  auto const got = by_registers.download();
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < 4; ++j) {
      // rows l / 4, columns 2 (l % 4) and the next; transposed columns l / 4, rows 2 (l % 4) and the next
      int const a = lane / 4, b = 2 * (lane % 4);
      unsigned const low = transposed ? element(j, b, a) : element(j, a, b);
      unsigned const high = transposed ? element(j, b + 1, a) : element(j, a, b + 1);
      EXPECT_EQ(got[static_cast<std::size_t>(4 * lane + j)], low | high << 16) << lane << ", register " << j;
    }
  }
  EXPECT_EQ(by_object.download(), got);
}
TEST(Ldmatrix, OfFourMatrices) {
  check_load<false>();
  check_load<true>();
}

// Of one matrix the addresses of lanes 8 to 31 are not used: null is as good as any.
__global__ void of_one_matrix(std::uint32_t* out) {
  __shared__ __align__(16) std::uint16_t rows[64];
  if (threadIdx.x < 8)
    for (int c = 0; c < 8; ++c)
      rows[8 * threadIdx.x + c] = static_cast<std::uint16_t>(element(0, static_cast<int>(threadIdx.x), c));
  __syncthreads();
  std::uint32_t registers[1];
  ldmatrix(registers, threadIdx.x < 8 ? &rows[8 * threadIdx.x] : nullptr);
  out[threadIdx.x] = registers[0];
}
TEST(Ldmatrix, UsesNoMoreAddressesThanRows) {
  device_buffer<std::uint32_t> out(32);
  launch(of_one_matrix, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  EXPECT_EQ(got[31], element(0, 7, 6) | element(0, 7, 7) << 16);
}

__global__ void misaligned() {
  __shared__ __align__(16) std::uint16_t rows[264];
  for (int c = 0; c < 8; ++c) rows[8 * threadIdx.x + c] = 0;
  __syncthreads();
  std::uint32_t registers[4];
  ldmatrix(registers, &rows[8 * threadIdx.x + (threadIdx.x == 9 ? 4 : 0)]);
}
TEST(Ldmatrix, RowsAreAlignedTo16Bytes) {
  EXPECT_MESSAGE(launch(misaligned, {.grid = 1, .block = 32}), "ldmatrix.x4");
  EXPECT_MESSAGE(launch(misaligned, {.grid = 1, .block = 32}), "thread (9,0,0)");
}

}  // namespace
