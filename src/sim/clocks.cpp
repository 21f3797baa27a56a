// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <algorithm>
#include <bit>

namespace cosmati_sim {
namespace {

void raise(moments& sum, moments const& by) {
  if (sum.size() < by.size()) sum.resize(by.size());
  for (std::size_t i = 0; i < by.size(); ++i) sum[i] = std::max(sum[i], by[i]);
}
bool dominates(moments const& a, moments const& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b[i] > (i < a.size() ? a[i] : 0)) return false;
  }
  return true;
}

}  // namespace

moment knowledge::latest(unsigned of_lane, unsigned actor, unsigned lanes) const {
  moment m = more != nullptr && actor < more->size() ? (*more)[actor] : 0;
  if (actor >= lanes) return m;
  m = std::max(m, base);
  if (actor / 32 == of_lane / 32) m = std::max(m, warp);
  if (actor == of_lane) m = std::max(m, self);
  return m;
}

void knowledge::add_to(moments& sum, unsigned of_lane, unsigned lanes) const {
  if (sum.size() < lanes) sum.resize(lanes);
  if (base != 0) {
    for (unsigned i = 0; i < lanes; ++i) sum[i] = std::max(sum[i], base);
  }
  if (warp > base) {
    unsigned const first = of_lane / 32 * 32;
    for (unsigned i = first; i < std::min(first + 32, lanes); ++i) sum[i] = std::max(sum[i], warp);
  }
  sum[of_lane] = std::max(sum[of_lane], self);
  if (more != nullptr) raise(sum, *more);
}

void knowledge::learn(shared_moments const& list) {
  if (list == nullptr || list == more) return;
  if (more == nullptr || dominates(*list, *more)) {
    more = list;
    return;
  }
  if (dominates(*more, *list)) return;
  auto sum = std::make_shared<moments>(*more);
  raise(*sum, *list);
  more = std::move(sum);
}

void block_clocks::begin(unsigned lanes_in_block) {
  lanes_.resize(lanes_in_block);
  ++meetings_;
  met_ = {};
  changed_ = false;
  base = 0;
  bridged = 0;
  looks = false;
  heard = 0;
  actors = lanes_in_block;
  named.assign(16, {});
}

void block_clocks::catch_up(lane_clock& l) {
  l = met_;
  l.meetings = meetings_;
}

void block_clocks::meet_all() {
  close_look();
  if (changed_) {
    moment latest = 0;
    // Only the lists' entries about mbarriers can be new to any lane.
    shared_moments more;
    bool several = false;
    for (unsigned i = 0; i < count(); ++i) {
      lane_clock const& l = look_at(i);
      latest = std::max(latest, l.now);
      if (l.hb.more == nullptr || l.hb.more == more) continue;
      several |= more != nullptr;
      more = l.hb.more;
    }
    if (several) {
      auto sum = std::make_shared<moments>();
      moments const* last = nullptr;
      for (lane_clock const& l : lanes_) {
        if (l.hb.more != nullptr && l.hb.more.get() != last) raise(*sum, *(last = l.hb.more.get()));
      }
      more = std::move(sum);
    }
    if (more != nullptr && more->size() <= count()) more = nullptr;
    for (unsigned space = 0; space < bridges_in_all && bridged != 0; ++space) {
      if ((bridged >> space & 1) == 0) continue;
      knowledge const first = lanes_[0].bridge[space];
      bool equal = true;
      for (lane_clock const& l : lanes_) {
        knowledge const& b = l.bridge[space];
        equal &= b.self == first.self && b.base == first.base && b.warp == first.warp && b.more == first.more;
      }
      knowledge& all = met_.bridge[space];
      all = {};
      if (equal) {
        all.base = std::max({first.base, first.self, first.warp});
        all.more = first.more;
      } else {
        auto sum = std::make_shared<moments>();
        for (unsigned i = 0; i < count(); ++i) lanes_[i].bridge[space].add_to(*sum, i, count());
        all.more = std::move(sum);
      }
    }
    met_.hb.more = std::move(more);
    base = latest;
    changed_ = false;
  } else {
    ++base;
  }
  met_.now = base + 1;
  met_.hb.base = base;
  ++meetings_;
}

