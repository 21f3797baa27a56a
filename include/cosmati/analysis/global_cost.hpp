// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of one warp instruction in global memory: requests, sectors, lines, and used and moved bytes.
///
/// A warp instruction is one request at any width. The memory moves sectors of 32 bytes; a line has four sectors.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/memory_instruction.hpp>
#include <cosmati/atom/distinct_keys.hpp>

namespace COSMATI_NAMESPACE {

/// The cost of one warp instruction in global memory. It is all zero if no lane takes part.
struct global_cost {
  int requests = 0;
  int sectors = 0;        ///< distinct 32-byte sectors
  int lines = 0;          ///< distinct 128-byte lines
  int ideal_sectors = 0;  ///< the fewest that could hold the distinct bytes
  int ideal_lines = 0;
  int bytes_used = 0;   ///< distinct bytes that lanes access
  int bytes_moved = 0;  ///< the moved bytes, 32 for each sector
};

/// The cost of `instruction` in global memory for the addresses of `access`. It is all zero for shared memory. For
/// cp.async the addresses are those of the source.
COSMATI_HD constexpr global_cost global_cost_of(memory_instruction const& instruction, warp_access const& access) {
  global_cost cost;
  if (!instruction.touches_global() || access.active == 0) return cost;
  detail::distinct_keys sectors;
  detail::distinct_keys lines;
  std::uint32_t used[detail::distinct_keys::capacity] = {};  // bit b: byte b of the sector is used
  for (int l = 0; l < instruction.lanes; ++l) {
    if (!access.takes_part(l)) continue;
    std::int64_t at = access.offset[l];
    int left = instruction.bytes;
    while (left > 0) {  // one round, unless the address is misaligned
      int const inside = static_cast<int>(at & 31);
      int const here = left < 32 - inside ? left : 32 - inside;
      used[sectors.insert(at >> 5)] |= (0xffffffffu >> (32 - here)) << inside;
      lines.insert(at >> 7);
      at += here;
      left -= here;
    }
  }
  cost.requests = 1;
  cost.sectors = sectors.count;
  cost.lines = lines.count;
  for (int i = 0; i < sectors.count; ++i) {
    for (std::uint32_t bits = used[i]; bits != 0; bits &= bits - 1) ++cost.bytes_used;
  }
  cost.bytes_moved = 32 * cost.sectors;
  cost.ideal_sectors = (cost.bytes_used + 31) / 32;
  cost.ideal_lines = (cost.bytes_used + 127) / 128;
  return cost;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
