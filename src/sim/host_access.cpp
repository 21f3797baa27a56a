// SPDX-License-Identifier: Apache-2.0
// Accesses of the host to device memory.

#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "formatted.hpp"
#include "hazards.hpp"
#include "host_waits.hpp"
#include "raw_access.hpp"
#include "report.hpp"
#include "sites.hpp"
#include "symbols.hpp"

namespace cosmati_sim {

namespace {

/// How often this host thread does work of the device, each inside another.
thread_local int device_work = 0;

/// Whether the bytes lie in one allocation.
bool is_within_allocation(std::uintptr_t at, std::size_t bytes) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  return a != nullptr && at - a->low + bytes <= a->bytes;
}

}  // namespace

void host_dereferences(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc) {
  bool const shared = is_shared_with_host(at);
  if (shared && device_work > 0) return;  // on a GPU the algorithm follows the kernels before it
  if (shared || at - device_memory.low >= device_memory.bytes) return look_for_missing_wait(at, bytes, writes, pc);
  if (device_work > 0 && is_within_allocation(at, bytes)) {
    if (writes) host_writes(at, bytes);
    return;
  }
  static auto* const mutex = new std::mutex;
  static auto* const known = new std::set<void const*>;
  if (writes) host_writes(at, bytes);
  {
    std::lock_guard const lock(*mutex);
    if (!checks_are_on() || !known->insert(pc).second) return;
  }
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  std::string const place =
      a != nullptr ? formatted("byte {} of an allocation of {} bytes", at - a->low, a->bytes) : formatted("{:#x}", at);
  site_info info;
  info.pc = pc;
  program_line const line = line_of_site(info);
  bool const behind_shared = a != nullptr && is_shared_with_host(a->low);
  std::string text =
      behind_shared     ? formatted("the host {} {} byte{} out of bounds, at {} that it shares with the device ({})",
                                writes ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", place, line_text(line))
      : device_work > 0 ? formatted("an algorithm of the device {} {} byte{} outside all allocations, at {} ({})",
                                    writes ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", place, line_text(line))
                        : formatted(
                              "the host {} {} byte{} of device memory by itself, at {} ({}); on a GPU "
                              "this ends the program: {}",
                              writes ? "writes" : "reads", bytes, bytes == 1 ? "" : "s", place, line_text(line),
                              writes ? "fill a vector and upload it" : "download the buffer first");
  if (!report_is_wanted()) {
    std::fprintf(stderr, "cosmati: error: out_of_bounds: %s\n", text.c_str());
    return;
  }
  job j;
  j.kernel = "code of the host";
  hazard h;
  h.kind = hazard_kind::out_of_bounds;
  h.of_block = true;
  h.where = {line.file.empty() ? nullptr : line.file.c_str(), line.line};
  h.message = std::move(text);
  j.hazards.push_back(std::move(h));
  std::vector<found_hazard> found;
  finish_hazards(j, {}, &found, true);
  counter_totals const counters{};
  report_launch(j.kernel, true, {}, found, counters, {}, {});
}

}  // namespace cosmati_sim

extern "C" void cosmati_sim_device_work(int change) {
  using namespace cosmati_sim;
  if (this_worker != nullptr) return;
  bool const begins = device_work == 0 && change > 0;
  device_work += change;
  // On a GPU the work would be a kernel of the library's.
  if (begins && report_is_wanted()) report_launch("algorithms of the library", true, {}, {}, counter_totals{}, {}, {});
}

extern "C" int cosmati_sim_is_device_memory(void const* pointer) {
  auto const at = reinterpret_cast<std::uintptr_t>(pointer);
  auto const& d = cosmati_sim::device_memory;
  return cosmati_sim::this_worker == nullptr && at - d.low < d.bytes && !cosmati_sim::is_shared_with_host(at) ? 1 : 0;
}

extern "C" void cosmati_sim_move(void* to, void const* from, std::size_t bytes) {
  cosmati_sim::own_moves const device;
  if (from != nullptr) {
    std::memcpy(to, from, bytes);
  } else {
    std::memset(to, 0, bytes);
  }
}
