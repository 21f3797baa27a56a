// SPDX-License-Identifier: Apache-2.0
/// @file
/// One lane of a block that runs, and the lanes of a warp that meet.
#pragma once

#include <cstdint>

namespace cosmati_sim {

/// CUDA's uint3 and dim3, without their names.
struct index3 {
  unsigned x = 0, y = 0, z = 0;
};

/// `threadIdx`, of a size that is moved at once.
struct alignas(16) thread_index : index3 {
  unsigned unused = 0;
};

/// Where in the user's source a lane is; file is null when unknown.
struct site {
  char const* file = nullptr;
  int line = 0;
  std::uint32_t number = 0;  // of sites.hpp, which knows who called; 0: not asked for
};

enum class lane_state : std::uint8_t { fresh, ready, at_barrier, at_warp, at_activemask, at_mbarrier, exited };

/// A fiber's stack; the page below `low` is a guard.
struct stack {
  char* low = nullptr;
  char* high = nullptr;  // where the fiber starts: below the mapping's end, coloured so that caches are shared
};

struct call_node;

/// What most switches touch comes first, on one line of the cache.
struct alignas(64) lane {
  std::uintptr_t stack_low = 0;
  char const* what = nullptr;  // the word it waits at
  site where;
  void const* pc = nullptr;
  lane_state state = lane_state::fresh;  // what it waits for; it may have been released since: then it is ready
  std::uint8_t active = 0;               // cosmati_sim_active when it goes on
  bool throws = false;                   // it was switched away from while exceptions were in flight
  std::uint8_t barrier = 0;
  // The second line.
  stack const* on = nullptr;
  void* exceptions[2] = {nullptr, nullptr};
  call_node* frame = nullptr;  // the calls in progress: a node of the worker's call_tree
  unsigned result = 0;
  void* mbarrier = nullptr;  // that it waits at
  unsigned parity = 0;
  unsigned tries_in_vain : 31 = 0;
  bool only_tries : 1 = false;  // at an mbarrier: goes on with 0 when nothing else can run
  std::uint32_t absent = 0;     // a site: where it has taken a value from a lane that was not there
  unsigned found_before = 0;    // hazards of its block, when it last began to wait; not set while there are none
};

static_assert(sizeof(lane) == 128);

using together_function = void (*)(void* const* arguments, unsigned lanes);

/// The lanes of a warp that wait at a warp-wide function. Kept apart from the lanes: what completes the function reads
/// it in one go.
struct warp_meeting {
  unsigned waiting = 0;        // bits
  bool alike = true;           // all that wait do so at the same function, with the same mask
  char const* what = nullptr;  // of the first that came
  unsigned mask = 0;
  void* argument[32] = {};  // what each brings
  together_function together[32] = {};
  unsigned masks[32] = {};
};

}  // namespace cosmati_sim
