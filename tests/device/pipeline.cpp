// SPDX-License-Identifier: Apache-2.0
// Pipelines on either device: 2 to 5 stages, any number of tiles, shared or separate roles.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdlib>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int threads = 64, elements = 256;  // a tile is a vector of floats

/// Runs `body` with asynchronous copies that land latest, earliest and at random.
template <class Body>
void with_seeds(Body body) {
#if defined(COSMATI_SIMULATED)
  for (char const* seed : {"0", "1", "2"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    SCOPED_TRACE(seed);
    body();
  }
  unsetenv("COSMATI_SIM_SEED");
#else
  body();
#endif
}

/// Launches `kernel` for each number of tiles. Block b's tile i is out[..] = -in[..], reversed in the tile.
template <class Kernel>
void check(Kernel kernel, int stages, int block) {
  with_seeds([&] {
    for (int tiles : {0, 1, 2, stages - 1, stages, stages + 1, 17}) {
      std::size_t const n = static_cast<std::size_t>(2 * tiles * elements);
      std::vector<float> host(n + 4), expected(n + 4, 0.f);
      std::iota(host.begin(), host.end(), 1.f);
      for (std::size_t i = 0; i < n; ++i) expected[i] = -host[i / elements * elements + elements - 1 - i % elements];
      device_buffer<float> in(host), out(std::vector<float>(n + 4, 0.f));
      launch(kernel,
             {.grid = 2,
              .block = static_cast<unsigned>(block),
              .shared_bytes = static_cast<std::size_t>(stages * elements) * sizeof(float)},
             in.data(), out.data(), tiles);
      ASSERT_EQ(out.download(), expected) << stages << " stages, " << tiles << " tiles";
    }
  });
}

COSMATI_HD auto stages_tensor(float* shared, int stages) {
  return make_tensor(make_smem_ptr(shared), make_layout(make_shape(Int<elements>{}, stages)));
}
COSMATI_HD void turn_round(float const* stage, float* out, int thread, int count) {
  for (int i = thread; i < elements; i += count) out[i] = -stage[elements - 1 - i];
}

template <int stages>
__global__ void groups(float const* in, float* out, int tiles) {
  float* const shared = dynamic_shared<float>();
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>{}, Layout<Int<threads>>{}, Layout<_4>{});
  auto gIn = make_tensor(make_gmem_ptr(in) + tiles * elements * static_cast<int>(blockIdx.x),
                         make_layout(make_shape(Int<elements>{}, tiles)));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(gIn);
  auto to = thread.partition_D(stages_tensor(shared, stages));
  for (auto [tile, stage] :
       cp_async_stages<stages>(tiles, [&](int next, int free) { copy(tiled_copy, from(_, _, next), to(_, _, free)); }))
    turn_round(shared + elements * stage, out + elements * (tile + tiles * static_cast<int>(blockIdx.x)),
               static_cast<int>(threadIdx.x), threads);
}
TEST(CpAsyncStages, EveryNumberOfStagesAndTiles) {
  COSMATI_REQUIRE_DEVICE();
  check(groups<2>, 2, threads);
  check(groups<3>, 3, threads);
  check(groups<4>, 4, threads);
  check(groups<5>, 5, threads);
}

/// Two loops over the tiles, one after the other.
template <int stages>
__global__ void twice(float const* in, float* out, int tiles) {
  float* const shared = dynamic_shared<float>();
  int const t = static_cast<int>(threadIdx.x), first = tiles * static_cast<int>(blockIdx.x);
  auto const load = [&](int next, int free) {
    cp_async<16>(shared + elements * free + 4 * t, in + elements * (first + next) + 4 * t);
  };
  for (auto [tile, stage] : cp_async_stages<stages>(tiles, load))
    turn_round(shared + elements * stage, out + elements * (first + tile), t, threads);
  __syncthreads();
  for (auto [tile, stage] : cp_async_stages<stages>(tiles, load)) {
    float* const to = out + elements * (first + tile);  // the other half of the threads writes the elements that this
                                                        // half wrote before
    __syncthreads();
    turn_round(shared + elements * stage, to, threads - 1 - t, threads);
  }
}
TEST(CpAsyncStages, LoopsBehindEachOther) {
  COSMATI_REQUIRE_DEVICE();
  check(twice<2>, 2, threads);
  check(twice<4>, 4, threads);
}

