// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory that the host has left for the simulated device.
#pragma once

#include <cstdint>

namespace cosmati_sim {

/// The bytes that a process can take before the host runs out of memory, or the largest number if nothing says so.
/// The limits of a control group count.
std::uint64_t host_bytes_left();

}  // namespace cosmati_sim
