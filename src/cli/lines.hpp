// SPDX-License-Identifier: Apache-2.0
/// @file
/// Answers standard input line by line, for the subcommands that accept `-`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// Calls `answer(line, out)` for each line of standard input, which appends its answer to `out`, and writes the
/// answers, one for each line. Input and output go by blocks, but a reader gets its answer when the input pauses.
/// @throws command_error if reading or writing fails
void answer_lines(std::function<void(std::string_view line, std::string& out)> const& answer);

}  // namespace cosmati::cli
