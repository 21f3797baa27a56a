// SPDX-License-Identifier: Apache-2.0
/// @file
/// The registers that warps of a block give back and take (`setmaxnreg`).
#pragma once

#include "aligned.hpp"
#include "state.hpp"

namespace cosmati_sim {

/// The running lane's warp changes what each of its threads has. @param takes more than before
void change_registers(aligned_instruction const& i, unsigned registers, bool takes);

/// Checks, after all lanes have exited, that each warpgroup changed its budget as a whole, and that the block's
/// registers were enough for what its warps took.
void register_budgets_end(worker& w);

}  // namespace cosmati_sim
