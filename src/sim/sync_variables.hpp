// SPDX-License-Identifier: Apache-2.0
/// @file
/// The order that atomics create. `__threadfence()` and then an atomic publish what a thread knows. An atomic on the
/// same address, in the same block or another, learns it.
///
/// What a lane learns is not passed on; it is found again when a check asks. A lane's atomic only notes, with the time
/// of the lane's own clock, that it has met what the variable had published until then. A lane that knows another up to
/// a moment also knows what the other had met until then. A fence keeps a moment of each lane, and so keeps what they
/// had met. What a lane meets between its fence and the publishing atomic belongs to its next fence.
#pragma once

#include <unordered_map>
#include <vector>

#include "shadow.hpp"

namespace cosmati_sim {

/// Comes before the lane's atomic on this address, and opens a look.
/// @param released whether the atomic itself releases
/// @param relaxed whether it is a volatile access; what it meets is known only after its lane has executed a fence or a
///   barrier
/// @param block_scope whether other blocks learn nothing from it
void atomic_orders(worker& w, std::uintptr_t address, bool released, bool relaxed, bool block_scope);
/// Whether the running lane has met something by a volatile load, and has executed no fence since.
bool lacks_fence(worker& w);
/// Whether the running lane has learned of an access that another block made. @param at the access's address, or 0
bool knows_other_block(worker& w, record const& r, std::uintptr_t at);
/// The last moment of a lane or mbarrier of its own block that the running lane has learned by atomics.
moment learned_of(worker& w, unsigned actor);
/// Whether the running lane knows of what a lane or mbarrier of its own block did at that moment.
inline bool knows(worker& w, unsigned actor, moment at) {
  return w.clocks->knows(w.current, actor, at) || (w.clocks->heard != 0 && at <= learned_of(w, actor));
}
/// Publishes what lanes of the block have brought to a barrier that other blocks of its cluster wait for.
/// @param at stands for the barrier
/// @return the number of publications through it
std::size_t publish_moments(worker const& w, std::uintptr_t at, shared_moments known);
/// A barrier of the block, an actor, has met the first `until` publications at this time of its own. Lanes that know
/// the barrier up to that time know them.
void meet_publications(worker& w, unsigned actor, moment time, std::uintptr_t at, std::size_t until);
/// Drops what atomics have published, after the launch is over.
void forget_sync_variables();

struct sync_variable;

/// What one lane has learned by atomics: the last known moment of each lane of each block.
class learned {
 public:
  /// Includes what the running lane of `w` has met since.
  void bring_up_to_date(worker const& w);
  moment latest(std::uint32_t run, unsigned actor) const;
  /// The number of the variable's publications that are known.
  std::size_t met(sync_variable const* v) const;
  /// Whether something was met that is not known, because a fence is missing.
  bool lacks_fence() const { return lacks_fence_; }

 private:
  struct of_block {
    moment base = 0;                                      // the moment of all lanes
    std::vector<std::pair<unsigned, moment>> few;         // the moments of a few actors
    moments many;                                         // the moments of each actor, if there are more
    std::vector<moments const*> lists;                    // lists that are included
    std::unordered_map<unsigned, std::size_t> heard;      // how much of what each lane had met is included
    std::unordered_map<sync_variable*, std::size_t> own;  // the block's own publications
  };
  bool holds_what_was_asked(worker const& w, lane_clock const& l) const;
  void begin(worker const& w);
  void add(std::uint32_t run, knowledge const& k, unsigned lane, bool keep_list);
  void raise(of_block& b, std::uint32_t run, unsigned actor, moment to);
  void hear(std::uint32_t run, unsigned lane, moment until);

  // The lane to which the object belongs.
  std::uint32_t run_ = 0;
  unsigned lane_ = 0, lanes_ = 0;
  std::uint64_t heard_ = 0;
  moment now_ = 0;
  moment last_met_ = 0;  // the time of the lane's newest meeting that is included
  bool lacks_fence_ = false;
  knowledge known_;
  std::unordered_map<std::uint32_t, of_block> blocks_;
  std::unordered_map<sync_variable const*, std::size_t> met_;
  std::vector<std::pair<std::uint32_t, unsigned>> to_hear_;  // lanes of which more is known
};

}  // namespace cosmati_sim
