// SPDX-License-Identifier: Apache-2.0
// A ring of stages that bulk copies fill: one producer for two warps, and a leader among the consumers, for fewer tiles
// than stages and for many turns of the ring.
#include <gtest/gtest.h>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/pipeline/mbarrier_ring.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <numeric>

using namespace cosmati;

namespace {

constexpr int consumers = 64;

/// Each consumer writes another's element of every tile.
template <int stages, class Turns>
void use(Turns&& turns, float const* stage, float* out) {
  auto const s = make_tensor(make_smem_ptr(stage), Layout<Shape<Int<consumers>, Int<stages>>>{});
  int const t = static_cast<int>(threadIdx.x);
  for (auto [tile, at] : turns) out[tile * consumers + t] = detail::load_element(s, consumers - 1 - t + consumers * at);
}
template <int stages>
__global__ void with_a_producer(float const* in, float* out, int tiles) {
  __shared__ __align__(16) float stage[stages * consumers];
  __shared__ typename mbarrier_ring<stages>::storage barriers;
  mbarrier_ring<stages> ring(barriers, consumers, threadIdx.x == 0);
  if (threadIdx.x == consumers)
    ring.produce(tiles, sizeof(float) * consumers, [&](int tile, int at, std::uint64_t& full) {
      bulk_copy_g2s(&stage[at * consumers], in + tile * consumers, sizeof(float) * consumers, full);
    });
  else if (threadIdx.x < consumers)
    use<stages>(ring.consume(tiles), stage, out);
}
template <int stages>
__global__ void with_a_leader(float const* in, float* out, int tiles) {
  __shared__ __align__(16) float stage[stages * consumers];
  __shared__ typename mbarrier_ring<stages>::storage barriers;
  mbarrier_ring<stages> ring(barriers, consumers, threadIdx.x == 33);
  auto const load = [&](int tile, int at, std::uint64_t& full) {
    bulk_copy_g2s(&stage[at * consumers], in + tile * consumers, sizeof(float) * consumers, full);
  };
  use<stages>(ring.fill_and_consume(tiles, sizeof(float) * consumers, load), stage, out);
}
template <int stages>
void check(int tiles) {
  std::vector<float> host(static_cast<std::size_t>(tiles * consumers + 1));
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(host.size());
  for (bool const producer : {true, false}) {
    out.clear();
    if (producer)
      launch(with_a_producer<stages>, {.grid = 1, .block = consumers + 32}, in.data(), out.data(), tiles);
    else
      launch(with_a_leader<stages>, {.grid = 1, .block = consumers}, in.data(), out.data(), tiles);
    auto const got = out.download();
    for (int i = 0; i < tiles * consumers; ++i) {
      int const from = i / consumers * consumers + consumers - 1 - i % consumers;
      EXPECT_EQ(got[static_cast<std::size_t>(i)], host[static_cast<std::size_t>(from)]) << stages << ", " << tiles;
    }
  }
}

TEST(MbarrierRing, EachTileOnceInItsTurn) {
  for (int const tiles : {0, 1, 2, 3, 4, 11}) {
    check<2>(tiles);
    check<3>(tiles);
  }
  check<16>(5);
  check<16>(37);
}

}  // namespace
