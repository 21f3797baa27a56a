// SPDX-License-Identifier: Apache-2.0
// A block's sum: half of the threads add the other half's numbers, then half of those.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void block_sum(float const* in, float* out) {
  __shared__ float part[256];
  unsigned const t = threadIdx.x;
  part[t] = in[256 * blockIdx.x + t];  // [load]
  __syncthreads();                     // [loaded]
  for (unsigned half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];  // [add]
    __syncthreads();                          // [added]
  }
  if (t == 0) out[blockIdx.x] = part[0];  // [result]
}

int main() {
  std::vector<float> host(4 * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i % 7);
  device_buffer<float> in(host), out(4);
  launch(block_sum, {.grid = 4, .block = 256}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t b = 0; b < 4; ++b) {
    float expected = 0;
    for (std::size_t i = 0; i < 256; ++i) expected += host[256 * b + i];
    if (got[b] != expected) return 1;
  }
  return 0;
}
