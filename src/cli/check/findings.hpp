// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `cosmati check` finds out about a tiled copy and its tensors.
#pragma once

#include "../copy_arguments.hpp"

#include <cosmati/analysis/bulk_cost.hpp>
#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/analysis/ragged_cost.hpp>
#include <cosmati/analysis/verify_values.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cosmati::cli {

/// What to write instead, and what it would cost.
struct advice {
  std::string words;           ///< "use an 8-byte atom, UniversalCopy<uint64_t>"
  std::string atom, thr, val;  ///< empty where they stay
  std::string layout;          ///< of shared memory, where that is what changes
  side_cost cost;
};

/// One tensor of the copy, and its cost.
struct check_side {
  bool is_source = true;
  memory_space space = memory_space::gmem;
  std::string layout;
  tensor_values<symbolic_integer> tensor;
  side_cost cost;   ///< of what is copied: of ragged tiles, those inside and those at the edge together
  side_cost whole;  ///< as if every tile were a whole one
  memory_instruction instruction;
  std::int64_t neighbours_apart = 0;  ///< bytes from where thread 0 points to where thread 1 does
  std::int64_t own_conflicts = 0;     ///< of `whole`: those of its own banks; the others come from a cp.async's source
  double thread_alone = 1;            ///< bytes moved for each used, if no two threads shared a sector
  std::optional<advice> better;

  bool is_global() const { return space == memory_space::gmem; }
};

struct check_findings {
  copy_arguments copy;
  copy_operation operation;
  vector_width vector;
  /// What the atom wants is not to be had: the costs are those of moving value by value.
  bool value_by_value = false;
  copy_verdict verdict;
  /// Of a copy with bounds, or that needs them: a block a tile of the tiled copy.
  std::optional<ragged_cost> ragged;
  std::vector<std::unique_ptr<check_side>> sides;

  /// Nothing is wrong with it.
  bool right() const { return verdict.ok() && !(operation.means == copy_means::bulk && value_by_value); }
  /// What is copied from (to); registers where no layout was given.
  tensor_values<symbolic_integer> tensor(bool source) const {
    for (auto const& s : sides) {
      if (s->is_source == source) return s->tensor;
    }
    return {};
  }
};

/// @name From the command line's values to those of the library
/// @{
copy_operation operation_of(copy_atom const& atom);
copy_values<symbolic_integer> values_of(copy_arguments const& copy, copy_operation const& operation);
/// Another tiled copy of the same type and operation: of `bits` at once, with other layouts.
/// @returns nothing where these make no tiled copy
std::optional<copy_values<symbolic_integer>> changed(check_findings const& f, int bits, tree const& thr,
                                                     tree const& val);
/// @}

/// What would cost less on this side; nothing where it is as good as can be, or no better one was found.
std::optional<advice> advise(check_findings const& f, check_side const& side);

}  // namespace cosmati::cli
