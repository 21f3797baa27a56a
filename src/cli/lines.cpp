// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

#include "command_end.hpp"

#include <unistd.h>
#include <cerrno>

namespace cosmati::cli {

void answer_lines(std::function<void(std::string_view, std::string&)> const& answer) {
  constexpr std::size_t block = 1 << 16;
  std::string in;
  std::string out;
  out.reserve(2 * block);
  auto const line = [&](std::string_view text) {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    answer(text, out);
    out += '\n';
    if (out.size() >= block) {
      write_output(out);
      out.clear();
    }
  };
  for (;;) {
    std::size_t const kept_bytes = in.size();
    in.resize(kept_bytes + block);
    ssize_t const n = ::read(STDIN_FILENO, in.data() + kept_bytes, block);
    if (n < 0 && errno == EINTR) {
      in.resize(kept_bytes);
      continue;
    }
    if (n < 0) throw command_error(failure, "cannot read standard input");
    in.resize(kept_bytes + static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (;;) {
      std::size_t const last = in.find('\n', begin);
      if (last == std::string::npos) break;
      line({in.data() + begin, last - begin});
      begin = last + 1;
    }
    in.erase(0, begin);
    if (n == 0) break;
    write_output(out);  // a reader that waits for an answer gets it
    out.clear();
  }
  if (!in.empty()) line(in);
  write_output(out);
}

}  // namespace cosmati::cli
