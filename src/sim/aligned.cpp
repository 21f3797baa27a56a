// SPDX-License-Identifier: Apache-2.0
#include "aligned.hpp"

#include <algorithm>
#include <cosmati/arch/exchange.hpp>
#include <cosmati/arch/simulated.hpp>
#include <cstring>

#include "formatted.hpp"
#include "hazards.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "state.hpp"

namespace cosmati_sim {
namespace {

constexpr unsigned warps_of_warpgroup = 4;

/// What a lane brings to a meeting, and learns there.
struct coming {
  void const* which;
  unsigned lanes = 0;
  bool same = true;

  static void together(void* const* arguments, unsigned lanes) {
    void const* first = nullptr;
    bool same = true;
    for (unsigned i = 0; i < 32; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      void const* const which = static_cast<coming*>(arguments[i])->which;
      if (first == nullptr) first = which;
      same = same && which == first;
    }
    for (unsigned i = 0; i < 32; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      static_cast<coming*>(arguments[i])->lanes = lanes;
      static_cast<coming*>(arguments[i])->same = same;
    }
  }
};

/// Which warps of the warpgroup have executed at least this many of its instructions: "warps 0 and 2".
std::string warps_with(warpgroup_steps const& s, std::uint64_t number) {
  std::string text;
  unsigned count = 0;
  for (unsigned warp = 0; warp < warps_of_warpgroup; ++warp) {
    if (s.done[warp] < number) continue;
    text += formatted("{}{}", count++ == 0 ? "" : ", ", warp);
  }
  return (count == 1 ? "warp " : "warps ") + text;
}

void report(worker& w, warpgroup_steps& s, unsigned group, warpgroup_steps::step const& at, std::string const& how) {
  s.reported = true;
  if (w.clocks == nullptr || !is_news(w, hazard_kind::divergence, at.where.number, 0)) return;
  hazard h = hazard_here(w, hazard_kind::divergence);
  h.thread = w.threads[std::min(group * 32 * warps_of_warpgroup, w.lanes_in_block - 1)];
  h.site = at.where.number;
  h.where = at.where;
  h.message = formatted(
      "{} (\1) {}; all four warps of a warpgroup (here threads {}-{}) execute the same wgmma instructions in the same "
      "order: let the whole warpgroup come to it",
      at.name, how, group * 32 * warps_of_warpgroup, (group + 1) * 32 * warps_of_warpgroup - 1);
  add_hazard(w, std::move(h));
}

}  // namespace

void meet_aligned(aligned_instruction const& i, exited_lanes exited) {
  coming mine = {i.which};
  worker& w = running_lane(i.name);
  meet_warp_at(i.pc, &mine, coming::together, i.name, {i.file, i.line});
  bool const missing = exited == exited_lanes::must_come && mine.lanes != ~0u;
  if (!missing && mine.same) return;
  quiet const hush;
  site const where = site_here(w, i.file, i.line, i.pc, i.name);
  if (!mine.same) {
    fail_lane(formatted("{} ({}): lanes of one warp execute different instructions of this name; `.aligned` needs one "
                        "instruction for all 32: move it out of the branch",
                        i.name, to_text(where)),
              hazard_kind::divergence, where);
  }
  char lanes[120];
  cosmati::detail::name_lanes(~mine.lanes, lanes, sizeof lanes);
  fail_lane(formatted("{} ({}): all 32 lanes of a warp execute it together, but lanes {} of this one exited before, or "
                      "never were; let every lane come here, and launch a multiple of 32 threads",
                      i.name, to_text(where), lanes),
            hazard_kind::divergence, where);
}

void note_warpgroup_step(worker& w, char const* name, site where) {
  if (w.clocks == nullptr) return;
  unsigned const group = w.current / 32 / warps_of_warpgroup, warp = w.current / 32 % warps_of_warpgroup;
  if (w.warpgroups.size() <= group) w.warpgroups.resize(group + 1);
  warpgroup_steps& s = w.warpgroups[group];
  std::uint64_t const number = s.done[warp]++;
  if (s.reported) return;
  if (number - s.first == s.kept.size()) {
    s.kept.push_back({name, where});
  } else {
    warpgroup_steps::step const& before = s.kept[number - s.first];
    if (std::strcmp(before.name, name) != 0)
      return report(w, s, group, {name, where},
                    formatted("is executed by warp {} where another executes {}", warp, before.name));
  }
  while (!s.kept.empty() && *std::min_element(s.done.begin(), s.done.end()) > s.first) {
    s.kept.pop_front();
    ++s.first;
  }
}

void warpgroup_steps_end(worker& w) {
  for (unsigned group = 0; group < w.warpgroups.size(); ++group) {
    warpgroup_steps& s = w.warpgroups[group];
    if (s.reported || s.kept.empty()) continue;
    report(w, s, group, s.kept.front(), "is executed only by " + warps_with(s, s.first + 1) + " of its warpgroup");
  }
}

}  // namespace cosmati_sim
