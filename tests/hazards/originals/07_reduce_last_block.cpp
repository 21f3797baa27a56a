// SPDX-License-Identifier: Apache-2.0
// A grid's sum in one launch: the block that finishes last adds the blocks' sums.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void grid_sum(int const* in, int* of_block, unsigned* done, int* out) {
  __shared__ bool last;
  unsigned const t = threadIdx.x;
  int v = __reduce_add_sync(0xffffffffu, in[32 * blockIdx.x + t]);
  if (t == 0) {
    of_block[blockIdx.x] = v;                     // [publish]
    __threadfence();                              // [fence]
    last = atomicAdd(done, 1u) == gridDim.x - 1;  // [count]
  }
  __syncthreads();  // [counted]
  if (last) {       // [decide]
    __threadfence();
    v = __reduce_add_sync(0xffffffffu, t < gridDim.x ? of_block[t] : 0);  // [collect]
    if (t == 0) *out = v;
  }
}

int main() {
  std::vector<int> host(16 * 32);
  int expected = 0;
  for (std::size_t i = 0; i < host.size(); ++i) expected += host[i] = static_cast<int>(i % 13);
  device_buffer<int> in(host), of_block(16), out(1);
  device_buffer<unsigned> done(1);
  done.clear();  // [clear]
  launch(grid_sum, {.grid = 16, .block = 32}, in.data(), of_block.data(), done.data(), out.data());
  return out.download()[0] == expected ? 0 : 1;
}
