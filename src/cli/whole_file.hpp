// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written completely or not at all. They are written under another name in the same folder, which is
/// changed at the end. Links to a file stay.
#pragma once

#include "interruption.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// A file that is being written. Unless `keep` is called, the old file stays, and the new one is removed. Every member
/// throws std::runtime_error with the path and the system's reason.
class whole_file {
 public:
  explicit whole_file(std::string path);
  whole_file(whole_file const&) = delete;
  whole_file& operator=(whole_file const&) = delete;
  ~whole_file();

  void write(void const* from, std::size_t count);
  /// Replaces the old file by the written one. @param rights before the caller's mask; 0777 for a program
  void keep(unsigned rights = 0666);

 private:
  [[noreturn]] void refused(char const* doing) const;

  std::string path_;
  std::string target_;  // the target of links
  std::string name_;
  int file_ = -1;
  std::optional<file_in_progress> ends_with_the_command_;
};

/// Throws the error that writing the file would cause, as far as it can be predicted. Nothing is written.
void check_can_write(std::string const& path);

/// Copies the file of a program completely. @throws std::runtime_error
void copy_program(std::string const& from, std::string const& to);

/// Writes a text to a file completely. If the path is no ordinary file, such as a pipe, the text is written to it
/// directly. @throws std::runtime_error
void write_text(std::string const& path, std::string_view text);

}  // namespace cosmati::cli
