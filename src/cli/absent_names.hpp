// SPDX-License-Identifier: Apache-2.0
/// @file
/// Names of CuTe's that the command does not know: what they are, and what there is in their place.
#pragma once

#include <string>
#include <string_view>

namespace cosmati::cli {

/// Where a name of CuTe's may be written.
enum class name_place { copy_atom, mma_atom, expression };

/// A clause that begins with "; ": that the name does not exist yet, or belongs elsewhere, and what to write. Empty
/// where nothing is known of the name. @pre the tables of that place do not have the name
std::string absent_name(std::string_view name, name_place place);

}  // namespace cosmati::cli
