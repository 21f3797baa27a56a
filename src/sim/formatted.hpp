// SPDX-License-Identifier: Apache-2.0
/// @file
/// Text formatted by fmt. Programs link nothing of fmt: formatted.cpp contains its code once, and other files use only
/// its interface.
#pragma once

#include <fmt/core.h>

#include <string>

namespace cosmati_sim {

std::string formatted_by(fmt::string_view format, fmt::format_args arguments);

/// As `fmt::format`.
template <class... T>
std::string formatted(fmt::format_string<T...> format, T&&... value) {
  return formatted_by(format, fmt::make_format_args(value...));
}

}  // namespace cosmati_sim
