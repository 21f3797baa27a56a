// SPDX-License-Identifier: Apache-2.0
#include "command_end.hpp"

#include "expression/parser.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <cosmati/layout/text_cursor.hpp>
#include <cstring>

namespace cosmati::cli {

value const& evaluate_argument(evaluator& evaluate, std::string const& option, std::string const& text) {
  try {
    return evaluate(text);
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

void check_not_interrupted() {
  if (ending_signal != 0) throw command_error(128 + static_cast<int>(ending_signal), "interrupted");
}

void write_output(std::string const& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    ssize_t const n = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR && ending_signal == 0) continue;
    if (n < 0) {
      int const why = errno;
      check_not_interrupted();
      throw command_error(failure, fmt::format("cannot write to standard output: {}", std::strerror(why)));
    }
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace cosmati::cli
