// SPDX-License-Identifier: Apache-2.0
// A block sorts its row in shared memory: of each pair, the lower thread puts the two in order.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void sort(int const* in, int* out) {
  __shared__ int row[256];
  int const t = static_cast<int>(threadIdx.x), at = 256 * static_cast<int>(blockIdx.x) + t;
  row[t] = in[at];  // [load]
  for (int run = 2; run <= 256; run *= 2) {
    for (int d = run / 2; d > 0; d /= 2) {
      __syncthreads();  // [round]
      int const other = t ^ d;
      if (other > t) {                                                // [one of two]
        int const a = row[t], b = row[other];                         // [look]
        if ((a > b) == ((t & run) == 0)) row[t] = b, row[other] = a;  // [swap]
      }
    }
  }
  __syncthreads();   // [sorted]
  out[at] = row[t];  // [store]
}

int main() {
  std::vector<int> host(512);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * 7919 % 1009);
  device_buffer<int> in(host), out(512);
  launch(sort, {.grid = 2, .block = 256}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 512; ++i) {
    if (i % 256 != 0 && got[i - 1] > got[i]) return 1;
  }
  return 0;
}
