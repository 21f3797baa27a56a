// SPDX-License-Identifier: Apache-2.0
/// @file
/// Text that a stream writes for a value.
#pragma once

#include <sstream>
#include <string>

template <class T>
std::string streamed(T const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
