// SPDX-License-Identifier: Apache-2.0
// Five stages of bulk loads; all threads compute, a barrier of the block frees a stage, one thread fills it again.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void sum_tiles(int const* in, int* out, int tiles) {
  int* const stage = dynamic_shared<int>();
  __shared__ std::uint64_t full[5];
  int const t = static_cast<int>(threadIdx.x);
  auto const load = [&](int k) {
    arrive_and_expect_bytes(full[k % 5], 512);                             // [expect]
    bulk_copy_g2s(stage + 128 * (k % 5), in + 128 * k, 512, full[k % 5]);  // [load]
  };
  if (t == 0) {
    for (auto& barrier : full) initialize_barrier(barrier, 1);
    fence_barrier_init();
    for (int k = 0; k < 4; ++k) load(k);
  }
  __syncthreads();  // [initialised]
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    wait_barrier(full[k % 5], k / 5 % 2);                                  // [full]
    sum += stage[128 * (k % 5) + t] - 2 * stage[128 * (k % 5) + 127 - t];  // [use]
    fence_proxy_async_shared();                                            // [fence]
    __syncthreads();                                                       // [used]
    if (t == 0 && k + 4 < tiles) load(k + 4);                              // [refill]
  }
  out[t] = sum;
}

int main() {
  std::vector<int> host(13 * 128), expected(128, 0);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 1009);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i % 128] += host[i] - 2 * host[i / 128 * 128 + 127 - i % 128];
  device_buffer<int> in(host), out(128);
  launch(sum_tiles, {.grid = 1, .block = 128, .shared_bytes = 5 * 512}, in.data(), out.data(), 13);
  return out.download() == expected ? 0 : 1;
}
