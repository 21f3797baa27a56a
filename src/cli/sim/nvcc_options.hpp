// SPDX-License-Identifier: Apache-2.0
/// @file
/// nvcc's options in the command line of `cosmati sim`. People paste them. An option has an effect here, or one
/// sentence says why it has none.
#pragma once

#include <string>
#include <vector>

namespace cosmati::cli {

/// The words of a command line in this command's own options.
struct translated_words {
  std::vector<std::string> words;  ///< the options and the source files
  std::vector<std::string> notes;  ///< a sentence for each option that has no effect
};

/// Translates the words behind `sim`, up to `--`.
/// @throws command_error (`bad_input`), if the value of an option of nvcc is missing
translated_words without_nvcc_options(std::vector<std::string> const& words);

/// The words of the command line after `sim`, as the command's parser takes them: the arguments of the program are the
/// last positional words, and `--program-words=N` counts them.
std::vector<std::string> words_of_sim(std::vector<std::string> const& words);

}  // namespace cosmati::cli
