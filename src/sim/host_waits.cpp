// SPDX-License-Identifier: Apache-2.0
#include "host_waits.hpp"

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

/// What may still use the byte; empty if nothing does.
std::string user_of(allocation const& a, std::uintptr_t at, std::size_t bytes, bool writes) {
  all_copies& all = copies();
  {
    std::lock_guard const lock(all.mutex);
    std::erase_if(all.list, [](copy_in_flight const& c) { return host_has_waited(c.stream, c.number); });
    for (copy_in_flight const& c : all.list) {
      if (at < c.at + c.bytes && c.at < at + bytes && (writes || c.writes))
        return c.writes ? "an asynchronous copy writes" : "an asynchronous copy reads";
    }
  }
  std::string const kernel = kernel_not_waited_for(last_writer(a, at));
  return kernel.empty() ? std::string() : formatted("kernel {} writes", kernel);
}

}  // namespace

void copy_is_in_flight(std::uintptr_t at, std::size_t bytes, bool writes, void const* stream) {
  if (!is_shared_with_host(at)) return;
  std::uint64_t const number = order_copy(stream);
  all_copies& all = copies();
  std::lock_guard const lock(all.mutex);
  all.list.push_back({at, bytes, writes, stream, number});
}

void look_for_missing_wait(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc) {
  if (stream_function::runs() || !work_is_in_flight()) return;
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  if (a == nullptr) return;
  std::string const user = user_of(*a, at, bytes, writes);
  if (user.empty()) return;
  {
    std::lock_guard const lock(copies().mutex);
    if (!copies().reported.insert(pc).second) return;
  }
  report_host_hazard_at(hazard_kind::missing_wait,
                        formatted("the host {} byte {} of an allocation of {} bytes, which {}, and has not waited for "
                                  "that; call cudaDeviceSynchronize() or cudaStreamSynchronize(stream) before",
                                  writes ? "writes" : "reads", at - a->low, a->bytes, user),
                        pc);
}

}  // namespace cosmati_sim
