// SPDX-License-Identifier: Apache-2.0
/// @file
/// What is found wrong: collected while blocks run, put into words and lines when the launch is over.
#pragma once

#include <cosmati/render/run_report.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

/// One thing that is wrong. In `message`, "\1" stands for the line of `site`, "\2" for that of
/// `other_site`, "\3" for that of `third_site`, and "\4" for the barrier that orders all accesses of the two lines.
struct hazard {
  hazard_kind kind = hazard_kind::none;
  bool review = false;  // the architecture's text is silent: a person has to decide
  std::uint64_t block = 0;
  index3 block_index, thread;
  bool of_block = false;           // no thread is to blame
  bool suspected = false;          // none if the program holds the value on purpose: `cosmati sim` finds out
  bool fatal = false;              // the lane could not go on
  bool first = false;              // no other hazard of its block can be its cause
  unsigned causes = ~0u;           // only so many of its block's hazards can be
  bool may_be_first_step = false;  // a load and an atomic: none when it only prepares an atomic of its own thread
  bool update = false;             // threads that read a place and then write it: a race where both are one line
  bool same_place = false;         // threads of one block, one instruction
  bool across_warps = false;       // such a pair of accesses was met: what orders a warp's lanes is not enough
  std::uint32_t site = 0, other_site = 0, third_site = 0;
  struct site where, other_where;  // when there is no number
  std::string tensor, coord, message;
};

char const* name_of(hazard_kind kind);
/// `invalid_argument` where no kind has the name.
hazard_kind kind_of_name(char const* name);

/// True when hazards are looked for: unless COSMATI_SIM_CHECKS=0.
bool checks_are_on();

/// Remembers a hazard of the running lane unless the same pair of sites was reported as this.
/// @return whether it is new: then the caller fills in the rest
bool is_news(worker& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site);
/// Whether it was.
bool is_old(worker const& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site);
/// A hazard with kernel, block and thread of the running lane.
hazard hazard_here(worker const& w, hazard_kind kind);
void add_hazard(worker& w, hazard&& h);
/// Into the time line, which is kept.
void note_hazard(worker& w, hazard const& h);
/// Splits "global tensor L at C, offset 3".
void describe_into(hazard& h, std::string const& phrase);

/// What the launch has stored of registers that nobody has written.
void look_for_unwritten_registers(job& j);

/// A hazard in words, with its lines.
struct found_hazard {
  std::uint64_t block = 0;
  std::string json;  // as in a report
  cosmati::run_hazard words;
  bool names_barrier_of_block = false;
  std::string message_across_warps;  // where it names a barrier of a warp: what it says once accesses of different
                                     // warps were met at its lines
};

/// Puts the launch's findings in order; returns the text to be thrown, or nothing.
/// @param found receives the findings that no launch had before, unless null
/// @param for_report what is returned is no hazard
std::string finish_hazards(job& j, std::string const& failed, std::vector<found_hazard>* found, bool for_report);

}  // namespace cosmati_sim
