// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a lane before its kernel returns.
#pragma once

namespace cosmati_sim {

/// Thrown by PTX's `exit`, and caught where the lane began.
struct lane_exit {};

}  // namespace cosmati_sim
