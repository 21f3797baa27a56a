// SPDX-License-Identifier: Apache-2.0
// Loaded in bulk, changed in place, stored in bulk: two buffers, which the next loads use when the stores have read.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void twice(float const* in, float* out, int tiles) {
  __shared__ __align__(16) float buffer[2][256];
  __shared__ std::uint64_t full[2];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (auto& barrier : full) initialize_barrier(barrier, 1);
    fence_barrier_init();  // [init fence]
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    float* const tile = buffer[k % 2];
    if (t == 0) {
      tma_store_wait<1>();                                   // [read]
      arrive_and_expect_bytes(full[k % 2], 1024);            // [expect]
      bulk_copy_g2s(tile, in + 256 * k, 1024, full[k % 2]);  // [load]
    }
    wait_barrier(full[k % 2], k / 2 % 2);              // [full]
    for (int i = t; i < 256; i += 64) tile[i] *= 2.f;  // [change]
    fence_proxy_async_shared();                        // [fence]
    __syncthreads();                                   // [changed]
    if (t == 0) {
      bulk_copy_s2g(out + 256 * k, tile, 1024);  // [store]
      tma_store_arrive();                        // [commit]
    }
  }
  if (t == 0) tma_store_wait<0>();
}

int main() {
  std::vector<float> host(7 * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i + 1);
  device_buffer<float> in(host), out(std::vector<float>(host.size(), 0.f));
  launch(twice, {.grid = 1, .block = 64}, in.data(), out.data(), 7);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != 2.f * host[i]) return 1;
  }
  return 0;
}
