// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of one warp instruction in shared memory: wavefronts and bank conflicts, equal to the hardware's counters.
///
/// Shared memory has 32 banks of 4 bytes and serves one wavefront (a pass of its data stage) per cycle. The lanes of an
/// instruction form groups that access at most 128 bytes together. A group takes as many passes as it accesses distinct
/// words in its busiest bank. The rules were measured on an H200 (bench/results/counters).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/memory_instruction.hpp>
#include <cosmati/atom/distinct_keys.hpp>

namespace COSMATI_NAMESPACE {

/// The cost of one warp instruction in shared memory. It is all zero if no lane takes part.
struct shared_cost {
  int wavefronts = 0;             ///< passes of the data stage
  int floor = 0;                  ///< wavefronts without a conflict: one for each group with an active lane
  int ideal = 0;                  ///< the fewest wavefronts that could carry the distinct words, 32 words each
  int bank_conflicts = 0;         ///< passes beyond the first of lanes that are served together; see shared_cost_of
  int worst_bank = -1;            ///< the bank where most of their words meet; -1 if no bank has more than one
  int worst_words = 1;            ///< the number of words that meet in that bank
  std::uint32_t worst_lanes = 0;  ///< bit l: lane l is one of them
  /// False if the hardware's rule is not known. This concerns a cp.async with conflicts that reads a bank twice, or
  /// several lines by one group of lanes. The hardware sometimes counts fewer conflicts. It sometimes counts other
  /// wavefronts too, if lanes both read a bank twice and write one twice.
  bool exact = true;
};

namespace detail {

/// The words that some lanes access, and their number in each bank.
struct bank_load {
  distinct_keys words;
  int in_bank[32] = {};
  int busiest = 0;

