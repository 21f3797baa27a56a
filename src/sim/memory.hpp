// SPDX-License-Identifier: Apache-2.0
/// @file
/// The simulated device's global memory: every allocation has pages to itself and a guard page behind it, is
/// poisoned when it is made, and is remembered after it is freed.
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
  std::size_t pages_bytes = 0;  // mapped, with the guard
  std::uint64_t number = 0;
  bool freed = false;
  std::shared_ptr<shadow_region> shadow;
};

/// All allocations, live and remembered, in order of address.
using allocation_table = std::shared_ptr<std::vector<allocation> const>;

/// Fills with the poison pattern: 0x7FFD in every 16 bits, a NaN for half, bfloat16, float and double.
void poison(void* low, std::size_t bytes);

/// The allocations as they are now.
allocation_table current_allocations();
/// Calls `visit` for each that is live. None is freed meanwhile, by other threads of the host either.
void visit_live_allocations(std::function<void(allocation const&)> const& visit);

/// The range of addresses that all device memory comes from.
std::uintptr_t device_arena_low();
std::uintptr_t device_arena_high();

/// The same range; empty until something was allocated.
struct memory_range {
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
};
extern memory_range device_memory;

/// The host has written device memory.
void host_writes(std::uintptr_t at, std::size_t bytes);

/// A kernel has run whose stores were not seen: from now on no byte counts as unwritten.
void count_all_as_written();

/// The allocation whose pages (guard included) hold `address`, or null.
allocation const* find_allocation(std::vector<allocation> const& table, std::uintptr_t address);

}  // namespace cosmati_sim
