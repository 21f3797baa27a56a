// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a copy problem moves, byte by byte: the byte of the source that each byte of the target gets.
#pragma once

#include <cosmati/kernel/copy_problem/modes.hpp>
#include <cstdint>
#include <map>

/// Offsets from the bases, (target, source); one entry a byte. Of two elements in one place the last counts.
inline std::map<std::int64_t, std::int64_t> moved_bytes(cosmati::copy_problem const& p) {
  std::map<std::int64_t, std::int64_t> moved;
  for (std::int64_t i = 0; i < p.size(); ++i) {
    std::int64_t rest = i, source = p.source_offset, target = p.target_offset;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const c = rest % p.mode[m].extent;
      rest /= p.mode[m].extent;
      source += c * p.mode[m].source;
      target += c * p.mode[m].target;
    }
    for (int b = 0; b < p.element_bytes; ++b) moved[target * p.element_bytes + b] = source * p.element_bytes + b;
  }
  return moved;
}
/// A problem of some modes.
inline cosmati::copy_problem problem_of(int element_bytes, std::initializer_list<cosmati::copy_mode> modes) {
  cosmati::copy_problem p;
  p.element_bytes = element_bytes;
  for (cosmati::copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return p;
}
