// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tokens of the text of an `asm` statement.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cosmati_sim::ptx {

/// One token: a name, an opcode with its modifiers, a number, or a single character.
struct token {
  std::string text;
  std::size_t begin;           ///< the offset of its first character
  int statement_operand = -1;  ///< N of `%N`
};

/// Splits a text. Comments are left out, `%%` becomes `%`, and `%=` becomes `0`.
std::vector<token> tokens_of(std::string_view text);

}  // namespace cosmati_sim::ptx
