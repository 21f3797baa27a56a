// SPDX-License-Identifier: Apache-2.0
// Bulk copies on the simulated device: both ways, bulk groups in their order, and fences between the proxies.
#include <gtest/gtest.h>
#include <cosmati/algorithm/fill.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

#include <numeric>

using namespace cosmati;

namespace {

constexpr int n = 256;

/// To shared memory, doubled there, and back.
__global__ void doubled(float const* in, float* out, l2_hint hint) {
  __shared__ __align__(16) float stage[n];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier);
    fence_barrier_init();
    arrive_and_expect_bytes(barrier, sizeof stage);
    bulk_copy_g2s(stage, in, sizeof stage, barrier, hint);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) stage[i] *= 2;
  tma_store_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_copy_s2g(out, stage, sizeof stage);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
TEST(BulkCopies, ToSharedMemoryAndBack) {
  std::vector<float> host(n), wanted(n);
  std::iota(host.begin(), host.end(), 1.f);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = 2 * host[i];
  device_buffer<float> in(host), out(n);
  for (l2_hint const hint : {l2_hint::none, l2_hint::evict_last}) {
    out.clear();
    launch(doubled, {.grid = 1, .block = 64}, in.data(), out.data(), hint);
    EXPECT_EQ(out.download(), wanted) << "a hint changes nothing";
  }
}

/// What ordinary stores wrote, by a bulk copy.
__global__ void ones(float* out, bool fences) {
  __shared__ __align__(16) float stage[4];
  fill(make_tensor(make_smem_ptr(&stage[0]), Layout<_4>{}), 1);
  if (fences) fence_proxy_async();
  bulk_copy_s2g(out, stage, sizeof stage);
  tma_store_arrive();
  bulk_store_wait<0>();
}
TEST(BulkCopies, BehindOrdinaryStoresNeedAFence) {
  device_buffer<float> out(4);
  launch(ones, {.grid = 1, .block = 1}, out.data(), true);
  EXPECT_EQ(out.download(), std::vector<float>(4, 1));
  EXPECT_MESSAGE(launch(ones, {.grid = 1, .block = 1}, out.data(), false), "missing_proxy_fence");
}

/// Three groups: the source of the first may be written again when two are pending.
__global__ void groups(int* out) {
  __shared__ __align__(16) int stage[3][4];
  for (int g = 0; g < 3; ++g) {
    for (int i = 0; i < 4; ++i) stage[g][i] = 10 * g + i;
    fence_proxy_async_shared();
    bulk_copy_s2g(out + 4 * g, stage[g], 16);
    tma_store_arrive();
  }
  tma_store_wait<2>();
  stage[0][0] = 99;  // read already
  bulk_store_wait<0>();
}
TEST(BulkCopies, GroupsAreReadInOrder) {
  device_buffer<int> out(12);
  launch(groups, {.grid = 1, .block = 1}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
}

__global__ void misaligned(float const* in) {
  __shared__ __align__(16) float stage[8];
  __shared__ std::uint64_t barrier;
  initialize_barrier(barrier);
  arrive_and_expect_bytes(barrier, 16);
  bulk_copy_g2s(stage, in + 1, 16, barrier);
}
TEST(BulkCopies, AddressesAreMultiplesOf16) {
  device_buffer<float> in(8);
  EXPECT_MESSAGE(launch(misaligned, {.grid = 1, .block = 1}, in.data()), "16");
}

}  // namespace
