// SPDX-License-Identifier: Apache-2.0
// cp.async groups, mbarriers, bulk copies and bar.arrive on the simulated device.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "message.hpp"

using namespace cosmati;

#define HERE __FILE__, __LINE__

namespace {

void cp_async(void* shared, void const* global, unsigned bytes, unsigned source_bytes) {
  cosmati_sim_cp_async(shared, global, bytes, source_bytes, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                       HERE);
}

std::vector<int> numbers(int n) {
  std::vector<int> host(static_cast<std::size_t>(n));
  std::iota(host.begin(), host.end(), 1);
  return host;
}

/// A launch with each seed that has a meaning of its own, and one of chance.
template <class Body>
void with_seeds(Body body) {
  for (char const* seed : {"0", "1", "7"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    SCOPED_TRACE(seed);
    body();
  }
  unsetenv("COSMATI_SIM_SEED");
}

__global__ void through_groups(int const* in, int* out) {
  int* const s = dynamic_shared<int>();
  unsigned const t = threadIdx.x;
  cp_async(s + 4 * t, in + 4 * t, 16, 16);
  cosmati_sim_cp_async_commit(HERE);
  cp_async(s + 128 + t, in + 128 + t, 4, t % 2 == 0 ? 4 : 0);
  cosmati_sim_cp_async_commit(HERE);
  cosmati_sim_cp_async_wait(1, HERE);
  __syncthreads();
  for (unsigned i = 0; i < 4; ++i) out[4 * t + i] = s[(4 * t + i + 4) % 128];
  cosmati_sim_cp_async_wait(0, HERE);
  out[128 + t] = s[128 + t];
}

TEST(CpAsync, GroupsLandAndTheRestIsZero) {
  std::vector<int> const host = numbers(160);
  with_seeds([&] {
    device_buffer<int> in(host), out(160);
    launch(through_groups, {.grid = 1, .block = 32, .shared_bytes = 640}, in.data(), out.data());
    std::vector<int> const got = out.download();
    for (int i = 0; i < 128; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], (i + 4) % 128 + 1);
    for (int i = 0; i < 32; ++i) ASSERT_EQ(got[static_cast<std::size_t>(128 + i)], i % 2 == 0 ? 129 + i : 0);
  });
}

__global__ void wrong_size(int const* in, int bytes) {
  cp_async(dynamic_shared<int>(), in, static_cast<unsigned>(bytes), 4);
}
__global__ void beyond(int const* in, int i) { cp_async(dynamic_shared<int>(), in + i, 16, 16); }
__global__ void to_global(int* in) { cp_async(in, in, 16, 16); }

TEST(CpAsync, SidesAreCheckedWhenItBegins) {
  device_buffer<int> in(numbers(32));
  EXPECT_MESSAGE(launch(wrong_size, {.shared_bytes = 64}, in.data(), 12), "it copies 4, 8 or 16 bytes");
  EXPECT_MESSAGE(launch(beyond, {.shared_bytes = 64}, in.data(), 32), "cp.async.ca.16) of 16 bytes");
  EXPECT_MESSAGE(launch(beyond, {.shared_bytes = 64}, in.data(), 32), "just past the end");
  EXPECT_MESSAGE(launch(beyond, {.shared_bytes = 64}, in.data(), 3), "misaligned");
  EXPECT_MESSAGE(launch(beyond, {.shared_bytes = 8}, in.data(), 0), "8 bytes of dynamic shared memory");
  EXPECT_MESSAGE(launch(to_global, {}, in.data()), "goes to global memory, it must go to shared memory");
}

__global__ void bulk_in_and_out(int const* in, int* out, int expected) {
  int* const s = dynamic_shared<int>();
  auto* const full = reinterpret_cast<std::uint64_t*>(s + 256);
  if (threadIdx.x == 0) {
    cosmati_sim_mbarrier_init(full, 1, HERE);
    cosmati_sim_fence_proxy_async(0, HERE);
  }
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    if (threadIdx.x == 0) {
      cosmati_sim_mbarrier_arrive_expect_tx(full, static_cast<unsigned>(expected), HERE);
      cosmati_sim_bulk_load(s, in + 256 * k, 512, full, HERE);
      cosmati_sim_bulk_load(s + 128, in + 256 * k + 128, 512, full, HERE);
    }
    cosmati_sim_mbarrier_wait_parity(full, static_cast<unsigned>(k & 1), HERE);
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) s[i] *= 2;
    cosmati_sim_fence_proxy_async(1, HERE);
    __syncthreads();
    if (threadIdx.x == 0) {
      cosmati_sim_bulk_store(out + 256 * k, s, 1024, HERE);
      cosmati_sim_bulk_commit(HERE);
      cosmati_sim_bulk_wait(0, 1, HERE);
    }
    __syncthreads();
  }
}

