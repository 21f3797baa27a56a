// SPDX-License-Identifier: Apache-2.0
// Each warp keeps a 16x16 matrix in a strip of shared memory and takes it out as fragments, whose rows it adds up.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

constexpr int pitch = 24;  // [pitch]

__global__ void row_sums(std::uint16_t const* in, int* out) {
  __shared__ __align__(16) std::uint16_t strips[2][16 * 24];
  int const t = static_cast<int>(threadIdx.x), lane = t % 32;
  std::uint16_t* const strip = strips[t / 32];
  for (int i = lane; i < 256; i += 32) strip[i / 16 * pitch + i % 16] = in[t / 32 * 256 + i];  // [put]
  __syncwarp();                                                                                // [put by all]
  std::uint32_t fragment[4];
  ldmatrix(fragment, strip + lane % 16 * pitch + lane / 16 * 8);  // [ldmatrix]
  int upper = 0, lower = 0;
  for (int half = 0; half < 4; half += 2) {
    upper += static_cast<int>((fragment[half] & 0xffffu) + (fragment[half] >> 16));
    lower += static_cast<int>((fragment[half + 1] & 0xffffu) + (fragment[half + 1] >> 16));
  }
  for (int d = 1; d < 4; d *= 2) {
    upper += __shfl_xor_sync(0xffffffffu, upper, d);
    lower += __shfl_xor_sync(0xffffffffu, lower, d);
  }
  if (lane % 4 == 0) {
    out[t / 32 * 16 + lane / 4] = upper;
    out[t / 32 * 16 + lane / 4 + 8] = lower;
  }
}

int main() {
  std::vector<std::uint16_t> host(512);
  std::vector<int> expected(32, 0);
  for (std::size_t i = 0; i < 512; ++i) expected[i / 16] += host[i] = static_cast<std::uint16_t>(i * i % 499);
  device_buffer<std::uint16_t> in(host);
  device_buffer<int> out(32);
  launch(row_sums, {.grid = 1, .block = 64}, in.data(), out.data());
  return out.download() == expected ? 0 : 1;
}
