// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory that an access of a lane hits.
#pragma once

#include <string>

#include "access.hpp"
#include "access_target.hpp"

namespace cosmati_sim {

/// The memory that the access hit.
struct place {
  std::uintptr_t low;
  std::size_t bytes;
  int space;
  shadow_region* shadow = nullptr;
  worker* owner = nullptr;  // the other block of the cluster whose shared memory it is
};

/// Finds the memory that the access hit. It does not return if the memory may not be accessed.
place find_place(worker const& w, memory_access const& a);

/// Ends the lane for a wrong access. @param why what follows "load of 4 bytes at 0x..."
[[noreturn]] void wrong(worker const& w, memory_access const& a, std::string const& why,
                        hazard_kind kind = hazard_kind::out_of_bounds, access_target const& target = {});

/// Gives "allocation 3 (0x..., 256 bytes)".
std::string name_of(allocation const& a);

/// The newest note of the running lane about the access, or null.
inline note const* note_of(worker const& w, memory_access const& a) { return note_of_address(w, a.address, a.bytes); }

}  // namespace cosmati_sim