TEST(Bulk, LoadsCompleteTheirBarrierAndStoresArrive) {
  std::vector<int> const host = numbers(768);
  with_seeds([&] {
    device_buffer<int> in(host), out(768);
    launch(bulk_in_and_out, {.grid = 1, .block = 64, .shared_bytes = 1032}, in.data(), out.data(), 1024);
    std::vector<int> const got = out.download();
    for (std::size_t i = 0; i < 768; ++i) ASSERT_EQ(got[i], 2 * host[i]);
  });
}

TEST(Mbarrier, APhaseThatCannotCompleteIsADeadlockWithItsNumbers) {
  device_buffer<int> in(numbers(768)), out(768);
  EXPECT_MESSAGE(launch(bulk_in_and_out, {.grid = 1, .block = 64, .shared_bytes = 1032}, in.data(), out.data(), 1040),
                 "16 bytes of transactions outstanding, phase 0");
  EXPECT_MESSAGE(launch(bulk_in_and_out, {.grid = 1, .block = 64, .shared_bytes = 1032}, in.data(), out.data(), 1040),
                 "threads 0-63: at mbarrier.wait with parity 0");
  EXPECT_MESSAGE(launch(bulk_in_and_out, {.grid = 1, .block = 64, .shared_bytes = 1032}, in.data(), out.data(), 1040),
                 "that no copy under way brings: expect the sum of the bytes");
}

/// Thread 0 arrives `arrivals` times at a barrier of `count` and copies `bytes` that nobody announced.
__global__ void incomplete_phase(int const* in, unsigned count, unsigned arrivals, unsigned bytes) {
  int* const s = dynamic_shared<int>();
  auto* const full = reinterpret_cast<std::uint64_t*>(s + 256);
  if (threadIdx.x == 0) {
    cosmati_sim_mbarrier_init(full, count, HERE);
    cosmati_sim_fence_proxy_async(0, HERE);
    if (arrivals != 0) cosmati_sim_mbarrier_arrive(full, arrivals, HERE);
    if (bytes != 0) cosmati_sim_bulk_load(s, in, bytes, full, HERE);
  }
  __syncthreads();
  cosmati_sim_mbarrier_wait_parity(full, 0, HERE);
}
TEST(Mbarrier, ADeadlockNamesWhatThePhaseLacks) {
  device_buffer<int> in(numbers(256));
  auto const run = [&](unsigned count, unsigned arrivals, unsigned bytes) {
    launch(incomplete_phase, {.grid = 1, .block = 32, .shared_bytes = 1032}, in.data(), count, arrivals, bytes);
  };
  EXPECT_NO_THROW(run(2, 2, 0));
  EXPECT_MESSAGE(run(3, 1, 0), "; 2 of the 3 arrivals of a phase are missing: initialise the barrier (");
  EXPECT_MESSAGE(run(1, 0, 512), "; copies brought 512 bytes that nobody has announced");
  EXPECT_MESSAGE(run(1, 0, 0), "; no thread is left that could arrive");
}

__global__ void misused(int how) {
  auto* const b = dynamic_shared<std::uint64_t>();
  if (how != 0) cosmati_sim_mbarrier_init(b, 2, HERE);
  if (how <= 1) cosmati_sim_mbarrier_arrive(b, 3, HERE);
  if (how == 2) cosmati_sim_mbarrier_init(b, 2, HERE);
  if (how == 3) cosmati_sim_mbarrier_expect_tx(b, 1 << 20, HERE);
  if (how == 4) cosmati_sim_mbarrier_inval(b, HERE), cosmati_sim_mbarrier_wait_parity(b, 1, HERE);
}

