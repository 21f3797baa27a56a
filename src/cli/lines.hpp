// SPDX-License-Identifier: Apache-2.0
/// @file
/// Answering standard input line by line, for the subcommands that take `-`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// Calls `answer(line, out)` for each line of standard input, which appends its answer to `out`, and writes the
/// answers, one a line. Blocks are read and written: whoever waits for an answer gets it as soon as the input pauses.
/// @throws command_error when reading or writing fails
void answer_lines(std::function<void(std::string_view line, std::string& out)> const& answer);

}  // namespace cosmati::cli
