// SPDX-License-Identifier: Apache-2.0
// Rows pass from warp to warp, each of which changes them: a slot and two named barriers between neighbours.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void relay(int const* in, int* out, int rows) {
  __shared__ int slot[3][32];
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int k = 0; k < rows; ++k) {
    int v;
    if (warp == 0) {
      v = in[32 * k + lane];
    } else {
      NamedBarrier::sync(64, warp);                        // [taken]
      v = slot[warp - 1][31 - lane];                       // [take]
      if (k + 1 < rows) NamedBarrier::sync(64, 7 + warp);  // [freed]
    }
    v = 2 * v + warp;
    if (warp == 3) {
      out[32 * k + lane] = v;
    } else {
      if (k > 0) NamedBarrier::sync(64, 8 + warp);  // [wait for free]
      slot[warp][lane] = v;                         // [give]
      NamedBarrier::arrive(64, 1 + warp);           // [given]
    }
  }
}

int main() {
  std::vector<int> host(6 * 32);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), out(host.size());
  launch(relay, {.grid = 1, .block = 128}, in.data(), out.data(), 6);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != 16 * host[i / 32 * 32 + 31 - i % 32] + 11) return 1;
  }
  return 0;
}
