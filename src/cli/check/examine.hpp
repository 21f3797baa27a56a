// SPDX-License-Identifier: Apache-2.0
/// @file
/// Turns the command line into findings: the options of `cosmati check`, and what they tell about a copy.
#pragma once

#include "findings.hpp"

namespace cosmati::cli {

struct check_texts : copy_texts {
  std::string src, dst, space, bounds;
  std::string arch = "sm_90";
};

/// Adds the tiled copy's options, --src, --dst, --space, --bounds and --arch.
void add_check_options(CLI::App& command, check_texts& texts);

struct examined {
  check_findings findings;
  std::vector<std::string> notes;
};
/// Verifies and counts the copy, with advice. @throws command_error with the option, the numbers and the fix
examined examine(check_texts const& texts);

}  // namespace cosmati::cli
