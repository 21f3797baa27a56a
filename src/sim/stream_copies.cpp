// SPDX-License-Identifier: Apache-2.0
#include "stream_copies.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "formatted.hpp"
#include "hazards.hpp"
#include "host_hazard.hpp"
#include "memory.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "stream_order.hpp"

namespace cosmati_sim {
namespace {

struct stream_copy {
  copied_rows rows;
  std::uint64_t allocation;  // its number: the address may be reused
  void const* stream;
  std::uint64_t number;  // among the works of the stream
  program_line line;
};
struct all_copies {
  std::mutex mutex;
  std::vector<stream_copy> list;
  std::set<std::string> files;  // the names of source files, which hazards refer to
};
all_copies& copies() {
  static auto* const all = new all_copies;
  return *all;
}

/// The line, with a name of the file that stays. @pre the copies are locked
site place_of(program_line const& line) {
  if (line.file.empty()) return {};
  return {copies().files.insert(line.file).first->c_str(), line.line};
}

char const* verb(bool writes) { return writes ? "writes" : "reads"; }

/// Calls found(record, is_write) for each access that the shadow remembers of the bytes [low, high).
template <class Found>
void visit_records(shadow_region& region, std::uintptr_t low, std::uintptr_t high, Found found) {
  for (std::uintptr_t at = low; at < high; at = (at / 16 + 1) * 16) {
    std::size_t const index = (at - region.low) / 16;
    std::size_t const first = (at - region.low) % 16, last = std::min<std::size_t>(16, first + (high - at));
    group const& g = region.groups[index];
    auto const look = [&](cell const& c) {
      if (c.written.run != 0) found(c.written, true);
      if (c.read.run != 0) found(c.read, false);
    };
    if (g.more != nullptr && g.more->bytes != nullptr) {
      for (std::size_t byte = first; byte < last; ++byte) look((*g.more->bytes)[byte]);
    } else if (g.apart) {
      for (std::size_t word = first / 4; 4 * word < last; ++word)
        look(region.cell_of(index, static_cast<unsigned>(word)));
    } else {
      look(g.first);
    }
    if (g.more == nullptr) continue;
    auto const mask = static_cast<std::uint16_t>((1u << last) - (1u << first));
    for (extra const& e : g.more->list) {
      if (e.kind == extra_kind::read && (e.bytes & mask) != 0) found(e.what, false);
    }
  }
}

/// Calls found(record, is_write) for each access to the rows.
template <class Found>
void visit_rows(allocation const& a, copied_rows const& rows, Found found) {
  if (a.shadow == nullptr || !a.shadow->ready()) return;
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::uintptr_t const low = rows.at + row * rows.pitch;
    visit_records(*a.shadow, std::max(low, a.low), std::min(low + rows.width, a.low + a.bytes), found);
  }
}

bool overlap(copied_rows const& a, copied_rows const& b) {
  std::uintptr_t const a_end = a.at + a.pitch * (a.height - 1) + a.width;
  std::uintptr_t const b_end = b.at + b.pitch * (b.height - 1) + b.width;
  if (a.at >= b_end || b.at >= a_end) return false;
  for (std::size_t i = 0; i < a.height; ++i) {
    std::uintptr_t const row = a.at + i * a.pitch;
    std::size_t const first = row > b.at ? (row - b.at) / b.pitch : 0;
    for (std::size_t k = first; k < b.height && b.at + k * b.pitch < row + a.width; ++k) {
      if (row < b.at + k * b.pitch + b.width) return true;
    }
  }
  return false;
}

constexpr char const* remedy =
    "let the stream wait for an event that is recorded behind the other work (cudaEventRecord, cudaStreamWaitEvent), "
    "synchronize the other stream, or use one stream";

void look_at_copies(copied_rows const& rows, allocation const& a, void const* stream,
                    std::vector<void const*> const& calls) {
  all_copies& all = copies();
  std::string message;
  {
    std::lock_guard const lock(all.mutex);
    for (stream_copy const& c : all.list) {
      if (c.allocation != a.number || (!rows.writes && !c.rows.writes) || is_over_for(stream, c.stream, c.number) ||
          !overlap(rows, c.rows))
        continue;
      message = formatted(
          "{} {} bytes of an allocation of {} bytes that {} ({}) in another stream {}, and nothing "
          "orders the two; {}",
          rows.function, verb(rows.writes), a.bytes, c.rows.function, line_text(c.line), verb(c.rows.writes), remedy);
      break;
    }
  }
  if (!message.empty()) report_host_hazard_of(hazard_kind::race, std::move(message), calls);
}

}  // namespace

void look_beside_copy(copied_rows const& rows, void const* stream, std::vector<void const*> const& calls) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, rows.at);
  if (a == nullptr || a->freed) return;
  look_at_copies(rows, *a, stream, calls);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> const beside = launches_beside(stream);
  if (beside.empty()) return;
  record conflict;
  bool conflict_writes = false;
  visit_rows(*a, rows, [&](record const& r, bool writes) {
    if (conflict.run != 0 || (!writes && !rows.writes)) return;
    for (auto const& [low, high] : beside) {
      if (r.run < low || r.run >= high) continue;
      conflict = r;
      conflict_writes = writes;
    }
  });
  if (conflict.run == 0) return;
  report_host_hazard_with(
      hazard_kind::race,
      formatted("{} {} bytes of an allocation of {} bytes that {} {} (\2), and nothing orders the two; {}",
                rows.function, verb(rows.writes), a->bytes, kernel_of_run(conflict.run), verb(conflict_writes), remedy),
      calls, conflict.site());
}

void copy_runs(copied_rows const& rows, void const* stream, std::uint64_t number,
               std::vector<void const*> const& calls) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, rows.at);
  if (a == nullptr || a->freed) return;
  all_copies& all = copies();
  std::lock_guard const lock(all.mutex);
  std::erase_if(all.list, [](stream_copy const& c) { return host_has_waited(c.stream, c.number); });
  constexpr std::size_t most_copies = 1024;
  if (all.list.size() >= most_copies) all.list.erase(all.list.begin());
  all.list.push_back({rows, a->number, stream, number, line_of_calls(calls)});
}

void look_for_copies_beside(job& j) {
  all_copies& all = copies();
  std::lock_guard const lock(all.mutex);
  if (all.list.empty() || !j.checks || !j.seen_everything) return;
  std::erase_if(all.list, [](stream_copy const& c) { return host_has_waited(c.stream, c.number); });
  allocation_table const table = current_allocations();
  std::set<std::pair<std::uint32_t, int>> known;
  for (stream_copy const& c : all.list) {
    if (is_over_for(j.request->stream, c.stream, c.number)) continue;
    allocation const* const a = find_allocation(*table, c.rows.at);
    if (a == nullptr || a->freed || a->number != c.allocation) continue;
    visit_rows(*a, c.rows, [&](record const& r, bool writes) {
      if (r.run - j.first_run >= j.blocks || (!writes && !c.rows.writes)) return;
      if (!known.insert({r.site(), c.line.line}).second) return;
      hazard h = hazard_of(j, r);
      h.kind = hazard_kind::race;
      h.other_where = place_of(c.line);
      h.message = formatted(
          "the kernel {} (\1) bytes of allocation {} that {} (\2) in another stream {}, and nothing orders the two; {}",
          verb(writes), a->number, c.rows.function, verb(c.rows.writes), remedy);
      j.hazards.push_back(std::move(h));
    });
  }
}

}  // namespace cosmati_sim
