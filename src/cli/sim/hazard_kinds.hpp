// SPDX-License-Identifier: Apache-2.0
/// @file
/// The kinds of hazards that `--fail-on` takes.
#pragma once

#include "findings.hpp"

#include <string>
#include <vector>

namespace cosmati::cli {

/// The kinds of one or several texts such as "race,deadlock".
/// @throws command_error: bad_input for a name that is no kind, with the nearest names
std::vector<std::string> hazard_kinds_of(std::vector<std::string> const& texts);

/// The verdict if only hazards of these kinds count. With no kinds, all do.
verdict verdict_on(findings const& f, std::vector<std::string> const& kinds);

}  // namespace cosmati::cli
