// SPDX-License-Identifier: Apache-2.0
// Finds unwritten registers: in the values that a launch has stored, or that a lane gives to an instruction. A fragment
// begins with 0x7FFD in each 16 bits, which is a NaN that arithmetic and matrix instructions pass on. A value that is
// never stored does no harm.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <unordered_set>

#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "raw_access.hpp"
#include "report.hpp"
#include "shadow.hpp"
#include "unwritten_values.hpp"

extern "C" void __tsan_write4(void*);

namespace cosmati_sim {

std::uint32_t const local_byte = [] {
  char const* const text = std::getenv("COSMATI_SIM_LOCALS");
  return text != nullptr && report_is_wanted() ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 0)) & 0xffu : 0;
}();

bool may_be_unwritten_local(std::uint32_t word) {
  constexpr std::uint32_t near = 256, most_added_up = 2;
  std::uint32_t const whole = local_byte * 0x01010101u;
  if (local_byte == 0) return false;
  for (std::uint32_t times = 1; times <= most_added_up; ++times) {
    if (word - times * whole + near <= 2 * near) return true;
  }
  if (local_byte != 0xFE) return word == ~0u;  // clang++'s pattern of a float
  // g++'s pattern of a float is a large number. Adding small numbers does not change it, and powers of two do not
  // change its fraction. The pattern of its half and bfloat16 is widened.
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return ((word & 0x7fffffu) == (whole & 0x7fffffu) && magnitude >= 0x70000000u && magnitude < 0x7f800000u) ||
         magnitude == 0x7FDFC000u || magnitude == 0x7EFE0000u;
}

bool const unwritten_is_zero = [] {
  char const* const text = std::getenv("COSMATI_SIM_UNWRITTEN");
  return text != nullptr && std::strcmp(text, "zero") == 0;
}();

std::atomic<bool> poison_was_read = false;

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // the bytes of an allocation that are examined

constexpr std::size_t most_reported = std::size_t{1} << 20;  // the words that are remembered

constexpr char const* remedy_of_local =
    "give the variable a value on every path, or leave out what uses it under the same condition";

std::string local_text(std::uint64_t bits) {
  return formatted(
      "a local variable that nobody has written (the value is {:#x}, from what the compiler gives such variables here)",
      bits);
}

/// What an unwritten value comes from, and what to do. @param remedy of a fragment
std::string source_text(job const& j, bool fragment, std::uint64_t bits, char const* remedy) {
  if (!fragment) return formatted("{}; \1; {}", local_text(bits), remedy_of_local);
  if (j.unwritten.kinds.load(std::memory_order_relaxed) == 0)  // an earlier kernel has read such memory
    return "memory of the device that nobody has written; \1; upload, clear or write it first";
  return formatted("a fragment that nobody has written; \1; write the whole fragment before it is used: {}", remedy);
}

/// The lane, of these runs, that stored the word last. If there is none, its run is 0.
record stored_by(shadow_region& region, std::uintptr_t at, std::uint32_t first_run, std::uint64_t runs) {
  std::size_t const index = (at - region.low) / 16;
  unsigned const offset = at % 16;
  if (!region.counts_as_written && (region.written[index] >> offset & 15u) != 15u) return {};
  group const& g = region.groups[index];
  record const by = g.more != nullptr && g.more->bytes != nullptr ? (*g.more->bytes)[offset].written
                    : g.apart                                     ? region.cell_of(index, offset / 4).written
                                                                  : g.first.written;
  return by.run - first_run < runs ? by : record{};
}

std::uint32_t word_at(std::uintptr_t at) {
  std::uint32_t word;
  std::memcpy(&word, reinterpret_cast<void const*>(at), 4);
  return word;
}

/// Whether the program stores a number of 4 bytes there, as the compiler's hook before the store tells.
bool is_of_4_bytes([[maybe_unused]] void const* pc) {
#if defined(__x86_64__)
  auto const* const return_address = static_cast<unsigned char const*>(pc);
  std::int32_t distance;
  if (return_address == nullptr || return_address[-5] != 0xe8) return false;
  std::memcpy(&distance, return_address - 4, 4);
  return return_address + distance == reinterpret_cast<unsigned char const*>(&__tsan_write4);
#else
  return false;
#endif
}

/// Whether the word may be padding: the second half of 8 bytes of which one lane has stored the first half at the same
/// line, with another value. clang++ stores a structure in pieces.
bool may_be_padding(shadow_region& region, std::uintptr_t at, record const& by) {
  if (at % 8 != 4 || at - 4 < region.low || std::popcount(by.lanes) != 1 || may_be_unwritten_local(word_at(at - 4)))
    return false;
  record const before = stored_by(region, at - 4, by.run, 1);
  if (before.stamp() != by.stamp() || before.lanes != by.lanes || before.warp() != by.warp()) return false;
  site_info const where = site_of(by.site());
  if (before.site() == by.site()) return where.instruction == nullptr && !is_of_4_bytes(where.pc);
  program_line const line = line_of_site(where), other = line_of_site(before.site());
  return local_byte == 0xAA && line.line == other.line && line.file == other.file;
}

