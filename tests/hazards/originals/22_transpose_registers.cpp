// SPDX-License-Identifier: Apache-2.0
// Each warp transposes an 8x8 block four times over, in registers: three rounds of exchanges across the diagonal.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void transpose(int const* in, int* out) {
  int const t = static_cast<int>(threadIdx.x), lane = t % 8;
  int v[8];
  for (int j = 0; j < 8; ++j) v[j] = in[t / 8 * 64 + 8 * lane + j];  // [load]
  for (int d = 1; d < 8; d *= 2) {
    for (int j = 0; j < 8; ++j) {
      if ((j & d) != 0) continue;
      int const give = (lane & d) != 0 ? v[j] : v[j + d];
      int const taken = __shfl_xor_sync(0xffffffffu, give, d);  // [exchange]
      ((lane & d) != 0 ? v[j] : v[j + d]) = taken;
    }
  }
  for (int j = 0; j < 8; ++j) out[t / 8 * 64 + 8 * lane + j] = v[j];  // [store]
}

int main() {
  std::vector<int> host(8 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), out(host.size());
  launch(transpose, {.grid = 1, .block = 64}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i / 64 * 64 + i % 8 * 8 + i % 64 / 8]) return 1;
  }
  return 0;
}
