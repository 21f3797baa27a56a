// SPDX-License-Identifier: Apache-2.0
// Counted in shared memory by each block, then added up in global memory.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void histogram(unsigned char const* in, unsigned n, unsigned* out) {
  __shared__ unsigned bins[64];
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) bins[b] = 0;  // [clear]
  __syncthreads();                                                      // [cleared]
  unsigned const stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {  // [range]
    atomicAdd(&bins[in[i] % 64], 1u);                                             // [count]
  }
  __syncthreads();                                                                      // [counted]
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&out[b], bins[b]);  // [merge]
}

int main() {
  std::vector<unsigned char> host(1000);
  std::vector<unsigned> expected(64, 0);
  for (std::size_t i = 0; i < host.size(); ++i) ++expected[(host[i] = static_cast<unsigned char>(i * i % 251)) % 64];
  device_buffer<unsigned char> in(host);
  device_buffer<unsigned> out(64);
  out.clear();  // [clear out]
  launch(histogram, {.grid = 3, .block = 96}, in.data(), 1000u, out.data());
  return out.download() == expected ? 0 : 1;
}
