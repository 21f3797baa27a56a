// SPDX-License-Identifier: Apache-2.0
// Stores to other blocks of a cluster: each block sends a number to every block, and waits for the bytes of all.
#include <cosmati/arch/remote_store.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// out[block][sender]: what the block has received. Threads 0 to 3 of a block send to the blocks of these ranks.
__global__ void send_to_all(std::uint32_t* out) {
  __shared__ std::uint32_t received[4];
  __shared__ std::uint64_t full;
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    arrive_and_expect_bytes(full, 4 * blocks);
  }
  cluster_sync();
  if (threadIdx.x < blocks)
    store_shared_remote(1000 * rank + threadIdx.x, cast_smem_ptr_to_uint(&received[rank]), cast_smem_ptr_to_uint(&full),
                        threadIdx.x);
  wait_barrier(full, 0);
  if (threadIdx.x < blocks) out[blockIdx.x * blocks + threadIdx.x] = received[threadIdx.x];
  cluster_sync();
}

TEST(RemoteStore, EveryBlockReceivesFromAll) {
  COSMATI_REQUIRE_DEVICE();
  for (unsigned const blocks : {2u, 4u}) {
    device_buffer<std::uint32_t> out(std::size_t{2 * blocks * blocks});
    launch(send_to_all, {.grid = 2 * blocks, .block = 32, .cluster = blocks}, out.data());
    auto const got = out.download();
    for (unsigned block = 0; block < 2 * blocks; ++block) {
      for (unsigned from = 0; from < blocks; ++from)
        EXPECT_EQ(got[block * blocks + from], 1000 * from + block % blocks);
    }
  }
}

}  // namespace
