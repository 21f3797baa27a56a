// SPDX-License-Identifier: Apache-2.0
// movmatrix and the shuffle transposes on the simulated device: every lane's registers, and twice is as it was.
#include <gtest/gtest.h>
#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

using namespace cosmati;

namespace {

__global__ void transpose(std::uint32_t* once, std::uint32_t* twice) {
  unsigned const row = threadIdx.x / 4, column = 2 * (threadIdx.x % 4);
  std::uint32_t const given = (10 * row + column) | (10 * row + column + 1) << 16;
  once[threadIdx.x] = movmatrix_trans(given);
  twice[threadIdx.x] = movmatrix_trans(movmatrix_trans(given)) ^ given;
}
TEST(Movmatrix, TransposesAMatrixOfRegisters) {
  device_buffer<std::uint32_t> once(32), twice(32);
  launch(transpose, {.grid = 1, .block = 32}, once.data(), twice.data());
  auto const got = once.download();
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned const row = lane / 4, column = 2 * (lane % 4);  // of the transposed matrix
    EXPECT_EQ(got[lane], (10 * column + row) | (10 * (column + 1) + row) << 16) << lane;
  }
  EXPECT_EQ(twice.download(), std::vector<std::uint32_t>(32, 0));
}

/// Lanes that are `apart` exchange: the pair's 2 x 2 words are transposed.
template <class Op>
__global__ void shuffle(std::uint32_t* out) {
  std::uint32_t take0 = 0, take1 = 0;
  Op::copy(2 * threadIdx.x, 2 * threadIdx.x + 1, take0, take1);
  out[2 * threadIdx.x] = take0;
  out[2 * threadIdx.x + 1] = take1;
}
template <class Op>
void check_shuffle(unsigned apart) {
  device_buffer<std::uint32_t> out(64);
  launch(shuffle<Op>, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned const first = lane & ~apart, second = lane | apart, word = (lane & apart) != 0;
    EXPECT_EQ(got[2 * lane], 2 * first + word) << lane;
    EXPECT_EQ(got[2 * lane + 1], 2 * second + word) << lane;
  }
}
TEST(ShuffleTranspose, PairsOfLanes) {
  check_shuffle<SM50_Shuffle_U32_2x2Trans_XOR1>(1);
  check_shuffle<SM50_Shuffle_U32_2x2Trans_XOR4>(4);
}

}  // namespace
