// SPDX-License-Identifier: Apache-2.0
// A block's sum by shuffles, first within each warp, then of the warps' sums; every number is then taken from it.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void take_from_sum(int const* in, int* out) {
  __shared__ int of_warp[8];
  __shared__ int sum;
  int const t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  int const mine = in[256 * static_cast<int>(blockIdx.x) + t];
  int v = mine;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, static_cast<unsigned>(d));
  if (lane == 0) of_warp[warp] = v;                                                                  // [put]
  __syncthreads();                                                                                   // [put by all]
  if (warp == 0) {                                                                                   // [first warp]
    v = lane < 8 ? of_warp[lane] : 0;                                                                // [get]
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, static_cast<unsigned>(d));  // [across]
    if (lane == 0) sum = v;                                                                          // [sum]
  }
  __syncthreads();                                           // [summed]
  out[256 * static_cast<int>(blockIdx.x) + t] = sum - mine;  // [result]
}

int main() {
  std::vector<int> host(3 * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 101);
  device_buffer<int> in(host), out(host.size());
  launch(take_from_sum, {.grid = 3, .block = 256}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t b = 0; b < 3; ++b) {
    int sum = 0;
    for (std::size_t i = 0; i < 256; ++i) sum += host[256 * b + i];
    for (std::size_t i = 0; i < 256; ++i) {
      if (got[256 * b + i] != sum - host[256 * b + i]) return 1;
    }
  }
  return 0;
}
