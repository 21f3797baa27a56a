// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a file can be a source at all: seen at once, where a compiler would take minutes to say so.
#pragma once

#include <string>

namespace cosmati::cli {

/// @throws command_error (`bad_input`) with one sentence, where the file is not there, cannot be read, is no ordinary
/// file, is empty, is too large, or holds what no text does
void check_source(std::string const& path);

}  // namespace cosmati::cli
