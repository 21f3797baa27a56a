// SPDX-License-Identifier: Apache-2.0
#include "launch_counters.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "page.hpp"
#include "remedy.hpp"
#include "report.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

struct kernel_totals {
  std::uint64_t launches = 0;
  counter_totals of{};
};

std::mutex mutex;
bool on = false;
std::map<std::string, kernel_totals> kernels;
counter_totals of_launch{};  // the totals of the running launch
costs_by_place places_of_launch;

}  // namespace

bool counters_are_on() {
  std::lock_guard const lock(mutex);
  return on || report_is_wanted() || page_is_wanted();
}

void counters_launch_begins(worker& w) { w.counters = new worker_counters; }

void counters_launch_ends(worker& w) {
  std::lock_guard const lock(mutex);
  for (std::size_t k = 0; k < counted_kinds; ++k) add(of_launch[k], w.counters->totals()[k]);
  for (auto const& [key, costs] : w.counters->places()) {
    place_costs& all = places_of_launch[key];
    add(all.totals, costs.totals);
    if (costs.excess <= all.excess) continue;
    all.excess = costs.excess;
    all.instruction = costs.instruction;
    all.worst = costs.worst;
  }
  delete w.counters;
  w.counters = nullptr;
}

counter_totals counters_launched(std::string const& kernel) {
  std::lock_guard const lock(mutex);
  if (on) {
    kernel_totals& k = kernels[kernel];
    ++k.launches;
    for (std::size_t i = 0; i < counted_kinds; ++i) add(k.of[i], of_launch[i]);
  }
  return std::exchange(of_launch, {});
}

std::vector<cosmati::run_place> dear_places_launched() {
  constexpr std::size_t most = 12;  // finding a line takes milliseconds
  costs_by_place taken;
  {
    std::lock_guard const lock(mutex);
    taken.swap(places_of_launch);
  }
  std::vector<std::pair<std::uint64_t, place_costs>> dear;
  for (auto const& one : taken) {
    if (one.second.excess > 0) dear.push_back(one);
  }
  auto const paid = [](place_costs const& p) {
    return p.totals.bank_conflicts + p.totals.sectors - p.totals.ideal_sectors;
  };
  std::sort(dear.begin(), dear.end(), [&](auto const& a, auto const& b) {
    auto const first = paid(a.second), second = paid(b.second);
    return first != second ? first > second : a.first < b.first;
  });
  if (dear.size() > most) dear.resize(most);
  std::vector<cosmati::run_place> places;
  for (auto const& [key, costs] : dear) {
    program_line const line = line_of_site(static_cast<std::uint32_t>(key >> 8));
    cosmati_sim_instruction_counters const& c = costs.totals;
    bool const conflicts = c.bank_conflicts != 0;
    places.push_back({kind_name(key & 255), line.file, line.line, c.instructions, c.wavefronts, c.bank_conflicts,
                      c.sectors, c.ideal_sectors,
                      conflicts ? remedy_of_conflicts(costs.instruction, costs.worst)
                                : remedy_of_sectors(costs.instruction, costs.worst)});
  }
  return places;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

int cosmati_sim_counters_begin(void) {
  std::lock_guard const lock(mutex);
  if (on) return 1;
  on = true;
  kernels.clear();
  return 0;
}

void cosmati_sim_counters_end(void) {
  std::lock_guard const lock(mutex);
  on = false;
  kernels.clear();
}

void cosmati_sim_counters_visit(void (*visit)(void* out, cosmati_sim_kernel_counters const* kernel), void* out) {
  std::lock_guard const lock(mutex);
  for (auto const& [name, totals] : kernels) {
    cosmati_sim_kernel_counters k = {};
    k.kernel = name.c_str();
    k.launches = totals.launches;
    std::copy(totals.of.begin(), totals.of.end(), k.of);
    visit(out, &k);
  }
}

}  // extern "C"
