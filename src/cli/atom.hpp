// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copy atoms by name, as `--atom` takes them.
#pragma once

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/core/flat_tree.hpp>
#include <cosmati/number/type_names.hpp>
#include <string>
#include <string_view>

namespace cosmati {
struct text_cursor;
}

namespace cosmati::cli {

/// One instruction: which bits or values each thread of it moves.
struct copy_atom {
  std::string name;       ///< as given, without blanks
  std::int64_t bits = 0;  ///< a thread's, moved at once; 0: an automatic choice, value by value until widths are known
  std::int64_t widest = 128;                  ///< of an automatic choice, in bits
  number_type_row const* value = nullptr;     ///< of `Copy_Atom<..., T>`, else null
  copy_instruction const* special = nullptr;  ///< null: a plain load and store
  /// @name (thread, bit) -> bit; of `bits == 0`, (1,1):(0,0)
  /// @{
  flat_tree<symbolic_integer> src, dst, ref;
  /// @}

  /// Threads that execute it together.
  int threads() const { return special == nullptr ? 1 : special->lanes; }
};

/// @throws parse_error with a caret under what is not known
copy_atom parse_copy_atom(std::string_view text);

/// @name Pieces of an atom's text
/// @{
/// `Name` of `::a::b::Name`.
std::string_view name_behind_namespaces(text_cursor& in);
/// A number type up to ',' or '>', brackets balanced. @throws parse_error
number_type_row const& read_number_type(text_cursor& in);
/// The sentence on a name that no number type has, with the nearest names that there are.
std::string no_number_type(std::string_view name);
/// @}

/// One thread's values side by side: (1,count):(0,1).
flat_tree<symbolic_integer> values_of_one_thread(std::int64_t count);

/// (thread, value) -> value, on an atom's three sides.
struct value_layouts {
  flat_tree<symbolic_integer> src, dst, ref;
};
/// In values of `bits` bits. @throws error when the atom's width is no multiple, or when it would split a value
value_layouts value_layouts_of(copy_atom const& atom, int bits);

}  // namespace cosmati::cli
