// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace cosmati::cli {

namespace {
constexpr std::int64_t widest = 64;  // the limit of columns

void append_slice(std::string& out, table const& t, std::int64_t first, std::int64_t rows, std::int64_t columns,
                  std::int64_t most) {
  bool const one_row = t.extent.size() == 1;
  std::int64_t const shown_columns = std::min(columns, widest);
  std::int64_t const shown_rows =
      std::min(rows, std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, shown_columns)));
  std::vector<std::string> text;
  std::size_t width = fmt::formatted_size("{}", std::max<std::int64_t>(0, shown_columns - 1));
  for (std::int64_t r = 0; r < shown_rows; ++r) {
    for (std::int64_t c = 0; c < shown_columns; ++c) {
      text.push_back(t.cell(first + (one_row ? c : r + rows * c)));
      width = std::max(width, text.back().size());
    }
  }
  std::size_t const margin = one_row ? 0 : fmt::formatted_size("{}", std::max<std::int64_t>(0, shown_rows - 1));
  out += std::string(margin, ' ') + "  ";
  for (std::int64_t c = 0; c < shown_columns; ++c) out += fmt::format(" {:>{}}", c, width);
  out += '\n' + std::string(margin, ' ') + " +" +
         std::string(static_cast<std::size_t>(shown_columns) * (width + 1), '-') + '\n';
  for (std::int64_t r = 0; r < shown_rows; ++r) {
    out += one_row ? std::string(" |") : fmt::format("{:>{}} |", r, margin);
    for (std::int64_t c = 0; c < shown_columns; ++c) {
      out += fmt::format(" {:>{}}", text[static_cast<std::size_t>(r * shown_columns + c)], width);
    }
    out += '\n';
  }
  if (shown_rows < rows) out += fmt::format("... {} rows of {} are shown\n", shown_rows, rows);
  if (shown_columns < columns) out += fmt::format("... {} columns of {} are shown\n", shown_columns, columns);
}
}  // namespace

std::string table_text(table const& t, std::int64_t most) {
  if (t.extent.empty()) return {};
  std::int64_t const columns = t.extent.size() == 1 ? t.extent[0] : t.extent[1];
  std::int64_t const rows = t.extent.size() == 1 ? 1 : t.extent[0];
  std::int64_t slices = 1;
  for (std::size_t m = 2; m < t.extent.size(); ++m) slices *= t.extent[m];
  std::string out;
  std::int64_t shown = 0;
  for (std::int64_t s = 0; s < slices; ++s) {
    if (s > 0 && shown + rows * columns > most) {
      out += fmt::format("\n... {} slices of {} are shown\n", s, slices);
      break;
    }
    if (t.extent.size() > 2) {
      std::string index;
      std::int64_t rest = s;
      for (std::size_t m = 2; m < t.extent.size(); ++m) {
        index += fmt::format(",{}", rest % t.extent[m]);
        rest /= t.extent[m];
      }
      out += fmt::format("{}(_,_{})\n", s == 0 ? "" : "\n", index);
    }
    append_slice(out, t, s * rows * columns, rows, columns, most);
    shown += rows * columns;
  }
  return out;
}

nlohmann::json table_json(std::vector<std::int64_t> const& extent,
                          std::function<nlohmann::json(std::int64_t)> const& cell) {
  std::vector<std::int64_t> stride;
  std::int64_t size = 1;
  for (std::int64_t const e : extent) {
    stride.push_back(size);
    size *= e;
  }
  // From the outermost to the innermost: the last mode, ..., mode 2, then rows and columns.
  std::vector<std::size_t> order;
  for (std::size_t m = extent.size(); m > 2; --m) order.push_back(m - 1);
  if (!extent.empty()) order.push_back(0);
  if (extent.size() > 1) order.push_back(1);
  std::function<nlohmann::json(std::size_t, std::int64_t)> const level = [&](std::size_t depth, std::int64_t index) {
    if (depth == order.size()) return cell(index);
    nlohmann::json list = nlohmann::json::array();
    std::size_t const m = order[depth];
    for (std::int64_t i = 0; i < extent[m]; ++i) list.push_back(level(depth + 1, index + i * stride[m]));
    return list;
  };
  return level(0, 0);
}

}  // namespace cosmati::cli
