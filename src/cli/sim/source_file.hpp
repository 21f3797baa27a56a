// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a file can be a source at all. The test is immediate, while a compiler might take minutes to report it.
#pragma once

#include <string>

namespace cosmati::cli {

/// @throws command_error (`bad_input`) with one sentence, if the file is absent, unreadable, not an ordinary file,
///   empty, too large, or contains bytes that no text has
void check_source(std::string const& path);

}  // namespace cosmati::cli
