// SPDX-License-Identifier: Apache-2.0
/// @file
/// Values that reveal unwritten registers: those of fragments, and those of a program's local variables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "state.hpp"

namespace cosmati_sim {

/// The byte that the compiler gives uninitialised local variables (-ftrivial-auto-var-init=pattern): 0xFE with g++,
/// 0xAA with clang++. COSMATI_SIM_LOCALS sets it if a report is wanted; otherwise it is 0 and such values are not
/// searched. A program may hold such values on purpose, so a finding is a suspicion that `cosmati sim` decides.
extern std::uint32_t const local_byte;

/// Whether the word is that of an unwritten fragment: 0x7FFD in each 16 bits, or that of a half or bfloat16, widened.
inline bool is_unwritten_fragment(std::uint32_t word) {
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return magnitude == 0x7FFD7FFDu || magnitude == 0x7FFFA000u || magnitude == 0x7FFD0000u;
}

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
