// SPDX-License-Identifier: Apache-2.0
// The pages of shadow memory, and the host's writes.
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "shadow.hpp"

namespace cosmati_sim {
namespace {

void* zeroed_pages(std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr, "cosmati: the host refuses %zu bytes for the shadow of simulated memory\n", bytes);
    std::abort();
  }
  return p;
}

std::mutex preparing;

}  // namespace

shadow_region::shadow_region(std::uintptr_t at, std::size_t bytes, bool shared)
    : low(at / 16 * 16), count((at + bytes + 15) / 16 - at / 16), shared_memory(shared) {}

shadow_region::~shadow_region() {
  if (groups != nullptr) {
    // Pages that were never touched have no lists.
    for (std::size_t i = 0; i < count && has_lists; ++i) delete groups[i].more;
    munmap(static_cast<void*>(groups), count * sizeof(group));
    munmap(static_cast<void*>(rest), count * sizeof *rest);
  }
  if (written != nullptr) munmap(written, count * sizeof *written);
}

void shadow_region::map_written() {
  if (written != nullptr) return;
  auto* const bits = static_cast<std::uint16_t*>(zeroed_pages(count * sizeof(std::uint16_t)));
  written = bits;
}

void shadow_region::prepare() {
  std::lock_guard const lock(preparing);
  map_written();
  if (groups != nullptr) return;
  rest = static_cast<std::array<cell, 3>*>(zeroed_pages(count * sizeof *rest));
  groups = static_cast<group*>(zeroed_pages(count * sizeof(group)));
}

void shadow_region::set_written(std::uintptr_t at, std::size_t bytes) {
  if (bytes == 0 || counts_as_written) return;
  std::size_t first = at - low, last = first + bytes;  // the range in bytes
  if (written == nullptr) {
    std::lock_guard const lock(preparing);
    if (first == 0 && last + 15 >= count * 16) {
      counts_as_written = true;
      return;
    }
    map_written();
  }
  for (; first < last && (first & 15) != 0; ++first)
    written[first >> 4] |= static_cast<std::uint16_t>(1u << (first & 15));
  std::memset(written + (first >> 4), 0xff, last > first ? (last - first) / 16 * 2 : 0);
  first += last > first ? (last - first) / 16 * 16 : 0;
  for (; first < last; ++first) written[first >> 4] |= static_cast<std::uint16_t>(1u << (first & 15));
}

void shadow_region::forget(std::uintptr_t at, std::size_t bytes) {
  std::memset(written + (at - low) / 16, 0, ((at - low) % 16 + bytes + 15) / 16 * 2);
}

}  // namespace cosmati_sim
