// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory that a wrong access was meant for.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace cosmati_sim {

/// Two wrong accesses of one line are two hazards if these differ.
struct access_target {
  int kind = -1;                 // of the access: 0 for a load, 1 for a store, 2 for an atomic
  std::uint64_t allocation = 0;  // its number; 0 for shared memory
  std::string_view array;        // the mangled name of a `__shared__` array; empty for dynamic shared memory
  auto operator<=>(access_target const&) const = default;  // NOLINT(modernize-use-nullptr): it finds one in <=>
};

}  // namespace cosmati_sim
