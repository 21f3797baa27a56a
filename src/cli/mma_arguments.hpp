// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled MMA from the command line: an atom, the number of atoms, and a permutation.
#pragma once

#include "copy_arguments.hpp"
#include "mma_atom.hpp"

namespace cosmati::cli {

struct mma_arguments {
  mma_atom atom;
  mma_values values;              ///< the values of the whole MMA
  std::string permutation_given;  ///< the text; `_` if there is none
  bool permuted[3] = {};          ///< whether M, N and K have a permutation other than `_`
  bool is_integer[3] = {};        ///< whether the permutation is one integer

  std::int64_t threads() const { return algebra::size(values.threads()).value; }
};

/// Adds --atom-layout and --permutation. @param atom the option that names the atom
void add_mma_options(CLI::App& command, std::string const& atom, mma_texts& texts);

/// Parses and checks the texts. @throws command_error with the option, the numbers and the fix
mma_arguments read_mma(evaluator& evaluate, mma_texts const& texts, std::string const& atom_option = "--atom");

}  // namespace cosmati::cli
