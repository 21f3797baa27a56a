// SPDX-License-Identifier: Apache-2.0
/// @file
/// The registers that warps of a block give back and take (`setmaxnreg`).
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Checks, after all lanes have exited, that each warpgroup changed its budget as a whole, and that the block's
/// registers were enough for what its warps took.
void register_budgets_end(worker& w);

}  // namespace cosmati_sim
