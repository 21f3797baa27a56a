// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which lane runs, inside of the simulated device: for what makes lanes wait.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

inline void set_ready(worker& w, unsigned i) { w.ready[i / 64] |= 1ull << (i % 64); }
inline void clear_ready(worker& w, unsigned i) { w.ready[i / 64] &= ~(1ull << (i % 64)); }

/// Runs other lanes, the next ready one after `after` first, until the current one is ready and has its turn.
void switch_away(worker& w, unsigned after);

/// The block is over: its lanes never run again.
[[noreturn]] void to_scheduler(worker& w);

/// While it lives, the lane that called the simulated device is not watched.
struct active_again {
  int saved = cosmati_sim_active;
  ~active_again() { cosmati_sim_active = saved; }
};

// What may let lanes go on, or never will.

/// A lane has exited: barriers and warp instructions of which it was the last that was missing complete.
void barrier_after_exit(worker& w);
void warp_after_exit(worker& w, unsigned exited);
/// Lanes that asked who is active learn it when nothing else can run: those that stand at the same call.
bool release_activemask(worker& w);
/// No lane can run, and nothing will change that.
[[noreturn]] void deadlock(worker& w);
/// "threads 0-31: at __syncthreads (kernel.cpp:41); threads 32-63: exited": lanes [first, last).
std::string positions(worker& w, unsigned first, unsigned last);

}  // namespace cosmati_sim
