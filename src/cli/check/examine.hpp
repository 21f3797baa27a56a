// SPDX-License-Identifier: Apache-2.0
/// @file
/// From the command line to findings: the options of `cosmati check`, and what they say of a copy.
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
/// Verified and counted, with advice. @throws command_error that names the option, the numbers, and what to write
examined examine(check_texts const& texts);

}  // namespace cosmati::cli
