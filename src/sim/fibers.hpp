// SPDX-License-Identifier: Apache-2.0
/// @file
/// Stacks for fibers: guarded, pooled a host thread, and what happens when one overflows.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// A free stack of this worker; maps a new one when there is none.
stack const* take_stack(worker& w);
inline void give_stack(worker& w, stack const* s) { w.free_stacks.push_back(s); }
/// All stacks are free again: the block is over.
void reset_stacks(worker& w);
/// Usable bytes of a stack: COSMATI_STACK_BYTES, 256 KB unless set.
std::size_t stack_bytes();
/// From any stack's low end to where its mapping ends.
std::size_t stack_range_bytes();

/// A signal's handler leaves the lane's code, for a function that runs on the worker's overflow stack and does not
/// return.
/// @param context the handler's third argument; @param from receives where the lane was
void go_on_at(worker& w, void* context, void (*function)(), std::uintptr_t& from);
/// What a function of a kernel must find on its stack: where the overflow came inside an allocation of the simulated
/// device's, reporting it would wait for ever for the allocator's lock.
inline constexpr std::size_t least_stack = 4096;
/// Ends the lane, which has less than that left, as a stack overflow at `call`.
void run_out_of_stack(worker const& w, void const* call);

/// Makes faults of lanes on this host thread errors of their launch.
void catch_faults(worker& w);

}  // namespace cosmati_sim
