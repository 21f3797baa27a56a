// SPDX-License-Identifier: Apache-2.0
// The simulated device hears of a load before the load happens. If another block publishes between the two, the lane
// knows it; if the block publishes later, the lane does not. The blocks take turns by a word that the simulated device
// does not see, so that each order comes every time.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>

#include "message.hpp"
#include "turns.hpp"

using namespace cosmati;

extern "C" void __tsan_volatile_read4(void*);

namespace {

enum class by { atomic, volatile_load };
/// What a lane does that reads the flag, and `between` in its midst.
template <class Between>
int read_flag(int* flag, by how, Between between) {
  if (how == by::atomic) {
    note_access(access_kind::atomic, flag, 4, 4, no_description{}, nullptr, "atomicAdd");
  } else {
    __tsan_volatile_read4(flag);
  }
  unseen_scope const unseen;
  between();
  return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

__device__ void publish(int* flag, bool fence) {
  if (fence) __threadfence();
  atomicExch(flag, 1);
}

struct words {
  int data, later, out, flag, first_flag;
};

/// The first turn ends when the flag has been used, if it is; the third begins when the data are published.
__device__ void publish_in_turn(words* w, bool used, bool fence) {
  if (used) publish(&w->flag, true);
  next_turn();
  wait_for_turn(2);
  w->data = 42;
  publish(&w->flag, fence);
  w->later = 43;
  next_turn();
}

// Between the look and the load --------------------------------------------------------------------------------------

enum class reader {
  the_lane,
  after_a_barrier,
  after_a_warp_barrier,
  after_its_own_access,
  another_lane,
  what_came_later
};

/// Block 1 publishes between the look of block 0, which may be the launch's first, and its load.
__global__ void published_between(words* w, by how, reader who, bool used, bool fence) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) publish_in_turn(w, used, fence);
    return;
  }
  if (threadIdx.x == 0) {
    wait_for_turn(1);
    int const seen = read_flag(&w->flag, how, [] {
      next_turn();
      wait_for_turn(3);
    });
    if (seen == 0) return;
    if (how == by::volatile_load) __threadfence();  // else hazards_of_scopes.cpp
    if (who == reader::after_its_own_access) w->out = 1;
    if (who == reader::what_came_later) w->out = w->later;
  }
  if (who == reader::after_a_barrier) __syncthreads();
  if (who == reader::after_a_warp_barrier) __syncwarp();
  unsigned const last = who == reader::another_lane || who == reader::after_a_barrier ? 32
                        : who == reader::after_a_warp_barrier                         ? 1
                                                                                      : 0;
  if (threadIdx.x == last) w->out = w->data;
}
TEST(HazardsOfLooks, WhatIsPublishedBetweenALookAndItsLoad) {
  NEEDS_INSTRUMENTATION();
  for (by const how : {by::atomic, by::volatile_load}) {
    for (bool const used : {false, true}) {
      SCOPED_TRACE(testing::Message() << "how " << static_cast<int>(how) << ", used " << used);
      for (reader const who :
           {reader::the_lane, reader::after_a_barrier, reader::after_a_warp_barrier, reader::after_its_own_access}) {
        SCOPED_TRACE(static_cast<int>(who));
        EXPECT_NO_THROW(run(published_between, 2, 64, how, who, used, true));
      }
      // The lane has learned it, nobody else of its block, and not what the other block did afterwards.
      EXPECT_MESSAGE(run(published_between, 2, 64, how, reader::another_lane, used, true), race_on_data);
      EXPECT_MESSAGE(run(published_between, 2, 64, how, reader::what_came_later, used, true),
                     "race: load of 4 bytes at byte 4 ");
      EXPECT_MESSAGE(run(published_between, 2, 64, how, reader::the_lane, used, false), race_on_data);
    }
  }
}

/// Block 2 publishes through the first flag; block 1 may learn it and publishes between the look of block 0 and its
/// load.
__global__ void handed_on(words* w, by how, bool learns) {
  if (blockIdx.x == 2) {
    w->data = 42;
    publish(&w->first_flag, true);
    next_turn();
  } else if (blockIdx.x == 1) {
    wait_for_turn(2);
    if (learns && atomicAdd(&w->first_flag, 0) == 0) return;
    publish(&w->flag, true);
    next_turn();
  } else {
    wait_for_turn(1);
    int const seen = read_flag(&w->flag, how, [] {
      next_turn();
      wait_for_turn(3);
    });
    if (how == by::volatile_load) __threadfence();
    if (seen != 0) w->out = w->data;
  }
}
TEST(HazardsOfLooks, WhatThePublisherHadLearned) {
  NEEDS_INSTRUMENTATION();
  for (by const how : {by::atomic, by::volatile_load}) {
    EXPECT_NO_THROW(run(handed_on, 3, 1, how, true));
    EXPECT_MESSAGE(run(handed_on, 3, 1, how, false), race_on_data);
  }
}

// After the load -----------------------------------------------------------------------------------------------------

enum class event { access, repeated_access, barrier, warp_barrier, fence };

/// Block 0 has read the flag, and done something since, when block 1 publishes: nothing tells it so.
__global__ void published_after(words* w, by how, event what, bool used) {
  __shared__ __align__(16) int stage[4];
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) publish_in_turn(w, used, true);
    return;
  }
  if (threadIdx.x == 0) {
    wait_for_turn(1);
    for (int round = what == event::repeated_access ? 0 : 2; round < 3; ++round) {
      if (round == 2 && read_flag(&w->flag, how, [] {}) == 99) return;
      if (what == event::repeated_access) note_access(access_kind::store, stage, 16, 16);
    }
    if (what == event::access) w->out = 2;
    if (what == event::fence) __threadfence();
  }
  if (what == event::barrier) __syncthreads();
  if (what == event::warp_barrier) __syncwarp();
  if (threadIdx.x == 0) {
    next_turn();
    wait_for_turn(3);
    w->out = w->data;
  }
}
TEST(HazardsOfLooks, WhatIsPublishedAfterTheLoadIsNotKnown) {
  NEEDS_INSTRUMENTATION();
  for (by const how : {by::atomic, by::volatile_load}) {
    for (bool const used : {false, true}) {
      for (event const what :
           {event::access, event::repeated_access, event::barrier, event::warp_barrier, event::fence}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(how) << used << static_cast<int>(what));
        EXPECT_MESSAGE(run(published_after, 2, 64, how, what, used), race_on_data);
      }
    }
  }
}

}  // namespace
