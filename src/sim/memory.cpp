// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "formatted.hpp"
#include "host_memory.hpp"
#include "raw_access.hpp"
#include "shadow.hpp"
#include "unwritten_values.hpp"

namespace cosmati_sim {
namespace {

constexpr std::size_t page = 4096;
constexpr std::uint64_t remembered_after_free = 4096;        // the number of remembered allocations
constexpr std::size_t looks_at_host = std::size_t{1} << 26;  // the bytes of an allocation that the host may not have

/// Cuts device memory from one reserved range of addresses. Addresses are reused only when the range is used up, so
/// that a dangling pointer stays recognisable for long.
class arena {
 public:
  arena() {
    for (std::size_t bytes = std::size_t{1} << 44; bytes >= std::size_t{1} << 30; bytes /= 2) {
      void* const p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p != MAP_FAILED) {
        low = reinterpret_cast<std::uintptr_t>(p);
        high = low + bytes;
        next_ = low + page;
        return;
      }
    }
  }

  bool allocate(void** out, std::size_t bytes, std::string& text) {
    std::lock_guard const lock(mutex_);
    if (bytes >= looks_at_host && bytes > host_bytes_left()) {
      text = formatted("the host has {} bytes of memory left, and the simulated device keeps its memory there",
                       host_bytes_left());
      return false;
    }
    std::size_t const mapped = (bytes + page - 1) / page * page;
    std::size_t const pages_bytes = mapped + page;
    std::uintptr_t at = 0;
    if (bytes < high - low && next_ + pages_bytes <= high) {
      at = next_;
      next_ += pages_bytes;
    } else if (!(at = reuse(pages_bytes))) {
      text = formatted("the simulated device has no {} bytes left", bytes);
      return false;
    }
    void* const p = reinterpret_cast<void*>(at);
    if (mprotect(p, mapped, PROT_READ | PROT_WRITE) != 0) {
      text = formatted("the host refuses {} bytes for the simulated device: {}", bytes, std::strerror(errno));
      return false;
    }
    poison(p, bytes);
    writable().insert(
        std::upper_bound(table_->begin(), table_->end(), at,
                         [](std::uintptr_t a, allocation const& b) { return a < b.low; }),
        {at, bytes, pages_bytes, ++made_, false, false, std::make_shared<shadow_region>(at, bytes, false)});
    device_memory = {low, high - low};
    *out = p;
    return true;
  }

  void free(void* pointer) {
    std::lock_guard const lock(mutex_);
    auto& table = writable();
    auto const low_of = reinterpret_cast<std::uintptr_t>(pointer);
    auto const found = std::lower_bound(table.begin(), table.end(), low_of,
                                        [](allocation const& a, std::uintptr_t b) { return a.low < b; });
    if (found == table.end() || found->low != low_of || found->freed) {
      std::fprintf(stderr, "cosmati: %p is freed, but is no live allocation of the simulated device\n", pointer);
      return;
    }
    found->freed = true;
    madvise(pointer, found->pages_bytes - page, MADV_DONTNEED);
    mprotect(pointer, found->pages_bytes - page, PROT_NONE);
    found->shadow = nullptr;
    if (++freed_ > 2 * remembered_after_free) forget();
  }

  void share_with_host(void* pointer) {
    std::lock_guard const lock(mutex_);
    for (allocation& a : writable()) {
      if (a.low != reinterpret_cast<std::uintptr_t>(pointer) || a.freed) continue;
      a.of_host_too = true;
      a.shadow->counts_as_written = true;
    }
  }

  allocation_table snapshot() {
    std::lock_guard const lock(mutex_);
    return table_;
  }

  /// Visits the live allocations. Nothing is freed meanwhile.
  void visit_live(std::function<void(allocation const&)> const& visit) {
    std::lock_guard const lock(mutex_);
    for (allocation const& a : *table_) {
      if (!a.freed) visit(a);
    }
  }

  std::uintptr_t low = 0, high = 0;

