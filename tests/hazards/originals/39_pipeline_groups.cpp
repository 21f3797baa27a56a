// SPDX-License-Identifier: Apache-2.0
// A moving sum along a long row: the library's pipeline of cp.async groups brings a tile and its neighbours.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void moving_sums(int const* in, int* out, int tiles) {
  __shared__ __align__(16) int stages[4][192];
  int const t = static_cast<int>(threadIdx.x);
  auto const load = [&](int tile, int stage) {
    if (t < 48) cp_async<16>(&stages[stage][4 * t], in + 128 * tile + 4 * t);  // [load]
  };
  for (auto [tile, stage] : cp_async_stages<4>(tiles, load)) {  // [pipeline]
    int sum = 0;
    for (int j = 0; j < 64; ++j) sum += stages[stage][t + j];  // [use]
    out[128 * tile + t] = sum;
  }
}

int main() {
  std::size_t const tiles = 9;
  std::vector<int> host(tiles * 128 + 64), expected(tiles * 128, 0);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 19);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t j = 0; j < 64; ++j) expected[i] += host[i + j];
  }
  device_buffer<int> in(host), out(expected.size());
  launch(moving_sums, {.grid = 1, .block = 128}, in.data(), out.data(), 9);
  return out.download() == expected ? 0 : 1;
}
