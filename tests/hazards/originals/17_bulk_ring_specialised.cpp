// SPDX-License-Identifier: Apache-2.0
// One warp loads in bulk, four warps compute: three stages, each with an mbarrier for full and one for empty.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

constexpr int stages = 3, tile = 256;

__global__ void negate_reversed(float const* in, float* out, int tiles) {
  __shared__ __align__(16) float stage[stages][tile];
  __shared__ std::uint64_t full[stages], empty[stages];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (int s = 0; s < stages; ++s) {
      initialize_barrier(full[s], 1);     // [init full]
      initialize_barrier(empty[s], 128);  // [init empty]
    }
    fence_barrier_init();  // [init fence]
  }
  __syncthreads();  // [initialised]
  if (t >= 128) {
    if (t > 128) return;
    for (int k = 0; k < tiles; ++k) {
      int const s = k % stages;
      wait_barrier(empty[s], (k / stages + 1) % 2);                      // [empty]
      arrive_and_expect_bytes(full[s], sizeof stage[s]);                 // [expect]
      bulk_copy_g2s(stage[s], in + tile * k, sizeof stage[s], full[s]);  // [load]
    }
  } else {
    for (int k = 0; k < tiles; ++k) {
      int const s = k % stages;
      wait_barrier(full[s], k / stages % 2);                                            // [full]
      for (int i = t; i < tile; i += 128) out[tile * k + i] = -stage[s][tile - 1 - i];  // [use]
      fence_proxy_async_shared();                                                       // [fence]
      arrive_barrier(empty[s]);                                                         // [release]
    }
  }
}

int main() {
  std::vector<float> host(10 * tile);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  launch(negate_reversed, {.grid = 1, .block = 160}, in.data(), out.data(), 10);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != -host[i / tile * tile + tile - 1 - i % tile]) return 1;
  }
  return 0;
}
