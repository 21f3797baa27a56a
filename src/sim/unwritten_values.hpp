// SPDX-License-Identifier: Apache-2.0
/// @file
/// Values that tell of registers which nobody has written: those of fragments, and those of a program's local
/// variables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "state.hpp"

namespace cosmati_sim {

/// The byte that the compiler gives local variables that the program does not (-ftrivial-auto-var-init=pattern): 0xFE
/// by g++, 0xAA by clang++. COSMATI_SIM_LOCALS says it where a report is wanted; else 0: nobody looks for such.
/// A program may hold such values on purpose: what is found is a suspicion, and `cosmati sim` finds out.
extern std::uint32_t const local_byte;

/// A word of a fragment that nobody has written: 0x7FFD in each 16 bits, or that of a half or bfloat16, widened.
inline bool is_unwritten_fragment(std::uint32_t word) {
  std::uint32_t const magnitude = word & 0x7fffffffu;
  return magnitude == 0x7FFD7FFDu || magnitude == 0x7FFFA000u || magnitude == 0x7FFD0000u;
}

/// A word of a local variable that nobody has written, perhaps with a little added, doubled, or halved.
bool may_be_unwritten_local(std::uint32_t word);

/// The same of an operand of 4 or 8 bytes: its low word, and what extends that to 8 bytes.
inline bool may_be_unwritten_operand(std::uint64_t bits, std::size_t bytes) {
  auto const low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
  if (bytes == 8 && high != low && high != 0 && high != ~0u) return false;
  return is_unwritten_fragment(low) || (local_byte != 0 && may_be_unwritten_local(low));
}

/// The running lane gives an instruction, or a comparison, an operand that nobody has written.
/// @param what "a comparison with", "an operand of atomicAdd is"
void report_unwritten_operand(worker& w, std::uint64_t bits, char const* what, site where, void const* pc);

/// What the block leaves in shared memory of local variables that nobody has written.
void look_for_unwritten_locals_in_shared(worker& w);

}  // namespace cosmati_sim
