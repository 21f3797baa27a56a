// SPDX-License-Identifier: Apache-2.0
/// @file
/// The memory that a call of an undefined function may access, told from the function's name.
#pragma once

#include <string_view>

namespace cosmati::cli {

/// How a call of a function of another file is watched.
struct foreign_call {
  bool watched = true;
  int pointers = -1;  ///< the number of integer arguments that may be addresses it accesses; -1 if it is unknown
};

/// The accesses that a call of `name` (mangled) may make. Functions of the simulated device and of the C and C++ run
/// time that access no memory of the caller are not watched.
foreign_call what_is_called(std::string_view name);

}  // namespace cosmati::cli
