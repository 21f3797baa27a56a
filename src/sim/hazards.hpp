// SPDX-License-Identifier: Apache-2.0
/// @file
/// Hazards. They are collected while blocks run, and put into words and lines after the launch.
#pragma once

#include <cosmati/render/run_report.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "access_target.hpp"
#include "state.hpp"

namespace cosmati_sim {

/// One hazard. In `message`, "\1" stands for the line of `site`, "\2" for that of `other_site`, "\3" for that of
/// `third_site`, and "\4" for the barrier that orders all accesses of the two lines.
struct hazard {
  hazard_kind kind = hazard_kind::none;
  bool review = false;  // the architecture's text does not decide, so a person must
  std::uint64_t block = 0;
  index3 block_index, thread;
  bool of_block = false;           // no single thread is to blame
  bool suspected = false;          // no hazard if the program holds the value on purpose; `cosmati sim` tests that
  bool of_local = false;           // the suspicion is of a local variable, not of a register of the library
  bool fatal = false;              // the lane could not continue
  bool first = false;              // no other hazard of its block can be its cause
  unsigned causes = ~0u;           // the number of its block's hazards that can be its cause
  bool may_be_first_step = false;  // a load and an atomic; no hazard if the load only prepares an atomic of its thread
  bool update = false;             // threads read a place and then write it; a race if both accesses are on one line
  bool same_place = false;         // threads of one block, at one instruction
  bool across_warps = false;       // such a pair of accesses occurred between warps, so ordering the lanes of a warp is
                                   // not enough
  std::uint32_t site = 0, other_site = 0, third_site = 0;
  struct site where, other_where;  // the sites, if they have no number
  access_target target;            // of a wrong access, if the memory is known
  std::string tensor, coord, message;
};

char const* name_of(hazard_kind kind);
/// The kind of this name; `invalid_argument` if there is none.
hazard_kind kind_of_name(char const* name);

/// Whether hazards are searched: true unless COSMATI_SIM_CHECKS=0.
bool checks_are_on();

/// Remembers a hazard of the running lane, unless the same pair of sites was reported for this kind.
/// @return whether it is new; the caller then fills in the rest
bool is_news(worker& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site);
/// Whether the pair was reported.
bool is_old(worker const& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site);
/// A hazard with the kernel, block and thread of the running lane.
hazard hazard_here(worker const& w, hazard_kind kind);
void add_hazard(worker& w, hazard&& h);
/// Adds one that does not change the verdict, and is no cause of others.
void add_note(worker& w, hazard&& h);
struct record;
/// A hazard, still without a kind, of an access that the shadow remembers of this launch.
hazard hazard_of(job const& j, record const& by);
/// Adds the hazard to the time line, if it is kept.
void note_hazard(worker& w, hazard const& h);
/// Splits "global tensor L at C, offset 3" into its parts.
void describe_into(hazard& h, std::string const& phrase);

/// Searches the launch's stores for values of unwritten registers.
void look_for_unwritten_registers(job& j);

/// A hazard in words, with its lines.
struct found_hazard {
  std::uint64_t block = 0;
  std::string json;  // the JSON of a report
  cosmati::run_hazard words;
  bool names_barrier_of_block = false;
  std::string message_across_warps;  // where it names a barrier of a warp: what it says once accesses of different
                                     // warps were met at its lines
};

/// Sorts the launch's findings. Returns the text to be thrown, or nothing.
/// @param found receives the findings that no earlier launch had, unless null
/// @param for_report whether the result may be other than a hazard
std::string finish_hazards(job& j, std::string const& failed, std::vector<found_hazard>* found, bool for_report);

/// The kind of the hazard that ended the last launch; `none` if the launch ended well.
hazard_kind kind_of_last_failure();

}  // namespace cosmati_sim
