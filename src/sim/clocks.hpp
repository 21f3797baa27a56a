// SPDX-License-Identifier: Apache-2.0
/// @file
/// Happens-before clocks of a block's lanes, which tell who knows of whose accesses.
///
/// Each lane counts its own time. It grows at every operation that publishes earlier accesses (barriers, arrivals,
/// fences). An access carries its lane and that time. A lane *knows* an access if a chain of synchronisation leads from
/// the access to the lane. For every actor the lane keeps the latest time that it knows. A barrier of the block or a
/// __syncwarp gives the same time to many lanes, which is kept as one number. Other times are kept in a list that lanes
/// share.
///
/// Each mbarrier is an actor too. The bulk copies that it completes are its accesses.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cosmati_sim {

using moment = std::uint32_t;

/// The latest known moment of each actor: first the lanes, then the mbarriers.
using moments = std::vector<moment>;
using shared_moments = std::shared_ptr<moments const>;

/// The latest moments that a lane knows of every actor.
struct knowledge {
  moment base = 0;  // the moment of all lanes of the block
  moment warp = 0;  // the moment of all lanes of its warp
  moment self = 0;  // the moment of the lane itself
  shared_moments more;

  bool holds(unsigned of_lane, unsigned actor, unsigned lanes, moment at) const {
    if (actor < lanes) {
      if (at <= base || (actor / 32 == of_lane / 32 && at <= warp) || (actor == of_lane && at <= self)) return true;
    }
    return more != nullptr && actor < more->size() && at <= (*more)[actor];
  }
  moment latest(unsigned of_lane, unsigned actor, unsigned lanes) const;
  /// Adds all moments to `sum`.
  void add_to(moments& sum, unsigned of_lane, unsigned lanes) const;
  /// Takes over the moments of the list.
  void learn(shared_moments const& list);
};

/// Indices of what fences make visible beyond the block's own order. The first two are visible to the asynchronous
/// proxy, in shared and in global memory. The next two reach whoever a later atomic reaches, in the block
/// (__threadfence_block) or on the device (__threadfence). `released` is what an arrival at an mbarrier has released: a
/// copy through the asynchronous proxy may overwrite memory that was only read before the arrival.
inline constexpr unsigned proxy_shared = 0, proxy_global = 1, fenced_block = 2, fenced_device = 3, released = 4,
                          bridges_in_all = 5;

struct lane_clock {
  moment now = 1;
  std::uint64_t meetings = 0;  // the number of the block's meetings that the clock includes
  knowledge hb;                // the moments that happen before
  knowledge bridge[bridges_in_all];
};

/// The clocks that arrivals have brought to a barrier.
struct gathering {
  moments hb, bridge[bridges_in_all];
  unsigned bridged = 0;
  shared_moments shown_hb, shown_bridge[bridges_in_all];  // the same clocks in shared form, made when a lane learns
                                                          // them
};

/// The clocks of all lanes. A barrier of the block gives all lanes the same moments, which are kept once. A lane's own
/// clock catches up when it is used, so a barrier without preceding events costs nothing.
struct block_clocks {
  moment base = 0;
  unsigned bridged = 0;     // bits of the fences that any lane has executed
  bool looks = false;       // whether `look` is open
  std::uint64_t heard = 0;  // the number of times that lanes learned by atomics (sync_variables.hpp)
  std::uint32_t actors = 0;
  std::vector<gathering> named;  // the clocks of barriers 0 to 15

  void begin(unsigned lanes_in_block);
  unsigned count() const { return static_cast<unsigned>(lanes_.size()); }
  /// All lanes of the block meet.
  void meet_all();
  /// The lanes of `mask` of this warp meet. `whole`: no lane that still runs is missing.
  void meet_warp(unsigned warp, unsigned mask, bool whole);
  /// Publishes the lane's accesses, and starts a new moment of the lane. @param releases whether it arrives at an
  /// mbarrier; waiting lanes then know what is `released`
  void publish(unsigned lane, gathering& to, bool releases = false);
  void learn(unsigned lane, gathering& from);
  void fence_proxy(unsigned lane, int space);
  void fence(unsigned lane, bool device);

  /// An atomic or a volatile load, from its announcement to the block's next action. The access itself happens in
  /// between. Other blocks may publish in between too, and the access meets these publications.
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
  /// Ends the look after the access. It does not meet later publications.
  void close_look() {
    if (!looks) return;
    take_in_look();
    looks = false;
  }
  /// Lets the looking lane learn what has been published so far (sync_variables.cpp).
  void take_in_look();

  /// The lane's clock, for a change.
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
  std::uint64_t meetings_ = 0;  // the number of meetings of all lanes
  lane_clock met_;              // the moments that the last meeting gave to each lane
  bool changed_ = false;        // whether a lane's clock has changed since then
};

}  // namespace cosmati_sim
