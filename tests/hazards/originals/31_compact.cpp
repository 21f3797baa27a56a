// SPDX-License-Identifier: Apache-2.0
// What is positive moves to the front: each warp votes, one lane takes room for all of them.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void compact(int const* in, int n, int* out, int* count) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), lane = static_cast<int>(threadIdx.x) % 32;
  bool const keep = i < n && in[i] > 0;                     // [look]
  unsigned const votes = __ballot_sync(0xffffffffu, keep);  // [vote]
  int begin = 0;
  if (lane == 0) begin = atomicAdd(count, __popc(votes));  // [take]
  begin = __shfl_sync(0xffffffffu, begin, 0);              // [share]
  int const rank = __popc(votes & ((1u << lane) - 1));     // [rank]
  if (keep) out[begin + rank] = in[i];                     // [put]
}

int main() {
  std::vector<int> host(500);
  int kept = 0, sum = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<int>(i * 31 % 97) - 40;
    if (host[i] > 0) ++kept, sum += host[i];
  }
  device_buffer<int> in(host), out(500), count(1);
  out.clear();
  count.clear();
  launch(compact, {.grid = 4, .block = 128}, in.data(), 500, out.data(), count.data());
  int got = 0;
  for (int const v : out.download()) got += v;
  return count.download()[0] == kept && got == sum ? 0 : 1;
}
