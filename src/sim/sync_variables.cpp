// SPDX-License-Identifier: Apache-2.0
#include "sync_variables.hpp"

#include "polling.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

namespace cosmati_sim {

/// The publications through one address, in the order of the atomics.
struct sync_variable {
  struct published {
    std::uint32_t run;
    unsigned lane;
    knowledge in_block, on_device;  // the knowledge published by __threadfence_block() and by __threadfence()
  };
  std::uintptr_t address;
  std::vector<published> log = {};
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_run = {};  // the indices in the log

  explicit sync_variable(std::uintptr_t at) : address(at) {}
};

namespace {

/// One atomic of a lane, or the end of a barrier's phase. It has read what the variable had published before entry
/// `until` of its log.
struct meeting {
  sync_variable* with;
  std::uint32_t until;
  moment time;   // the lane's time
  bool relaxed;  // whether it was met by a volatile access
};
/// The meetings of each lane, and of barriers that blocks of a cluster share, in the order of time.
using meetings = std::unordered_map<unsigned, std::vector<meeting>>;

std::mutex mutex;
std::unordered_map<std::uintptr_t, std::unique_ptr<sync_variable>>& variables() {
  static auto* const all = new std::unordered_map<std::uintptr_t, std::unique_ptr<sync_variable>>;
  return *all;
}
std::unordered_map<std::uint32_t, meetings>& meetings_of_runs() {
  static auto* const all = new std::unordered_map<std::uint32_t, meetings>;
  return *all;
}
/// The time of the lane's newest meeting; 0 if it has met nothing.
moment last_met(std::uint32_t run, unsigned lane) {
  auto const& all = meetings_of_runs()[run];
  auto const found = all.find(lane);
  return found != all.end() ? found->second.back().time : 0;
}
std::atomic<bool> any{false};

bool equal(knowledge const& a, knowledge const& b) {
  return a.base == b.base && a.warp == b.warp && a.self == b.self && a.more == b.more;
}

/// Lets the lane learn what the variable has published so far.
void take_in(block_clocks& clocks, unsigned lane, std::uint32_t run, sync_variable& v, bool relaxed) {
  auto const until = static_cast<std::uint32_t>(v.log.size());
  moment const now = clocks.now(lane);
  std::vector<meeting>& mine = meetings_of_runs()[run][lane];
  // A lane that polls a few flags meets the same publications again and again.
  constexpr std::size_t most_flags = 32;
  for (std::size_t i = mine.size(); i != 0 && mine.size() - i < most_flags;) {
    meeting& m = mine[--i];
    if (m.with != &v) continue;
    bool const weaker = m.relaxed && !relaxed && m.time == now;
    if (m.until == until && !weaker) return;
    if (m.time != now || i + 1 != mine.size() || m.relaxed != relaxed) break;
    m.until = until;  // only the last one, because `learned` looks at it again
    ++clocks.heard;
    return;
  }
  mine.push_back({&v, until, now, relaxed});
  ++clocks.heard;
}

/// Publishes, by the running lane's atomic on the variable, what its earlier fences made visible.
void publish(sync_variable& v, sync_variable::published mine) {
  auto& in_log = v.of_run[mine.run];
  if (!in_log.empty()) {
    sync_variable::published const& last = v.log[in_log.back()];
    if (last.lane == mine.lane && equal(last.in_block, mine.in_block) && equal(last.on_device, mine.on_device)) return;
  }
  in_log.push_back(static_cast<std::uint32_t>(v.log.size()));
  v.log.push_back(std::move(mine));
}

/// Brings the knowledge of the running lane up to date, and returns it.
learned& learned_by(worker& w) {
  if (w.learned_by_atomics == nullptr) w.learned_by_atomics = std::make_unique<learned>();
  w.learned_by_atomics->bring_up_to_date(w);
  return *w.learned_by_atomics;
}

}  // namespace

moment learned::latest(std::uint32_t run, unsigned actor) const {
  auto const found = blocks_.find(run);
  if (found == blocks_.end()) return 0;
  of_block const& b = found->second;
  moment latest = actor < lanes_ ? b.base : 0;
  if (actor < b.many.size()) latest = std::max(latest, b.many[actor]);
  for (auto const& [of, until] : b.few) {
    if (of == actor) latest = std::max(latest, until);
  }
  return latest;
}

std::size_t learned::met(sync_variable const* v) const {
  auto const found = met_.find(v);
  return found != met_.end() ? found->second : 0;
}

/// Whether this lane knows everything that the object was brought up to date with.
bool learned::holds_what_was_asked(worker const& w, lane_clock const& l) const {
  if (run_ != w.run) return false;
  if (lane_ == w.current) return true;
  bool const same_warp = lane_ / 32 == w.current / 32;
  if (known_.base > l.hb.base) return false;
  if (known_.warp > l.hb.base && !(same_warp && known_.warp <= l.hb.warp)) return false;
  if (known_.more != nullptr && known_.more != l.hb.more) return false;
  return last_met_ <= l.hb.latest(w.current, lane_, lanes_);
}

void learned::begin(worker const& w) {
  blocks_.clear();
  met_.clear();
  run_ = w.run;
  lanes_ = w.clocks->count();
  known_ = {};
}

void learned::bring_up_to_date(worker const& w) {
  lane_clock const& l = w.clocks->look_at(w.current);
  if (run_ == w.run && lane_ == w.current && heard_ == w.clocks->heard && equal(known_, l.hb)) return;
  std::lock_guard const lock(mutex);
  if (!holds_what_was_asked(w, l)) begin(w);
  lane_ = w.current;
  heard_ = w.clocks->heard;
  known_ = l.hb;
  now_ = l.now;
  lacks_fence_ = false;
  last_met_ = last_met(run_, lane_);
  knowledge others = l.hb;
  others.self = 0;
  add(run_, others, lane_, false);
  hear(run_, lane_, ~moment{0});
  while (!to_hear_.empty()) {
    auto const [run, lane] = to_hear_.back();
    to_hear_.pop_back();
    hear(run, lane, latest(run, lane));
  }
}

/// @param keep_list whether the list stays in memory as long as this object
void learned::add(std::uint32_t run, knowledge const& k, unsigned lane, bool keep_list) {
  of_block& b = blocks_[run];
  if (k.base > b.base) {
    b.base = k.base;
    if (auto const found = meetings_of_runs().find(run); found != meetings_of_runs().end()) {
      for (auto const& [of, met] : found->second) to_hear_.emplace_back(run, of);
    }
  }
  if (k.warp > b.base) {
    unsigned const first = lane / 32 * 32;
    for (unsigned i = first; i < std::min(first + 32, lanes_); ++i) raise(b, run, i, k.warp);
  }
  raise(b, run, lane, k.self);
  if (k.more == nullptr) return;
  if (keep_list) {
    if (std::find(b.lists.rbegin(), b.lists.rend(), k.more.get()) != b.lists.rend()) return;
    b.lists.push_back(k.more.get());
  }
  for (unsigned i = 0; i < k.more->size(); ++i) raise(b, run, i, (*k.more)[i]);
}

void learned::raise(of_block& b, std::uint32_t run, unsigned actor, moment to) {
  constexpr std::size_t most_few = 8;
  if (to == 0 || (actor < lanes_ && to <= b.base)) return;
  moment* at = nullptr;
  if (b.many.empty()) {
    for (auto& [of, until] : b.few) {
      if (of == actor) at = &until;
    }
    if (at == nullptr && b.few.size() < most_few) at = &b.few.emplace_back(actor, 0).second;
  }
  if (at == nullptr) {
    unsigned most = std::max(actor + 1, lanes_);
    for (auto const& known : b.few) most = std::max(most, known.first + 1);
    if (b.many.size() < most) b.many.resize(most);
    for (auto const& [of, until] : b.few) b.many[of] = until;
    b.few.clear();
    at = &b.many[actor];
  }
  if (to <= *at) return;
  *at = to;
  to_hear_.emplace_back(run, actor);
}

/// Learns everything that the lane of this block had met until then.
void learned::hear(std::uint32_t run, unsigned lane, moment until) {
  auto const of_run = meetings_of_runs().find(run);
  if (of_run == meetings_of_runs().end()) return;
  auto const found = of_run->second.find(lane);
  if (found == of_run->second.end()) return;
  std::size_t& heard = blocks_[run].heard[lane];
  if (heard != 0) --heard;  // the last one may have grown
  bool complete = true;
  for (std::size_t k = heard; k < found->second.size() && found->second[k].time <= until; ++k) {
    meeting const& m = found->second[k];
    if (m.relaxed && run == run_ && lane == lane_ && m.time >= now_) {
      std::size_t& met = met_[m.with];
      lacks_fence_ |= met < m.until;
      complete = false;
      continue;
    }
    if (complete) heard = k + 1;
    for (std::size_t& i = met_[m.with]; i < m.until; ++i) {
      sync_variable::published const& p = m.with->log[i];
      add(p.run, p.on_device, p.lane, true);
    }
    auto const by_block = m.with->of_run.find(run);
    if (by_block == m.with->of_run.end()) continue;
    auto const& in_log = by_block->second;
    for (std::size_t& i = blocks_[run].own[m.with]; i < in_log.size() && in_log[i] < m.until; ++i) {
      sync_variable::published const& p = m.with->log[in_log[i]];
      add(run, p.in_block, p.lane, true);
    }
  }
}

bool lacks_fence(worker& w) {
  if (w.clocks->heard == 0) return false;
  quiet const hush;
  return learned_by(w).lacks_fence();
}

void atomic_orders(worker& w, std::uintptr_t address, bool released, bool relaxed, bool block_scope) {
  block_clocks& clocks = *w.clocks;
  quiet const hush;
  clocks.close_look();
  if (released) clocks.fence(w.current, true);
  bool const fenced = (clocks.bridged >> fenced_block & 1) != 0;
  if (fenced || any.load(std::memory_order_acquire)) {
    sync_variable::published mine = {w.run, w.current, {}, {}};
    if (fenced) {
      lane_clock const& l = clocks.look_at(w.current);
      mine.in_block = l.bridge[fenced_block];
      if (!block_scope) mine.on_device = l.bridge[fenced_device];
    }
    bool const publishes = !equal(mine.in_block, {});
    std::lock_guard const lock(mutex);
    auto found = variables().find(address);
    if (found == variables().end() && publishes) {
      found = variables().try_emplace(address, std::make_unique<sync_variable>(address)).first;
      any.store(true, std::memory_order_release);
    }
    if (found != variables().end()) {
      if (!found->second->log.empty()) take_in(clocks, w.current, w.run, *found->second, relaxed);
      if (publishes) publish(*found->second, std::move(mine));
    }
  }
  // If this is the only host thread, nothing is published before the atomic itself.
  if (!w.alone) clocks.open_look(w.current, w.run, address, relaxed);
}

void block_clocks::take_in_look() {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // after the load, which may have been a plain one
  if (!any.load(std::memory_order_acquire)) return;
  quiet const hush;
  std::lock_guard const lock(mutex);
  auto const found = variables().find(look.address);
  if (found != variables().end()) take_in(*this, look.lane, look.run, *found->second, look.relaxed);
}

std::size_t publish_moments(worker const& w, std::uintptr_t at, shared_moments known) {
  quiet const hush;
  std::lock_guard const lock(mutex);
  auto& v = *variables().try_emplace(at, std::make_unique<sync_variable>(at)).first->second;
  any.store(true, std::memory_order_release);
  sync_variable::published mine = {w.run, 0, {}, {}};
  mine.in_block.more = mine.on_device.more = std::move(known);
  v.of_run[w.run].push_back(static_cast<std::uint32_t>(v.log.size()));
  v.log.push_back(std::move(mine));
  return v.log.size();
}

void meet_publications(worker& w, unsigned actor, moment time, std::uintptr_t at, std::size_t until) {
  quiet const hush;
  std::lock_guard const lock(mutex);
  auto const found = variables().find(at);
  if (found == variables().end() || until == 0) return;
  meetings_of_runs()[w.run][actor].push_back({found->second.get(), static_cast<std::uint32_t>(until), time, false});
  ++w.clocks->heard;
}

moment learned_of(worker& w, unsigned actor) {
  if (w.clocks->heard == 0) return 0;
  quiet const hush;
  return learned_by(w).latest(w.run, actor);
}

bool knows_other_block(worker& w, record const& r, std::uintptr_t at) {
  block_clocks& clocks = *w.clocks;
  if (clocks.looks) clocks.take_in_look();
  if (clocks.heard == 0) return false;
  quiet const hush;
  learned const& known = learned_by(w);
  if (r.has(by_mbarrier)) return r.time <= known.latest(r.run, r.lanes);
  std::uint32_t missing = 0;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    auto const lane = static_cast<unsigned>(std::countr_zero(bits));
    if (r.time > known.latest(r.run, r.warp() * 32 + lane)) missing |= 1u << lane;
  }
  if (missing == 0 || !r.has(by_atomic) || at == 0) return missing == 0;
  // The others' atomics on the variable itself are known too, in the moment after their fence.
  std::lock_guard const lock(mutex);
  auto const v = variables().find(at);
  if (v == variables().end()) return false;
  auto const found = v->second->of_run.find(r.run);
  if (found == v->second->of_run.end()) return false;
  for (std::uint32_t const i : found->second) {
    if (i >= known.met(v->second.get())) break;
    sync_variable::published const& p = v->second->log[i];
    for (std::uint32_t bits = missing; bits != 0; bits &= bits - 1) {
      auto const lane = static_cast<unsigned>(std::countr_zero(bits));
      if (p.on_device.holds(p.lane, r.warp() * 32 + lane, clocks.count(), r.time - 1)) missing &= ~(1u << lane);
    }
  }
  return missing == 0;
}

void forget_sync_variables() {
  if (!any.load()) return;
  std::lock_guard const lock(mutex);
  variables().clear();
  meetings_of_runs().clear();
  any.store(false);
}

}  // namespace cosmati_sim

extern "C" void cosmati_sim_thread_fence(int device) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (cosmati_sim_active == 0) return;
  cosmati_sim::worker& w = *cosmati_sim::this_worker;
  if (w.clocks != nullptr) w.clocks->fence(w.current, device != 0);
  // Plain loads in a loop with a fence poll too.
  if (++w.polling->lanes[w.current].polls % 64 == 0) cosmati_sim::lane_polls(w, __builtin_return_address(0));
}
