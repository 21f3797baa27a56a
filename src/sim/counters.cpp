// SPDX-License-Identifier: Apache-2.0
#include "counters.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "access.hpp"
#include "sites.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2));
  x *= 0xBF58476D1CE4E5B9ull;
  return x ^ (x >> 29);
}
std::uint64_t mixed(std::uint64_t a, void const* pc) { return mixed(a, reinterpret_cast<std::uintptr_t>(pc)); }

counted_kind kind_of(int kind, int space) {
  if (kind == 2) return space == space_global ? global_atomic : shared_atomic;
  if (space == space_global) return kind == 0 ? global_load : global_store;
  return kind == 0 ? shared_load : shared_store;
}

cosmati::memory_instruction instruction_of(counted_kind kind, unsigned bytes, unsigned lanes) {
  int const width = static_cast<int>(bytes);
  int const matrices = static_cast<int>(lanes) / 8;
  switch (kind) {
    case global_load:
      return cosmati::load_global(width);
    case shared_load:
      return cosmati::load_shared(width);
    case shared_store:
    case shared_atomic:
      return cosmati::store_shared(width);
    case ldmatrix:
      return cosmati::load_matrix(matrices);
    case stmatrix:
      return cosmati::store_matrix(matrices);
    case cp_async:
      return cosmati::copy_async(width);
    default:
      return cosmati::store_global(width);
  }
}

/// The widest hardware access that fits all lanes. A structure is moved in pieces.
unsigned width_of(cosmati::warp_access const& at, unsigned bytes) {
  std::uint64_t bits = bytes | 16u;
  for (int l = 0; l < 32; ++l) {
    if (at.takes_part(l)) bits |= static_cast<std::uint64_t>(at.offset[l]);
  }
  return static_cast<unsigned>(bits & (0 - bits));
}

/// Of several instructions the dearest is kept, for what to change about it.
void add_to_place(place_costs& to, cosmati_sim_instruction_counters const& c,
                  cosmati::memory_instruction const& instruction, cosmati::warp_access const& at) {
  add(to.totals, c);
  std::int64_t const sectors = static_cast<std::int64_t>(c.sectors) - static_cast<std::int64_t>(c.ideal_sectors);
  std::int64_t const excess = c.bank_conflicts != 0 ? static_cast<std::int64_t>(c.bank_conflicts) : sectors;
  if (excess <= to.excess) return;
  to.excess = excess;
  to.instruction = instruction;
  to.worst = at;
}

}  // namespace

void add(cosmati_sim_instruction_counters& to, cosmati_sim_instruction_counters const& c) {
  to.instructions += c.instructions;
  to.requests += c.requests;
  to.sectors += c.sectors;
  to.ideal_sectors += c.ideal_sectors;
  to.lines += c.lines;
  to.bytes_used += c.bytes_used;
  to.bytes_moved += c.bytes_moved;
  to.wavefronts += c.wavefronts;
  to.wavefronts_floor += c.wavefronts_floor;
  to.wavefronts_ideal += c.wavefronts_ideal;
  to.bank_conflicts += c.bank_conflicts;
  to.inexact += c.inexact;
}

worker_counters::worker_counters() : lanes_(max_lanes), warps_(max_lanes / 32), by_place_(timelines_are_wanted()) {}

void worker_counters::block_begins() {
  in_tensor_copy_ = false;
  for (lane_path& l : lanes_) {
    l.path = l.step = 0;
    l.callers.clear();
    l.steps.clear();
  }
  for (warp_places& w : warps_) {  // warps of a block that failed
    if (!w.used) continue;
    w.places.clear();
    w.steps.clear();
    w.used = false;
  }
}

void worker_counters::enter(unsigned lane, void const* pc) {
  lane_path& l = lanes_[lane];
  l.callers.push_back(l.path);
  l.path = mixed(l.path, pc);
}

void worker_counters::leave(unsigned lane) {
  lane_path& l = lanes_[lane];
  if (l.callers.empty()) return;
  l.path = l.callers.back();
  l.callers.pop_back();
}

