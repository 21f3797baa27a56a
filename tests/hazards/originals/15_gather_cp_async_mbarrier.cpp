// SPDX-License-Identifier: Apache-2.0
// A gather: each thread's cp.async arrives at an mbarrier when its number is there.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void gather(int const* index, float const* table, float* out) {
  __shared__ float stage[64];
  __shared__ std::uint64_t full;
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    initialize_barrier(full, 64);  // [init]
    fence_barrier_init();
  }
  __syncthreads();  // [initialised]
  for (int k = 0; k < 3; ++k) {
    cp_async<4>(&stage[t], table + index[64 * k + t]);  // [copy]
    cp_async_mbarrier_arrive_noinc(full);               // [arrive]
    wait_barrier(full, k % 2);                          // [wait]
    out[64 * k + t] = stage[63 - t];                    // [use]
    __syncthreads();                                    // [used]
  }
}

int main() {
  std::vector<int> index(192);
  std::vector<float> table(100), expected(192);
  for (std::size_t i = 0; i < 100; ++i) table[i] = static_cast<float>(3 * i);
  for (std::size_t i = 0; i < 192; ++i) index[i] = static_cast<int>(i * 37 % 100);  // [index]
  for (std::size_t i = 0; i < 192; ++i) {
    expected[i] = table[static_cast<std::size_t>(index[i / 64 * 64 + 63 - i % 64] % 100)];
  }
  device_buffer<int> in(index);
  device_buffer<float> values(table), out(192);
  launch(gather, {.grid = 1, .block = 64}, in.data(), values.data(), out.data());
  return out.download() == expected ? 0 : 1;
}
