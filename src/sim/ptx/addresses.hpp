// SPDX-License-Identifier: Apache-2.0
/// @file
/// The addresses of PTX's spaces, and the accesses of instructions.
#pragma once

#include "../access.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {

/// The generic address of a place in shared memory. A place is the low 32 bits of an address, or its low 18 bits, which
/// `__cvta_generic_to_shared` gives. It may be in another block of the cluster. A place outside of shared memory gives
/// an address beyond its end, which no access may use.
std::uintptr_t shared_place(worker& w, std::uint64_t place);

/// Whether an instruction's addresses are places in shared memory.
bool is_shared(instruction const& i);

/// The generic address of an operand in brackets.
std::uintptr_t address_of(thread const& t, operand const& o, bool shared);

/// Reports an access of the running lane. @param kind of access.hpp @param released whether an atomic publishes earlier
/// accesses
void note(thread const& t, instruction const& i, std::uintptr_t at, std::size_t bytes, int kind, bool released = false);

/// The handler of st.async and red.async.
handler resolve_async_store(instruction& i);

}  // namespace cosmati_sim::ptx
