// SPDX-License-Identifier: Apache-2.0
/// @file
/// The summary of `cosmati sim --each`: what became of each program.
#pragma once

#include "findings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cosmati::cli {

struct program_outcome {
  std::string source;
  findings found;
  std::string failure;  ///< why there was no program to run; empty if there was one
  int status = 0;       ///< the exit status of the command if this were the only file
};

/// A table of file, outcome and findings.
std::string table_of(std::vector<program_outcome> const& all);
/// `verdict`, `reasons` and `programs`: the results of all files in the form of json_of.
nlohmann::ordered_json json_of_all(std::vector<program_outcome> const& all, std::uint64_t seed);
/// The worst of the statuses: 3 error, 1 and 2 no program, 5 incomplete, 4 review, 0 clean.
int worst_status(std::vector<program_outcome> const& all);

}  // namespace cosmati::cli
