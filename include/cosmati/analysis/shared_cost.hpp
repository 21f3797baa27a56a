// SPDX-License-Identifier: Apache-2.0
/// @file
/// What one warp instruction costs in shared memory: wavefronts and bank conflicts, equal to the hardware's counters.
///
/// Shared memory has 32 banks of 4 bytes and serves one wavefront (a pass of its data stage) a cycle. The lanes of an
/// instruction go in groups that ask for at most 128 bytes together; a group takes as many passes as its busiest bank
/// holds distinct words of it. The rules were measured on an H200 (bench/results/counters).
#pragma once

#include <cosmati/analysis/memory_instruction.hpp>
#include <cosmati/core/distinct_keys.hpp>

namespace COSMATI_NAMESPACE {

/// The cost of one warp instruction in shared memory. All zero when no lane takes part.
struct shared_cost {
  int wavefronts = 0;             ///< passes of the data stage
  int floor = 0;                  ///< of them without a conflict: one for each group with an active lane
  int ideal = 0;                  ///< the fewest that could carry the distinct words: one for each 32
  int bank_conflicts = 0;         ///< wavefronts - floor, at least 0
  int worst_bank = -1;            ///< where most words meet in one group; -1: nowhere more than one
  int worst_words = 1;            ///< how many meet there
  std::uint32_t worst_lanes = 0;  ///< bit l: lane l is one of them
  /// False where the hardware's rule is not known: 8- and 16-byte loads of warps with inactive lanes that have
  /// conflicts or could merge. The numbers are then those that the rules of full warps give.
  bool exact = true;
};

namespace detail {

/// The words that some lanes touch, and how many there are in each bank.
struct bank_load {
  distinct_keys words;
  int in_bank[32] = {};
  int busiest = 0;

  /// @param merge false: a word counts each time it is touched
  COSMATI_HD constexpr void touch(std::int64_t word, bool merge) {
    int const before = words.count;
    if (merge) {
      words.insert(word);
      if (words.count == before) return;
    }
    int const bank = static_cast<int>(word & 31);
    if (++in_bank[bank] > in_bank[busiest]) busiest = bank;
  }
  COSMATI_HD constexpr int passes() const { return in_bank[busiest]; }
};

/// The words at one lane's address: 1 and 2 bytes are the word that holds them.
COSMATI_HD constexpr int words_a_lane(memory_instruction const& i) { return i.bytes <= 4 ? 1 : i.bytes / 4; }

COSMATI_HD constexpr bank_load load_of_lanes(memory_instruction const& instruction, warp_access const& access,
                                             int begin, int end, bool merge) {
  bank_load load;
  int const words = words_a_lane(instruction);
  for (int l = begin; l < end; ++l) {
    if (!access.takes_part(l)) continue;
    std::int64_t const first = access.offset[l] >> 2;
    for (int i = 0; i < words; ++i) load.touch(first + i, merge);
  }
  return load;
}

/// The data stage can hand one word to lanes that are equal in pairs l, l^1 or in pairs l, l^2; an inactive lane fits
/// any pair. Of the lanes [begin, end).
COSMATI_HD constexpr bool equal_in_pairs(warp_access const& access, int distance, int begin, int end) {
  for (int l = begin; l < end; ++l) {
    int const other = l ^ distance;
    if (access.takes_part(l) && access.takes_part(other) && access.offset[l] != access.offset[other]) return false;
  }
  return true;
}

/// An 8- or 16-byte load whose groups could share wavefronts: two half-warps, or two quarter-warps of each half, where
/// these ask no bank for two words.
struct merged_groups {
  bool some = false;   ///< a pair of groups could
  bool all = true;     ///< each could, and the lanes' addresses can be routed
  int wavefronts = 0;  ///< if all do
  int by_pairs = 0;    ///< if each pair of groups decides for itself, as it does where all lanes take part
};
/// @param passes_of_group of each group by itself
COSMATI_HD constexpr merged_groups merge_groups(memory_instruction const& instruction, warp_access const& access,
                                                int const (&passes_of_group)[4]) {
  merged_groups merged;
  auto const can_be_routed = [&](int begin, int end) {
    return equal_in_pairs(access, 1, begin, end) || equal_in_pairs(access, 2, begin, end);
  };
  merged.all = can_be_routed(0, 32);
  int const group = instruction.lanes_a_group();
  for (int begin = 0; begin < 32; begin += 2 * group) {
    int const passes = load_of_lanes(instruction, access, begin, begin + 2 * group, true).passes();
    merged.some = merged.some || passes == 1;
    merged.all = merged.all && passes <= 1;
    merged.wavefronts += passes;
    int const* const apart = passes_of_group + begin / group;
    merged.by_pairs += passes <= 1 && can_be_routed(begin, begin + 2 * group) ? passes : apart[0] + apart[1];
  }
  return merged;
}

}  // namespace detail

/// The most distinct words that the lanes [begin, end) touch in one bank.
COSMATI_HD constexpr int passes(memory_instruction const& instruction, warp_access const& access, int begin = 0,
                                int end = 32) {
  bool const merge = instruction.operation != memory_operation::copy_async;
  return detail::load_of_lanes(instruction, access, begin, end, merge).passes();
}

/// What `instruction` costs in shared memory when its lanes point to `access`; all zero for global memory.
COSMATI_HD constexpr shared_cost shared_cost_of(memory_instruction const& instruction, warp_access const& access) {
  shared_cost cost;
  if (!instruction.touches_shared()) return cost;
  // Lanes of cp.async that write the same word do not share a pass.
  bool const merge = instruction.operation != memory_operation::copy_async;
  int const group = instruction.lanes_a_group();
  detail::distinct_keys words;
  int passes_of_group[4] = {};
  for (int begin = 0; begin < instruction.lanes; begin += group) {
    detail::bank_load const load = detail::load_of_lanes(instruction, access, begin, begin + group, merge);
    if (load.passes() == 0) continue;
    passes_of_group[begin / group] = load.passes();
    cost.wavefronts += load.passes();
    ++cost.floor;
    if (load.passes() > cost.worst_words) {
      cost.worst_words = load.passes();
      cost.worst_bank = load.busiest;
      cost.worst_lanes = 0;
      for (int l = begin; l < begin + group; ++l) {
        if (!access.takes_part(l)) continue;
        std::int64_t const from_first = (load.busiest - (access.offset[l] >> 2)) & 31;
        if (from_first < detail::words_a_lane(instruction)) cost.worst_lanes |= 1u << l;
      }
    }
    for (int l = begin; l < begin + group; ++l) {
      if (!access.takes_part(l)) continue;
      for (int i = 0; i < detail::words_a_lane(instruction); ++i) words.insert((access.offset[l] >> 2) + i);
    }
  }
  cost.ideal = (words.count + 31) / 32;
  cost.bank_conflicts = cost.wavefronts - cost.floor;
  if (instruction.operation == memory_operation::load_shared && instruction.bytes >= 8 && cost.floor != 0) {
    detail::merged_groups const merged = detail::merge_groups(instruction, access, passes_of_group);
    bool const full = access.active == 0xffffffffu;
    cost.exact = full || (cost.wavefronts == cost.floor && (!merged.some || merged.wavefronts == cost.wavefronts));
    if (full)
      cost.wavefronts = merged.by_pairs;
    else if (merged.all)
      cost.wavefronts = merged.wavefronts;
  }
  return cost;
}

}  // namespace COSMATI_NAMESPACE
