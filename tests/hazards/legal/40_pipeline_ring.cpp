// SPDX-License-Identifier: Apache-2.0
// The greatest element of each tile: the library's ring of mbarriers between a warp that loads and four that look.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void tile_maxima(int const* in, int* out, int tiles) {
  __shared__ __align__(128) int stages[3][256];
  __shared__ mbarrier_ring<3>::storage barriers;
  int const t = static_cast<int>(threadIdx.x);
  mbarrier_ring<3> ring(barriers, 128, t == 0);  // [ring]
  if (t == 128) {
    ring.produce(tiles, 1024, [&](int tile, int stage, std::uint64_t& full) {  // [produce]
      bulk_copy_g2s(stages[stage], in + 256 * tile, 1024, full);               // [load]
    });
  } else if (t < 128) {
    for (auto [tile, stage] : ring.consume(tiles)) {                   // [consume]
      int const mine = max(stages[stage][t], stages[stage][t + 128]);  // [use]
      int const of_warp = __reduce_max_sync(0xffffffffu, mine);
      if (t % 32 == 0) atomicMax(&out[tile], of_warp);
    }
  }
}

int main() {
  std::vector<int> host(8 * 256), expected(8, 0);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<int>(i * i % 1013);
    if (expected[i / 256] < host[i]) expected[i / 256] = host[i];
  }
  device_buffer<int> in(host), out(8);
  out.clear();
  launch(tile_maxima, {.grid = 1, .block = 160}, in.data(), out.data(), 8);
  return out.download() == expected ? 0 : 1;
}
