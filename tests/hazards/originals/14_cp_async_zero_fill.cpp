// SPDX-License-Identifier: Apache-2.0
// Rows of 128, the last of which is shorter: cp.async reads what there is and fills up with zeros. Three stages.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void row_sums(float const* in, int n, int width, float* out) {
  __shared__ __align__(16) float stage[3][128];
  int const t = static_cast<int>(threadIdx.x), rows = (n + width - 1) / width;
  auto const begin = [&](int k) {
    int const at = width * k + 4 * t;
    int const there = k < rows ? min(max(n - at, 0), 4) : 0;                                                 // [there]
    cp_async_zfill<16>(&stage[k % 3][4 * t], in + (there > 0 ? at : 0), 4u * static_cast<unsigned>(there));  // [begin]
    cp_async_fence();
  };
  begin(0);
  begin(1);
  for (int k = 0; k < rows; ++k) {
    cp_async_wait<1>();  // [wait]
    __syncwarp();        // [arrived]
    float sum = 0;
    for (int j = t; j < 128; j += 32) sum += stage[k % 3][j];  // [use]
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (t == 0) out[k] = sum;
    begin(k + 2);
  }
}

int main() {
  // The last row ends after 36 numbers; the memory goes on, but nobody writes it.
  std::vector<float> host(5 * 128 + 36), expected(6, 0.f);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i / 128] += host[i] = static_cast<float>(i % 19);
  device_buffer<float> in(6 * 128), out(6);
  in.upload(host);
  launch(row_sums, {.grid = 1, .block = 32}, in.data(), static_cast<int>(host.size()), 128, out.data());
  return out.download() == expected ? 0 : 1;
}