TEST(Mbarrier, MisuseIsAnError) {
  EXPECT_MESSAGE(launch(misused, {.shared_bytes = 8}, 0), "at byte 0 of dynamic shared memory is not initialised");
  EXPECT_MESSAGE(launch(misused, {.shared_bytes = 8}, 1), "3 arrivals at a barrier with pending 2 of 2 arrivals");
  EXPECT_MESSAGE(launch(misused, {.shared_bytes = 8}, 2), "is live");
  EXPECT_MESSAGE(launch(misused, {.shared_bytes = 8}, 3), "transaction count leaves its range");
  EXPECT_MESSAGE(launch(misused, {.shared_bytes = 8}, 4), "is not initialised");
}

/// A barrier that has served one phase, and is then initialised again; or has got one of two arrivals, or none.
__global__ void renewed(int how) {
  auto* const b = dynamic_shared<std::uint64_t>();
  for (int i = 0; i < 2; ++i) {
    if (how == 1) *b = 0;
    cosmati_sim_mbarrier_init(b, how == 2 ? 2 : 1, HERE);
    cosmati_sim_mbarrier_arrive(b, 1, HERE);
    if (how != 2) cosmati_sim_mbarrier_wait_parity(b, 0, HERE);
  }
}

TEST(Mbarrier, InitAgainBetweenTwoPhasesBeginsAnewAndIsToBeReviewed) {
  for (int const how : {0, 1}) {
    testing::internal::CaptureStderr();
    EXPECT_NO_THROW(launch(renewed, {.shared_bytes = 8}, how));
    std::string const said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("to be reviewed"), said.npos) << said;
    EXPECT_NE(said.find(how == 0 ? "has served" : "touches a live mbarrier"), said.npos) << said;
  }
  EXPECT_MESSAGE(launch(renewed, {.shared_bytes = 8}, 2), "is live");
}

__global__ void polls(int const* in, int* out) {
  int* const s = dynamic_shared<int>();
  auto* const full = reinterpret_cast<std::uint64_t*>(s + 32);
  cosmati_sim_mbarrier_init(full, 1, HERE);
  std::uint64_t const state = cosmati_sim_mbarrier_arrive_expect_tx(full, 128, HERE);
  cosmati_sim_bulk_load(s, in, 128, full, HERE);
  int tries = 0;
  while (cosmati_sim_mbarrier_test_wait(full, state, HERE) == 0) ++tries;
  while (cosmati_sim_mbarrier_try_wait_parity(full, 0, HERE) == 0) ++tries;
  *out = s[31];
}

TEST(Mbarrier, PollingSeesThePhaseComplete) {
  with_seeds([] {
    device_buffer<int> in(numbers(32)), out(1);
    launch(polls, {.shared_bytes = 136}, in.data(), out.data());
    EXPECT_EQ(out.download()[0], 32);
  });
}

__global__ void copies_arrive(int const* in, int* out) {
  int* const s = dynamic_shared<int>();
  auto* const full = reinterpret_cast<std::uint64_t*>(s + 64);
  if (threadIdx.x == 0) cosmati_sim_mbarrier_init(full, 64, HERE);
  __syncthreads();
  cp_async(s + threadIdx.x, in + threadIdx.x, 4, 4);
  cosmati_sim_cp_async_mbarrier_arrive(full, 1, HERE);
  cosmati_sim_mbarrier_wait_parity(full, 0, HERE);
  out[threadIdx.x] = s[63 - threadIdx.x];
}

TEST(Mbarrier, CopiesOfAThreadArrive) {
  with_seeds([] {
    device_buffer<int> in(numbers(64)), out(64);
    launch(copies_arrive, {.block = 64, .shared_bytes = 264}, in.data(), out.data());
    EXPECT_EQ(out.download()[0], 64);
    EXPECT_EQ(out.download()[63], 1);
  });
}

__global__ void producer_and_consumer(int* out) {
  int* const s = dynamic_shared<int>();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = static_cast<int>(threadIdx.x);
    cosmati_sim_barrier_arrive(1, 64, HERE);
  } else {
    cosmati_sim_barrier(1, 64, 0, 0, "named barrier", HERE, nullptr);
    out[threadIdx.x - 32] = s[63 - threadIdx.x];
  }
}

TEST(NamedBarrier, AThreadThatArrivesDoesNotWait) {
  device_buffer<int> out(32);
  launch(producer_and_consumer, {.block = 64, .shared_bytes = 128}, out.data());
  EXPECT_EQ(out.download()[0], 31);
}

}  // namespace
