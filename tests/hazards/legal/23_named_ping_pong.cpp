// SPDX-License-Identifier: Apache-2.0
// Two groups of two warps take turns with one scratch row: a named barrier each way, where who passes
// the turn meets who takes it.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void take_turns(int const* in, int* out, int rounds) {
  __shared__ int scratch[64];
  int const t = static_cast<int>(threadIdx.x) % 64, group = static_cast<int>(threadIdx.x) / 64;
  if (group == 1) NamedBarrier::sync(128, 1);  // [first]
  for (int k = 0; k < rounds; ++k) {
    int const row = 2 * k + group;
    NamedBarrier::sync(128, 1 + group);                                    // [turn]
    scratch[t] = in[64 * row + t];                                         // [put]
    NamedBarrier::sync(64, 3 + group);                                     // [put by all]
    out[64 * row + t] = scratch[63 - t];                                   // [get]
    if (group == 0 || k + 1 < rounds) NamedBarrier::sync(128, 2 - group);  // [pass]
  }
}

int main() {
  std::vector<int> host(8 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), out(host.size());
  launch(take_turns, {.grid = 1, .block = 128}, in.data(), out.data(), 4);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i / 64 * 64 + 63 - i % 64]) return 1;
  }
  return 0;
}
