// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions: their groups, the sums that registers do not hold yet, and what is read meanwhile.

#include <cosmati/analysis/wgmma_cost.hpp>

#include <algorithm>
#include <cstring>

#include "access.hpp"
#include "aligned.hpp"
#include "async.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "unwritten_values.hpp"

using namespace cosmati_sim;

namespace {

constexpr std::size_t most_known_a = 256;                  // registers of A that a thread's checks remember
constexpr std::uintptr_t descriptor_addresses = 1u << 18;  // bytes that a descriptor's address field tells apart

matrix_groups& groups_of(worker& w, unsigned lane) { return async_of(w).matrices[lane]; }

/// The number in the block of a lane of the running warp.
unsigned lane_in_block(worker const& w, unsigned lane) { return w.current / 32 * 32 + lane; }

pending_sums* find_sums(matrix_groups& g, void const* registers) {
  auto const found =
      std::find_if(g.sums.begin(), g.sums.end(), [&](pending_sums const& s) { return s.registers == registers; });
  return found == g.sums.end() ? nullptr : &*found;
}

/// Lets the whole warp come to the instruction.
void come_together(aligned_instruction const& i) {
  meet_aligned(i, exited_lanes::must_come);
  worker& w = running_lane(i.name);
  if (w.current % 32 != 0) return;  // one note for a warp
  quiet const hush;
  note_warpgroup_step(w, i.name, site_here(w, i.file, i.line, i.pc, i.name));
}

/// What registers hold until the wait. @param float_bytes of a sum of floating point; 0: integers
std::vector<char> value_in_flight(std::size_t bytes, unsigned float_bytes) {
  std::vector<char> value(bytes);
  std::uint32_t const word = unwritten_is_zero ? 0 : word_in_flight(float_bytes);
  for (std::size_t at = 0; at + 4 <= bytes; at += 4) std::memcpy(value.data() + at, &word, 4);
  return value;
}
/// Whether somebody has changed the registers since the newest instruction that adds to them began.
bool was_written(pending_sums const& s) {
  return std::memcmp(s.registers, value_in_flight(s.value.size(), s.float_bytes).data(), s.value.size()) != 0;
}
void report_written_sums(worker& w, aligned_instruction const& i) {
  site const where = site_here(w, i.file, i.line, i.pc, i.name);
  if (w.clocks == nullptr || !is_news(w, hazard_kind::missing_wait, where.number, 0)) return;
  hazard h = hazard_here(w, hazard_kind::missing_wait);
  h.site = where.number;
  h.where = where;
  h.message = formatted(
      "{} (\1) completes a wgmma whose sums this thread has written since it began: either value may remain; leave the "
      "sums alone until warpgroup_wait, and change them behind it",
      i.name);
  add_hazard(w, std::move(h));
}

/// The address in [low, low + bytes) with these lowest bits, or 0.
std::uintptr_t address_in(std::uintptr_t low, std::size_t bytes, std::uint32_t low_bits) {
  std::uintptr_t const at = low + ((low_bits - low) & (descriptor_addresses - 1));
  return at - low < bytes ? at : 0;
}

}  // namespace

extern "C" {

unsigned cosmati_sim_warp(void) { return running_lane("wgmma").current / 32; }

void* cosmati_sim_shared_of(std::uint32_t low_bits) {
  worker const& w = running_lane("wgmma");
  std::uintptr_t at = address_in(reinterpret_cast<std::uintptr_t>(w.shared_low), w.shared_bytes, low_bits);
  for (worker::range const& r : w.tls_ranges) {
    if (at == 0) at = address_in(r.low, r.high - r.low, low_bits);
  }
  return reinterpret_cast<void*>(at);
}

void cosmati_sim_matrix_fence(void) { matrix_fence({"wgmma.fence", nullptr, 0, __builtin_return_address(0)}); }

}  // extern "C"

void cosmati_sim::matrix_fence(aligned_instruction const& i) {
  come_together(i);
  worker& w = running_lane(i.name);
  matrix_groups& g = groups_of(w, w.current);
  if (!g.fenced) g.fenced_a.clear();
  g.ever_fenced = g.fenced = true;
}

