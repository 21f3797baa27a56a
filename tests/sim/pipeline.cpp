// SPDX-License-Identifier: Apache-2.0
// Mistakes with pipelines, as the simulated device reports them.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdlib>

#include "message.hpp"

using namespace cosmati;

namespace {

constexpr int elements = 256;

enum class mistake { none, never_released, never_filled, too_few_bytes, too_many_bytes, wrong_consumers };

template <mistake made>
__global__ void ring_of_two(float const* in, float* out, int tiles) {
  __shared__ mbarrier_ring<2>::storage barriers;
  __shared__ __align__(16) float shared[2][elements];
  mbarrier_ring<2> ring(barriers, made == mistake::wrong_consumers ? 96 : 64, threadIdx.x == 0);
  if (threadIdx.x == 64) {
    int const filled = made == mistake::never_filled ? tiles - 1 : tiles;
    std::uint32_t const expected = made == mistake::too_few_bytes    ? 1008
                                   : made == mistake::too_many_bytes ? 1040
                                                                     : 1024;
    ring.produce(filled, expected, [&](int tile, int stage, std::uint64_t& full) {
      bulk_copy_g2s(shared[stage], in + elements * tile, 1024, full);
    });
  } else if (threadIdx.x < 64) {
    for (int tile = 0; tile < tiles; ++tile) {
      int const stage = ring.wait();
      for (unsigned i = threadIdx.x; i < elements; i += 64)
        out[elements * tile + static_cast<int>(i)] = shared[stage][i];
      if (made != mistake::never_released) ring.release();
    }
  }
}
template <mistake made>
void run(int tiles) {
  device_buffer<float> in(std::vector<float>(static_cast<std::size_t>(elements * 8), 1.f)), out(elements * 8);
  launch(ring_of_two<made>, {.grid = 1, .block = 96}, in.data(), out.data(), tiles);
}
TEST(MbarrierRing, Mistakes) {
  EXPECT_NO_THROW(run<mistake::none>(8));
  EXPECT_MESSAGE(run<mistake::never_released>(8), "thread 64: at mbarrier.wait with parity 0 (pipeline.cpp:28)");
  EXPECT_MESSAGE(run<mistake::never_filled>(8), "threads 0-63: at mbarrier.wait with parity 1 (pipeline.cpp:33)");
  EXPECT_MESSAGE(run<mistake::wrong_consumers>(8), "pending 1 of 3 arrivals");
  EXPECT_MESSAGE(run<mistake::too_few_bytes>(8), "-16 bytes of transactions outstanding");
  EXPECT_MESSAGE(run<mistake::too_many_bytes>(8), ", 16 bytes of transactions outstanding");
}

/// @tparam ahead reads the stage of a later tile
template <int ahead>
__global__ void groups(float const* in, float* out, int tiles) {
  __shared__ __align__(16) float shared[3][elements];
  int const t = static_cast<int>(threadIdx.x);
  for (auto [tile, stage] : cp_async_stages<3>(
           tiles, [&](int next, int free) { cp_async<16>(&shared[free][4 * t], in + elements * next + 4 * t); }))
    out[elements * tile + 4 * t] = shared[(stage + ahead) % 3][4 * t];
}
/// Whether the launch goes through with right results.
template <int ahead>
bool is_right() {
  device_buffer<float> in(std::vector<float>(static_cast<std::size_t>(elements * 8), 1.f)),
      out(std::vector<float>(static_cast<std::size_t>(elements * 8), 0.f));
  try {
    launch(groups<ahead>, {.grid = 1, .block = 64}, in.data(), out.data(), 8);
  } catch (error const&) {
    return false;
  }
  std::vector<float> const got = out.download();
  for (std::size_t i = 0; i < got.size(); i += 4) {
    if (got[i] != 1.f) return false;
  }
  return true;
}
TEST(CpAsyncStages, LaterTilesAreOnTheirWay) {
  setenv("COSMATI_SIM_SEED", "0", 1);  // copies land as late as they may
  EXPECT_TRUE(is_right<0>());
  EXPECT_FALSE(is_right<1>());
  unsetenv("COSMATI_SIM_SEED");
}

}  // namespace
