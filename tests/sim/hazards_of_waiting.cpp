// SPDX-License-Identifier: Apache-2.0
// Lanes that poll. Polling for a value that nobody writes is a deadlock, and the report names its line. Polling for a
// value that comes late is no error.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

std::string at(int line) { return "hazards_of_waiting.cpp:" + std::to_string(line); }
/// Throws a deadlock of lanes that poll, and names this line.
template <class Body>
void expect(Body body, int line) {
  std::string what;
  try {
    body();
  } catch (error const& e) {
    what = e.what();
  }
  EXPECT_NE(what.find("deadlock, the thread polls"), std::string::npos) << what;
  EXPECT_NE(what.find(at(line)), std::string::npos) << what << "\nshould name\n" << at(line);
}

// One block -----------------------------------------------------------------------------------------------------------

constexpr int spins_at = __LINE__ + 8;
__global__ void hand_over(int* flag, int* data, int set) {
  if (threadIdx.x == 0) {
    *data = 42;
    __threadfence();
    if (set != 0) atomicExch(flag, 1);
  } else if (threadIdx.x == 32) {
    int volatile* const f = flag;
    while (*f == 0) {
    }
    __threadfence();
    *data += 1;
  }
  __syncthreads();
}
constexpr int naps_at = __LINE__ + 3;
__global__ void naps(int* flag) {
  if (threadIdx.x == 1)
    while (atomicAdd(flag, 0) == 0) __nanosleep(100);
  __syncwarp();
}
constexpr int shared_at = __LINE__ + 8;
__global__ void polls_shared(int* out, int sets) {
  __shared__ int volatile flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0 && sets != 0) flag = 1;
  unsigned round = 0;
  while (threadIdx.x >= 32) {
    if (flag != 0) break;
    out[threadIdx.x] = 7;     // stores that change nothing
    round = (round + 1) % 3;  // three rounds until the state comes again
  }
  out[threadIdx.x] = static_cast<int>(round < 3);
}
constexpr int warp_polls_at = __LINE__ + 4;
__global__ void warp_polls(int* flag, int set) {
  if (threadIdx.x == 40 && set != 0) atomicExch(flag, 1);
  if (threadIdx.x < 32) {
    while (__any_sync(~0u, atomicAdd(flag, 0) == 0)) {
    }
  }
}
constexpr int locks_at = __LINE__ + 3;
__global__ void two_locks(int* locks) {
  if (threadIdx.x < 2) {
    while (atomicCAS(locks + threadIdx.x, 0, 1) != 0) __nanosleep(20);
    __syncwarp(3);
    while (atomicCAS(locks + 1 - threadIdx.x, 0, 1) != 0) {
    }
  }
}
/// The lock goes to and fro, and what its holders look for never comes.
__global__ void looks_behind_a_lock(int* lock, int* done) {
  for (bool found = false; !found;) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
    found = atomicAdd(done, 0) != 0;
    atomicExch(lock, 0);
  }
}
TEST(HazardsOfWaiting, PollingForWhatNobodyWrites) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> flag(1), data(64), locks(2);
  flag.clear();
  expect([&] { launch(hand_over, {.grid = 1, .block = 64}, flag.data(), data.data(), 0); }, spins_at);
  EXPECT_NO_THROW(launch(hand_over, {.grid = 1, .block = 64}, flag.data(), data.data(), 1));
  EXPECT_EQ(data.download()[0], 43);
  flag.clear();
  expect([&] { launch(naps, {.grid = 1, .block = 32}, flag.data()); }, naps_at);
  expect([&] { launch(warp_polls, {.grid = 1, .block = 64}, flag.data(), 0); }, warp_polls_at);
  EXPECT_NO_THROW(launch(warp_polls, {.grid = 1, .block = 64}, flag.data(), 1));
  expect([&] { launch(polls_shared, {.grid = 1, .block = 64}, data.data(), 0); }, shared_at);
  EXPECT_NO_THROW(launch(polls_shared, {.grid = 1, .block = 64}, data.data(), 1));
  locks.clear();
  expect([&] { launch(two_locks, {.grid = 1, .block = 32}, locks.data()); }, locks_at + 2);
  locks.clear();
  flag.clear();
  EXPECT_MESSAGE(launch(looks_behind_a_lock, {.grid = 1, .block = 2}, locks.data(), flag.data()), "deadlock");
}

constexpr int plain_at = __LINE__ + 5;
__global__ void polls_plainly(int* flag, int set) {
  if (threadIdx.x == 1) {
    if (set != 0) *flag = 1;
  } else {
    while (*flag == 0) __asm__ volatile("" ::: "memory");  // the compiler is to read it each time
  }
}
constexpr int silent_at = __LINE__ + 3;
__global__ void runs_for_ever(int* flag) {
  int const was = *flag;
  while (was == 0) __asm__ volatile("");  // what a compiler may make of the loop above
}
TEST(HazardsOfWaiting, LoopsThatDoNotLetOthersRun) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> flag(1);
  flag.clear();
  EXPECT_MESSAGE(launch(polls_plainly, {.grid = 1, .block = 2}, flag.data(), 1), "nothing orders the two");
  flag.clear();
  expect([&] { launch(polls_plainly, {.grid = 1, .block = 2}, flag.data(), 0); }, plain_at);
  std::string what;
  try {
    launch(runs_for_ever, {.grid = 1, .block = 1}, flag.data());
  } catch (error const& e) {
    what = e.what();
  }
  EXPECT_NE(what.find("deadlock, the thread is in a loop that never ends"), std::string::npos) << what;
  EXPECT_NE(what.find("hazards_of_waiting.cpp:" + std::to_string(silent_at)), std::string::npos) << what;
}

