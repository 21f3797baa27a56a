// SPDX-License-Identifier: Apache-2.0
/// @file
/// The global memory of the simulated device. Every allocation has its own pages and a guard page after it. It is
/// poisoned when it is made, and remembered after it is freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cosmati_sim {

class shadow_region;

struct allocation {
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
  std::size_t pages_bytes = 0;  // the mapped bytes, including the guard
  std::uint64_t number = 0;
  bool freed = false;
  bool of_host_too = false;  // the host may access the memory, as it is pinned or managed
  std::shared_ptr<shadow_region> shadow;
};

/// All allocations, live and remembered, in the order of their addresses.
using allocation_table = std::shared_ptr<std::vector<allocation> const>;

/// Fills memory with the poison pattern: 0x7FFD in every 16 bits, a NaN for half, bfloat16, float and double. If
/// unwritten registers begin with zeros, memory does so, too.
void poison(void* low, std::size_t bytes);

/// The allocations as they are now.
allocation_table current_allocations();
/// Calls `visit` for each live allocation. Meanwhile no thread of the host can free one.
void visit_live_allocations(std::function<void(allocation const&)> const& visit);

/// The low end of the address range of all device memory.
std::uintptr_t device_arena_low();
std::uintptr_t device_arena_high();

/// The address range of all device memory. It is empty until the first allocation.
struct memory_range {
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
};
extern memory_range device_memory;
/// The range of registered memory of the host that asynchronous copies have used. It is empty until the first one.
extern memory_range host_memory_in_flight;

/// Tells that the host has written device memory.
void host_writes(std::uintptr_t at, std::size_t bytes);

/// Lets the host access an allocation, too. All of it counts as written.
void share_with_host(void* pointer);
/// Whether the host may access the byte.
bool is_shared_with_host(std::uintptr_t at);

/// Counts every byte as written from now on, because a kernel has run whose stores were not seen.
void count_all_as_written();

/// The allocation whose pages, including the guard, contain `address`; or null.
allocation const* find_allocation(std::vector<allocation> const& table, std::uintptr_t address);

}  // namespace cosmati_sim
