// SPDX-License-Identifier: Apache-2.0
// One bulk copy brings a table that all threads of the block look things up in.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void look_up(float const* table, unsigned char const* in, float* out) {
  __shared__ __align__(16) float held[256];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);                    // [init]
    fence_barrier_init();                           // [init fence]
    arrive_and_expect_bytes(full, sizeof held);     // [expect]
    bulk_copy_g2s(held, table, sizeof held, full);  // [load]
  }
  __syncthreads();  // [initialised]
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const key = in[i];
  wait_barrier(full, 0);  // [wait]
  out[i] = held[key];     // [use]
}

int main() {
  std::vector<float> table(256), expected(512);
  std::vector<unsigned char> host(512);
  for (std::size_t i = 0; i < 256; ++i) table[i] = static_cast<float>(i * i);
  for (std::size_t i = 0; i < 512; ++i) expected[i] = table[host[i] = static_cast<unsigned char>(i * 7)];
  device_buffer<float> held(table), out(512);
  device_buffer<unsigned char> in(host);
  launch(look_up, {.grid = 4, .block = 128}, held.data(), in.data(), out.data());
  return out.download() == expected ? 0 : 1;
}
