// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of one side of a tiled copy, for all warps and instructions together: `side_cost`, `side_cost_of`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/side_access.hpp>
#include <cosmati/analysis/warp_cost.hpp>

namespace COSMATI_NAMESPACE {

/// Sums over the warp instructions of one side of a copy. Numbers of the memory that the side is not in are 0.
struct side_cost {
  std::int64_t instructions = 0;      ///< the instructions that warps executed
  std::int64_t requests = 0;          ///< the requests to global memory
  std::int64_t sectors = 0;           ///< the sectors of 32 bytes
  std::int64_t ideal_sectors = 0;     ///< the fewest that could hold the used bytes, for each instruction
  std::int64_t lines = 0;             ///< the lines of 128 bytes
  std::int64_t ideal_lines = 0;       ///< the fewest that could hold the used bytes, for each instruction
  std::int64_t bytes_used = 0;        ///< the used bytes of global memory, each byte once for each instruction
  std::int64_t bytes_moved = 0;       ///< the moved bytes, 32 for each sector
  std::int64_t wavefronts = 0;        ///< the wavefronts of shared memory
  std::int64_t wavefronts_floor = 0;  ///< wavefronts without conflicts
  std::int64_t wavefronts_ideal = 0;  ///< the fewest wavefronts that could carry the distinct words
  std::int64_t bank_conflicts = 0;    ///< passes beyond the first of lanes that are served together
  int worst_bank = -1;                ///< the bank where most words of one group of lanes meet; -1 if no bank has more
                                      ///< than one
  int worst_words = 1;                ///< the number of words that meet there
  int worst_warp = 0;                 ///< the warp of that group
  std::uint32_t worst_lanes = 0;      ///< bit l: lane l is one of them
  bool exact = true;                  ///< false if the hardware's rule is not known (`shared_cost::exact`)

  /// The ratio of moved sectors to needed ones; 1 if nothing is read or written.
  COSMATI_HD constexpr double sector_ratio() const { return ratio(sectors, ideal_sectors); }
  COSMATI_HD constexpr double line_ratio() const { return ratio(lines, ideal_lines); }
  COSMATI_HD constexpr double wavefront_ratio() const { return ratio(wavefronts, wavefronts_floor); }
  /// The ratio of used bytes to moved ones, 0 to 1.
  COSMATI_HD constexpr double efficiency() const { return ratio(bytes_used, bytes_moved); }

  /// Adds a warp instruction that is executed `times` times. The worst one is remembered with its warp.
  COSMATI_HD constexpr void add(warp_cost const& c, std::int64_t times, int warp) {
    instructions += times;
    requests += times * c.global.requests;
    sectors += times * c.global.sectors;
    ideal_sectors += times * c.global.ideal_sectors;
    lines += times * c.global.lines;
    ideal_lines += times * c.global.ideal_lines;
    bytes_used += times * c.global.bytes_used;
    bytes_moved += times * c.global.bytes_moved;
    wavefronts += times * c.shared.wavefronts;
    wavefronts_floor += times * c.shared.floor;
    wavefronts_ideal += times * c.shared.ideal;
    bank_conflicts += times * c.shared.bank_conflicts;
    exact = exact && c.shared.exact;
    if (c.shared.worst_words > worst_words) {
      worst_words = c.shared.worst_words;
      worst_bank = c.shared.worst_bank;
      worst_lanes = c.shared.worst_lanes;
      worst_warp = warp;
    }
  }
  /// Adds another sum `times` times.
  COSMATI_HD constexpr void add(side_cost const& c, std::int64_t times = 1) {
    instructions += times * c.instructions;
    requests += times * c.requests;
    sectors += times * c.sectors;
    ideal_sectors += times * c.ideal_sectors;
    lines += times * c.lines;
    ideal_lines += times * c.ideal_lines;
    bytes_used += times * c.bytes_used;
    bytes_moved += times * c.bytes_moved;
    wavefronts += times * c.wavefronts;
    wavefronts_floor += times * c.wavefronts_floor;
    wavefronts_ideal += times * c.wavefronts_ideal;
    bank_conflicts += times * c.bank_conflicts;
    exact = exact && c.exact;
    if (c.worst_words > worst_words) {
      worst_words = c.worst_words;
      worst_bank = c.worst_bank;
      worst_lanes = c.worst_lanes;
      worst_warp = c.worst_warp;
    }
  }

 private:
  COSMATI_HD static constexpr double ratio(std::int64_t a, std::int64_t b) {
    return b == 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(b);
  }
};

/// The memory that a side is in. For cp.async the source is in global memory.
enum class accessed_memory : std::uint8_t { global, shared };

namespace detail {

/// The lanes 32 w to 32 w + 31 of a side, offset by `step`.
constexpr warp_access warp_of_side(side_access const& side, plain_modes const& lanes, std::int64_t first, int count,
                                   std::int64_t step) {
  warp_access a;
  a.active = count >= 32 ? 0xffffffffu : (1u << count) - 1u;
  for (int l = 0; l < 32 && l < count; ++l) a.offset[l] = side.bytes_at(lanes(first + l) + step);
  return a;
}
constexpr warp_cost cost_in(accessed_memory memory, memory_instruction const& instruction, warp_access const& access) {
  warp_cost c;
  if (memory == accessed_memory::global)
    c.global = global_cost_of(instruction, access);
  else
    c.shared = shared_cost_of(instruction, access);
  return c;
}

}  // namespace detail

namespace detail {

[[noreturn]] inline void too_many_different_instructions(std::int64_t instructions, std::int64_t period) {
  throw error(
      "cost of a copy: %lld instructions of a warp may all differ, as the swizzle repeats after %lld elements only; "
      "count a smaller tensor",
      static_cast<long long>(instructions), static_cast<long long>(period));
}

/// Adds the lanes first to first + count - 1, moved by each residue.
struct warps_of_side {
  side_access const& side;
  memory_instruction const& instruction;
  accessed_memory memory;
  side_cost& total;

