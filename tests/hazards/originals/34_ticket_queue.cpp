// SPDX-License-Identifier: Apache-2.0
// Blocks take tiles from a common counter until none is left: one thread takes, all read its ticket.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void work(int const* in, int* out, int tiles, int* next) {
  __shared__ int ticket;
  for (;;) {
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1);  // [take]
    __syncthreads();                                    // [taken]
    int const tile = ticket;                            // [read]
    __syncthreads();                                    // [read by all]
    if (tile >= tiles) return;                          // [end]
    int const i = 64 * tile + static_cast<int>(threadIdx.x);
    out[i] = in[i] * in[i];  // [work]
  }
}

int main() {
  std::vector<int> host(11 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), out(host.size()), next(1);
  next.clear();
  launch(work, {.grid = 3, .block = 64}, in.data(), out.data(), 11, next.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i] * host[i]) return 1;
  }
  return 0;
}
