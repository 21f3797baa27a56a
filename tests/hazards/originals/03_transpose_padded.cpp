// SPDX-License-Identifier: Apache-2.0
// A matrix transposed through one padded tile, which the block uses again and again.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void transpose(float const* in, float* out, int n) {
  __shared__ float tile[32][33];  // [tile]
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  int const row = 32 * static_cast<int>(blockIdx.x);
  for (int column = 0; column < n; column += 32) {
    for (int r = y; r < 32; r += 8) tile[r][x] = in[(row + r) * n + column + x];   // [fill]
    __syncthreads();                                                               // [filled]
    for (int r = y; r < 32; r += 8) out[(column + r) * n + row + x] = tile[x][r];  // [use]
    __syncthreads();                                                               // [used]
  }
}

int main() {
  std::vector<float> host(96 * 96);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  launch(transpose, {.grid = 3, .block = dim3(32, 8)}, in.data(), out.data(), 96);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i % 96 * 96 + i / 96]) return 1;
  }
  return 0;
}