/// The words that were reported. Later launches do not take them for inputs.
std::unordered_set<std::uintptr_t>& reported_words() {
  static auto* const all = new std::unordered_set<std::uintptr_t>;
  return *all;
}

/// Whether memory that something has written before the launch holds the pattern of an unwritten fragment. The values
/// of a launch may then be copies of it.
bool inputs_hold_pattern(job& j) {
  std::atomic<int>& known = j.unwritten.among_inputs;
  if (int const before = known.load(std::memory_order_relaxed); before >= 0) return before != 0;
  own_moves const device;
  bool found = false;
  visit_live_allocations([&](allocation const& a) {
    if (found || a.shadow == nullptr || (!a.shadow->counts_as_written && a.shadow->written == nullptr)) return;
    std::size_t const bytes = std::min(a.bytes, most_bytes);
    for (std::uintptr_t at = a.low; !found && at + 4 <= a.low + bytes; at += 4) {
      if (!is_unwritten_fragment(word_at(at))) [[likely]]
        continue;
      std::size_t const offset = at - a.shadow->low;
      bool const is_written =
          a.shadow->counts_as_written || (a.shadow->written[offset / 16] >> (offset % 16) & 15u) == 15u;
      found = is_written && reported_words().count(at) == 0 &&
              (!a.shadow->ready() || stored_by(*a.shadow, at, j.first_run, j.blocks).run == 0);
    }
  });
  known.store(found ? 1 : 0, std::memory_order_relaxed);
  return found;
}

hazard unwritten_of(job const& j, record const& by) {
  hazard h = hazard_of(j, by);
  h.kind = hazard_kind::uninitialized;
  return h;
}

/// Calls found(at, word, by) for each word of [low, low + bytes) that may be unwritten, and that these runs have
/// stored. @param fragments the launch, if its fragments may be unwritten; otherwise null
template <class Found>
void look_at_stored(shadow_region& region, std::uintptr_t low, std::size_t bytes, std::uint32_t first_run,
                    std::uint64_t runs, job* fragments, Found found) {
  for (std::uintptr_t at = (low + 3) / 4 * 4; at + 4 <= low + bytes; at += 4) {
    std::uint32_t const word = word_at(at);
    bool const fragment = fragments != nullptr && is_unwritten_fragment(word) && is_unwritten_in(*fragments, word);
    if (!fragment && (local_byte == 0 || !may_be_unwritten_local(word))) [[likely]]
      continue;
    record const by = stored_by(region, at, first_run, runs);
    if (by.run != 0 && (fragment || !may_be_padding(region, at, by))) found(at, word, by, fragment);
  }
}

void add(job& j, allocation const& a, std::uintptr_t at, std::uint32_t word, record const& by, bool fragment) {
  hazard h = unwritten_of(j, by);
  h.suspected = !fragment || report_is_wanted();
  h.of_local = !fragment;
  h.message = formatted("a store to allocation {} at byte {} of what comes from {}", a.number, at - a.low,
                        source_text(j, fragment, word,
                                    "clear(accumulators) before the first gemm, clear(fragment) before "
                                    "a bounded copy into it, or store with the same bounds; the sums "
                                    "of a wgmma are there after warpgroup_wait"));
  j.hazards.push_back(std::move(h));
}

/// Whether the launch has a hazard other than notes and suspicions of local variables.
bool has_other_hazards(job const& j) {
  return std::any_of(j.hazards.begin(), j.hazards.end(),
                     [](hazard const& h) { return !h.of_local && !is_note(h.kind); });
}

}  // namespace

/// The bits of unwritten_kind.
static unsigned kinds_in(job const& j) {
  return j.unwritten.kinds.load(std::memory_order_relaxed) | (poison_was_read ? of_any | of_16_bits : 0u);
}

bool is_unwritten_in(job& j, std::uint32_t word) {
  unsigned const kinds = kinds_in(j);
  unsigned const needed = is_sum_in_flight(word)                ? in_flight
                          : (word & 0x7fffffffu) == 0x7FFD7FFDu ? of_any
                                                                : of_16_bits;
  if ((kinds & needed) == 0) return false;
  return report_is_wanted() || !inputs_hold_pattern(j);  // `cosmati sim` decides by another run
}