  /// @param merge if false, a word counts each time it is accessed
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

/// The number of words at one lane's address. 1 and 2 bytes count as the word that holds them.
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

/// Whether the lanes [begin, end) are equal in pairs l, l^1 or in pairs l, l^2, because the data stage can give one
/// word to such a pair. @param alone_fits whether an active lane may have an inactive partner
COSMATI_HD constexpr bool equal_in_pairs(warp_access const& access, int distance, int begin, int end, bool alone_fits) {
  for (int l = begin; l < end; ++l) {
    int const other = l ^ distance;
    if (!access.takes_part(l)) continue;
    if (access.takes_part(other) ? access.offset[l] != access.offset[other] : !alone_fits) return false;
  }
  return true;
}
COSMATI_HD constexpr bool can_be_routed(warp_access const& access, int begin, int end, bool alone_fits = true) {
  return equal_in_pairs(access, 1, begin, end, alone_fits) || equal_in_pairs(access, 2, begin, end, alone_fits);
}

/// The number of lanes that take part if all of them have one address, otherwise 0.
COSMATI_HD constexpr int lanes_of_broadcast(warp_access const& access) {
  int lanes = 0;
  int first = 0;
  for (int l = 0; l < 32; ++l) {
    if (!access.takes_part(l)) continue;
    if (lanes++ == 0) first = l;
    if (access.offset[l] != access.offset[first]) return 0;
  }
  return lanes;
}

/// Whether the wavefront counter takes two groups of a routable load for one, if they access no bank with two words. It
/// usually does. The exception is the lower half of a 16-byte load, where lane 31 stands for every lane of the half. If
/// lane 31 is inactive, the half merges for any addresses. If it is active, an inactive lane equals no active one.
COSMATI_HD constexpr bool counted_as_one(memory_instruction const& instruction, warp_access const& access, int begin) {
  if (instruction.bytes == 8) return can_be_routed(access, 0, 32);
  if (begin != 0) return can_be_routed(access, 16, 32);
  return !access.takes_part(31) || can_be_routed(access, 0, 16, false);
}

}  // namespace detail

/// The largest number of distinct words that the lanes [begin, end) access in one bank.
COSMATI_HD constexpr int passes(memory_instruction const& instruction, warp_access const& access, int begin = 0,
                                int end = 32) {
  bool const merge = instruction.operation != memory_operation::copy_async;
  return detail::load_of_lanes(instruction, access, begin, end, merge).passes();
}

/// The cost of `instruction` in shared memory for the addresses of `access`. It is all zero for global memory.
///
/// Groups of lanes are served one after another, each in as many passes as it accesses words in its busiest bank. Two
/// neighbouring groups of an 8- or 16-byte load are served together if the lanes of the whole warp can be routed; an
/// inactive lane fits any other. Conflicts are counted for these merged groups. Wavefronts are counted for single
/// groups, except for two groups that access no bank with two words. A cp.async is assumed to read banks that its group
/// does not share.
COSMATI_HD constexpr shared_cost shared_cost_of(memory_instruction const& instruction, warp_access const& access) {
  shared_cost cost;
  if (!instruction.touches_shared()) return cost;
  // Lanes of cp.async that write the same word do not share a pass.
  bool const merge = instruction.operation != memory_operation::copy_async;
  bool const in_pairs = instruction.operation == memory_operation::load_shared && instruction.bytes >= 8;
  int const group = instruction.lanes_a_group();
  int const together = in_pairs && detail::can_be_routed(access, 0, 32) ? 2 * group : group;
  detail::distinct_keys words;
  int groups_of_pair[2] = {};
  for (int begin = 0; begin < instruction.lanes; begin += group) {
    int const alone = passes(instruction, access, begin, begin + group);
    cost.wavefronts += alone;
    if (alone != 0) ++cost.floor;
    if (alone != 0 && in_pairs) ++groups_of_pair[begin / (2 * group)];
    for (int l = begin; l < begin + group; ++l) {
      if (!access.takes_part(l)) continue;
      for (int i = 0; i < detail::words_a_lane(instruction); ++i) words.insert((access.offset[l] >> 2) + i);
    }
  }
  cost.ideal = (words.count + 31) / 32;
  for (int begin = 0; begin < instruction.lanes; begin += together) {
    detail::bank_load const load = detail::load_of_lanes(instruction, access, begin, begin + together, merge);
    if (load.passes() == 0) continue;
    cost.bank_conflicts += load.passes() - 1;
    if (load.passes() <= cost.worst_words) continue;
    cost.worst_words = load.passes();
    cost.worst_bank = load.busiest;
    cost.worst_lanes = 0;
    for (int l = begin; l < begin + together; ++l) {
      if (!access.takes_part(l)) continue;
      std::int64_t const from_first = (load.busiest - (access.offset[l] >> 2)) & 31;
      if (from_first < detail::words_a_lane(instruction)) cost.worst_lanes |= 1u << l;
    }
  }
  for (int begin = 0; in_pairs && begin < 32; begin += 2 * group) {
    if (groups_of_pair[begin / (2 * group)] == 2 && passes(instruction, access, begin, begin + 2 * group) == 1 &&
        detail::counted_as_one(instruction, access, begin))
      --cost.wavefronts;
  }
  // One address for all lanes takes one wavefront for each 16 lanes that take part, in either half.
  if (in_pairs && instruction.bytes == 16) {
    int const lanes = detail::lanes_of_broadcast(access);
    if (lanes != 0) cost.wavefronts = (lanes + 15) / 16;
  }
  return cost;
}

/// The cost of a cp.async with the given source in global memory. A group takes its lanes in passes; a pass reads each
/// bank of the 128-byte lines once. Each pass is split further into as many passes as lanes write one bank. For
/// other instructions the source is ignored.
COSMATI_HD constexpr shared_cost shared_cost_of(memory_instruction const& instruction, warp_access const& access,
                                                warp_access const& source) {
  shared_cost cost = shared_cost_of(instruction, access);
  if (instruction.operation != memory_operation::copy_async) return cost;
  int const group = instruction.lanes_a_group(), slots = 128 / instruction.bytes;
  constexpr std::int64_t none = INT64_MIN, several = INT64_MAX;  // markers for lines of the source
  for (int begin = 0; begin < 32; begin += group) {
    int const writes = passes(instruction, access, begin, begin + group);
    int reads = 0, together = 0;
    std::int64_t line = none;
    for (std::uint32_t done = 0;; ++reads) {
      warp_access now = access;
      now.active = 0;
      std::uint32_t read = 0;
      for (int l = begin; l < begin + group; ++l) {
        std::uint32_t const lane = 1u << l, slot = 1u << (source.offset[l] / instruction.bytes & (slots - 1));
        if (!access.takes_part(l) || (done & lane) != 0) continue;
        if (source.takes_part(l) && (read & slot) != 0) continue;  // a lane that writes zeros reads nothing
        now.active |= lane;
        if (!source.takes_part(l)) continue;
        read |= slot;
        std::int64_t const its = source.offset[l] >> 7;
        line = line == none || line == its ? its : several;
      }
      if (now.active == 0) break;
      done |= now.active;
      together += passes(instruction, now, begin, begin + group);
    }
    if (together > 1 && (reads > 1 || line == several)) cost.exact = false;
    cost.wavefronts += together - writes;
    cost.bank_conflicts += together - writes;
  }
  return cost;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
