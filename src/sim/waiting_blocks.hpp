// SPDX-License-Identifier: Apache-2.0
/// @file
/// Blocks of a launch that wait for what other blocks bring: they sleep, let more blocks begin, or find out that no
/// block can bring it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

/// A block's wait for others.
struct block_wait {
  bool stuck = false;            // whether it waits
  std::uint64_t calm_since = 0;  // the number of changes when it last reached the same state again
  unsigned nap = 0;              // the length of its next sleep in microseconds
};

/// The blocks of one launch that wait for other blocks.
struct waiting_blocks {
  std::mutex mutex;
  std::condition_variable woken;    // a block has brought what others wait for
  std::uint64_t begun = 0;          // the number of blocks that have begun; a host thread that has taken one may be
                                    // delayed before it begins
  unsigned running = 0, stuck = 0;  // the number of running blocks, and of those that wait for others
  unsigned parked = 0;              // running blocks of clusters in which no lane can run
  std::uint64_t changes = 0;        // the number of changes of these
  std::set<worker const*> calm;     // workers whose blocks have reached the same state again since the last change
  bool hopeless = false;
  std::vector<worker*> at_work;  // workers with a running block
};

/// The host thread's block begins, or ends.
void block_begins_beside_others(worker& w);
void block_ends_beside_others(worker& w);

/// The outlook of a block that has reached the same state again.
struct prospects {
  bool hopeless = false;            // no block will change a polled value
  bool abandoned = false;           // another block has failed
  bool others_wait_to_run = false;  // some blocks have not begun
  bool all_are_calm = false;  // all running blocks have reached the same state since the last of them saw a change
  unsigned running = 0;       // the number of running blocks
};
/// @return the outlook of the host thread's block, which has reached the same state again; the block counts as stuck
prospects prospects_of(worker& w);

/// Handles a block that repeats the same state: it sleeps a little. @return whether no other block can change that
bool is_hopeless(worker& w);
/// The block goes on.
void no_longer_stuck(worker& w);

/// Waits until the bytes of another block's announced store are in memory, if that block still runs.
void wait_for_bytes(worker& w, std::uint32_t run, std::uintptr_t at, std::size_t bytes);

}  // namespace cosmati_sim
