// SPDX-License-Identifier: Apache-2.0
/// @file
/// Who knows of whose accesses: happens-before clocks of a block's lanes.
///
/// Each lane counts its own time: it grows at everything that publishes what the lane did before (barriers, arrivals,
/// fences). An access carries its lane and that time. A lane *knows* an access when a chain of synchronisation leads
/// from it: it keeps, for every actor, the latest time it knows. What a barrier of the whole block or a __syncwarp
/// makes equal for many is kept as one number; the rest as a list of times that lanes share.
///
/// Besides lanes, each mbarrier is an actor: bulk copies that it completes are its accesses.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cosmati_sim {

using moment = std::uint32_t;

/// The latest known moment of each actor: lanes first, then mbarriers.
using moments = std::vector<moment>;
using shared_moments = std::shared_ptr<moments const>;

/// What somebody knows of everybody.
struct knowledge {
  moment base = 0;  // of all lanes of the block
  moment warp = 0;  // of all lanes of the own warp
  moment self = 0;  // of the own lane
  shared_moments more;

  bool holds(unsigned of_lane, unsigned actor, unsigned lanes, moment at) const {
    if (actor < lanes) {
      if (at <= base || (actor / 32 == of_lane / 32 && at <= warp) || (actor == of_lane && at <= self)) return true;
    }
    return more != nullptr && actor < more->size() && at <= (*more)[actor];
  }
  moment latest(unsigned of_lane, unsigned actor, unsigned lanes) const;
  /// Adds all this to `sum`.
  void add_to(moments& sum, unsigned of_lane, unsigned lanes) const;
  /// Learns what the list says.
  void learn(shared_moments const& list);
};

/// What fences have made visible beyond the block's own order: to the asynchronous proxy in shared and in global
/// memory, and to whom a later atomic reaches in the block (__threadfence_block) or on the device (__threadfence). What
/// an arrival at an mbarrier has released is kept beside them: a copy through the asynchronous proxy may overwrite what
/// was only read before it.
inline constexpr unsigned proxy_shared = 0, proxy_global = 1, fenced_block = 2, fenced_device = 3, released = 4,
                          bridges_in_all = 5;

struct lane_clock {
  moment now = 1;
  std::uint64_t meetings = 0;  // of the whole block, that it has caught up with
  knowledge hb;                // happens before
  knowledge bridge[bridges_in_all];
};

/// What arrivals have brought to a barrier.
struct gathering {
  moments hb, bridge[bridges_in_all];
  unsigned bridged = 0;
  shared_moments shown_hb, shown_bridge[bridges_in_all];  // the same, to be shared; made when somebody learns
};

/// All lanes' clocks. What a barrier of the block gives to all of them is kept once, and each lane's own clock catches
/// up when somebody looks at it: a barrier that nobody did anything before costs nothing.
struct block_clocks {
  moment base = 0;
  unsigned bridged = 0;     // bits: which fences somebody has executed
  bool looks = false;       // `look` is open
  std::uint64_t heard = 0;  // counts what lanes have learned by atomics (sync_variables.hpp)
  std::uint32_t actors = 0;
  std::vector<gathering> named;  // barriers 0 to 15

  void begin(unsigned lanes_in_block);
  unsigned count() const { return static_cast<unsigned>(lanes_.size()); }
  /// All lanes of the block have met.
  void meet_all();
  /// The lanes of `mask` of this warp have met; `whole`: nobody who still runs is missing.
  void meet_warp(unsigned warp, unsigned mask, bool whole);
  /// The lane publishes what it did, and goes on in a new moment. @param releases it arrives at an mbarrier: who waits
  /// there knows what is `released`
  void publish(unsigned lane, gathering& to, bool releases = false);
  void learn(unsigned lane, gathering& from);
  void fence_proxy(unsigned lane, int space);
  void fence(unsigned lane, bool device);

  /// An atomic or a volatile load, from when the simulated device hears of it until the block does something else. The
  /// access itself lies in between, and so may other blocks' publications, which it then has met.
  struct {
    unsigned lane;
    std::uint32_t run;
    std::uintptr_t address;
    bool relaxed;
  } look = {};
  void open_look(unsigned lane, std::uint32_t run, std::uintptr_t address, bool relaxed) {
    look = {lane, run, address, relaxed};
    looks = true;
  }
  /// The access has happened: what is published from now on, it has not met.
  void close_look() {
    if (!looks) return;
    take_in_look();
    looks = false;
  }
  /// The looking lane learns what has been published so far (sync_variables.cpp).
  void take_in_look();

  /// The lane's clock, to be changed.
  lane_clock& of(unsigned lane) {
    changed_ = true;
    return caught_up(lane);
  }
  lane_clock const& look_at(unsigned lane) { return caught_up(lane); }
  moment now(unsigned lane) const {
    lane_clock const& l = lanes_[lane];
    return l.meetings == meetings_ ? l.now : base + 1;
  }
  bool knows(unsigned lane, unsigned actor, moment at) { return look_at(lane).hb.holds(lane, actor, count(), at); }
  bool bridges(unsigned lane, unsigned actor, moment at, unsigned space) {
    return look_at(lane).bridge[space].holds(lane, actor, count(), at);
  }

 private:
  lane_clock& caught_up(unsigned lane) {
    lane_clock& l = lanes_[lane];
    if (l.meetings != meetings_) catch_up(l);
    return l;
  }
  void catch_up(lane_clock& l);

  std::vector<lane_clock> lanes_;
  std::uint64_t meetings_ = 0;  // of all lanes
  lane_clock met_;              // what the last meeting gave to each
  bool changed_ = false;        // a lane's clock, since then
};

}  // namespace cosmati_sim
