// SPDX-License-Identifier: Apache-2.0
// A tile out of a wider matrix: a bulk copy a row, all of which one mbarrier counts; the tile leaves transposed.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void tile_of_matrix(float const* in, float* out, int pitch) {
  __shared__ __align__(16) float tile[32][36];
  __shared__ std::uint64_t full;
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    initialize_barrier(full, 32);  // [init]
    fence_barrier_init();
  }
  __syncthreads();  // [initialised]
  if (t < 32) {
    arrive_and_expect_bytes(full, 32 * sizeof(float));                 // [expect]
    bulk_copy_g2s(tile[t], in + t * pitch, 32 * sizeof(float), full);  // [load]
  }
  wait_barrier(full, 0);                                             // [wait]
  for (int i = t; i < 1024; i += 64) out[i] = tile[i % 32][i / 32];  // [use]
}

int main() {
  std::vector<float> host(32 * 40), expected(1024);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < 1024; ++i) expected[i] = host[i % 32 * 40 + 4 + i / 32];
  device_buffer<float> in(host), out(1024);
  launch(tile_of_matrix, {.grid = 1, .block = 64}, in.data() + 4, out.data(), 40);  // [launch]
  return out.download() == expected ? 0 : 1;
}
