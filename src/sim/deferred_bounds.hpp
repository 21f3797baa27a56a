// SPDX-License-Identifier: Apache-2.0
/// @file
/// A load outside of its allocation. Its lane goes on to the end of the source line, so that another wrong access of
/// the same line is found, too.
#pragma once

#include <cstdint>
#include <string>

#include "lane.hpp"

namespace cosmati_sim {

struct worker;
struct allocation;
struct memory_access;

/// What is known of the load.
struct deferred_bounds {
  std::string sentence;
  site where;
  std::uint32_t site_number;
  unsigned lane;
  std::uint64_t allocation;  // its number
  int kind;                  // of the access
  std::string file;          // the source line
  int line;
  std::uintptr_t opened;  // the guard page that the lane may read meanwhile; 0: none
};

/// Lets the lane go on, if the load is of the program's own code. @param hit the allocation whose pages it hits
/// @param of the one that it was probably meant for @return whether the lane goes on
bool defer_bounds(worker& w, memory_access const& a, allocation const& hit, allocation const& of,
                  std::string const& sentence);
/// Ends the lane at the first access behind the line. @pre a load was deferred
void look_behind_deferred(worker& w, memory_access const& a);
/// Another access of the line is wrong. If it goes to another allocation, or is of another kind, both are reported.
/// @pre a load was deferred
[[noreturn]] void fail_twice(worker& w, memory_access const& a, allocation const& of, std::string const& sentence);
/// Ends the lane for the load that was deferred.
[[noreturn]] void fail_deferred(worker& w);
/// Forgets what a block has left.
void forget_deferred(worker& w);

}  // namespace cosmati_sim
