// SPDX-License-Identifier: Apache-2.0
// Four blocks of a cluster: each writes its numbers to the next block's shared memory, round after round, and adds what
// the block before it has sent.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void pass_round(int const* in, int* out, int rounds) {
  __shared__ int incoming[64], total[64];
  int const t = static_cast<int>(threadIdx.x);
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  int mine = in[64 * static_cast<int>(blockIdx.x) + t], sum = mine;
  total[t] = 0;
  cluster_sync();  // [begun]
  int* const there = map_shared_rank(incoming, (rank + 1) % blocks);
  for (int round = 1; round < rounds; ++round) {
    there[t] = mine;          // [send]
    cluster_sync();           // [sent]
    mine = incoming[63 - t];  // [receive]
    sum += mine * round;
    cluster_sync();  // [received]
  }
  int* const first = map_shared_rank(total, 0);
  atomicAdd(first + t, sum);                                                 // [add]
  cluster_sync();                                                            // [added]
  if (rank == 1) out[static_cast<int>(blockIdx.x) / 4 * 64 + t] = first[t];  // [read]
  cluster_sync();                                                            // [end]
}

int main() {
  int const rounds = 5;
  std::vector<int> host(8 * 64), expected(128);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * i % 97);
  for (int cluster = 0; cluster < 2; ++cluster) {
    auto const number = [&](int block, int t) {
      return host[static_cast<std::size_t>(256 * cluster + 64 * block + t)];
    };
    for (int t = 0; t < 64; ++t) {
      int& total = expected[static_cast<std::size_t>(64 * cluster + t)];
      for (int block = 0; block < 4; ++block) {
        total += number(block, t);
        for (int r = 1; r < rounds; ++r) total += r * number((block + 8 - r) % 4, r % 2 == 1 ? 63 - t : t);
      }
    }
  }
  device_buffer<int> in(host), out(128);
  launch(pass_round, {.grid = 8, .block = 64, .cluster = 4}, in.data(), out.data(), rounds);
  return out.download() == expected ? 0 : 1;
}
