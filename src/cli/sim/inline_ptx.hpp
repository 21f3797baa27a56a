// SPDX-License-Identifier: Apache-2.0
/// @file
/// asm statements with PTX, as calls that the simulated device runs (cosmati/cuda/ptx.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_tokens.hpp"

namespace cosmati::cli {

/// A range of a text with its replacement.
struct text_edit {
  std::size_t begin, end;
  std::string by;
};

/// Whether the text of an asm statement is PTX: one of its statements begins with an opcode that has a type or another
/// modifier behind a dot, as `add.s32`, or is one of the few PTX words without one. The mnemonics of processors have no
/// dots inside.
bool is_ptx(std::string_view text);

/// The edits that turn the asm statement at a token into a call. Other tokens, and statements whose text is not PTX,
/// give none.
/// @param tokens of a preprocessed text
/// @param at the index of a token
/// @param number different for each statement of a program
std::vector<text_edit> ptx_call(std::vector<cuda_token> const& tokens, std::size_t at, int number);

}  // namespace cosmati::cli
