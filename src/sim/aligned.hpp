// SPDX-License-Identifier: Apache-2.0
/// @file
/// Instructions with PTX's `.sync.aligned`, which all threads of a warp execute together; and those of a warpgroup,
/// which its four warps execute in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "lane.hpp"

namespace cosmati_sim {

struct worker;

/// One such instruction as a lane executes it.
struct aligned_instruction {
  char const* name;            // "wgmma.fence.sync.aligned"; it lives as long as the program
  char const* file = nullptr;  // null: `pc` tells the line
  int line = 0;
  void const* pc = nullptr;     // where the program calls it
  void const* which = nullptr;  // tells it from others of its name; null: unknown
};

/// Whether lanes that have exited, or that the block does not have, may be missing.
enum class exited_lanes { may_miss, must_come };

/// Waits until all lanes of the warp execute the instruction. It does not return if one of them executes another
/// instruction of this name.
void meet_aligned(aligned_instruction const& i, exited_lanes exited);

/// What the four warps of a warpgroup have executed.
struct warpgroup_steps {
  struct step {
    char const* name;
    site where;
  };
  std::array<std::uint64_t, 4> done = {};  // the number of instructions by warp
  std::uint64_t first = 0;                 // the number of the first one that is kept
  std::deque<step> kept;                   // those that not all warps have executed
  bool reported = false;
};

/// Notes that the running lane's warp executes an instruction of its warpgroup. The warp's first lane calls it. Another
/// warp may have executed a different one in its place, which is a hazard.
void note_warpgroup_step(worker& w, char const* name, site where);
/// Checks, when the block ends, that the warps of each warpgroup have executed the same instructions.
void warpgroup_steps_end(worker& w);

/// wgmma.fence, wgmma.commit_group and wgmma.wait_group of the running lane.
void matrix_fence(aligned_instruction const& i);
void matrix_commit(aligned_instruction const& i);
void matrix_wait(aligned_instruction const& i, int pending);

}  // namespace cosmati_sim
