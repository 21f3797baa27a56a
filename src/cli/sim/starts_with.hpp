// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a text begins with one of several words.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace cosmati::cli {

template <class Words = std::initializer_list<std::string_view>>
bool starts_with_one_of(std::string_view text, Words const& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return text.starts_with(word); });
}

}  // namespace cosmati::cli
