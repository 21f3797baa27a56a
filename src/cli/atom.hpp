// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copy atoms by name, as `--atom` takes them.
#pragma once

#include <cosmati/core/flat.hpp>
#include <cosmati/core/type_names.hpp>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// One instruction: which values each thread of it moves, in the units that its name counts.
struct copy_atom {
  std::string name;       ///< as given, without blanks
  std::int64_t bits = 0;  ///< moved at once; 0: an automatic choice, value by value until the widths are known
  number_type_row const* value = nullptr;  ///< of `Copy_Atom<..., T>`, else null
};

/// @throws parse_error with a caret under what is not known
copy_atom parse_copy_atom(std::string_view text);

/// The atom's (thread, value) layout in values of `bits` bits. @throws error when its width is no multiple
flat<number> value_layout(copy_atom const& atom, int bits);

}  // namespace cosmati::cli
