// SPDX-License-Identifier: Apache-2.0
// Two blocks of a cluster use the same boxes: each loads one half of every box to both. A stage is loaded again after
// both blocks have released it.
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

__global__ void sum_shared(TmaDescriptor const __grid_constant__ in, float* out, int boxes) {
  float* const stage = dynamic_shared<float>();  // two boxes of 16 rows of 32
  __shared__ std::uint64_t full[2], empty[2];
  int const t = static_cast<int>(threadIdx.x), rank = static_cast<int>(block_rank_in_cluster());
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      initialize_barrier(full[i], 1);   // [init full]
      initialize_barrier(empty[i], 2);  // [init empty]
    }
    fence_barrier_init();  // [init fence]
  }
  cluster_sync();  // [begun]
  float sum = 0;
  for (int k = 0; k < boxes; ++k) {
    float* const box = stage + 512 * (k % 2);
    if (t == 0) {
      wait_cluster_barrier(empty[k % 2], (k / 2 + 1) % 2);  // [empty]
      arrive_and_expect_bytes(full[k % 2], 2048);           // [expect]
      tensor_copy_multicast(box + 256 * rank, in, {0, 16 * k + 8 * rank}, full[k % 2], 3,
                            TMA::CacheHintSm90::EVICT_NORMAL);  // [mask]
    }
    wait_barrier(full[k % 2], k / 2 % 2);                              // [full]
    for (int row = 0; row < 16; ++row) sum += box[32 * row + t % 32];  // [use]
    fence_proxy_async_shared();                                        // [fence]
    __syncthreads();                                                   // [used]
    if (t < 2) arrive_remote_barrier(empty[k % 2], threadIdx.x);       // [release]
  }
  out[64 * rank + t] = sum;
  cluster_sync();  // [end]
}

int main() {
  std::vector<float> host(6 * 16 * 32), expected(128, 0.f);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * 3 % 29);
  for (std::size_t i = 0; i < host.size(); ++i) {
    for (std::size_t j = 0; j < 4; ++j) expected[i % 32 + 32 * j] += host[i];
  }
  device_buffer<float> in(host), out(128);
  tensor_map_config c;
  c.data = in.data(), c.type = tensor_map_type::f32, c.rank = 2, c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = 32, c.extent[1] = 96, c.stride[1] = 32, c.box[0] = 32, c.box[1] = 8;
  launch(sum_shared, {.grid = 2, .block = 64, .shared_bytes = 4096, .cluster = 2}, make_tma_descriptor(c), out.data(),
         6);
  return out.download() == expected ? 0 : 1;
}
