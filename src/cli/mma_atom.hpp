// SPDX-License-Identifier: Apache-2.0
/// @file
/// MMA atoms by name, as `tiled-mma --atom` accepts them.
#pragma once

#include <cosmati/tiled/mma_values.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// One matrix instruction: D = A B + C.
struct mma_atom {
  std::string name;           ///< the name of the operation in C++
  std::string a, b, c, d;     ///< the types of the elements
  bool sums_go_round = true;  ///< whether D has C's registers, which a tiled MMA needs
  mma_values values;          ///< the values of one atom
};

/// Parses `SM80_16x8x16_F32F16F16F32_TN`, `UniversalFMA<float>`, or `MMA_Atom<...>` of them.
/// @throws parse_error with a caret under the unknown part
mma_atom parse_mma_atom(std::string_view text);

/// The names of the operations, `UniversalFMA<float>` first.
std::vector<std::string> mma_atom_names();

}  // namespace cosmati::cli