extern "C" {

void cosmati_sim_matrix_begins(std::uint32_t const* a, char const* name, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(name);
  matrix_groups& g = groups_of(w, w.current);
  std::array<std::uint32_t, 4> held = {};
  if (a != nullptr) std::memcpy(held.data(), a, sizeof held);
  bool const is_known = a == nullptr || std::find(g.fenced_a.begin(), g.fenced_a.end(), held) != g.fenced_a.end();
  if (g.fenced && !is_known && g.fenced_a.size() < most_known_a) g.fenced_a.push_back(held);
  void const* const pc = __builtin_return_address(0);
  if (w.current % 32 == 0) note_warpgroup_step(w, name, site_here(w, file, line, pc, name));
  if (g.ever_fenced && (g.fenced || is_known)) return;
  site const where = site_here(w, file, line, pc, name);
  if (w.clocks == nullptr || !is_news(w, hazard_kind::missing_proxy_fence, where.number, 0)) return;
  hazard h = hazard_here(w, hazard_kind::missing_proxy_fence);
  h.site = where.number;
  h.where = where;
  h.message = formatted(
      "{} (\1) reads registers {}: it may see their old values; call warpgroup_arrive() (wgmma.fence) behind the last "
      "ordinary use of its sums and of its registers of A, and before the first instruction of the batch",
      name,
      g.ever_fenced ? "of A that were written after the last wgmma.fence"
                    : "of this thread, which has not executed wgmma.fence yet");
  add_hazard(w, std::move(h));
}

void cosmati_sim_matrix_read(void const* shared, unsigned bytes, char const* name, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(name);
  void const* const pc = __builtin_return_address(0);
  site const where = site_here(w, file, line, pc, name);
  async_copy c;
  c.kind = copy_kind::matrix_read;
  c.from = reinterpret_cast<std::uintptr_t>(shared);
  c.bytes = c.source_bytes = bytes;
  c.from_shadow = check_side({c.from, bytes, a_load, 16, nullptr, name, nullptr, nullptr, where, pc}, space_shared);
  if (c.from_shadow == nullptr) return;
  c.lane = w.current;
  c.site_number = where.number;
  c.where = where;
  c.name = name;
  shadow_region* const region = c.from_shadow;
  unsigned const index = new_copy(w, std::move(c));
  copy_will_read(w, *region, reinterpret_cast<std::uintptr_t>(shared), bytes, index, async_of(w).copies[index], true);
  matrix_groups& g = groups_of(w, w.current);
  g.reads.emplace_back(g.open, index);
}

void const* cosmati_sim_matrix_sums(unsigned lane, void const* registers) {
  worker& w = running_lane("wgmma");
  pending_sums const* const sums = find_sums(groups_of(w, lane_in_block(w, lane)), registers);
  return sums != nullptr ? sums->value.data() : registers;
}

void cosmati_sim_matrix_result(unsigned lane, void* registers, void const* value, unsigned bytes,
                               unsigned float_bytes) {
  quiet const hush;
  worker& w = running_lane("wgmma");
  matrix_groups& g = groups_of(w, lane_in_block(w, lane));
  pending_sums* sums = find_sums(g, registers);
  bool const written = sums != nullptr && (sums->written || was_written(*sums));
  if (sums == nullptr) sums = &g.sums.emplace_back();
  auto const* const from = static_cast<char const*>(value);
  *sums = {registers, std::vector<char>(from, from + bytes), g.open, float_bytes, written};
  begin_unwritten(w, of_any | of_16_bits | in_flight);
  std::memcpy(registers, value_in_flight(bytes, float_bytes).data(), bytes);
}

void cosmati_sim_matrix_counts(int n, int a_in_shared, int warp) {
  quiet const hush;
  worker const& w = running_lane("wgmma");
  if (w.counters == nullptr) return;
  int const wavefronts = cosmati::detail::wgmma_wavefronts_of_warp(n, a_in_shared != 0, warp);
  w.counters->matrix_instruction(static_cast<unsigned>(wavefronts));
}

void cosmati_sim_matrix_commit(void) { matrix_commit({"wgmma.commit_group", nullptr, 0, __builtin_return_address(0)}); }

void cosmati_sim_matrix_wait(int pending) {
  matrix_wait({"wgmma.wait_group", nullptr, 0, __builtin_return_address(0)}, pending);
}

}  // extern "C"

void cosmati_sim::matrix_commit(aligned_instruction const& i) {
  come_together(i);
  worker& w = running_lane(i.name);
  matrix_groups& g = groups_of(w, w.current);
  for (auto const& [group, index] : g.reads) async_of(w).copies[index].committed = true;
  ++g.open;
}

void cosmati_sim::matrix_wait(aligned_instruction const& i, int pending) {
  come_together(i);
  quiet const hush;
  worker& w = running_lane(i.name);
  matrix_groups& g = groups_of(w, w.current);
  g.fenced = false;
  std::uint64_t const stay = static_cast<std::uint64_t>(std::max(pending, 0));
  std::uint64_t const complete = g.open > stay ? g.open - stay : 0;  // groups below this number
  std::erase_if(g.sums, [&](pending_sums const& s) {
    if (s.group >= complete) return false;
    if (s.written || was_written(s)) report_written_sums(w, i);
    std::memcpy(s.registers, s.value.data(), s.value.size());
    return true;
  });
  std::erase_if(g.reads, [&](auto const& read) {
    if (read.first >= complete) return false;
    copy_is_over(w, read.second, true);
    free_copy(async_of(w), read.second);
    return true;
  });
}
