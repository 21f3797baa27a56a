// SPDX-License-Identifier: Apache-2.0
/// @file
/// The requirements of a copy instruction beside the layouts of its traits: the memory of its operands, the threads
/// that execute it, and its first architecture.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE {

/// An operation with such requirements has a member `static constexpr copy_instruction instruction`.
struct copy_instruction {
  char const* name;     ///< PTX's name without its constant parts: "ldmatrix.x4.trans"
  memory_space source;  ///< the memory of the source; registers are memory_space::rmem
  memory_space destination;
  int lanes;                  ///< the number of lanes of a warp that execute it together: 1 or 32
  int lowest_sm;              ///< the first architecture: 75, 80, 90
  bool asynchronous = false;  ///< the data arrive later, so the program must wait
};

/// Whether Op is an instruction with requirements, instead of a plain load and store.
template <class Op>
concept names_an_instruction = requires {
  Op::instruction.lanes;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
