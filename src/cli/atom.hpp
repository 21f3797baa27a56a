// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copy atoms by name, as `--atom` accepts them.
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

/// One instruction, with the bits or values that each thread moves.
struct copy_atom {
  std::string name;           ///< the name as it was given, without blanks
  std::int64_t bits = 0;      ///< what a thread moves at once; 0: an automatic choice, value by value until widths are
                              ///< known
  std::int64_t widest = 128;  ///< the limit of an automatic choice, in bits
  number_type_row const* value = nullptr;     ///< the T of `Copy_Atom<..., T>`, otherwise null
  copy_instruction const* special = nullptr;  ///< null for a plain load and store
  /// @name (thread, bit) -> bit; (1,1):(0,0) if `bits == 0`
  /// @{
  flat_tree<symbolic_integer> src, dst, ref;
  /// @}

  /// The number of threads that execute it together.
  int threads() const { return special == nullptr ? 1 : special->lanes; }
};

/// @throws parse_error with a caret under the unknown part
copy_atom parse_copy_atom(std::string_view text);

/// @name Parts of an atom's text
/// @{
/// Reads `::a::b::Name`, and returns `Name`.
std::string_view name_behind_namespaces(text_cursor& in);
/// Reads a number type up to ',' or '>', with balanced brackets. @throws parse_error
number_type_row const& read_number_type(text_cursor& in);
/// The sentence on a name that no number type has, with the nearest names that there are.
std::string no_number_type(std::string_view name);
/// @}

/// The contiguous values of one thread: (1,count):(0,1).
flat_tree<symbolic_integer> values_of_one_thread(std::int64_t count);

/// (thread, value) -> value, for the three sides of an atom.
struct value_layouts {
  flat_tree<symbolic_integer> src, dst, ref;
};
/// The layouts in values of `bits` bits. @throws error if the atom's width is not a multiple, or if the atom would
/// split a value
value_layouts value_layouts_of(copy_atom const& atom, int bits);

}  // namespace cosmati::cli
