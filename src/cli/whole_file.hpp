// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written whole or not at all: under another name beside their own, which is then changed. Links to a
/// file stay.
#pragma once

#include "interruption.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// A file that is being written. Unless `keep` is called, what was there stays, and nothing else does.
/// Every member throws std::runtime_error with the path and the system's reason.
class whole_file {
 public:
  explicit whole_file(std::string path);
  whole_file(whole_file const&) = delete;
  whole_file& operator=(whole_file const&) = delete;
  ~whole_file();

  void write(void const* from, std::size_t count);
  /// What has been written takes its place. @param rights before the caller's mask; 0777 of a program
  void keep(unsigned rights = 0666);

 private:
  [[noreturn]] void refused(char const* doing) const;

  std::string path_;
  std::string target_;  // where links lead
  std::string name_;
  int file_ = -1;
  std::optional<file_in_progress> ends_with_the_command_;
};

/// Throws what writing the file would, as far as that is seen before: nothing is written.
void check_can_write(std::string const& path);

/// A program's file, copied whole. @throws std::runtime_error
void copy_program(std::string const& from, std::string const& to);

/// A text to a file, whole; or to what is there and no ordinary file, such as a pipe. @throws std::runtime_error
void write_text(std::string const& path, std::string_view text);

}  // namespace cosmati::cli
