// SPDX-License-Identifier: Apache-2.0
/// @file
/// MMA atoms by name, as `tiled-mma --atom` takes them.
#pragma once

#include <cosmati/tiled/mma_values.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// One matrix instruction: D = A B + C.
struct mma_atom {
  std::string name;           ///< of the operation, as in C++
  std::string a, b, c, d;     ///< the elements' types
  bool sums_go_round = true;  ///< D lies in the registers as C does: what a tiled MMA needs
  mma_values values;          ///< one atom
};

/// `SM80_16x8x16_F32F16F16F32_TN`, `UniversalFMA<float>`, `MMA_Atom<...>` of them.
/// @throws parse_error with a caret under what is not known
mma_atom parse_mma_atom(std::string_view text);

/// The operations' names, `UniversalFMA<float>` first.
std::vector<std::string> mma_atom_names();

}  // namespace cosmati::cli
