// SPDX-License-Identifier: Apache-2.0
#include "host_waits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formatted.hpp"
#include "host_hazard.hpp"
#include "memory.hpp"
#include "shadow.hpp"
#include "stream_order.hpp"

namespace cosmati_sim {
namespace {

struct copy_in_flight {
  std::uintptr_t at;
  std::size_t bytes;
  bool writes;
  void const* stream;
  std::uint64_t number;  // among the works of the stream
  char const* user;
};
struct all_copies {
  std::mutex mutex;
  std::vector<copy_in_flight> list;
  std::set<void const*> reported;  // the places of the accesses
};
all_copies& copies() {
  static auto* const all = new all_copies;
  return *all;
}

std::map<std::uintptr_t, std::size_t>& registered() {
  static auto* const all = new std::map<std::uintptr_t, std::size_t>;
  return *all;
}
std::mutex registered_mutex;

/// Widens the range in which accesses of the host are looked at.
void watch(std::uintptr_t at, std::size_t bytes) {
  memory_range& r = host_memory_in_flight;
  std::uintptr_t const low = r.bytes == 0 ? at : std::min(r.low, at);
  std::uintptr_t const high = r.bytes == 0 ? at + bytes : std::max(r.low + r.bytes, at + bytes);
  r = {low, high - low};
}

/// The run of the kernel that wrote the byte last; 0 if none did, or by an atomic, which the host may meet.
std::uint32_t last_writer(allocation const& a, std::uintptr_t at) {
  if (a.shadow == nullptr || !a.shadow->ready()) return 0;
  shadow_region& r = *a.shadow;
  std::size_t const index = (at - r.low) / 16;
  group const& g = r.groups[index];
  std::size_t const byte = (at - r.low) % 16;
  cell const& c = g.more != nullptr && g.more->bytes != nullptr ? (*g.more->bytes)[byte]
                  : g.apart                                     ? r.cell_of(index, static_cast<unsigned>(byte / 4))
                                                                : g.first;
  return c.written.has(by_atomic) ? 0 : c.written.run;
}

/// What may still use the byte; empty if nothing does. @param a null for registered memory of the host
std::string user_of(allocation const* a, std::uintptr_t at, std::size_t bytes, bool writes) {
  all_copies& all = copies();
  {
    std::lock_guard const lock(all.mutex);
    std::erase_if(all.list, [](copy_in_flight const& c) { return host_has_waited(c.stream, c.number); });
    for (copy_in_flight const& c : all.list) {
      if (at < c.at + c.bytes && c.at < at + bytes && (writes || c.writes))
        return formatted("{} {}", c.user, c.writes ? "writes" : "reads");
    }
  }
  if (a == nullptr) return {};
  std::string const kernel = kernel_not_waited_for(last_writer(*a, at));
  return kernel.empty() ? std::string() : formatted("kernel {} writes", kernel);
}

}  // namespace

memory_range host_memory_in_flight;

bool register_host_memory(std::uintptr_t at, std::size_t bytes) {
  std::lock_guard const lock(registered_mutex);
  for (auto const& [low, count] : registered()) {
    if (at < low + count && low < at + bytes) return false;
  }
  registered()[at] = bytes;
  return true;
}
bool unregister_host_memory(std::uintptr_t at) {
  std::lock_guard const lock(registered_mutex);
  return registered().erase(at) != 0;
}
bool registered_bytes(std::uintptr_t at, std::size_t& bytes) {
  std::lock_guard const lock(registered_mutex);
  auto const after = registered().upper_bound(at);
  if (after == registered().begin()) return false;
  auto const [low, count] = *std::prev(after);
  bytes = count;
  return at - low < count;
}

void copy_is_in_flight(std::uintptr_t at, std::size_t bytes, bool writes, void const* stream, char const* user) {
  if (!is_shared_with_host(at)) {
    std::size_t whole = 0;
    if (!registered_bytes(at, whole)) return;
    watch(at, bytes);
  }
  std::uint64_t const number = order_copy(stream);
  all_copies& all = copies();
  std::lock_guard const lock(all.mutex);
  all.list.push_back({at, bytes, writes, stream, number, user});
}

void look_for_missing_wait(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc) {
  if (stream_function::runs() || !work_is_in_flight()) return;
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  std::size_t registered_count = 0;
  if (a == nullptr && !registered_bytes(at, registered_count)) return;
  std::string const user = user_of(a, at, bytes, writes);
  if (user.empty()) return;
  {
    std::lock_guard const lock(copies().mutex);
    if (!copies().reported.insert(pc).second) return;
  }
  report_host_hazard_at(
      hazard_kind::missing_wait,
      formatted("the host {} {}, which {}, and has not waited for that; call "
                "cudaDeviceSynchronize() or cudaStreamSynchronize(stream) before",
                writes ? "writes" : "reads",
                a != nullptr ? formatted("byte {} of an allocation of {} bytes", at - a->low, a->bytes)
                             : formatted("registered memory of {} bytes", registered_count),
                user),
      pc);
}

}  // namespace cosmati_sim