void worker_counters::step(unsigned lane, void const* pc) {
  lane_path& l = lanes_[lane];
  if (pc == nullptr) {
    if (l.steps.empty()) return;
    l.step = l.steps.back();
    l.steps.pop_back();
    return;
  }
  warp_places& w = warps_[lane / 32];
  w.used = true;
  std::uint64_t const key = mixed(mixed(l.path, l.step), pc);
  l.steps.push_back(l.step);
  l.step = mixed(key, std::uint64_t{++w.steps[key][lane % 32]});
}

void worker_counters::file(unsigned lane, std::uintptr_t offset, std::size_t bytes, counted_kind kind, unsigned lanes,
                           void const* pc) {
  lane_path& l = lanes_[lane];
  warp_places& w = warps_[lane / 32];
  w.used = true;
  std::uint64_t const what = std::uint64_t{bytes} << 16 | std::uint64_t{lanes} << 8 | kind;
  std::uint64_t const key = mixed(mixed(mixed(l.path, pc), l.step), what);
  place& p = w.places[key];
  if (p.requests.empty()) {
    p.kind = kind;
    p.bytes = static_cast<unsigned>(bytes);
    p.lanes = lanes;
    if (by_place_ && p.costs == nullptr && this_worker != nullptr)
      p.costs = &places_[std::uint64_t{site_number(*this_worker, pc)} << 8 | kind];
  }
  unsigned const time = p.times[lane % 32]++;
  if (time == p.requests.size()) {
    p.requests.emplace_back();
    p.requests.back().at.active = p.requests.back().source.active = 0;
  }
  request& r = p.requests[time];
  r.at.offset[lane % 32] = static_cast<std::int64_t>(offset);
  r.at.active |= 1u << (lane % 32);
  if (kind == cp_async) l.last_copy = key;
}

void worker_counters::access(unsigned lane, std::uintptr_t address, std::size_t bytes, int kind, int space,
                             std::uintptr_t low, char const* instruction, void const* pc) {
  if (space != space_global && space != space_shared) return;
  // On the GPU a shared array begins at a multiple of 128 bytes. The simulated address may differ.
  std::uintptr_t const at = space == space_shared ? address - low : address;
  if (instruction != nullptr) {
    std::string_view const name = instruction;
    auto const matrices = [&] {
      std::size_t const x = name.find(".x");
      return x == std::string_view::npos || x + 2 == name.size() ? 4u : static_cast<unsigned>(name[x + 2] - '0');
    };
    if (name.starts_with("ldmatrix")) return file(lane, at, 16, ldmatrix, 8 * matrices(), pc);
    if (name.starts_with("stmatrix")) return file(lane, at, 16, stmatrix, 8 * matrices(), pc);
    if (name.starts_with("prefetch") || name.starts_with("mbarrier")) return;  // no counter reports these
    if (name.starts_with("cp.async.bulk")) {  // a bulk copy has two sides; one thread starts it
      if (space == space_global) count_bulk(address, bytes, kind == 1 ? bulk_store : bulk_load);
      if (space == space_shared) bulk_shared_ = at;
      return;
    }
    if (name.starts_with("cp.async")) {
      if (space == space_shared) return file(lane, at, bytes, cp_async, 32, pc);
      // The source of the copy whose destination was reported just before.
      auto const found = warps_[lane / 32].places.find(lanes_[lane].last_copy);
      if (found == warps_[lane / 32].places.end()) return;
      request& r = found->second.requests[found->second.times[lane % 32] - 1];
      r.source.offset[lane % 32] = static_cast<std::int64_t>(at);
      r.source.active |= 1u << (lane % 32);
      return;
    }
  }
  file(lane, at, bytes, kind_of(kind, space), 32, pc);
}

void worker_counters::tensor_copy_begins(cosmati::side_cost const& cost, bool is_load) {
  in_tensor_copy_ = true;
  add_bulk(cost, is_load ? bulk_load : bulk_store);
}

