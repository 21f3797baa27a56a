// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled copy and its tensors from the command line: `--atom --type --thr --val`, `--src`, `--dst`.
#pragma once

#include "atom.hpp"
#include "command_end.hpp"
#include "expression/parser.hpp"

#include <fmt/format.h>
#include <cosmati/tiled/algebra.hpp>

namespace cosmati::cli {

inline constexpr std::int64_t most_threads = 1024;  ///< the limit of a block
inline constexpr std::int64_t most_elements_of_tile = std::int64_t{1} << 22;

struct mma_texts {
  std::string atom;
  std::string atom_layout;  ///< the layout of atoms; empty for one atom
  std::string permutation;  ///< the permutation; empty for none
};

/// A copy given by threads and values, or as that of an operand of a product (`make_tiled_copy_A` and its siblings).
struct copy_texts {
  std::string atom;
  std::string type;
  std::string thr;
  std::string val = "1:0";
  mma_texts mma;
  std::string operand;  ///< the operand A, B or C; empty if `thr` and `val` describe the copy
};

struct copy_arguments {
  copy_atom atom;
  number_type_row const* type = nullptr;
  value_layouts atom_values;
  tree thr, val;
  tree tiler;  ///< the shape of the tile
  tree layout_tv;
  std::int64_t threads = 0;
  std::int64_t values = 0;
  std::string operand;  ///< the operand A, B or C of `mma`; empty if `thr` and `val` made the copy
  std::string mma;      ///< the product, in words
};

/// Gives `thr (8,4):(1,8), val 8:1`, or `operand A of ...`.
std::string made_of(copy_arguments const& copy);

/// Adds --atom, --type, --thr and --val; and --mma, --atom-layout, --permutation and --operand.
void add_copy_options(CLI::App& command, copy_texts& texts);

/// The atom, the type and the atom's values only: `atom`, `type`, `atom_values`. @throws command_error as read_copy
copy_arguments read_atom(copy_texts const& texts);

/// Parses the texts, and checks that they form a tiled copy. @throws command_error with the option, the numbers and the
/// fix
copy_arguments read_copy(evaluator& evaluate, copy_texts const& texts);

/// A layout whose extents are at least 1. @throws command_error otherwise
tree filled_layout_argument(evaluator& evaluate, std::string const& option, std::string const& text);

/// A layout or a swizzled layout. @throws command_error otherwise
void read_tensor(evaluator& evaluate, std::string const& option, std::string const& text, value& out);

/// Refuses a layout that does not number its threads (values) 0, 1, 2, ..., each once.
/// @param what "thread" or "value" @throws command_error that names two coordinates of one number, or a number left out
void check_numbering(std::string const& option, std::string const& what, tree const& layout);

/// The number of an architecture, "sm_90" or "90". @throws command_error with a caret
int read_arch(std::string const& text);

/// The text of a partition: the tensor with `layout` instead of its own, and with its swizzle if it has one.
std::string text_as(value const& tensor, tree const& layout);

/// Runs `f`. If it refuses, the error names `option`.
template <class F>
auto blamed_on(std::string const& option, F&& f) {
  try {
    return f();
  } catch (error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

}  // namespace cosmati::cli
