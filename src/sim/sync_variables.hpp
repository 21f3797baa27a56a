// SPDX-License-Identifier: Apache-2.0
/// @file
/// Order that atomics make: `__threadfence()` and then an atomic publish what a thread knows; an atomic on the same
/// address learns it, in the same block or another.
///
/// What is learned is not handed on: it is found again when somebody asks. A lane's atomic only notes that it has met
/// what the variable had published until then, and when, by the lane's own clock. Who knows the lane up to a moment
/// knows what it had met until then: so a fence, which keeps a moment of each lane, keeps what they had met as well,
/// and what a lane meets between its fence and the atomic that publishes belongs to the next fence.
#pragma once

#include <unordered_map>
#include <vector>

#include "shadow.hpp"

namespace cosmati_sim {

/// Before the lane's atomic on this address: it opens a look. @param released true when the atomic itself releases
/// @param relaxed a volatile access: what it meets is known only when its lane has executed a fence, or a barrier,
/// since
/// @param block_scope other blocks learn nothing by it
void atomic_orders(worker& w, std::uintptr_t address, bool released, bool relaxed, bool block_scope);
/// Whether the running lane has met something by a volatile load, and executed no fence since.
bool lacks_fence(worker& w);
/// Whether the running lane learned of an access that another block made. @param at the access's address, or 0
bool knows_other_block(worker& w, record const& r, std::uintptr_t at);
/// The last moment of a lane or mbarrier of its own block that the running lane has learned by atomics.
moment learned_of(worker& w, unsigned actor);
/// Whether the running lane knows of what a lane or mbarrier of its own block did at that moment.
inline bool knows(worker& w, unsigned actor, moment at) {
  return w.clocks->knows(w.current, actor, at) || (w.clocks->heard != 0 && at <= learned_of(w, actor));
}
/// What atomics have published is of no more use: the launch is over.
void forget_sync_variables();

struct sync_variable;

/// What one lane has learned by atomics: the last known moment of each lane of each block.
class learned {
 public:
  /// Takes in what the running lane of `w` has met since.
  void bring_up_to_date(worker const& w);
  moment latest(std::uint32_t run, unsigned actor) const;
  /// So many of the variable's publications are known.
  std::size_t met(sync_variable const* v) const;
  /// Something was met that is not known, for want of a fence.
  bool lacks_fence() const { return lacks_fence_; }

 private:
  struct of_block {
    moment base = 0;                                      // of all lanes
    std::vector<std::pair<unsigned, moment>> few;         // of these actors
    moments many;                                         // of each, when they are more
    std::vector<moments const*> lists;                    // that are all in it
    std::unordered_map<unsigned, std::size_t> heard;      // what each lane had met: so much of it
    std::unordered_map<sync_variable*, std::size_t> own;  // publications of the block itself
  };
  bool holds_what_was_asked(worker const& w, lane_clock const& l) const;
  void begin(worker const& w);
  void add(std::uint32_t run, knowledge const& k, unsigned lane, bool keep_list);
  void raise(of_block& b, std::uint32_t run, unsigned actor, moment to);
  void hear(std::uint32_t run, unsigned lane, moment until);

  // Whose it is.
  std::uint32_t run_ = 0;
  unsigned lane_ = 0, lanes_ = 0;
  std::uint64_t heard_ = 0;
  moment now_ = 0;
  bool lacks_fence_ = false;
  knowledge known_;
  std::unordered_map<std::uint32_t, of_block> blocks_;
  std::unordered_map<sync_variable const*, std::size_t> met_;
  std::vector<std::pair<std::uint32_t, unsigned>> to_hear_;  // lanes of which more is known
};

}  // namespace cosmati_sim
