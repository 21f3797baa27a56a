// SPDX-License-Identifier: Apache-2.0
#include "command_end.hpp"

#include "expression/parser.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cosmati/layout/text_cursor.hpp>

namespace cosmati::cli {

value const& evaluate_argument(evaluator& evaluate, std::string const& option, std::string const& text) {
  try {
    return evaluate(text);
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

void write_output(std::string const& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    ssize_t const n = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (n < 0) throw command_error(failure, "cannot write to standard output");
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace cosmati::cli
