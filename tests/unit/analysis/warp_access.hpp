// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where the lanes of a warp point, by a rule.
#pragma once

#include <cosmati/analysis/memory_instruction.hpp>

constexpr cosmati::warp_access strided(std::int64_t bytes, std::uint32_t active = 0xffffffffu) {
  cosmati::warp_access a;
  a.active = active;
  for (int l = 0; l < 32; ++l) a.offset[l] = bytes * l;
  return a;
}
/// Lane l points to `bytes` times the given function of l.
template <class F>
constexpr cosmati::warp_access pattern(std::int64_t bytes, F f, std::uint32_t active = 0xffffffffu) {
  cosmati::warp_access a;
  a.active = active;
  for (int l = 0; l < 32; ++l) a.offset[l] = bytes * f(l);
  return a;
}