void worker_counters::matrix_instruction(unsigned wavefronts) {
  cosmati_sim_instruction_counters c = {};
  c.instructions = 1;
  c.wavefronts = c.wavefronts_floor = c.wavefronts_ideal = wavefronts;
  add(totals_[wgmma], c);
}

void worker_counters::add_bulk(cosmati::side_cost const& cost, counted_kind kind) {
  auto const u = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  cosmati_sim_instruction_counters c = {};
  c.instructions = u(cost.instructions);
  c.requests = u(cost.requests);
  c.sectors = u(cost.sectors);
  c.ideal_sectors = u(cost.ideal_sectors);
  c.lines = u(cost.lines);
  c.bytes_used = u(cost.bytes_used);
  c.bytes_moved = u(cost.bytes_moved);
  add(totals_[kind], c);
}

void worker_counters::count_bulk(std::uintptr_t at, std::size_t bytes, counted_kind kind) {
  if (in_tensor_copy_) return;
  auto const global = static_cast<std::int64_t>(at % 4096), shared = static_cast<std::int64_t>(bulk_shared_),
             n = static_cast<std::int64_t>(bytes);
  add_bulk(kind == bulk_load ? cosmati::bulk_load_cost(global, shared, n) : cosmati::bulk_store_cost(global, shared, n),
           kind);
}

void worker_counters::count(place const& p, request const& r) {
  unsigned const width = p.kind == ldmatrix || p.kind == stmatrix ? 16 : width_of(r.at, p.bytes);
  cosmati::memory_instruction const instruction = instruction_of(p.kind, width, p.lanes);
  for (unsigned done = 0; done < p.bytes; done += width) {
    cosmati::warp_access at = r.at;
    if (done != 0) {
      for (std::int64_t& offset : at.offset) offset += done;
    }
    cosmati::warp_cost const cost = cosmati::warp_cost_of(instruction, at, p.kind == cp_async ? r.source : at);
    cosmati_sim_instruction_counters c = {};
    c.instructions = 1;
    c.requests = static_cast<unsigned>(cost.global.requests);
    c.sectors = static_cast<unsigned>(cost.global.sectors);
    c.ideal_sectors = static_cast<unsigned>(cost.global.ideal_sectors);
    c.lines = static_cast<unsigned>(cost.global.lines);
    c.bytes_used = static_cast<unsigned>(cost.global.bytes_used);
    c.bytes_moved = static_cast<unsigned>(cost.global.bytes_moved);
    if (p.kind == cp_async) c.requests = 1;  // there is a request even if every lane only writes zeros
    if (p.kind != shared_atomic) {           // their rules were not measured
      c.wavefronts = static_cast<unsigned>(cost.shared.wavefronts);
      c.wavefronts_floor = static_cast<unsigned>(cost.shared.floor);
      c.wavefronts_ideal = static_cast<unsigned>(cost.shared.ideal);
      c.bank_conflicts = static_cast<unsigned>(cost.shared.bank_conflicts);
      c.inexact = cost.shared.exact ? 0 : 1;
    }
    add(totals_[p.kind], c);
    if (p.costs != nullptr)
      add_to_place(*p.costs, c, instruction, p.kind == cp_async && c.bank_conflicts == 0 ? r.source : at);
  }
}

void worker_counters::warp_converges(unsigned warp) {
  warp_places& w = warps_[warp];
  if (!w.used) return;
  w.used = false;
  for (auto const& [key, p] : w.places) {
    for (request const& r : p.requests) count(p, r);
  }
  // Loops reach the same places again.
  constexpr std::size_t most_kept = 512;
  if (w.places.size() > most_kept) w.places.clear();
  for (auto& [key, p] : w.places) {
    p.times.fill(0);
    p.requests.clear();
  }
  w.steps.clear();
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" void cosmati_sim_step(int begins) {
  worker* const w = this_worker;
  if (w == nullptr || w->counters == nullptr) return;
  quiet const hush;
  w->counters->step(w->current, begins != 0 ? __builtin_return_address(0) : nullptr);
}
