// SPDX-License-Identifier: Apache-2.0
// Softmax of a row a block: the greatest and the sum go through the same scratch, so a barrier lies between.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void softmax(float const* in, float* out) {
  __shared__ float scratch[4];
  int const t = static_cast<int>(threadIdx.x), at = 128 * static_cast<int>(blockIdx.x) + t;
  float const x = in[at];
  float greatest = x;
  for (int d = 16; d > 0; d /= 2) greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, d));
  if (t % 32 == 0) scratch[t / 32] = greatest;                                     // [put greatest]
  __syncthreads();                                                                 // [greatest]
  greatest = fmaxf(fmaxf(scratch[0], scratch[1]), fmaxf(scratch[2], scratch[3]));  // [get greatest]
  __syncthreads();                                                                 // [scratch is free]
  float const e = exp2f(x - greatest);
  float sum = e;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) scratch[t / 32] = sum;                             // [put sum]
  __syncthreads();                                                    // [sum]
  out[at] = e / (scratch[0] + scratch[1] + scratch[2] + scratch[3]);  // [get sum]
}

int main() {
  std::vector<float> host(3 * 128);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * i % 7);
  device_buffer<float> in(host), out(host.size());
  launch(softmax, {.grid = 3, .block = 128}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t row = 0; row < 3; ++row) {
    float sum = 0;
    for (std::size_t i = 0; i < 128; ++i) sum += got[128 * row + i];
    if (!(sum > 0.999f && sum < 1.001f)) return 1;
  }
  return 0;
}