 private:
  // Returns the table for a change. A launch may hold it; then it is copied first.
  std::vector<allocation>& writable() {
    if (table_.use_count() > 1) table_ = std::make_shared<std::vector<allocation>>(*table_);
    return *table_;
  }
  void forget() {
    std::vector<std::uint64_t> numbers;
    for (allocation const& a : *table_) {
      if (a.freed) numbers.push_back(a.number);
    }
    auto const newest_forgotten = numbers.end() - static_cast<std::ptrdiff_t>(remembered_after_free);
    std::nth_element(numbers.begin(), newest_forgotten, numbers.end());
    std::uint64_t const limit = *newest_forgotten;
    std::erase_if(writable(), [limit](allocation const& a) { return a.freed && a.number < limit; });
    freed_ = remembered_after_free;
  }
  std::uintptr_t reuse(std::size_t bytes) {
    // The first gap between live allocations.
    std::uintptr_t at = low + page;
    auto& table = writable();
    for (allocation const& a : table) {
      if (a.freed) continue;
      if (a.low - at >= bytes) break;
      at = a.low + a.pages_bytes;
    }
    if (at + bytes > high) return 0;
    std::erase_if(table,
                  [=](allocation const& a) { return a.freed && a.low < at + bytes && at < a.low + a.pages_bytes; });
    return at;
  }

  std::mutex mutex_;
  std::shared_ptr<std::vector<allocation>> table_ = std::make_shared<std::vector<allocation>>();
  std::uintptr_t next_ = 0;
  std::uint64_t made_ = 0, freed_ = 0;
};

arena& the_arena() {
  static arena* const one = new arena;  // never destroyed, because buffers may be freed at exit
  return *one;
}

}  // namespace

void poison(void* low, std::size_t bytes) {
  own_moves const device;
  if (unwritten_is_zero) {
    std::memset(low, 0, bytes);
    return;
  }
  auto* const p = static_cast<unsigned char*>(low);
  static constexpr unsigned char two[2] = {0xFD, 0x7F};
  constexpr std::uint64_t eight = 0x7FFD7FFD7FFD7FFDull;
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8) std::memcpy(p + i, &eight, 8);
  for (; i < bytes; ++i) p[i] = two[i % 2];
}

memory_range device_memory;

void host_writes(std::uintptr_t at, std::size_t bytes) {
  // The buffer is usually the same as before, and is found without the table.
  static thread_local std::weak_ptr<shadow_region> last;
  if (auto const r = last.lock(); r != nullptr && at - r->low < r->count * 16) {
    r->set_written(at, std::min(bytes, r->low + r->count * 16 - at));
    return;
  }
  auto const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  if (a == nullptr || a->shadow == nullptr || at >= a->low + a->bytes) return;
  a->shadow->set_written(at, std::min(bytes, a->low + a->bytes - at));
  last = a->shadow;
}

void share_with_host(void* pointer) { the_arena().share_with_host(pointer); }

bool is_shared_with_host(std::uintptr_t at) {
  static thread_local memory_range last;
  if (at - last.low < last.bytes) return true;
  auto const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  if (a == nullptr || !a->of_host_too || a->freed) return false;
  last = {a->low, a->bytes};
  return at - last.low < last.bytes;
}

void count_all_as_written() {
  for (allocation const& a : *current_allocations()) {
    if (a.shadow != nullptr) a.shadow->counts_as_written = true;
  }
}

allocation_table current_allocations() { return the_arena().snapshot(); }
void visit_live_allocations(std::function<void(allocation const&)> const& visit) { the_arena().visit_live(visit); }
std::uintptr_t device_arena_low() { return the_arena().low; }
std::uintptr_t device_arena_high() { return the_arena().high; }

allocation const* find_allocation(std::vector<allocation> const& table, std::uintptr_t address) {
  auto const after = std::upper_bound(table.begin(), table.end(), address,
                                      [](std::uintptr_t a, allocation const& b) { return a < b.low; });
  if (after == table.begin()) return nullptr;
  allocation const& found = *(after - 1);
  return address < found.low + found.pages_bytes ? &found : nullptr;
}

}  // namespace cosmati_sim

extern "C" {

int cosmati_sim_allocate(void** out, std::size_t bytes, char* error, std::size_t error_bytes) {
  std::string text;
  if (cosmati_sim::the_arena().allocate(out, bytes, text)) return 0;
  std::snprintf(error, error_bytes, "%s", text.c_str());
  return 1;
}
void cosmati_sim_free(void* pointer) {
  if (pointer != nullptr) cosmati_sim::the_arena().free(pointer);
}
void cosmati_sim_written(void const* pointer, std::size_t bytes) {
  cosmati_sim::host_writes(reinterpret_cast<std::uintptr_t>(pointer), bytes);
}
void cosmati_sim_poison(void* pointer, std::size_t bytes) { cosmati_sim::poison(pointer, bytes); }

}  // extern "C"
