// SPDX-License-Identifier: Apache-2.0
#include "sync_variables.hpp"

#include "polling.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <unordered_map>

namespace cosmati_sim {

/// What was published through one address, in the order of the atomics.
struct sync_variable {
  struct published {
    std::uint32_t run;
    unsigned lane;
    knowledge in_block, on_device;  // by __threadfence_block(), by __threadfence()
  };
  std::uintptr_t address;
  std::vector<published> log = {};
  struct by_block {
    std::vector<std::size_t> in_log;
    std::shared_ptr<moments> sum = {};  // of what was published in the block: whoever learns, learns all
  };
  std::unordered_map<std::uint32_t, by_block> of_run = {};
  foreign_references others = {};

  explicit sync_variable(std::uintptr_t at) : address(at) {}
};

namespace {

std::mutex mutex;
std::unordered_map<std::uintptr_t, std::unique_ptr<sync_variable>>& variables() {
  static auto* const all = new std::unordered_map<std::uintptr_t, std::unique_ptr<sync_variable>>;
  return *all;
}
std::atomic<bool> any{false};

bool equal(knowledge const& a, knowledge const& b) {
  return a.base == b.base && a.warp == b.warp && a.self == b.self && a.more == b.more;
}

/// Another block's lane has published that it knows of the access.
bool says(sync_variable::published const& p, unsigned lanes, unsigned actor, moment at) {
  return p.on_device.holds(p.lane, actor, lanes, at);
}

/// The lane learns what the variable has published so far.
void take_in(block_clocks& clocks, unsigned lane, std::uint32_t run, sync_variable& v) {
  lane_clock& l = clocks.of(lane);
  clocks.foreign = true;
  // Who knows as much of the variable knows what its publishers had learned, too.
  if (reference_to(l.foreign, &v).until < v.log.size()) add_references(l.foreign, v.others);
  foreign_reference& me = reference_to(l.foreign, &v);
  me.until = v.log.size();
  me.met = true;
  auto const own = v.of_run.find(run);
  if (own == v.of_run.end() || me.seen == own->second.in_log.size()) return;
  me.seen = own->second.in_log.size();
  l.hb.learn(own->second.sum);
}

/// The running lane's atomic on the variable publishes what its fences said before.
void publish(block_clocks& clocks, sync_variable& v, sync_variable::published mine) {
  auto& [in_log, sum] = v.of_run[mine.run];
  if (!in_log.empty()) {
    sync_variable::published const& last = v.log[in_log.back()];
    if (last.lane == mine.lane && equal(last.in_block, mine.in_block) && equal(last.on_device, mine.on_device)) return;
  }
  lane_clock& l = clocks.of(mine.lane);
  if (sum == nullptr || sum.use_count() != 1) sum = std::make_shared<moments>(sum != nullptr ? *sum : moments());
  mine.in_block.add_to(*sum, mine.lane, clocks.count());
  in_log.push_back(v.log.size());
  add_references(v.others, l.foreign, false);  // without those met: the fence may have been before those atomics
  v.log.push_back(std::move(mine));
  foreign_reference& me = reference_to(l.foreign, &v);
  me.until = v.log.size();
  me.seen = in_log.size();
}

}  // namespace

void atomic_orders(worker& w, std::uintptr_t address, bool released) {
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
      mine.on_device = l.bridge[fenced_device];
    }
    bool const publishes = !equal(mine.in_block, {});
    std::lock_guard const lock(mutex);
    auto found = variables().find(address);
    if (found == variables().end() && publishes) {
      found = variables().try_emplace(address, std::make_unique<sync_variable>(address)).first;
      any.store(true, std::memory_order_release);
    }
    if (found != variables().end()) {
      take_in(clocks, w.current, w.run, *found->second);
      if (publishes) publish(clocks, *found->second, std::move(mine));
    }
  }
  // While this is the only host thread, nobody publishes before the atomic itself.
  if (!w.alone) clocks.open_look(w.current, w.run, address);
}

void block_clocks::take_in_look() {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // after the load, which may have been a plain one
  if (!any.load(std::memory_order_acquire)) return;
  quiet const hush;
  std::lock_guard const lock(mutex);
  auto const found = variables().find(look.address);
  if (found != variables().end()) take_in(*this, look.lane, look.run, *found->second);
}

bool knows_other_block(worker& w, record const& r, std::uintptr_t at) {
  block_clocks& clocks = *w.clocks;
  if (clocks.looks) clocks.take_in_look();
  if (!clocks.foreign) return false;
  foreign_references const& known = clocks.look_at(w.current).foreign;
  if (known.empty()) return false;
  unsigned const lanes = clocks.count();
  std::lock_guard const lock(mutex);
  std::uint32_t missing = r.lanes;
  for (foreign_reference const& f : known) {
    auto const found = f.from->of_run.find(r.run);
    if (found == f.from->of_run.end()) continue;
    // Of a variable that this lane's own atomic met the others' are known, in the moment after their fence.
    moment const when = r.has(by_atomic) && f.met && f.from->address == at ? r.time - 1 : r.time;
    // The newest first, which know most.
    auto const& in_log = found->second.in_log;
    for (auto i = std::lower_bound(in_log.begin(), in_log.end(), f.until); i != in_log.begin();) {
      sync_variable::published const& p = f.from->log[*--i];
      if (r.has(by_mbarrier)) {
        if (says(p, lanes, r.lanes, r.time)) return true;
        continue;
      }
      for (std::uint32_t bits = missing; bits != 0; bits &= bits - 1) {
        unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
        if (says(p, lanes, lane, when)) missing &= ~(bits & (~bits + 1));
      }
      if (missing == 0) return true;
    }
  }
  return false;
}

void forget_sync_variables() {
  if (!any.load()) return;
  std::lock_guard const lock(mutex);
  variables().clear();
  any.store(false);
}

}  // namespace cosmati_sim

extern "C" void cosmati_sim_thread_fence(int device) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (cosmati_sim_active == 0) return;
  cosmati_sim::worker& w = *cosmati_sim::this_worker;
  if (w.clocks != nullptr) w.clocks->fence(w.current, device != 0);
  // Plain loads in a loop with a fence poll, too.
  if (++w.polling->lanes[w.current].polls % 64 == 0) cosmati_sim::lane_polls(w, __builtin_return_address(0));
}
