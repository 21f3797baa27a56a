// SPDX-License-Identifier: Apache-2.0
/// @file
/// The findings of `cosmati check` about a tiled copy and its tensors.
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

/// An improvement, and its cost.
struct advice {
  std::string words;           ///< "use an 8-byte atom, UniversalCopy<uint64_t>"
  std::string atom, thr, val;  ///< the new texts; empty if they stay
  std::string layout;          ///< the layout of shared memory, if it is what changes
  side_cost cost;
};

/// One tensor of the copy, with its cost.
struct check_side {
  bool is_source = true;
  memory_space space = memory_space::gmem;
  std::string layout;
  tensor_values<symbolic_integer> tensor;
  side_cost cost;   ///< the cost of the copied elements; for ragged tiles, those inside and those at the edge together
  side_cost whole;  ///< the cost if every tile were a full one
  memory_instruction instruction;
  std::int64_t neighbours_apart = 0;  ///< the distance in bytes between the first addresses of threads 0 and 1
  std::int64_t own_conflicts = 0;     ///< the part of `whole` from its own banks; the rest comes from a cp.async's
                                      ///< source
  double thread_alone = 1;            ///< the ratio of moved to used bytes if no two threads shared a sector
  std::optional<advice> better;

  bool is_global() const { return space == memory_space::gmem; }
};

struct check_findings {
  copy_arguments copy;
  copy_operation operation;
  vector_width vector;
  /// Whether the layouts do not allow the atom's vector, so that the costs are those of moving value by value.
  bool value_by_value = false;
  copy_verdict verdict;
  /// For a copy that has or needs bounds, with one block for each tile of the tiled copy.
  std::optional<ragged_cost> ragged;
  std::vector<std::unique_ptr<check_side>> sides;

  /// Whether the copy has no mistake.
  bool right() const { return verdict.ok() && !(operation.means == copy_means::bulk && value_by_value); }
  /// The tensor that is copied from (or to); registers if no layout was given.
  tensor_values<symbolic_integer> tensor(bool source) const {
    for (auto const& s : sides) {
      if (s->is_source == source) return s->tensor;
    }
    return {};
  }
};

/// @name Conversions from the command line's values to the library's
/// @{
copy_operation operation_of(copy_atom const& atom);
copy_values<symbolic_integer> values_of(copy_arguments const& copy, copy_operation const& operation);
/// Another tiled copy of the same type and operation, with `bits` at once and other layouts.
/// @returns nothing if these form no tiled copy
std::optional<copy_values<symbolic_integer>> changed(check_findings const& f, int bits, tree const& thr,
                                                     tree const& val);
/// @}

/// A cheaper alternative for this side; nothing if it is optimal, or none was found.
std::optional<advice> advise(check_findings const& f, check_side const& side);

}  // namespace cosmati::cli