  constexpr void add(std::int64_t first, std::int64_t step, std::int64_t times) const {
    std::int64_t const left = side.thread_count() - first;
    warp_access const a = warp_of_side(side, side.threads, first, left < 32 ? static_cast<int>(left) : 32, step);
    total.add(cost_in(memory, instruction, a), times, static_cast<int>(first / 32));
  }
};
/// Adds the warps from thread `first` to `last`, 32 threads apart, if there are many residues.
constexpr void add_many(warps_of_side const& warps, plain_modes const& folded, std::int64_t last) {
  side_access const& side = warps.side;
  std::int64_t const period = side.period();
  if (period <= residue_table::longest) {
    residue_table table(period);
    for (int i = 0; i < side.steps.count; ++i) table.add_mode(side.steps.extent[i], side.steps.stride[i]);
    for (int i = 0; i < folded.count; ++i) table.add_mode(folded.extent[i], folded.stride[i]);
    for (std::int64_t r = 0; r < period; ++r) {
      for (std::int64_t first = 0; first < last && table.times[r] != 0; first += 32)
        warps.add(first, r, table.times[r]);
    }
    return;
  }
  std::int64_t const others = folded.size(), steps = side.steps.size();
  if (others * steps > (std::int64_t{1} << 22)) too_many_different_instructions(others * steps, period);
  for (std::int64_t i = 0; i < others * steps; ++i) {
    for (std::int64_t first = 0; first < last; first += 32)
      warps.add(first, folded(i / steps) + side.steps(i % steps), 1);
  }
}

}  // namespace detail

/// The cost of the instructions of all warps. Every thread takes part in each.
///
/// Instructions cost the same if their addresses differ by a multiple of 128 bytes and of a swizzle's period. They are
/// counted once and multiplied. The memory must begin at such a multiple.
/// @throws error if millions of instructions may all differ
constexpr side_cost side_cost_of(side_access const& side, memory_instruction const& instruction,
                                 accessed_memory memory) {
  side_cost total;
  std::int64_t const threads = side.thread_count();
  if (threads == 0 || side.steps.size() == 0) return total;
  detail::warps_of_side const warps{side, instruction, memory, total};
  // If every warp is the first one moved by an offset, the warps count among the moves.
  plain_modes others;
  bool const alike = threads % 32 == 0 && cut_modes(side.threads, 32, others);
  if (!alike) others = plain_modes();
  std::int64_t const last = alike ? 1 : threads;
  residue_counts moves(side.period());
  bool few = true;
  for (int i = 0; i < side.steps.count && few; ++i) few = moves.add_mode(side.steps.extent[i], side.steps.stride[i]);
  for (int i = 0; i < others.count && few; ++i) few = moves.add_mode(others.extent[i], others.stride[i]);
  if (!few) {
    detail::add_many(warps, others, last);
    return total;
  }
  for (std::int64_t first = 0; first < last; first += 32) {
    for (int i = 0; i < moves.count; ++i) warps.add(first, moves.residue[i], moves.times[i]);
  }
  return total;
}

namespace detail {
/// The cost of a cp.async's destination, including the passes that the source's banks cause. Both sides have the same
/// threads and steps. If both access a bank twice in more than thousands of instructions, the passes are added up.
constexpr side_cost copy_async_cost_of(side_access const& destination, side_access const& source,
                                       memory_instruction const& instruction) {
  side_cost total = side_cost_of(destination, instruction, accessed_memory::shared);
  side_cost const reads = side_cost_of(source, instruction, accessed_memory::shared);
  if (reads.wavefronts == reads.wavefronts_floor && total.wavefronts == total.wavefronts_floor) return total;
  std::int64_t const threads = destination.thread_count(), warps = (threads + 31) / 32,
                     steps = destination.steps.size();
  if (total.wavefronts == total.wavefronts_floor || warps * steps > 4096) {
    total.wavefronts += reads.bank_conflicts;
    total.bank_conflicts += reads.bank_conflicts;
    total.exact = false;
    return total;
  }
  total.wavefronts = total.bank_conflicts = 0;
  for (std::int64_t i = 0; i < warps * steps; ++i) {
    std::int64_t const first = i % warps * 32, left = threads - first;
    int const count = left < 32 ? static_cast<int>(left) : 32;
    shared_cost const one = shared_cost_of(
        instruction, warp_of_side(destination, destination.threads, first, count, destination.steps(i / warps)),
        warp_of_side(source, source.threads, first, count, source.steps(i / warps)));
    total.wavefronts += one.wavefronts;
    total.exact = total.exact && one.exact;
    total.bank_conflicts += one.bank_conflicts;
  }
  return total;
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
