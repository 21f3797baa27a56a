// SPDX-License-Identifier: Apache-2.0
// Fragments as tensor cores leave them: stmatrix turns them into rows, which leave as whole vectors.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void fragments_to_rows(std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t strips[4][16 * 24];
  int const t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  std::uint16_t* const strip = strips[warp];
  for (int k = 0; k < 2; ++k) {
    std::uint32_t fragment[4];
    for (int j = 0; j < 4; ++j) {
      int const row = lane / 4 + 8 * (j % 2), column = lane % 4 * 2 + 8 * (j / 2);
      int const value = 1000 * (4 * k + warp) + 16 * row + column;
      fragment[j] = static_cast<std::uint32_t>(value | (value + 1) << 16);
    }
    stmatrix(strip + lane % 16 * 24 + lane / 16 * 8, fragment);  // [stmatrix]
    __syncwarp();                                                // [stored]
    auto const* const row = reinterpret_cast<uint4 const*>(strip + lane / 2 * 24 + lane % 2 * 8);
    reinterpret_cast<uint4*>(out + 256 * (4 * k + warp))[lane] = *row;  // [read]
    __syncwarp();                                                       // [used]
  }
}

int main() {
  device_buffer<std::uint16_t> out(8 * 256);
  launch(fragments_to_rows, {.grid = 1, .block = 128}, out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != 1000 * (i / 256) + i % 256) return 1;
  }
  return 0;
}
