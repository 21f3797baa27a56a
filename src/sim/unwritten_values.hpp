// SPDX-License-Identifier: Apache-2.0
/// @file
/// Values that reveal unwritten registers: those of fragments, and those of a program's local variables.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "state.hpp"

namespace cosmati_sim {

/// The byte that the compiler gives uninitialised local variables (-ftrivial-auto-var-init=pattern): 0xFE with g++,
/// 0xAA with clang++. COSMATI_SIM_LOCALS sets it if a report is wanted; otherwise it is 0 and such values are not
/// searched. A program may hold such values on purpose, so a finding is a suspicion that `cosmati sim` decides.
extern std::uint32_t const local_byte;

/// Whether unwritten registers and memory begin with zeros. `cosmati sim` sets COSMATI_SIM_UNWRITTEN=zero to test
/// findings: a value that has the pattern in this run too is held on purpose.
extern bool const unwritten_is_zero;

/// The registers of a launch that begin with the pattern.
enum unwritten_kind : unsigned {
  of_any = 1,      // fragments, or sums of a wgmma before the wait
  of_16_bits = 2,  // fragments of half or bfloat16, which may be widened to float
  in_flight = 4,   // sums of a wgmma before the wait, which are numbers of floating point
};
/// Whether a kernel has read memory that nobody has written, whose content has the same pattern. Later launches may
/// then pass it on. Only `cosmati sim`, which decides by another run, looks for that.
extern std::atomic<bool> poison_was_read;
/// Notes that the running launch has such registers. Without them no value of the launch is taken for unwritten.
inline void begin_unwritten(worker& w, unsigned kinds) {
  std::atomic<unsigned>& all = w.running->unwritten.kinds;
  if ((all.load(std::memory_order_relaxed) & kinds) != kinds) all.fetch_or(kinds, std::memory_order_relaxed);
}
/// What a sum of a wgmma holds before the wait: the pattern of an unwritten fragment as a signaling NaN. A copy keeps
/// it, and any arithmetic makes the pattern itself of it: the wait sees that the program has changed the sum.
/// @param bytes of a sum of floating point, 4 or 2; 0: integers, which arithmetic changes anyway
constexpr std::uint32_t word_in_flight(unsigned bytes) {
  return bytes == 4 ? 0x7FBD7FFDu : bytes == 2 ? 0x7DFD7DFDu : 0x7FFD7FFDu;
}
/// Whether the word is such a sum, or one of half that was widened.
inline bool is_sum_in_flight(std::uint32_t word) {
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return magnitude == word_in_flight(4) || magnitude == word_in_flight(2) || magnitude == 0x7FBFA000u;
}

/// Whether the word has the pattern of an unwritten fragment: 0x7FFD in each 16 bits, or that of a half or bfloat16,
/// widened. A program may hold such values on purpose: `is_unwritten_in` decides.
inline bool is_unwritten_fragment(std::uint32_t word) {
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return magnitude == 0x7FFD7FFDu || magnitude == 0x7FFFA000u || magnitude == 0x7FFD0000u || is_sum_in_flight(word);
}
/// Whether the word, which has the pattern, may come from an unwritten fragment of the launch.
bool is_unwritten_in(job& j, std::uint32_t word);

/// Whether the word may be that of an unwritten local variable, perhaps after a small addition, a doubling or a
/// halving.
bool may_be_unwritten_local(std::uint32_t word);

/// Whether an operand of 4 or 8 bytes may be unwritten. With 8 bytes, the low word decides if the high word repeats or
/// extends it.
inline bool may_be_unwritten_operand(std::uint64_t bits, std::size_t bytes) {
  auto const low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
  if (bytes == 8 && high != low && high != 0 && high != ~0u) return false;
  return is_unwritten_fragment(low) || (local_byte != 0 && may_be_unwritten_local(low));
}

/// Reports that the running lane gives an unwritten operand to an instruction or a comparison.
/// @param what "a comparison with", "an operand of atomicAdd is"
void report_unwritten_operand(worker& w, std::uint64_t bits, char const* what, site where, void const* pc);

/// Searches the shared memory of the block for values of unwritten local variables.
void look_for_unwritten_locals_in_shared(worker& w);

}  // namespace cosmati_sim
