// SPDX-License-Identifier: Apache-2.0
// cp.async, its groups, and its arrival at an mbarrier.
#include <memory>
#include <utility>
#include <vector>

#include "async.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

char const* const cp_async_names[2][5] = {{"", "cp.async.ca.4", "cp.async.ca.8", "", "cp.async.ca.16"},
                                          {"", "cp.async.cg.4", "cp.async.cg.8", "", "cp.async.cg.16"}};

/// Joins two waits for a copy: the running lane has waited for its own copy, which also arrives at an mbarrier. Each
/// side learns of the other.
void meet_arrivals(worker& w, async_state& a, unsigned index) {
  async_copy const& c = a.copies[index];
  if (c.arrived.run == w.run && c.to_shadow == nullptr) {
    moments seen(c.arrived.lanes + 1);
    seen.back() = c.arrived.time;
    w.clocks->of(w.current).hb.learn(std::make_shared<moments const>(std::move(seen)));
    return;
  }
  for (pending_arrival& p : a.arrivals) {
    for (auto const& [i, serial] : p.copies) {
      if (i == index && serial == c.serial) p.waited = w.clocks->now(w.current);
    }
  }
}

}  // namespace
}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_cp_async(void* shared, void const* global, unsigned bytes, unsigned source_bytes, int level,
                          void const* shared_base, void const* global_base, cosmati_sim_describe describe_shared,
                          void const* shared_context, cosmati_sim_describe describe_global, void const* global_context,
                          char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async");
  site where = {file, line};
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (level == 1 && bytes != 16) || source_bytes > bytes) {
    where = site_here(w, file, line, __builtin_return_address(0), "cp.async");
    fail_lane(formatted("cp.async.{} ({}): {} bytes, {} of them from global memory; it copies {}, and reads at most "
                        "as many",
                        level == 1 ? "cg" : "ca", to_text(where), bytes, source_bytes,
                        level == 1 ? "16 bytes" : "4, 8 or 16 bytes"),
              hazard_kind::misaligned, where);
  }
  char const* const name = cp_async_names[level][bytes / 4];
  void const* const pc = place_of_call(__builtin_return_address(0));
  if (w.clocks != nullptr) where.number = site_number(w, pc, where, name);
  async_copy c;
  memory_access const to = {reinterpret_cast<std::uintptr_t>(shared),
                            bytes,
                            1,
                            bytes,
                            shared_base,
                            name,
                            describe_shared,
                            shared_context,
                            where,
                            pc};
  memory_access const from = {reinterpret_cast<std::uintptr_t>(global),
                              source_bytes,
                              0,
                              bytes,
                              global_base,
                              name,
                              describe_global,
                              global_context,
                              where,
                              pc};
  c.to_shadow = check_side(to, space_shared);
  if (source_bytes != 0) c.from_shadow = check_side(from, space_global);
  async_state& a = async_of(w);
  c.lane = w.current;
  c.bytes = bytes;
  c.source_bytes = source_bytes;
  c.to = reinterpret_cast<std::uintptr_t>(shared);
  c.from = reinterpret_cast<std::uintptr_t>(global);
  c.where = where;
  c.name = name;
  c.site_number = where.number;
  if (w.timeline != nullptr) c.event = w.timeline->copy(w.current, run_event_kind::cp_async, bytes, where);
  if (!w.suspects.empty()) resolve_suspects(w);
  unsigned const index = new_copy(w, std::move(c));
  a.cp_async[w.current].open.push_back(index);
  async_copy const& made = a.copies[index];
  if (made.from_shadow != nullptr)
    copy_will_read(w, *made.from_shadow, made.from, source_bytes, index, made, true, &from);
  if (made.to_shadow != nullptr) copy_will_write(w, *made.to_shadow, made.to, bytes, index, made, &to);
}

void cosmati_sim_cp_async_commit(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.commit_group");
  if (w.timeline != nullptr) {
    w.timeline->commit(w.current, run_event_kind::commit,
                       site_here(w, file, line, __builtin_return_address(0), "cp.async.commit_group"));
  }
  async_state& a = async_of(w);
  copy_groups& g = a.cp_async[w.current];
  for (unsigned const i : g.open) {
    a.copies[i].committed = true;
    if (lands_early(w, a, a.copies[i], 1)) land(w, a.copies[i]);
  }
  g.committed.push_back(std::move(g.open));
  g.open.clear();
}

void cosmati_sim_cp_async_wait(int pending, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.wait_group");
  site const where = site_here(w, file, line, __builtin_return_address(0), "cp.async.wait_group");
  async_state& a = async_of(w);
  copy_groups& g = a.cp_async[w.current];
  if (w.timeline != nullptr) {
    w.timeline->at_place(w.current, run_event_kind::wait, pending < 0, pending < 0 ? 0 : static_cast<unsigned>(pending),
                         0, where);
    if (pending < 0) w.timeline->commit(w.current, run_event_kind::commit, where, false);
  }
  if (pending < 0) {
    g.committed.push_back(std::move(g.open));
    g.open.clear();
    pending = 0;
  }
  while (g.committed.size() > static_cast<std::size_t>(pending)) {
    for (unsigned const i : g.committed.front()) {
      land(w, a.copies[i]);
      if (w.timeline != nullptr) w.timeline->over(a.copies[i].event);
      copy_is_over(w, i, false);
      if (w.clocks != nullptr && g.arrives_at_mbarrier) meet_arrivals(w, a, i);
      free_copy(a, i);
    }
    g.committed.pop_front();
  }
  note_open_copies(a, g, static_cast<std::size_t>(pending), where.number);
}

void cosmati_sim_cp_async_mbarrier_arrive(std::uint64_t* barrier, int noinc, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.mbarrier.arrive");
  site const where = site_here(w, file, line, __builtin_return_address(0), "cp.async.mbarrier.arrive");
  mbarrier& b = need_mbarrier(w, barrier, "cp.async.mbarrier.arrive", where);
  check_init_is_known(w, b, "cp.async.mbarrier.arrive", where);
  async_state& a = async_of(w);
  if (noinc == 0) ++b.pending;
  if (w.timeline != nullptr)
    w.timeline->mbarrier_event(w.current, run_event_kind::mbarrier_copies, barrier, 1, 0, where);
  pending_arrival arrival;
  arrival.barrier = barrier;
  arrival.lane = w.current;
  arrival.where = where;
  copy_groups& g = a.cp_async[w.current];
  g.arrives_at_mbarrier = true;
  auto const covers = [&](std::vector<unsigned> const& group) {
    for (unsigned const i : group) arrival.copies.emplace_back(i, a.copies[i].serial);
  };
  for (auto const& group : g.committed) covers(group);
  covers(g.open);
  if (arrival.copies.empty()) {  // there is nothing to wait for
    mbarrier_arrives(w, b, 1, no_lane, where);
    return;
  }
  a.arrivals.push_back(std::move(arrival));
  if (w.running->seed == 1) {
    while (!a.arrivals.empty()) land_something(w);
  }
}

}  // extern "C"
