// SPDX-License-Identifier: Apache-2.0
// Each warp's running sums in a strip of shared memory of its own: __syncwarp orders the lanes.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void scan(int const* in, int* out) {
  __shared__ int strips[4][64];
  int const t = static_cast<int>(threadIdx.x), lane = t % 32;
  int* const strip = strips[t / 32];
  strip[lane] = 0;
  strip[lane + 32] = in[t];  // [put]
  __syncwarp();              // [put by all]
  for (int step = 1; step < 32; step *= 2) {
    int const before = strip[lane + 32 - step];  // [get]
    __syncwarp();                                // [got]
    strip[lane + 32] += before;                  // [add]
    __syncwarp();                                // [added]
  }
  out[t] = strip[lane + 32];
}

int main() {
  std::vector<int> host(128), expected(128);
  for (std::size_t i = 0; i < 128; ++i) {
    host[i] = static_cast<int>(i % 5);
    expected[i] = host[i] + (i % 32 == 0 ? 0 : expected[i - 1]);
  }
  device_buffer<int> in(host), out(128);
  launch(scan, {.grid = 1, .block = 128}, in.data(), out.data());
  return out.download() == expected ? 0 : 1;
}
