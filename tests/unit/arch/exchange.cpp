// SPDX-License-Identifier: Apache-2.0
// A warp's lanes exchange pieces as two layouts say: tables of pieces, the exchange itself, and the names of lanes.
#include <gtest/gtest.h>
#include <cosmati/arch/exchange.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

// 32 lanes of 32 bits each; and the same bits, lane l's standing at lane 31 - l.
using straight = Layout<Shape<_32, _32>, Stride<_32, _1>>;
using reversed = Layout<Shape<Shape<_32>, _32>, Stride<Stride<Int<-32>>, _1>>;
// Every lane gives the first lane's 16 bits.
using repeated = Layout<Shape<_32, _16>, Stride<_0, _1>>;

TEST(Exchange, ATableNamesTheLaneThatGivesEachPiece) {
  constexpr auto const& same = detail::exchange_of<straight, straight>;
  static_assert(same.of_each == 2);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(same.of[lane][i].lane, lane);
      EXPECT_EQ(same.of[lane][i].index, i);
    }
  }
  // Bits (lane, half) by halves first: lane l receives halves l and l + 32 of the row of 64.
  using halves_apart = Layout<Shape<_32, Shape<_16, _2>>, Stride<_16, Stride<_1, Int<512>>>>;
  constexpr auto const& apart = detail::exchange_of<straight, halves_apart>;
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(apart.of[lane][0].lane, lane / 2);
    EXPECT_EQ(apart.of[lane][0].index, lane % 2);
    EXPECT_EQ(apart.of[lane][1].lane, 16 + lane / 2);
  }
  EXPECT_EQ((detail::exchange_of<repeated, repeated>.of[31][0].lane), 0) << "the first of those that give the same";
}

__global__ void halves_to_their_places(std::uint32_t* out) {
  using halves_apart = Layout<Shape<_32, Shape<_16, _2>>, Stride<_16, Stride<_1, Int<512>>>>;
  std::uint32_t const give = 2 * threadIdx.x | (2 * threadIdx.x + 1) << 16;
  std::uint32_t take = 0;
  detail::exchange<straight, halves_apart>(&give, &take, "test", __FILE__, __LINE__);
  out[threadIdx.x] = take;
}
TEST(Exchange, MovesThePieces) {
  device_buffer<std::uint32_t> out(32);
  launch(halves_to_their_places, {.grid = 1, .block = 32}, out.data());
  auto const got = out.download();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane | (lane + 32) << 16);
  EXPECT_MESSAGE(launch(halves_to_their_places, {.grid = 1, .block = 24}, out.data()),
                 "test: all 32 lanes of a warp execute it together, but lanes 24-31 of this one exited before");
}

TEST(Exchange, LanesAreNamedInRuns) {
  char text[120];
  auto const named = [&](unsigned mask) {
    detail::name_lanes(mask, text, sizeof text);
    return std::string(text);
  };
  EXPECT_EQ(named(0), "");
  EXPECT_EQ(named(1), "0");
  EXPECT_EQ(named(0xffffffffu), "0-31");
  EXPECT_EQ(named(0x8000ffffu), "0-15, 31");
  EXPECT_EQ(named(0xaaaaaaaau), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31");
}

}  // namespace