/// All threads consume, and the first one also fills.
template <int stages>
__global__ void one_role(float const* in, float* out, int tiles) {
  __shared__ typename mbarrier_ring<stages>::storage barriers;
  float* const shared = dynamic_shared<float>();
  int const first = tiles * static_cast<int>(blockIdx.x);
  mbarrier_ring<stages> ring(barriers, threads, threadIdx.x == 0);
  for (auto [tile, stage] :
       ring.fill_and_consume(tiles, elements * sizeof(float), [&](int next, int free, std::uint64_t&full) {
         bulk_copy_g2s(shared + elements * free, in + elements * (first + next), elements * sizeof(float), full);
       }))
    turn_round(shared + elements * stage, out + elements * (first + tile), static_cast<int>(threadIdx.x), threads);
}
TEST(MbarrierRing, OneRole) {
  COSMATI_REQUIRE_DEVICE();
  check(one_role<2>, 2, threads);
  check(one_role<3>, 3, threads);
  check(one_role<4>, 4, threads);
  check(one_role<5>, 5, threads);
}

/// The last warp fills, the others consume.
template <int stages>
__global__ void two_roles(float const* in, float* out, int tiles) {
  __shared__ typename mbarrier_ring<stages>::storage barriers;
  float* const shared = dynamic_shared<float>();
  int const first = tiles * static_cast<int>(blockIdx.x);
  auto gIn = make_tensor(make_gmem_ptr(in) + elements * first, make_layout(make_shape(Int<elements>{}, tiles)));
  auto sIn = stages_tensor(shared, stages);
  mbarrier_ring<stages> ring(barriers, threads, threadIdx.x == 0);
  if (threadIdx.x == threads) {
    ring.produce(tiles, elements * sizeof(float), [&](int next, int free, std::uint64_t& full) {
      copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(full), gIn(_, next), sIn(_, free));
    });
  } else if (threadIdx.x < threads) {
    for (auto [tile, stage] : ring.consume(tiles))
      turn_round(shared + elements * stage, out + elements * (first + tile), static_cast<int>(threadIdx.x), threads);
  }
}
TEST(MbarrierRing, TwoRoles) {
  COSMATI_REQUIRE_DEVICE();
  check(two_roles<2>, 2, threads + 32);
  check(two_roles<3>, 3, threads + 32);
  check(two_roles<4>, 4, threads + 32);
  check(two_roles<5>, 5, threads + 32);
}

/// Fills, waits and releases by hand. The ring continues from one loop to the next, two tiles at a time.
template <int stages>
__global__ void by_hand(float const* in, float* out, int tiles) {
  __shared__ typename mbarrier_ring<stages>::storage barriers;
  float* const shared = dynamic_shared<float>();
  int const first = tiles * static_cast<int>(blockIdx.x), half = tiles / 2;
  mbarrier_ring<stages> ring(barriers, threads, threadIdx.x == 7);
  auto const part = [&](int begin, int end) {
    if (threadIdx.x >= threads) {
      for (int tile = begin; tile < end && threadIdx.x == threads; ++tile) {
        ring.fill(elements * sizeof(float), [&](int stage, std::uint64_t& full) {
          for (int k = 0; k < 4; ++k) {
            bulk_copy_g2s(shared + elements * stage + 64 * k, in + elements * (first + tile) + 64 * k, 256, full);
          }
        });
      }
    } else {
      for (int tile = begin; tile < end; ++tile) {
        int const stage = ring.wait();
        turn_round(shared + elements * stage, out + elements * (first + tile), static_cast<int>(threadIdx.x), threads);
        ring.release();
      }
    }
  };
  part(0, half);
  part(half, tiles);
}
TEST(MbarrierRing, ByHand) {
  COSMATI_REQUIRE_DEVICE();
  check(by_hand<2>, 2, threads + 32);
  check(by_hand<3>, 3, threads + 32);
}

}  // namespace
