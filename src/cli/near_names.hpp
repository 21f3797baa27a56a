// SPDX-License-Identifier: Apache-2.0
/// @file
/// "Did you mean ...": the names that are nearest to one that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// The names of `known` that differ least from `typed`, all by as much, three at most. One slip of the finger is near,
/// and one more for each five letters. A name that goes on where `typed` ends, or one of whose words begins with it,
/// counts as one slip away.
std::vector<std::string_view> near_names(std::string_view typed, std::vector<std::string_view> const& known);

/// "; did you mean composition?", or nothing where no name is near.
std::string did_you_mean(std::string_view typed, std::vector<std::string_view> const& known);

}  // namespace cosmati::cli
