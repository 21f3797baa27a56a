// SPDX-License-Identifier: Apache-2.0
// A pipeline across a cluster: the threads of block 0 write to the stages of block 1 and arrive at its mbarriers. The
// threads of block 1 read the stages and arrive at those of block 0.
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void send(int const* in, int* out, int rows) {
  __shared__ int stage[2][64];
  __shared__ std::uint64_t full[2], empty[2];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      initialize_barrier(full[i], 64);   // [init full]
      initialize_barrier(empty[i], 64);  // [init empty]
    }
    fence_barrier_init();  // [init fence]
  }
  cluster_sync();  // [begun]
  if (block_rank_in_cluster() == 0) {
    int(*const there)[64] = map_shared_rank(stage, 1);
    for (int k = 0; k < rows; ++k) {
      wait_cluster_barrier(empty[k % 2], (k / 2 + 1) % 2);  // [empty]
      there[k % 2][t] = in[64 * k + t];                     // [write]
      arrive_remote_barrier(full[k % 2], 1);                // [send]
    }
  } else {
    int sum = 0;
    for (int k = 0; k < rows; ++k) {
      wait_cluster_barrier(full[k % 2], k / 2 % 2);  // [full]
      sum += (k + 1) * stage[k % 2][63 - t];         // [read]
      arrive_remote_barrier(empty[k % 2], 0);        // [release]
    }
    out[t] = sum;
  }
  cluster_sync();  // [end]
}

int main() {
  std::vector<int> host(9 * 64), expected(64, 0);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 101);
  for (std::size_t i = 0; i < host.size(); ++i) expected[63 - i % 64] += host[i] * static_cast<int>(i / 64 + 1);
  device_buffer<int> in(host), out(64);
  launch(send, {.grid = 2, .block = 64, .cluster = 2}, in.data(), out.data(), 9);
  return out.download() == expected ? 0 : 1;
}