/// Ends by itself, without anything that others see: a counter, or the time.
__global__ void gives_up(int* flag, int* out, int tries) {
  int left = tries;
  while (left > 0 && atomicAdd(flag, 0) == 0) --left;
  out[threadIdx.x] = left;
}
__global__ void waits_for_the_time(int* flag, int* out) {
  long long const until = clock64() + 30000000;
  while (atomicAdd(flag, 0) == 0 && clock64() < until) {
  }
  out[threadIdx.x] = 5;
}
__global__ void naps_and_counts(int* flag, int* out, int most) {
  for (int i = 0; i < most && atomicAdd(flag, 0) == 0; ++i) __nanosleep(10);
  out[threadIdx.x] = 6;
}
/// The reader's copy lands when nobody else can get on but those who poll.
__global__ void polls_beside_a_copy(int const* in, int* out) {
  __shared__ __align__(16) int row[4];
  __shared__ std::uint64_t full;
  __shared__ int ready;
  if (threadIdx.x == 0) {
    ready = 0;
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect_bytes(full, sizeof row);
    bulk_copy_g2s(row, in, sizeof row, full);
    wait_barrier(full, 0);
    out[0] = row[3];
    __threadfence();
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
  }
}
TEST(HazardsOfWaiting, WhatEndsByItselfIsNone) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> flag(1), out(32), in(std::vector<int>{1, 2, 3, 4});
  flag.clear();
  EXPECT_NO_THROW(launch(gives_up, {.grid = 1, .block = 2}, flag.data(), out.data(), 200000));
  EXPECT_NO_THROW(launch(waits_for_the_time, {.grid = 2, .block = 2}, flag.data(), out.data()));
  EXPECT_EQ(out.download()[1], 5);
  EXPECT_NO_THROW(launch(naps_and_counts, {.grid = 1, .block = 2}, flag.data(), out.data(), 50000));
  EXPECT_EQ(out.download()[1], 6);
  EXPECT_NO_THROW(launch(polls_beside_a_copy, {.grid = 1, .block = 32}, in.data(), out.data()));
  EXPECT_EQ(out.download()[0], 4);
}

/// A lane at a time, in the order of the tickets, each with work that takes long.
__global__ void tickets(unsigned* next, unsigned* serving, int* sum, int work) {
  unsigned const mine = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  __threadfence();
  int value = *sum;
  for (int i = 0; i < work; ++i) value = (value * 5 + 1) & 0xffff;
  *sum = value;
  __threadfence();
  atomicAdd(serving, 1);
}
TEST(HazardsOfWaiting, TicketsAreNone) {
  NEEDS_INSTRUMENTATION();
  device_buffer<unsigned> words(2);
  device_buffer<int> sum(1);
  for (unsigned const blocks : {1u, 5u}) {
    words.clear();
    sum.clear();
    EXPECT_NO_THROW(launch(tickets, {.grid = blocks, .block = 64}, words.data(), words.data() + 1, sum.data(), 1000));
    EXPECT_EQ(words.download()[1], 64 * blocks);
  }
}

// Blocks that wait for each other: on a GPU they run side by side -----------------------------------------------------

constexpr int waits_for_blocks_at = __LINE__ + 8;
__global__ void all_blocks(int* arrived, int* out, int blocks, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      out[blockIdx.x] = round + static_cast<int>(blockIdx.x);
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < blocks * round) {
      }
      __threadfence();
      out[gridDim.x + blockIdx.x] = out[gridDim.x - 1 - blockIdx.x];
      __threadfence();
      atomicAdd(arrived + 1, 1);
      while (atomicAdd(arrived + 1, 0) < blocks * round) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
/// Block 0 waits for what the last block brings after long work.
constexpr int waits_for_last_at = __LINE__ + 4;
__global__ void first_waits_for_last(int* flag, int* out, int work, int set) {
  if (blockIdx.x == 0) {
    int volatile* const f = flag;
    while (*f == 0) {
    }
    __threadfence();
    out[threadIdx.x] += 1;
  } else if (blockIdx.x == gridDim.x - 1) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < work; ++i) value = value * 5 + out[(threadIdx.x + static_cast<unsigned>(i)) % 32] % 2;
    __syncthreads();
    out[threadIdx.x] = value;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && set != 0) atomicExch(flag, 1);
  }
}
TEST(HazardsOfWaiting, BlocksThatWaitForEachOther) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> arrived(2), out(64), flag(1);
  arrived.clear();
  EXPECT_NO_THROW(launch(all_blocks, {.grid = 7, .block = 32}, arrived.data(), out.data(), 7, 3));
  EXPECT_EQ(out.download()[7], 9);
  arrived.clear();
  expect([&] { launch(all_blocks, {.grid = 3, .block = 32}, arrived.data(), out.data(), 4, 1); }, waits_for_blocks_at);
  for (int const set : {1, 0}) {
    flag.clear();
    out.clear();
    auto const go = [&] {
      launch(first_waits_for_last, {.grid = 9, .block = 32}, flag.data(), out.data(), 100000, set);
    };
    if (set != 0) {
      EXPECT_NO_THROW(go());
    } else {
      expect(go, waits_for_last_at);
    }
  }
}

/// The error is that of the block that others wait for, whatever its number.
__global__ void last_leaves_its_memory(int* flag, int* out) {
  if (blockIdx.x == 1) out[32 + threadIdx.x] = 1;
  if (blockIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {
    }
}
TEST(HazardsOfWaiting, TheBlockThatFailedIsNamed) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> flag(1), out(32);
  flag.clear();
  EXPECT_MESSAGE(launch(last_leaves_its_memory, {.grid = 2, .block = 32}, flag.data(), out.data()), "out of bounds");
}

}  // namespace