void block_clocks::meet_warp(unsigned warp, unsigned mask, bool whole) {
  close_look();
  unsigned const first = warp * 32;
  if (!whole) {
    gathering g;
    for (unsigned bits = mask; bits != 0; bits &= bits - 1)
      publish(first + static_cast<unsigned>(std::countr_zero(bits)), g);
    for (unsigned bits = mask; bits != 0; bits &= bits - 1)
      learn(first + static_cast<unsigned>(std::countr_zero(bits)), g);
    return;
  }
  moment latest = 0;
  shared_moments more;
  bool several = false;
  for (unsigned bits = mask; bits != 0; bits &= bits - 1) {
    lane_clock const& l = look_at(first + static_cast<unsigned>(std::countr_zero(bits)));
    latest = std::max(latest, l.now);
    if (l.hb.more == nullptr || l.hb.more == more) continue;
    several |= more != nullptr;
    more = l.hb.more;
  }
  if (several) {
    auto sum = std::make_shared<moments>();
    for (unsigned bits = mask; bits != 0; bits &= bits - 1) {
      lane_clock const& l = look_at(first + static_cast<unsigned>(std::countr_zero(bits)));
      if (l.hb.more != nullptr) raise(*sum, *l.hb.more);
    }
    more = std::move(sum);
  }
  if (bridged != 0) {
    for (unsigned space = 0; space < bridges_in_all; ++space) {
      if ((bridged >> space & 1) == 0) continue;
      auto sum = std::make_shared<moments>();
      for (unsigned bits = mask; bits != 0; bits &= bits - 1) {
        unsigned const i = first + static_cast<unsigned>(std::countr_zero(bits));
        look_at(i).bridge[space].add_to(*sum, i, count());
      }
      for (unsigned bits = mask; bits != 0; bits &= bits - 1) {
        of(first + static_cast<unsigned>(std::countr_zero(bits))).bridge[space].more = sum;
      }
    }
  }
  for (unsigned bits = mask; bits != 0; bits &= bits - 1) {
    lane_clock& l = of(first + static_cast<unsigned>(std::countr_zero(bits)));
    l.now = latest + 1;
    l.hb.warp = latest;
    if (l.hb.more != more) l.hb.more = more;
  }
}

void block_clocks::publish(unsigned lane, gathering& to, bool releases) {
  close_look();
  lane_clock& l = of(lane);
  l.hb.self = l.now;
  l.hb.add_to(to.hb, lane, count());
  to.shown_hb = nullptr;
  if (releases) {
    bridged |= 1u << released;
    l.hb.add_to(to.bridge[released], lane, count());
  }
  if (bridged != 0) {
    to.bridged |= bridged;
    for (unsigned space = 0; space < bridges_in_all; ++space) {
      if ((bridged >> space & 1) == 0) continue;
      l.bridge[space].add_to(to.bridge[space], lane, count());
      to.shown_bridge[space] = nullptr;
    }
  }
  ++l.now;
}

void block_clocks::learn(unsigned lane, gathering& from) {
  close_look();
  lane_clock& l = of(lane);
  if (from.shown_hb == nullptr) from.shown_hb = std::make_shared<moments const>(from.hb);
  l.hb.learn(from.shown_hb);
  if (from.bridged != 0) {
    for (unsigned space = 0; space < bridges_in_all; ++space) {
      if ((from.bridged >> space & 1) == 0) continue;
      if (from.shown_bridge[space] == nullptr)
        from.shown_bridge[space] = std::make_shared<moments const>(from.bridge[space]);
      l.bridge[space].learn(from.shown_bridge[space]);
    }
  }
}

void block_clocks::fence_proxy(unsigned lane, int space) {
  close_look();
  lane_clock& l = of(lane);
  if (space != 2) {
    bridged |= 1u << proxy_shared;
    l.bridge[proxy_shared].self = l.now;
  }
  if (space != 1) {
    bridged |= 1u << proxy_global;
    l.bridge[proxy_global].self = l.now;
  }
  ++l.now;
}

void block_clocks::fence(unsigned lane, bool device) {
  close_look();
  lane_clock& l = of(lane);
  l.hb.self = l.now;
  bridged |= 1u << fenced_block;
  l.bridge[fenced_block] = l.hb;
  if (device) {
    bridged |= 1u << fenced_device;
    l.bridge[fenced_device] = l.hb;
  }
  ++l.now;
}

}  // namespace cosmati_sim
