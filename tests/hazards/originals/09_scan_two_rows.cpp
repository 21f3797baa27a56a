// SPDX-License-Identifier: Apache-2.0
// A block's running sums: each step reads one row of shared memory and writes the other.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void scan(int const* in, int* out) {
  __shared__ int row[2][128];
  int const t = static_cast<int>(threadIdx.x);
  int const at = 128 * static_cast<int>(blockIdx.x) + t;
  int from = 0;
  row[0][t] = in[at];  // [load]
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();                                         // [step]
    int const before = t >= step ? row[from][t - step] : 0;  // [before]
    row[1 - from][t] = row[from][t] + before;                // [add]
    from = 1 - from;
  }
  out[at] = row[from][t];
}

int main() {
  std::vector<int> host(256), expected(256);
  for (std::size_t i = 0; i < 256; ++i) {
    host[i] = static_cast<int>(i % 11);
    expected[i] = host[i] + (i % 128 == 0 ? 0 : expected[i - 1]);
  }
  device_buffer<int> in(host), out(256);
  launch(scan, {.grid = 2, .block = 128}, in.data(), out.data());
  return out.download() == expected ? 0 : 1;
}
