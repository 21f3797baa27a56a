// SPDX-License-Identifier: Apache-2.0
/// @file
/// Stacks of fibers, with guard pages and a pool for each host thread; and the handling of overflows.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// A free stack of this worker. It maps a new one if there is none.
stack const* take_stack(worker& w);
inline void give_stack(worker& w, stack const* s) { w.free_stacks.push_back(s); }
/// Frees all stacks, after the block is over.
void reset_stacks(worker& w);
/// The usable bytes of a stack: COSMATI_STACK_BYTES, by default 256 KB.
std::size_t stack_bytes();
/// The bytes from a stack's low end to the end of its mapping.
std::size_t stack_range_bytes();

/// Leaves the lane's code from a signal handler, for a function that runs on the worker's overflow stack and does not
/// return.
/// @param context the handler's third argument
/// @param from receives the address of the lane's code
void go_on_at(worker& w, void* context, void (*function)(), std::uintptr_t& from);
/// The bytes of stack that must be free when a function of a kernel is called. An overflow inside an allocation of the
/// simulated device could not be reported, because the report would wait for the allocator's lock for ever.
inline constexpr std::size_t least_stack = 4096;
/// Ends the lane with a stack overflow at `call`, because less than `least_stack` bytes are free.
void run_out_of_stack(worker const& w, void const* call);

/// Turns faults of lanes on this host thread into errors of their launch.
void catch_faults(worker& w);

}  // namespace cosmati_sim
