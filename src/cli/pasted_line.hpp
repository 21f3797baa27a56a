// SPDX-License-Identifier: Apache-2.0
/// @file
/// A line of C++ that makes a tiled copy or a tiled product, taken apart into what the options take.
#pragma once

#include "copy_arguments.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// What a line says. A text is empty where the line does not say it.
struct pasted_line {
  bool is_product = false;  ///< make_tiled_mma: only `mma` counts
  copy_texts copy;
  mma_texts mma;
  std::vector<std::string> notes;  ///< names that the line does not explain
};

/// Whether a text is such a line rather than the name of an atom.
bool is_pasted_line(std::string_view text);

/// Reads `make_tiled_copy(Copy_Atom<...>{}, Layout<...>{}, Layout<...>{})`, `make_tiled_copy_A(atom, tiled_mma)` and
/// its kin, or `make_tiled_mma(...)`. Statements before it may name the arguments: `auto thr = ...;`, `using Atom =
/// ...;`, `Copy_Atom<...> atom;`. @throws command_error that blames `option`
pasted_line take_apart(std::string const& option, std::string_view text);

/// The options, where --atom is such a line: what the line says takes their place. @throws command_error where an
/// option says the same again
void take_apart_atom(copy_texts& texts);
void take_apart_atom(std::string const& option, mma_texts& texts);

}  // namespace cosmati::cli
