// SPDX-License-Identifier: Apache-2.0
// Turns over tiles by cp.async: each tile once, whole and in order, for any number of stages and tiles; and which loads
// have begun before which turn.
#include <gtest/gtest.h>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/pipeline/cp_async_stages.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <numeric>

using namespace cosmati;

namespace {

constexpr int threads = 32;

/// out: what each turn saw of its tile, of another thread's load; order: loads as -tile - 1 and turns as tile, of
/// thread 0.
template <int stages>
__global__ void turns(float const* in, float* out, int* order, int tiles) {
  __shared__ __align__(16) float stage[stages * threads];
  auto const s = make_tensor(make_smem_ptr(&stage[0]), Layout<Shape<Int<threads>, Int<stages>>>{});
  int const t = static_cast<int>(threadIdx.x);
  int happened = 0;
  for (auto [tile, at] : cp_async_stages<stages>(tiles, [&](int k, int free) {
         if (t == 0) order[happened++] = -k - 1;
         cp_async<4>(&stage[free * threads + t], in + k * threads + t);
       })) {
    if (t == 0) order[happened++] = tile;
    out[tile * threads + t] = detail::load_element(s, t + threads * at - 2 * t + threads - 1);  // element (31 - t, at)
  }
}
template <int stages>
void check(int tiles) {
  std::vector<float> host(static_cast<std::size_t>(tiles * threads + 1));
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(host.size());
  device_buffer<int> order(static_cast<std::size_t>(2 * tiles + 1));
  out.clear();
  order.clear();
  launch(turns<stages>, {.grid = 1, .block = threads}, in.data(), out.data(), order.data(), tiles);
  auto const got = out.download();
  for (int i = 0; i < tiles * threads; ++i)
    EXPECT_EQ(got[static_cast<std::size_t>(i)],
              host[static_cast<std::size_t>(i / threads * threads + 31 - i % threads)]);
  // stages - 1 loads first; the next one behind each wait, before its turn.
  std::vector<int> expected;
  for (int k = 0; k < stages - 1 && k < tiles; ++k) expected.push_back(-k - 1);
  for (int k = 0; k < tiles; ++k) {
    if (k + stages - 1 < tiles) expected.push_back(-(k + stages - 1) - 1);
    expected.push_back(k);
  }
  auto seen = order.download();
  seen.resize(static_cast<std::size_t>(2 * tiles));
  EXPECT_EQ(seen, expected) << stages << " stages, " << tiles << " tiles";
}

TEST(CpAsyncStages, EachTileOnceInItsTurn) {
  for (int tiles = 0; tiles < 7; ++tiles) {
    check<2>(tiles);
    check<3>(tiles);
    check<4>(tiles);
  }
  check<16>(5);
  check<16>(40);
}

}  // namespace
