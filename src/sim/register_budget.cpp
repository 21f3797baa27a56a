// SPDX-License-Identifier: Apache-2.0
#include "register_budget.hpp"

#include <algorithm>

#include "formatted.hpp"
#include "hazards.hpp"
#include "sites.hpp"

using namespace cosmati_sim;

namespace cosmati_sim {
namespace {

constexpr unsigned registers_of_multiprocessor = 65536, most_registers = 255;
constexpr unsigned step = 8, warps_of_warpgroup = 4;

/// The most registers that each thread of a block can begin with.
unsigned registers_at_start(unsigned threads) {
  unsigned const warps = (threads + 31) / 32;
  return std::min(registers_of_multiprocessor / (32 * warps) / step * step, (most_registers + 1) / step * step);
}

/// What a thread of the warp has now, or has at most.
unsigned registers_now(worker const& w, unsigned warp) {
  for (std::size_t i = w.register_changes.size(); i-- > 0;) {
    if (w.register_changes[i].warp == warp) return w.register_changes[i].registers;
  }
  return registers_at_start(w.lanes_in_block);
}

void add_budget_hazard(worker& w, register_change const& of, hazard_kind kind, std::string text) {
  if (!is_news(w, kind, of.where.number, 0)) return;
  hazard h = hazard_here(w, kind);
  h.thread = w.threads[of.warp * 32];
  h.site = of.where.number;
  h.where = of.where;
  h.message = std::move(text);
  add_hazard(w, std::move(h));
}

/// Reports the first warpgroup of which not all warps have executed the same changes.
void check_warpgroups(worker& w, unsigned warps) {
  for (unsigned first = 0; first < warps; first += warps_of_warpgroup) {
    std::vector<register_change const*> of[warps_of_warpgroup];
    for (register_change const& c : w.register_changes) {
      if (c.warp >= first && c.warp < first + warps_of_warpgroup) of[c.warp - first].push_back(&c);
    }
    auto const most = std::max_element(std::begin(of), std::end(of),
                                       [](auto const& a, auto const& b) { return a.size() < b.size(); });
    for (auto const& changes : of) {
      for (std::size_t i = 0; i < most->size(); ++i) {
        if (i < changes.size() && changes[i]->registers == (*most)[i]->registers) continue;
        add_budget_hazard(
            w, *(*most)[i], hazard_kind::divergence,
            formatted("setmaxnreg {} (\1) is not executed by all four warps of the warpgroup of threads {}-{}; call "
                      "warpgroup_reg_alloc or warpgroup_reg_dealloc where the whole warpgroup comes",
                      (*most)[i]->registers, 32 * first, 32 * (first + warps_of_warpgroup) - 1));
        return;
      }
    }
  }
}

}  // namespace

void register_budgets_end(worker& w) {
  if (w.register_changes.empty() || w.clocks == nullptr) return;
  unsigned const warps = (w.lanes_in_block + 31) / 32, start = registers_at_start(w.lanes_in_block);
  check_warpgroups(w, warps);
  std::vector<unsigned> held(warps, start);
  register_change const* taking = nullptr;
  for (register_change const& c : w.register_changes) {
    held[c.warp] = c.registers;
    if (c.takes) taking = &c;
  }
  unsigned total = 0;
  for (unsigned const registers : held) total += 32 * registers;
  if (taking == nullptr || total <= 32 * warps * start) return;
  add_budget_hazard(
      w, *taking, hazard_kind::deadlock,
      formatted("setmaxnreg.inc {} (\1) waits forever: the block's warps come to {} registers together, and a block of "
                "{} threads has {} at most, {} a thread; let warpgroup_reg_dealloc give more back, or take fewer",
                taking->registers, total, w.lanes_in_block, 32 * warps * start, start));
}

}  // namespace cosmati_sim

void cosmati_sim::change_registers(aligned_instruction const& i, unsigned registers, bool takes) {
  meet_aligned(i, exited_lanes::may_miss);
  quiet const hush;
  worker& w = running_lane(i.name);
  if (w.current % 32 != 0) return;  // one entry for a warp
  unsigned const warp = w.current / 32, now = registers_now(w, warp);
  bool const known = std::any_of(w.register_changes.begin(), w.register_changes.end(),
                                 [&](register_change const& c) { return c.warp == warp; });
  register_change const change = {warp, registers, takes, site_here(w, i.file, i.line, i.pc, i.name)};
  if (w.clocks != nullptr && (takes ? known && registers < now : registers > now))
    add_budget_hazard(
        w, change, hazard_kind::invalid_argument,
        formatted("{} {} (\1): a thread of the warp has {}{} registers; {}", i.name, registers, known ? "" : "at most ",
                  now, takes ? "warpgroup_reg_dealloc gives registers back" : "warpgroup_reg_alloc takes more"));
  w.register_changes.push_back(change);
}

extern "C" void cosmati_sim_register_budget(unsigned registers, int takes, char const* file, int line) {
  change_registers({takes != 0 ? "setmaxnreg.inc" : "setmaxnreg.dec", file, line, __builtin_return_address(0)},
                   registers, takes != 0);
}
