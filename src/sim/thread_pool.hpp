// SPDX-License-Identifier: Apache-2.0
/// @file
/// The host's threads that run the blocks of launches.
#pragma once

#include <string>

#include "state.hpp"

namespace cosmati_sim {

/// The positive number that a variable of the environment holds. @param otherwise where it holds none
unsigned environment_number(char const* name, unsigned otherwise);

/// The number of threads that run blocks. It is at most 24, because each may map 1024 guarded stacks.
unsigned host_threads();

/// Runs all blocks of the launch. One launch runs at a time. Returns the text of the first failure, or nothing.
std::string run_blocks(job& j);

/// Lets up to `threads` further host threads take blocks of the running launch. @return whether there was one
bool run_more_blocks(worker& w, unsigned threads);
/// The number of blocks of the launch that can run at the same time.
unsigned most_side_by_side(job const& j);

}  // namespace cosmati_sim
