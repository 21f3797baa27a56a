// SPDX-License-Identifier: Apache-2.0
#include "scopes.hpp"

#include <algorithm>
#include <atomic>
#include <string_view>

#include "memory.hpp"
#include "shadow_cells.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

std::atomic<bool> any_block_scope{false};

bool is_block_scope(char const* instruction) {
  std::string_view const name = instruction != nullptr ? instruction : "";
  return name.ends_with("_block") || name.find(".cta.") != std::string_view::npos;  // a function's, or PTX's
}

/// The shadow of memory that kernels may read at this address; null if there is none.
shadow_region* shadow_of(worker const& w, std::uintptr_t at) {
  shadow_region* shadow = nullptr;
  if (at - device_memory.low < device_memory.bytes) {
    if (allocation const* const a = find_allocation(*w.running->allocations, at)) shadow = a->shadow.get();
  } else {
    shadow = find_module_variable(at).shadow;
  }
  return shadow != nullptr && shadow->ready() ? shadow : nullptr;
}

}  // namespace

bool note_block_scope(char const* instruction) {
  if (!is_block_scope(instruction)) return false;
  any_block_scope.store(true, std::memory_order_relaxed);
  return true;
}

bool scopes_miss(worker const& w, seen_access const& seen, record const& other) {
  if (other.run == w.run || !any_block_scope.load(std::memory_order_relaxed)) return false;
  if (!is_atomic(seen.kind) || !other.has(by_atomic)) return false;
  return (seen.detail != nullptr && is_block_scope(seen.detail->instruction)) ||
         is_block_scope(site_of(other.site()).instruction);
}

void check_read_only(worker& w, shadow_region& region, seen_access const& seen) {
  std::uint32_t const launch = w.running->first_run;
  bool const locked = !region.shared_memory && !w.alone;
  record found;
  std::uintptr_t const end = std::min(seen.at + seen.bytes, region.low + 16 * region.count);
  for (std::uintptr_t at = seen.at; at < end && found.run == 0; at = (at | 3) + 1) {
    std::size_t const index = (at - region.low) >> 4;
    group& g = region.groups[index];
    if (locked) lock_group(g);
    bool const bytes = g.more != nullptr && g.more->bytes != nullptr;
    cell const& c = bytes ? (*g.more->bytes)[at & 15] : region.cell_of(index, g.apart ? (at & 15) / 4 : 0);
    if (c.written.run >= launch) found = c.written;
    if (locked) unlock_group(g);
  }
  if (found.run != 0) report_read_only(w, region, seen, found);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" void cosmati_sim_read_only(void const* address, std::size_t bytes, char const* name, char const* file,
                                      int line) {
  if (cosmati_sim_active == 0) return;
  worker& w = *this_worker;
  if (w.clocks == nullptr) return;
  quiet const hush;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  shadow_region* const region = shadow_of(w, at);
  if (region == nullptr) return;
  if (!w.suspects.empty()) resolve_suspects(w);
  void const* const pc = __builtin_return_address(0);
  site const where = {file, line};
  memory_access const detail = {at, bytes, a_load, 0, nullptr, name, nullptr, nullptr, where, pc};
  check_read_only(w, *region, {at, bytes, a_load, pc, &detail, site_number(w, pc, where, name)});
}
