// SPDX-License-Identifier: Apache-2.0
// A block stores a row in bulk and reads it back from global memory: that needs the store to be complete, not only its
// source to be read.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void through_global(float* workspace, float* out) {
  __shared__ __align__(16) float row[256];
  int const t = static_cast<int>(threadIdx.x);
  float* const mine = workspace + 256 * blockIdx.x;
  for (int i = t; i < 256; i += 64) row[i] = static_cast<float>(i + 7 * static_cast<int>(blockIdx.x));  // [stage]
  fence_proxy_async_shared();                                                                           // [fence]
  __syncthreads();                                                                                      // [staged]
  if (t == 0) {
    bulk_copy_s2g(mine, row, sizeof row);  // [store]
    tma_store_arrive();                    // [commit]
    bulk_store_wait<0>();                  // [complete]
  }
  __syncthreads();                                                                                     // [completed]
  for (int i = t; i < 256; i += 64) out[256 * blockIdx.x + static_cast<unsigned>(i)] = mine[255 - i];  // [read back]
}

int main() {
  device_buffer<float> workspace(std::vector<float>(512, -1.f)), out(512);
  launch(through_global, {.grid = 2, .block = 64}, workspace.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != static_cast<float>(255 - i % 256 + 7 * (i / 256))) return 1;
  }
  return 0;
}
