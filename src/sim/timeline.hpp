// SPDX-License-Identifier: Apache-2.0
/// @file
/// The barriers and asynchronous copies of the running block, kept for a report: see cosmati/render/timeline.hpp. Lanes
/// of a warp that reach one place equally often form one event.
///
/// Nothing is kept unless a report is wanted. A block keeps at most `most_events`. For each kernel, the first block of
/// its first launch is kept, and the lowest block with a hazard of the first launch that has one.
#pragma once

#include <cosmati/render/timeline.hpp>

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

using cosmati::run_event_kind;

/// Whether the environment asks for time lines: COSMATI_SIM_HTML, or COSMATI_SIM_TIMELINES=1 with COSMATI_SIM_REPORT.
bool timelines_are_wanted();

/// The events of one block. `where` is parallel to `event`; lines are looked up after the launch.
struct recorded_block {
  std::uint64_t block = 0;
  index3 index;
  unsigned threads = 0;
  std::vector<cosmati::run_event> event;
  std::vector<site> where;
  std::uint64_t dropped = 0;
};

class block_recorder {
 public:
  static constexpr std::size_t most_events = 4096;

  void begin(worker const& w);
  recorded_block take() { return std::move(out_); }

  // Each function returns the event's number, from 1; 0 if it was not kept.

  /// An event that is distinguished by its place in the program.
  unsigned at_place(unsigned lane, run_event_kind kind, std::uint32_t object, std::uint64_t amount, std::uint64_t bytes,
                    site where);
  /// A copy of the lane's open group. @param kind cp_async or bulk_store
  unsigned copy(unsigned lane, run_event_kind kind, unsigned bytes, site where);
  /// The commit of the lane's open group. `seen` is false if a wait does it passing, which makes no group of
  /// nothing.
  void commit(unsigned lane, run_event_kind kind, site where, bool seen = true);
  void barrier(unsigned lane, int id, site where);
  void barrier_done(int id, std::uint64_t const* lanes);
  void mbarrier_init(unsigned lane, std::uint64_t const* at, std::uint32_t count, site where);
  /// An arrive, expect, inval or copies event.
  void mbarrier_event(unsigned lane, run_event_kind kind, std::uint64_t const* at, std::uint64_t amount,
                      std::uint64_t bytes, site where);
  unsigned bulk_load(unsigned lane, std::uint64_t const* at, std::uint64_t phase, unsigned bytes, site where);
  /// The lane waits for this phase, or has tested it and it is complete.
  void mbarrier_wait(unsigned lane, std::uint64_t const* at, std::uint64_t phase, bool over, site where);
  void mbarrier_seen(unsigned lane);
  void phase_done(std::uint64_t const* at, std::uint64_t phase);
  void landed(std::uint64_t const* at, std::uint64_t bytes);
  /// The copies of this event have been waited for, or are complete, now.
  void over(unsigned event);
  void hazard(unsigned lane, int kind, site where);
  void exit(unsigned lane);

 private:
  struct place {
    std::array<std::uint32_t, 32> times{};
    std::vector<unsigned> events;
  };
  unsigned add(run_event_kind kind, std::uint32_t object, std::uint64_t amount, site where);
  /// The event that the lanes of a warp share by its subject. The first lane makes it.
  unsigned named(unsigned lane, run_event_kind kind, std::uint32_t object, std::uint64_t number, std::uint64_t amount,
                 site where);
  /// Adds the lane to an event.
  void join(unsigned event, unsigned lane);
  std::uint32_t number_of(std::uint64_t const* mbarrier) const;

  recorded_block out_;
  std::uint64_t now_ = 0;
  std::unordered_map<std::uint64_t, place> places_;
  std::unordered_map<std::uint64_t, unsigned> named_;    // the events by kind, warp and subject
  std::vector<std::array<std::uint32_t, 2>> committed_;  // the groups of each lane: cp.async, bulk
  std::vector<std::array<bool, 2>> open_;                // whether the lane's open group has copies
  std::vector<std::uint16_t> arrivals_;                  // the number of cp.async.mbarrier.arrive of each lane, which
                                                         // divide a group
  std::vector<unsigned> waits_;                          // the event that each lane waits in
  std::vector<std::uint64_t const*> mbarriers_;
};

/// The time lines that a running launch keeps. The pool's lock protects them.
struct launch_timelines {
  bool first = false, faulty = false;  // the blocks that are wanted
  std::vector<recorded_block> blocks;
  static constexpr std::size_t most_faulty = 4;  // more than one, because the hazards of the lowest block may turn out
                                                 // to be none
  void keep(recorded_block&& block, bool is_faulty);
};

/// The time lines that a launch of this kernel must still keep.
launch_timelines timelines_wanted_of(std::string const& kernel);
/// @param faulty the block of the launch's first hazard, or ~0
std::vector<cosmati::run_timeline> timelines_of(launch_timelines&& kept, std::string const& kernel,
                                                std::uint64_t faulty);
/// The time lines as a JSON list. Each has `why`, `block`, `threads`, `dropped`, `files`, and `events` as lists of
/// numbers in the order of `run_event`'s members, with the file as an index.
std::string json_of(std::vector<cosmati::run_timeline> const& timelines);

}  // namespace cosmati_sim
