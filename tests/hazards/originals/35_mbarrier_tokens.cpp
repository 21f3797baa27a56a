// SPDX-License-Identifier: Apache-2.0
// Threads exchange numbers in rounds: each arrives at an mbarrier, keeps the token, and waits for that phase.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void rotate(int const* in, int* out, int rounds) {
  __shared__ int row[2][64];
  __shared__ std::uint64_t turn;
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {                    // [one]
    initialize_barrier(turn, 64);  // [init]
    fence_barrier_init();
  }
  __syncthreads();  // [initialised]
  int v = in[t];
  for (int k = 0; k < rounds; ++k) {
    row[k % 2][t] = v;                                 // [put]
    std::uint64_t const token = arrive_barrier(turn);  // [arrive]
    while (!test_barrier(turn, token)) {               // [test]
    }
    v = row[k % 2][(t + 1) % 64];  // [get]
  }
  out[t] = v;
}

int main() {
  std::vector<int> host(64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i);
  device_buffer<int> in(host), out(host.size());
  launch(rotate, {.grid = 1, .block = 64}, in.data(), out.data(), 5);
  auto const got = out.download();
  for (std::size_t i = 0; i < 64; ++i) {
    if (got[i] != host[(i + 5) % 64]) return 1;
  }
  return 0;
}
