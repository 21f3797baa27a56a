// SPDX-License-Identifier: Apache-2.0
// Three neighbours averaged; a block's numbers and one more on either side lie in shared memory.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void smooth(float const* in, float* out, int n) {
  __shared__ float tile[130];  // [tile]
  int const t = static_cast<int>(threadIdx.x), i = 128 * static_cast<int>(blockIdx.x) + t;
  tile[t + 1] = in[i];                                    // [centre]
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0.f;          // [left]
  if (t == 127) tile[129] = i + 1 < n ? in[i + 1] : 0.f;  // [right]
  __syncthreads();                                        // [filled]
  out[i] = tile[t] + 2.f * tile[t + 1] + tile[t + 2];     // [use]
}

int main() {
  std::vector<float> host(512);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * i % 37);
  device_buffer<float> in(host), out(host.size());
  launch(smooth, {.grid = 4, .block = 128}, in.data(), out.data(), 512);
  auto const got = out.download();
  for (std::size_t i = 0; i < 512; ++i) {
    if (got[i] != (i > 0 ? host[i - 1] : 0.f) + 2.f * host[i] + (i < 511 ? host[i + 1] : 0.f)) return 1;
  }
  return 0;
}
