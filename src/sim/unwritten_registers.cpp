// SPDX-License-Identifier: Apache-2.0
// Registers that nobody has written, seen where a launch has stored what they held. A fragment begins with 0x7FFD in
// each 16 bits; that is a NaN, which arithmetic and matrix instructions hand on. What is never stored does no harm.
#include <algorithm>
#include <cstring>
#include <set>

#include "formatted.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "shadow.hpp"

namespace cosmati_sim {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // that are looked at, of an allocation

bool is_unwritten(std::uint32_t word) {
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return magnitude == 0x7FFD7FFDu || magnitude == 0x7FFFA000u || magnitude == 0x7FFD0000u;
}

/// Who of this launch has stored the word last; nobody: its run is 0.
record stored_by(job const& j, shadow_region& region, std::uintptr_t at) {
  std::size_t const index = (at - region.low) / 16;
  unsigned const offset = at % 16;
  if ((region.written[index] >> offset & 15u) != 15u) return {};
  group const& g = region.groups[index];
  record const by = g.more != nullptr && g.more->bytes != nullptr ? (*g.more->bytes)[offset].written
                    : g.apart                                     ? region.cell_of(index, offset / 4).written
                                                                  : g.first.written;
  return by.run - j.first_run < j.blocks ? by : record{};
}

void add(job& j, allocation const& a, std::uintptr_t at, record const& by) {
  hazard h;
  h.kind = hazard_kind::uninitialized;
  h.block = by.run - j.first_run;
  h.block_index = {static_cast<unsigned>(h.block % j.grid.x), static_cast<unsigned>(h.block / j.grid.x % j.grid.y),
                   static_cast<unsigned>(h.block / j.grid.x / j.grid.y)};
  unsigned const thread = by.warp() * 32 + static_cast<unsigned>(std::countr_zero(by.lanes | 1u << 31));
  h.thread = {thread % j.block.x, thread / j.block.x % j.block.y, thread / j.block.x / j.block.y};
  h.site = by.site();
  h.message = formatted(
      "a store to allocation {} at byte {} of what comes from a fragment that nobody has written; \1; write the whole "
      "fragment before it is used: clear(accumulators) before the first gemm, clear(fragment) before a bounded copy "
      "into it, or store with the same bounds",
      a.number, at - a.low);
  j.hazards.push_back(std::move(h));
}

}  // namespace

void look_for_unwritten_registers(job& j) {
  if (!j.checks || !j.seen_everything || j.may_store_unwritten || !j.hazards.empty() || j.failure != nullptr) return;
  std::set<std::uint32_t> sites;
  visit_live_allocations([&](allocation const& a) {
    if (a.shadow == nullptr || !a.shadow->ready() || a.shadow->counts_as_written) return;
    std::size_t const bytes = std::min(a.bytes, most_bytes) / 4 * 4;
    for (std::size_t i = 0; i < bytes; i += 4) {
      std::uint32_t word;
      std::memcpy(&word, reinterpret_cast<void const*>(a.low + i), 4);
      if (!is_unwritten(word)) [[likely]]
        continue;
      record const by = stored_by(j, *a.shadow, a.low + i);
      if (by.run != 0 && sites.insert(by.site()).second) add(j, a, a.low + i, by);
    }
  });
}

}  // namespace cosmati_sim
