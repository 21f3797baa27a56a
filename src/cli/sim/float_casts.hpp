// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions of floating-point numbers to integers in a compiler's assembly for x86-64. If a number does not fit,
/// the processor's instruction gives the lowest integer, and a GPU's the nearest one.
#pragma once

#include <string>
#include <string_view>

namespace cosmati::cli {

/// Assembly that does the same as the instruction, and asks the simulated device for the integer if the instruction
/// gives the lowest one, which it does for all numbers that do not fit. It keeps the flags and all other registers. It
/// is empty for any other instruction.
/// @param word the mnemonic, such as `cvttss2sil` @param operands in AT&T's order
std::string saturating_cast(std::string_view word, std::string_view operands);

/// The function of the simulated device that takes the place of one of the C library's, such as `lrintf`. It is empty
/// if there is none.
std::string saturating_function(std::string_view name);

/// Assembly that tells the simulated device that a file's casts are such: those to signed integers, and with the
/// instructions of AVX-512 those to unsigned ones of 32 and 64 bits.
std::string announcement_of_saturating_casts(std::string_view assembly);

}  // namespace cosmati::cli
