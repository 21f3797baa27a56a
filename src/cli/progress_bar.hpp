// SPDX-License-Identifier: Apache-2.0
/// @file
/// The progress of long work, as a line on standard error.
#pragma once

#include <unistd.h>

#include <fmt/format.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cosmati::cli {

/// A line that is redrawn. It appears only if the work takes long, and is removed at the end.
class progress_bar {
 public:
  /// @param all the units of work
  /// @param unit the name of one unit
  /// @param always draws even if standard error is no terminal
  progress_bar(std::uint64_t all, char const* unit, bool always)
      : all_(all), unit_(unit), always_(always), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~progress_bar() {
    if (drawn_) std::fputs(terminal_ ? "\r\x1b[K" : "\n", stderr);
  }
  progress_bar(progress_bar const&) = delete;
  progress_bar& operator=(progress_bar const&) = delete;

  /// Whether anything would be drawn.
  bool is_wanted() const { return all_ != 0 && (always_ || terminal_); }

  void operator()(std::uint64_t done) {
    if (!is_wanted()) return;
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (!always_ && seconds < 0.5) return;
    constexpr std::uint64_t width = 40;
    auto const share = static_cast<double>(done) / static_cast<double>(all_);
    auto const full = static_cast<std::uint64_t>(share * width);
    std::string bar(full, '#');
    bar.append(width - full, '.');
    fmt::print(stderr, "\r[{}] {:3.0f} %  {} {} of {}  {:.1f} s", bar, 100 * share, unit_, done, all_, seconds);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  std::uint64_t all_;
  char const* unit_;
  bool always_, terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace cosmati::cli