void look_for_unwritten_registers(job& j) {
  if (!j.checks || !j.seen_everything || has_other_hazards(j) || j.failure != nullptr) return;
  job* const fragments = !j.may_store_unwritten && kinds_in(j) != 0 ? &j : nullptr;
  if (fragments == nullptr && local_byte == 0) return;
  if (fragments != nullptr && !report_is_wanted()) inputs_hold_pattern(j);  // the visit below locks the allocations
  own_moves const device;
  std::set<std::uint32_t> sites;
  visit_live_allocations([&](allocation const& a) {
    if (a.shadow == nullptr || !a.shadow->ready()) return;
    look_at_stored(*a.shadow, a.low, std::min(a.bytes, most_bytes), j.first_run, j.blocks, fragments,
                   [&](std::uintptr_t at, std::uint32_t word, record const& by, bool fragment) {
                     if (fragment && !report_is_wanted() && reported_words().size() < most_reported)
                       reported_words().insert(at);
                     if (sites.insert(by.site()).second) add(j, a, at, word, by, fragment);
                   });
  });
}

void look_for_unwritten_locals_in_shared(worker& w) {
  job const& j = *w.running;
  if (local_byte == 0 || w.clocks == nullptr || !w.sees_everything) return;
  auto const look = [&](shadow_region* region, std::uintptr_t low, std::size_t bytes, std::string const& name) {
    if (region == nullptr || !region->ready()) return;
    look_at_stored(*region, low, bytes, w.run, 1, nullptr,
                   [&](std::uintptr_t at, std::uint32_t word, record const& by, bool) {
                     if (!is_news(w, hazard_kind::uninitialized, by.site(), 0)) return;
                     hazard h = unwritten_of(j, by);
                     h.suspected = h.of_local = true;
                     h.message = formatted("a store to {} at byte {} of what comes from {}; \1; {}", name, at - low,
                                           local_text(word), remedy_of_local);
                     add_hazard(w, std::move(h));
                   });
  };
  look(w.dynamic_shadow.get(), reinterpret_cast<std::uintptr_t>(w.shared_low), w.shared_bytes, "dynamic shared memory");
  for (thread_local_variable const& v : w.thread_locals) {
    if (!v.shared || belongs_to_another_kernel(v, j)) continue;
    auto const low = reinterpret_cast<std::uintptr_t>(v.low);
    for (std::size_t i = 0; i < w.tls_ranges.size(); ++i) {
      if (low - w.tls_ranges[i].low < w.tls_ranges[i].high - w.tls_ranges[i].low)
        look(w.tls_shadows[i].get(), low, v.bytes, "static shared memory");
    }
  }
}

void report_unwritten_operand(worker& w, std::uint64_t bits, char const* what, site where, void const* pc) {
  quiet const hush;
  if (w.running == nullptr) return;
  auto const word = static_cast<std::uint32_t>(bits);
  bool const fragment = is_unwritten_fragment(word) && is_unwritten_in(*w.running, word);
  if (!fragment && !may_be_unwritten_local(word)) return;
  // A shuffle gives the same value for absent lanes, and gaps between elements contain it.
  if (w.clocks == nullptr || !w.sees_everything) return;
  if (fragment && (w.lanes[w.current].absent != 0 || w.running->may_store_unwritten)) return;
  std::uint32_t const site = site_number(w, pc, where);
  if (!is_news(w, hazard_kind::uninitialized, site, 0)) return;
  hazard h = hazard_here(w, hazard_kind::uninitialized);
  h.site = site;
  h.suspected = !fragment || report_is_wanted();
  h.of_local = !fragment;
  h.message = formatted("{} what comes from {}", what,
                        source_text(*w.running, fragment, bits, "clear(fragment), or a copy that fills it"));
  add_hazard(w, std::move(h));
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

unsigned cosmati_sim_unwritten_bits(std::size_t bytes) {
  if (worker* const w = this_worker; w != nullptr && w->running != nullptr)
    begin_unwritten(*w, bytes == 2 ? of_any | of_16_bits : of_any);
  return unwritten_is_zero ? 0 : 0x7FFD;
}

int cosmati_sim_may_be_unwritten(void) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) return 1;
  quiet const hush;
  return w->running->unwritten.kinds != 0 && !inputs_hold_pattern(*w->running) ? 1 : 0;
}

void cosmati_sim_operand(unsigned long long bits, std::size_t bytes, char const* what, char const* file, int line) {
  if (!may_be_unwritten_operand(bits, bytes)) [[likely]]
    return;
  report_unwritten_operand(*this_worker, bits, what, {file, line}, __builtin_return_address(0));
}

void cosmati_sim_may_read_unwritten(int begins) {
  if (this_worker == nullptr) return;
  this_worker->may_read_unwritten = begins != 0;
  if (this_worker->running != nullptr) this_worker->running->may_store_unwritten.store(true, std::memory_order_relaxed);
}

}  // extern "C"
