// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written whole or not at all: under another name beside their own, which is then changed. Links to a
/// file stay.
#pragma once

#include <cstddef>
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
  /// What has been written takes its place.
  void keep();

 private:
  [[noreturn]] void refused(char const* doing) const;

  std::string path_;
  std::string target_;  // where links lead
  std::string name_;
  int file_ = -1;
};

/// A text to a file, whole; or to what is there and no ordinary file, such as a pipe. @throws std::runtime_error
void write_text(std::string const& path, std::string_view text);

}  // namespace cosmati::cli
