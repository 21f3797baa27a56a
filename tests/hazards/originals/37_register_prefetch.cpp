// SPDX-License-Identifier: Apache-2.0
// The next tile waits in registers while this one is used; two tiles in shared memory, so one barrier a round is
// enough.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void reverse_tiles(int const* in, int* out, int tiles) {
  __shared__ int tile[2][128];
  int const t = static_cast<int>(threadIdx.x);
  int next = in[t];
  for (int k = 0; k < tiles; ++k) {
    tile[k % 2][t] = next;                            // [put]
    if (k + 1 < tiles) next = in[128 * (k + 1) + t];  // [prefetch]
    __syncthreads();                                  // [there]
    out[128 * k + t] = tile[k % 2][127 - t];          // [use]
  }
}

int main() {
  std::vector<int> host(5 * 128);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), out(host.size());
  launch(reverse_tiles, {.grid = 1, .block = 128}, in.data(), out.data(), 5);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i / 128 * 128 + 127 - i % 128]) return 1;
  }
  return 0;
}
