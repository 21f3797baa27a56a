// SPDX-License-Identifier: Apache-2.0
/// @file
/// What to change so that a warp instruction has no bank conflicts, or touches fewer sectors.
#pragma once

#include <cosmati/analysis/warp_cost.hpp>

#include <string>

namespace cosmati_sim {

/// A padding of the rows and a swizzle of the bytes, both tried: with what is named, this instruction has no conflicts.
/// Where neither is found, what else may help. Empty where there are no conflicts.
std::string remedy_of_conflicts(cosmati::memory_instruction const& instruction, cosmati::warp_access const& at);

/// For a global access of more sectors than its bytes fill. Empty where it has none.
std::string remedy_of_sectors(cosmati::memory_instruction const& instruction, cosmati::warp_access const& at);

}  // namespace cosmati_sim
