// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a call of a function that a program does not define may touch, told from the function's name.
#pragma once

#include <string_view>

namespace cosmati::cli {

/// How a call of a function of another file is watched.
struct foreign_call {
  bool watched = true;
  int pointers = -1;  ///< how many of the integer arguments may be addresses it looks at; -1: not known
};

/// What a call of `name` (mangled) may touch. Functions of the simulated device and of the C and C++ run time that
/// touch no memory of the caller's are not watched.
foreign_call what_is_called(std::string_view name);

}  // namespace cosmati::cli
