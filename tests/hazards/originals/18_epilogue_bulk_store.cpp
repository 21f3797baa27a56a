// SPDX-License-Identifier: Apache-2.0
// An epilogue: results go from registers to a tile in shared memory, and from there to global memory in bulk.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void epilogue(float* out, int tiles) {
  __shared__ __align__(16) float tile[512];
  int const t = static_cast<int>(threadIdx.x);
  for (int k = 0; k < tiles; ++k) {
    for (int j = 0; j < 4; ++j) tile[4 * t + j] = static_cast<float>(1000 * k + 4 * t + j);  // [stage]
    fence_proxy_async_shared();                                                              // [fence]
    __syncthreads();                                                                         // [staged]
    if (t == 0) {
      bulk_copy_s2g(out + 512 * k, tile, sizeof tile);  // [store]
      tma_store_arrive();                               // [commit]
      tma_store_wait<0>();                              // [wait]
    }
    __syncthreads();  // [free]
  }
}

int main() {
  device_buffer<float> out(std::vector<float>(4 * 512, -1.f));
  launch(epilogue, {.grid = 1, .block = 128}, out.data(), 4);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != static_cast<float>(1000 * (i / 512) + i % 512)) return 1;
  }
  return 0;
}
