// SPDX-License-Identifier: Apache-2.0
/// @file
/// The words of a command line in one text.
#pragma once

#include <string>
#include <vector>

namespace cosmati::cli {

/// Appends the words of a text. Quotes keep blanks.
void append_words(std::vector<std::string>& to, std::string const& text);
/// The words of several texts.
std::vector<std::string> words_of(std::vector<std::string> const& texts);

}  // namespace cosmati::cli
