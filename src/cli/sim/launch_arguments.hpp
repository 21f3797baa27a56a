// SPDX-License-Identifier: Apache-2.0
/// @file
/// The arguments of a launch whose kernel has no single address: a template, or one with overloads or defaults.
#pragma once

#include "cuda_tokens.hpp"
#include "inline_ptx.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cosmati::cli {

/// How the function object that calls such a kernel takes and passes the launch's arguments.
///
/// A list in braces has no type. Its elements are passed one by one, and the call of the kernel has the braces. A
/// literal 0 stays one, because the kernel's parameter may be a pointer.
struct launch_arguments {
  std::string parameters;        ///< of the function object
  std::string passed;            ///< what it gives to the kernel
  std::vector<text_edit> edits;  ///< what makes one list of elements of the launch's arguments
};

/// @param open, close the parentheses of the arguments
launch_arguments launch_arguments_of(std::vector<cuda_token> const& tokens, std::size_t open, std::size_t close);

}  // namespace cosmati::cli
