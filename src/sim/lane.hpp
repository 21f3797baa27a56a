// SPDX-License-Identifier: Apache-2.0
/// @file
/// One lane of a running block, and the lanes of a warp that meet.
#pragma once

#include <cstdint>

namespace cosmati_sim {

/// CUDA's uint3 and dim3, under another name.
struct index3 {
  unsigned x = 0, y = 0, z = 0;
};

/// The type of `threadIdx`, whose size allows it to be moved at once.
struct alignas(16) thread_index : index3 {
  unsigned unused = 0;
};

/// The position of a lane in the user's source. `file` is null if it is unknown.
struct site {
  char const* file = nullptr;
  int line = 0;
  std::uint32_t number = 0;  // a number of sites.hpp, which knows the calls; 0: not asked for
};

enum class lane_state : std::uint8_t {
  fresh,
  ready,
  at_barrier,
  at_warp,
  at_activemask,
  at_mbarrier,
  at_cluster,
  exited
};

/// The stack of a fiber. The page below `low` is a guard.
struct stack {
  char* low = nullptr;
  char* high = nullptr;  // the start of the fiber, below the mapping's end by an offset that spreads stacks over the
                         // cache
};

struct call_node;

/// The members that most switches touch come first, on one cache line.
struct alignas(64) lane {
  std::uintptr_t stack_low = 0;
  char const* what = nullptr;  // the function at which it waits
  site where;
  void const* pc = nullptr;
  lane_state state = lane_state::fresh;  // what it waits for; if it has been released since, the lane is ready
  std::uint8_t active = 0;               // cosmati_sim_active when it continues
  bool throws = false;                   // whether it was switched away from while exceptions were in flight
  std::uint8_t barrier = 0;
  // The second line.
  stack const* on = nullptr;
  void* exceptions[2] = {nullptr, nullptr};
  call_node* frame = nullptr;  // the calls in progress, as a node of the worker's call_tree
  unsigned result = 0;
  void* mbarrier = nullptr;  // the mbarrier that it waits at
  unsigned parity = 0;
  unsigned tries_in_vain : 31 = 0;
  bool only_tries : 1 = false;  // whether it waits at an mbarrier, and continues with 0 if nothing else can run
  std::uint32_t absent = 0;     // the site at which it took a value from an absent lane
  unsigned found_before = 0;    // the hazards of its block when it last began to wait; not set while there are none
};

static_assert(sizeof(lane) == 128);

using together_function = void (*)(void* const* arguments, unsigned lanes);

/// The lanes of a warp that wait at a warp-wide function. They are separate from the lanes, so that completing the
/// function reads them at once.
struct warp_meeting {
  unsigned waiting = 0;        // bits of the lanes
  bool alike = true;           // whether all waiting lanes are at the same function, with the same mask
  char const* what = nullptr;  // the function of the first lane
  unsigned mask = 0;
  void* argument[32] = {};  // the argument of each lane
  together_function together[32] = {};
  unsigned masks[32] = {};
};

}  // namespace cosmati_sim
