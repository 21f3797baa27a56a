// SPDX-License-Identifier: Apache-2.0
// stmatrix on the simulated device: where each lane's registers go by PTX's formula, one row a lane that has an
// address.
#include <gtest/gtest.h>
#include <cosmati/arch/stmatrix.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <numeric>

using namespace cosmati;

namespace {

template <int matrices, bool transposed>
__global__ void store(std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t rows[256];
  unsigned const lane = threadIdx.x;
  for (unsigned c = 0; c < 8; ++c) rows[8 * lane + c] = 9999;
  __syncthreads();
  std::uint32_t registers[matrices];
  for (unsigned j = 0; j < matrices; ++j) registers[j] = (200 * j + 2 * lane) | (200 * j + 2 * lane + 1) << 16;
  stmatrix<matrices, transposed>(lane < 8 * matrices ? &rows[8 * lane] : nullptr, registers);
  __syncthreads();
  for (unsigned c = 0; c < 8; ++c) out[8 * lane + c] = rows[8 * lane + c];
}
template <int matrices, bool transposed>
void check() {
  device_buffer<std::uint16_t> out(256);
  launch(store<matrices, transposed>, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (int j = 0; j < 4; ++j) {
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 8; ++column) {
        int const a = transposed ? column : row, b = transposed ? row : column;
        int const lane = 4 * a + b / 2;
        int const wanted = j < matrices ? 200 * j + 2 * lane + b % 2 : 9999;
        EXPECT_EQ(got[static_cast<std::size_t>(64 * j + 8 * row + column)], wanted)
            << matrices << (transposed ? " transposed" : "") << ": matrix " << j << ", " << row << ',' << column;
      }
    }
  }
}
TEST(Stmatrix, OneTwoAndFourMatrices) {
  check<1, false>();
  check<2, false>();
  check<4, false>();
  check<1, true>();
  check<2, true>();
  check<4, true>();
}

struct two_words {
  std::uint32_t word[2];
};
__global__ void from_an_object(std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t rows[256];
  two_words const object = {{threadIdx.x, threadIdx.x + 100}};
  copy_stsm(&object, reinterpret_cast<uint128_t*>(&rows[8 * (threadIdx.x % 16)]));
  __syncthreads();
  for (unsigned c = threadIdx.x; c < 128; c += 32) out[c] = rows[c];
}
TEST(Stmatrix, AnObjectHasAMatrixAWord) {
  device_buffer<std::uint16_t> out(128);
  launch(from_an_object, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  EXPECT_EQ(got[8 * 5 + 4], 4 * 5 + 2) << "row 5, column 4: lane 22";
  EXPECT_EQ(got[64 + 8 * 5 + 4], 122) << "the second word";
}

}  // namespace
