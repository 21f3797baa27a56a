// SPDX-License-Identifier: Apache-2.0
// mbarriers, bulk copies and named barriers on either device.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

namespace {

std::vector<float> counting(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.f);
  return v;
}

/// Arrivals without copies: each of several phases passes a row of shared memory on.
__global__ void phases(int* out) {
  __shared__ std::uint64_t barrier;
  __shared__ int row[64];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    initialize_barrier(barrier, 64);
    fence_barrier_init();
  }
  __syncthreads();
  for (int phase = 0; phase < 4; ++phase) {
    row[t] = 100 * phase + t;
    std::uint64_t const state = arrive_barrier(barrier);
    while (!test_barrier(barrier, state)) {
    }
    out[64 * phase + t] = row[63 - t];
    __syncthreads();
  }
  if (t == 0) invalidate_barrier(barrier);
}
TEST(Mbarrier, Phases) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(256);
  launch(phases, {.grid = 2, .block = 64}, out.data());
  auto const got = out.download();
  for (int i = 0; i < 256; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 100 * (i / 64) + 63 - i % 64);
}

/// Waits by parity. Several loads, in parts, use one buffer in turn.
__global__ void loads(float const* in, float* out, int rounds) {
  __shared__ __align__(16) float stage[256];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) {
      set_barrier_transaction_bytes(barrier, 256 * sizeof(float));
      bulk_copy_g2s(stage, in + 256 * round, 64 * sizeof(float), barrier);
      bulk_copy_g2s(stage + 64, in + 256 * round + 64, 192 * sizeof(float), barrier, l2_hint::evict_last);
    }
    wait_barrier(barrier, round % 2);
    for (unsigned i = threadIdx.x; i < 256; i += 64) out[256 * round + i] = stage[255 - i];
    __syncthreads();
  }
}
TEST(BulkCopy, LoadsByParity) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> const host = counting(1280);
  device_buffer<float> in(host), out(1280);
  launch(loads, {.grid = 1, .block = 64}, in.data(), out.data(), 5);
  auto const got = out.download();
  for (std::size_t i = 0; i < 1280; ++i) ASSERT_EQ(got[i], host[i / 256 * 256 + 255 - i % 256]) << i;
}

/// Ordinary stores write the source, then a proxy fence, then a bulk copy stores it. The source is reused once the bulk
/// copy has read it.
__global__ void stores(float* out, int rounds) {
  __shared__ __align__(16) float stage[128];
  for (int round = 0; round < rounds; ++round) {
    stage[threadIdx.x] = static_cast<float>(1000 * round) + static_cast<float>(threadIdx.x);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulk_copy_s2g(out + 128 * round, stage, sizeof stage);
      tma_store_arrive();
      tma_store_wait<0>();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) bulk_store_wait<0>();
}
TEST(BulkCopy, Stores) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> out(std::vector<float>(512, -1.f));
  launch(stores, {.grid = 1, .block = 128}, out.data(), 4);
  auto const got = out.download();
  for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(got[i], static_cast<float>(1000 * (i / 128) + i % 128)) << i;
}

/// Tensors by the atoms, in both directions: rows that are padded in global memory, and whole tiles.
template <class GlobalLayout>
__global__ void tiles(float const* in, float* out, GlobalLayout global) {
  __shared__ __align__(16) float stage[512];
  __shared__ std::uint64_t barrier;
  auto gIn = make_tensor(make_gmem_ptr(in), global);
  auto gOut = make_tensor(make_gmem_ptr(out), global);
  auto shared = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _16>>{});
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof stage);
    copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(barrier), gIn, shared);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (unsigned i = threadIdx.x; i < 512; i += 32) shared(i) = -shared(i);
  tma_store_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    copy(Copy_Traits<SM90_BULK_COPY_AUTO>{}, shared, gOut);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
template <class GlobalLayout>
void check_tiles(GlobalLayout global) {
  std::vector<float> host = counting(1024), expected(1024, 0.f);
  for (int i = 0; i < 512; ++i) {
    auto const at = static_cast<std::size_t>(global(i));
    expected[at] = -host[at];
  }
  device_buffer<float> in(host), out(std::vector<float>(1024, 0.f));
  launch(tiles<GlobalLayout>, {.grid = 1, .block = 32}, in.data(), out.data(), global);
  EXPECT_EQ(out.download(), expected);
}
TEST(BulkCopy, Tensors) {
  COSMATI_REQUIRE_DEVICE();
  check_tiles(Layout<Shape<_32, _16>>{});
  check_tiles(Layout<Shape<_32, _16>, Stride<_1, Int<48>>>{});
  check_tiles(make_layout(Shape<_32, _16>{}, make_stride(_1{}, 60)));
}

/// cp.async reports to an mbarrier: the arrival completes with the thread's copies.
template <bool noinc>
__global__ void copies_arrive(float const* in, float* out) {
  __shared__ __align__(16) float stage[64];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, noinc ? 64 : 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    cp_async<4>(&stage[threadIdx.x], in + threadIdx.x);
    if constexpr (noinc)
      cp_async_mbarrier_arrive_noinc(barrier);
    else
      cp_async_mbarrier_arrive(barrier);
  }
  if constexpr (!noinc) {  // those arrivals were not expected; this arrival is expected, and comes after all of them
                           // are announced
    __syncthreads();
    if (threadIdx.x == 64) arrive_barrier(barrier);
  }
  wait_barrier(barrier, 0);
  if (threadIdx.x < 64) out[threadIdx.x] = stage[63 - threadIdx.x];
}
template <bool noinc>
void check_copies_arrive() {
  std::vector<float> const host = counting(64);
  std::vector<float> const expected(host.rbegin(), host.rend());
  device_buffer<float> in(host), out(std::vector<float>(64, -1.f));
  launch(copies_arrive<noinc>, {.grid = 1, .block = noinc ? 64 : 65}, in.data(), out.data());
  EXPECT_EQ(out.download(), expected);
}
TEST(Mbarrier, CopiesArrive) {
  COSMATI_REQUIRE_DEVICE();
  check_copies_arrive<true>();
}
TEST(Mbarrier, CopiesArriveUncounted) {
  COSMATI_REQUIRE_DEVICE();
  check_copies_arrive<false>();
}

/// Two warps produce for two other warps. Each pair has its own barrier, and the producers do not wait.
__global__ void pairs(int* out) {
  __shared__ int stage[64];
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  NamedBarrier const full(64, 1 + warp % 2);
  if (warp < 2) {
    stage[32 * warp + lane] = 10 * warp + lane;
    full.arrive();
  } else {
    full.sync();
    out[32 * (warp - 2) + lane] = stage[32 * (warp - 2) + 31 - lane];
  }
}
TEST(NamedBarrier, ProducersAndConsumers) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(64);
  launch(pairs, {.grid = 3, .block = 128}, out.data());
  auto const got = out.download();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 10 * (i / 32) + 31 - i % 32);
}

}  // namespace
