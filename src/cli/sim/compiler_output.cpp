// SPDX-License-Identifier: Apache-2.0
#include "compiler_output.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include <vector>

namespace cosmati::cli {

std::string cut_output(std::string const& text) {
  constexpr std::size_t most_lines = 40, most_bytes = 5000, most_in_line = 400, lines_before = 4, lines_after = 3;
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  auto const is_error = [](std::string_view line) {
    return line.find("error: ") != std::string_view::npos || line.find("undefined reference") != std::string_view::npos;
  };
  auto const first = static_cast<std::size_t>(std::find_if(lines.begin(), lines.end(), is_error) - lines.begin());
  std::size_t const begin = first < lines.size() && first > lines_before ? first - lines_before : 0;
  std::string out = begin != 0 ? fmt::format("... {} lines\n", begin) : "";
  for (std::size_t i = begin; i < lines.size(); ++i) {
    if ((i - begin == most_lines || out.size() > most_bytes) && i + lines_after < lines.size()) {
      out += fmt::format("... {} more lines\n", lines.size() - i - lines_after);
      i = lines.size() - lines_after;
    }
    out += lines[i].substr(0, most_in_line);
    out += lines[i].size() > most_in_line ? " ...\n" : "\n";
  }
  return out;
}

bool refuses_only_initializers(std::string const& text) {
  std::size_t errors = 0;
  for (std::size_t at = text.find(" error: "); at != std::string::npos; at = text.find(" error: ", at + 1), ++errors) {
    std::string_view const line = std::string_view(text).substr(at, text.find('\n', at) - at);
    if (line.find("needed for in-class initialization of static data member") == std::string_view::npos) return false;
  }
  return errors != 0;
}

}  // namespace cosmati::cli
