// SPDX-License-Identifier: Apache-2.0
// Rows reversed: while a block works on one row, cp.async brings the next.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void reverse_rows(float const* in, float* out, int rows) {
  __shared__ __align__(16) float stage[2][256];
  int const t = static_cast<int>(threadIdx.x);
  cp_async<16>(&stage[0][4 * t], in + 4 * t);  // [first]
  cp_async_fence();
  for (int k = 0; k < rows; ++k) {
    if (k + 1 < rows) cp_async<16>(&stage[(k + 1) % 2][4 * t], in + 256 * (k + 1) + 4 * t);  // [next]
    cp_async_fence();                                                                        // [commit]
    cp_async_wait<1>();                                                                      // [wait]
    __syncthreads();                                                                         // [arrived]
    for (int j = t; j < 256; j += 64) out[256 * k + j] = stage[k % 2][255 - j];              // [use]
    __syncthreads();                                                                         // [used]
  }
}

int main() {
  std::vector<float> host(6 * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  launch(reverse_rows, {.grid = 1, .block = 64}, in.data(), out.data(), 6);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i / 256 * 256 + 255 - i % 256]) return 1;
  }
  return 0;
}
