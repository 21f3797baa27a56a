// SPDX-License-Identifier: Apache-2.0
// Events that a fence and the next atomic pass on: all events that the thread knew at the fence, those of other threads
// too, but none that it has learned since. The blocks take turns by a word that the simulated device does not see.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>

#include "message.hpp"
#include "turns.hpp"

using namespace cosmati;

namespace {

struct words {
  int data, out, first_flag, flag;
};

// Three blocks: the first writes and publishes, the second may hand it on, the third reads
// -----------------------------

enum class hands_on {
  learns_then_fences,
  fences_then_learns,
  learns_between_two_fences,
  learns_then_fences_for_its_block,
  another_learns_before_the_barrier_and_fence,
  another_learns_between_fence_and_barrier,
  another_learns_and_fences
};

/// The first thread of the second block publishes.
__device__ void middle(words* w, hands_on how) {
  bool const first = threadIdx.x == 0, other = threadIdx.x == 32;
  auto const learn = [&] { return atomicAdd(&w->first_flag, 0); };
  if (how == hands_on::learns_then_fences && first) learn(), __threadfence();
  if (how == hands_on::fences_then_learns && first) __threadfence(), learn();
  if (how == hands_on::learns_between_two_fences && first) __threadfence(), learn(), __threadfence();
  if (how == hands_on::learns_then_fences_for_its_block && first) __threadfence(), learn(), __threadfence_block();
  if (how == hands_on::another_learns_before_the_barrier_and_fence) {
    if (other) learn();
    __syncthreads();
    if (first) __threadfence();
  }
  if (how == hands_on::another_learns_between_fence_and_barrier) {
    if (first) __threadfence();
    if (other) learn();
    __syncthreads();
  }
  if (how == hands_on::another_learns_and_fences) {
    if (other) learn(), __threadfence();
    __syncthreads();
  }
  if (first) atomicExch(&w->flag, 1);
}
__global__ void three_blocks(words* w, hands_on how) {
  if (blockIdx.x == 2) {
    if (threadIdx.x != 0) return;
    w->data = 42;
    __threadfence();
    atomicExch(&w->first_flag, 1);
    next_turn();
  } else if (blockIdx.x == 1) {
    wait_for_turn(1);
    middle(w, how);
    if (threadIdx.x == 0) next_turn();
  } else {
    if (threadIdx.x != 0) return;
    wait_for_turn(2);
    if (atomicAdd(&w->flag, 0) == 1) w->out = w->data;
  }
}
TEST(HazardsOfFences, WhatIsLearnedBeforeTheFenceIsHandedOn) {
  NEEDS_INSTRUMENTATION();
  for (hands_on const how :
       {hands_on::learns_then_fences, hands_on::learns_between_two_fences,
        hands_on::another_learns_before_the_barrier_and_fence, hands_on::another_learns_and_fences}) {
    SCOPED_TRACE(static_cast<int>(how));
    EXPECT_NO_THROW(run(three_blocks, 3, 64, how));
  }
}
TEST(HazardsOfFences, WhatIsLearnedBehindTheFenceIsNotHandedOn) {
  NEEDS_INSTRUMENTATION();
  for (hands_on const how : {hands_on::fences_then_learns, hands_on::learns_then_fences_for_its_block,
                             hands_on::another_learns_between_fence_and_barrier}) {
    SCOPED_TRACE(static_cast<int>(how));
    EXPECT_MESSAGE(run(three_blocks, 3, 64, how), race_on_data);
  }
}

/// The same by threads of one block, which run in their order.
__global__ void three_threads(words* w, bool fence_first, bool device) {
  auto const fence = [&] { device ? __threadfence() : __threadfence_block(); };
  if (threadIdx.x == 0) {
    w->data = 42;
    fence();
    atomicExch(&w->first_flag, 1);
  } else if (threadIdx.x == 32) {
    if (fence_first) fence();
    atomicAdd(&w->first_flag, 0);
    if (!fence_first) fence();
    atomicExch(&w->flag, 1);
  } else if (threadIdx.x == 64) {
    if (atomicAdd(&w->flag, 0) == 1) w->out = w->data;
  }
}
TEST(HazardsOfFences, ThreadsOfABlock) {
  NEEDS_INSTRUMENTATION();
  for (bool const device : {false, true}) {
    EXPECT_NO_THROW(run(three_threads, 1, 96, false, device));
    EXPECT_MESSAGE(run(three_threads, 1, 96, true, device), "load of 4 bytes at byte 0 ");
  }
}

// What one thread has learned reaches others of its block
// --------------------------------------------------------------

enum class meets_by { nothing, named_barrier, mbarrier, some_of_a_warp, fenced_atomic };

__global__ void passed_on(words* w, meets_by what) {
  __shared__ std::uint64_t barrier;
  __shared__ int ready;
  unsigned const t = threadIdx.x, reader = what == meets_by::some_of_a_warp ? 1 : 32;
  if (blockIdx.x == 1) {
    if (t != 0) return;
    w->data = 42;
    __threadfence();
    atomicExch(&w->flag, 1);
    next_turn();
    return;
  }
  if (t == 0) {
    ready = 0;
    initialize_barrier(barrier, 1);
  }
  __syncthreads();
  if (t == 0) {
    wait_for_turn(1);
    if (atomicAdd(&w->flag, 0) == 0) return;
    if (what == meets_by::mbarrier) arrive_barrier(barrier);
    if (what == meets_by::fenced_atomic) {
      __threadfence_block();
      atomicExch(&ready, 1);
    }
  }
  if (what == meets_by::named_barrier) NamedBarrier::sync(64, 1);
  if (what == meets_by::some_of_a_warp && t < 2) __syncwarp(3);
  if (t != reader) return;
  if (what == meets_by::mbarrier) wait_barrier(barrier, 0);
  if (what == meets_by::fenced_atomic && atomicAdd(&ready, 0) == 0) return;
  w->out = w->data;
}
TEST(HazardsOfFences, WhatOneThreadHasLearnedAndItsBlock) {
  NEEDS_INSTRUMENTATION();
  for (meets_by const what :
       {meets_by::named_barrier, meets_by::mbarrier, meets_by::some_of_a_warp, meets_by::fenced_atomic}) {
    SCOPED_TRACE(static_cast<int>(what));
    EXPECT_NO_THROW(run(passed_on, 2, 64, what));
  }
  EXPECT_MESSAGE(run(passed_on, 2, 64, meets_by::nothing), race_on_data);
}

// The variable's own memory
// --------------------------------------------------------------------------------------------

/// The second block sees what the first block's atomic wrote; may the third overwrite it?
__global__ void reuses_the_flag(words* w, bool fence_first) {
  if (blockIdx.x == 2) {
    __threadfence();
    atomicExch(&w->first_flag, 1);
    next_turn();
  } else if (blockIdx.x == 1) {
    wait_for_turn(1);
    if (fence_first) __threadfence();
    if (*static_cast<int volatile*>(&w->first_flag) == 0) return;
    if (!fence_first) __threadfence();
    atomicExch(&w->flag, 1);
    next_turn();
  } else {
    wait_for_turn(2);
    if (atomicAdd(&w->flag, 0) == 1) w->first_flag = 0;
  }
}
TEST(HazardsOfFences, AnAtomicThatAnotherBlockHasSeen) {
  NEEDS_INSTRUMENTATION();
  EXPECT_NO_THROW(run(reuses_the_flag, 3, 1, false));
  EXPECT_MESSAGE(run(reuses_the_flag, 3, 1, true), ": race: store of 4 bytes at byte 8 ");
}

}  // namespace
