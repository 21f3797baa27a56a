// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a copy instruction needs besides the layouts of its traits: where its operands live, who executes it, since
/// which architecture.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE {

/// An operation that names one has `static constexpr copy_instruction instruction`.
struct copy_instruction {
  char const* name;     ///< PTX's, without what is always the same: "ldmatrix.x4.trans"
  memory_space source;  ///< registers are memory_space::rmem
  memory_space destination;
  int lanes;                  ///< of a warp that execute it together: 1 or 32
  int lowest_sm;              ///< 75, 80, 90
  bool asynchronous = false;  ///< the data arrive later: something has to wait
};

/// Op is an instruction with needs of its own, not a plain load and store.
template <class Op>
concept names_an_instruction = requires {
  Op::instruction.lanes;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
