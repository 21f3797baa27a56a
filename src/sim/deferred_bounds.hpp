// SPDX-License-Identifier: Apache-2.0
/// @file
/// A load outside of its allocation or its shared memory. Its lane goes on to the end of the source line, so that
/// another wrong access of the same line is found, too.
#pragma once

#include <cstdint>
#include <string>

#include "access_target.hpp"
#include "lane.hpp"

namespace cosmati_sim {

struct worker;
struct memory_access;

/// What is known of the load.
struct deferred_bounds {
  std::string sentence;
  site where;
  std::uint32_t site_number;
  unsigned lane;
  access_target target;
  std::string file;  // the source line
  int line;
  std::uintptr_t opened;  // the guard page that the lane may read meanwhile; 0: none
};

/// Memory that a lane may read although it belongs to nothing.
struct mapped_memory {
  std::uintptr_t end = 0;
  bool guarded = false;  // its last page is a guard, which is opened meanwhile
};

/// Lets the lane go on, if the load is of the program's own code. @param hit the memory that it hits
/// @param target what it was probably meant for @return whether the lane goes on
bool defer_bounds(worker& w, memory_access const& a, mapped_memory const& hit, access_target const& target,
                  std::string const& sentence);
/// Ends the lane at the first access behind the line. @pre a load was deferred
void look_behind_deferred(worker& w, memory_access const& a);
/// Another access of the line is wrong. If it goes to other memory, or is of another kind, both are reported.
/// @pre a load was deferred
[[noreturn]] void fail_twice(worker& w, memory_access const& a, access_target const& target,
                             std::string const& sentence);
/// Ends the lane for the load that was deferred.
[[noreturn]] void fail_deferred(worker& w);
/// Forgets what a block has left.
void forget_deferred(worker& w);

}  // namespace cosmati_sim
