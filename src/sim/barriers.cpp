// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: __syncthreads and its like, named barriers.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "clocks.hpp"
#include "counters.hpp"
#include "scheduler.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

void complete_barrier(worker& w, int id) {
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  unsigned const words = (w.lanes_in_block + 63) / 64;
  for (unsigned word = 0; word < words; ++word) {
    std::uint64_t bits = b.waiting[word];
    w.ready[word] |= bits;
    b.waited[word] = bits;
    b.waiting[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      lane& l = w.lanes[word * 64 + static_cast<unsigned>(std::countr_zero(bits))];
      l.state = lane_state::ready;
      l.result = b.result();
    }
  }
  b.arrived = 0;
  if (w.clocks == nullptr) return;
  if (b.expected == 0 || (b.expected == w.lanes_in_block && !b.somebody_goes_on)) {
    w.clocks->meet_all();
    if (b.expected != 0) w.clocks->named[static_cast<std::size_t>(id)] = {};
  } else {
    gathering& g = w.clocks->named[static_cast<std::size_t>(id)];
    for (unsigned i = 0; i < w.lanes_in_block; ++i) {
      if (b.waited[i / 64] >> (i % 64) & 1) w.clocks->learn(i, g);
    }
    g = {};
  }
}

/// The barrier has all the threads that are left: complete it, or say what is wrong with it.
void finish_barrier_of_block(worker& w, int id) {
  if (w.finished != 0 && !w.running->exited_may_skip_barriers) {
    site first;
    for (unsigned i = 0; i < w.lanes_in_block && first.file == nullptr; ++i) {
      if (w.lanes[i].state == lane_state::at_barrier) first = site_of_lane(w, w.lanes[i]);
    }
    fail_block(fmt::format("barrier divergence, not all threads of the block come to the barrier: {}",
                           positions(w, 0, w.lanes_in_block)),
               hazard_kind::divergence, first);
  }
  complete_barrier(w, id);
}

/// All other lanes of the current one's warp wait at barrier `id`, or have exited.
bool rest_of_warp_waits_at(worker const& w, int id) {
  unsigned const warp = w.current / 32 * 32;
  for (unsigned i = warp; i < warp + 32 && i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    bool const waits = l.state == lane_state::at_barrier && l.barrier == id;
    if (i != w.current && !waits && l.state != lane_state::exited) return false;
  }
  return true;
}

}  // namespace

void barrier_after_exit(worker& w) {
  barrier_state& b = w.barriers[0];
  if (b.arrived != 0 && b.arrived == w.lanes_in_block - w.finished) finish_barrier_of_block(w, 0);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

unsigned cosmati_sim_barrier(int id, unsigned count, int reduce, int predicate, char const* name, char const* file,
                             int line) {
  active_again const restore;
  cosmati_sim_active = 0;
  worker& w = running_lane(name);
  unsigned const me = w.current;
  lane& self = w.lanes[me];
  if (id < 0 || id > 15)
    fail_lane(fmt::format("{} ({}): barrier {}, there are 0 to 15", name, to_text({file, line}), id));
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  if (b.arrived == 0) {
    b.count = 0;
    b.all = true;
    b.any = false;
    b.expected = count;
    b.reduce = reduce;
    b.somebody_goes_on = false;
  } else if (b.expected != count) {
    fail_lane(fmt::format("{} ({}): barrier {} is waited for with {} threads here and {} elsewhere", name,
                          to_text({file, line}), id, count, b.expected),
              hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), name));
  }
  if (reduce != 0) {
    b.count += predicate != 0;
    b.all &= predicate != 0;
    b.any |= predicate != 0;
  }
  // An aligned barrier: all threads of a warp have to execute the same one.
  unsigned const warp = me / 32;
  if (id == 0) {
    if (w.warp_arrived[warp] == 0) {
      w.warp_site[warp] = {file, line};
    } else if (w.warp_site[warp].line != line ||
               (w.warp_site[warp].file != file && std::strcmp(w.warp_site[warp].file, file) != 0)) {
      self.state = lane_state::at_barrier;
      self.barrier = id;
      self.what = name;
      self.where = {file, line};
      unsigned const end = (warp + 1) * 32 < w.lanes_in_block ? (warp + 1) * 32 : w.lanes_in_block;
      fail_block(fmt::format("barrier divergence, threads of one warp wait at different calls: {}",
                             positions(w, warp * 32, end)),
                 hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), name));
    }
    unsigned const lanes = w.lanes_in_block - warp * 32 < 32 ? w.lanes_in_block - warp * 32 : 32;
    if (++w.warp_arrived[warp] == lanes) w.warp_arrived[warp] = 0;
  }
  self.what = name;
  self.where = {file, line};
  self.pc = __builtin_return_address(0);
  ++b.arrived;
  if (w.counters != nullptr && rest_of_warp_waits_at(w, id)) w.counters->warp_converges(warp);
  b.waiting[me / 64] |= 1ull << (me % 64);
  if (w.clocks != nullptr && count != 0) w.clocks->publish(me, w.clocks->named[static_cast<std::size_t>(id)]);
  bool const complete = count == 0 ? b.arrived == w.lanes_in_block - w.finished : b.arrived == count;
  if (complete) {
    unsigned const result = b.result();
    if (count == 0) {
      if (w.finished != 0) {
        self.state = lane_state::at_barrier;
        self.barrier = id;
      }
      finish_barrier_of_block(w, id);
      self.state = lane_state::ready;
      if (w.finished != 0) {
        for (unsigned& arrived : w.warp_arrived) arrived = 0;
      }
    } else {
      complete_barrier(w, id);
    }
    switch_away(w, w.lanes_in_block - 1);  // the lowest first, so that the lowest is the first to be wrong
    return result;
  }
  self.state = lane_state::at_barrier;
  self.barrier = id;
  clear_ready(w, me);
  switch_away(w, w.current);
  return self.result;
}

unsigned cosmati_sim_barrier_arrive(int id, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("bar.arrive");
  site const where = {file, line};
  if (id < 0 || id > 15) fail_lane(fmt::format("bar.arrive ({}): barrier {}, there are 0 to 15", to_text(where), id));
  if (count == 0 || count % 32 != 0) {
    fail_lane(fmt::format("bar.arrive ({}): {} threads, it needs a multiple of 32", to_text(where), count));
  }
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  if (b.arrived == 0) {
    b.count = 0;
    b.all = true;
    b.any = false;
    b.expected = count;
    b.reduce = 0;
    b.somebody_goes_on = false;
  } else if (b.expected != count) {
    fail_lane(fmt::format("bar.arrive ({}): barrier {} is waited for with {} threads here and {} elsewhere",
                          to_text(where), id, count, b.expected),
              hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), "bar.arrive"));
  }
  b.somebody_goes_on = true;
  if (w.clocks != nullptr) w.clocks->publish(w.current, w.clocks->named[static_cast<std::size_t>(id)]);
  if (++b.arrived == count) complete_barrier(w, id);
  return 0;
}

}  // extern "C"
