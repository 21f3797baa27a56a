// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tables of small integers, as text and as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cosmati::cli {

/// The cells of an array with these extents, the first mode fastest.
struct table {
  std::vector<std::int64_t> extent;
  std::function<std::string(std::int64_t index)> cell;
};

/// The text of a table. Rows are mode 0 and columns mode 1; each index of the further modes has a slice. A single mode
/// is one row. A table with more than `most` cells is cut, and says so.
std::string table_text(table const& t, std::int64_t most = 4096);

/// Rows of columns, or one array for a single mode. Further modes are arrays around them, the last mode outermost.
nlohmann::json table_json(std::vector<std::int64_t> const& extent,
                          std::function<nlohmann::json(std::int64_t index)> const& cell);

}  // namespace cosmati::cli
