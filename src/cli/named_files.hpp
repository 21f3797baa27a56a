// SPDX-License-Identifier: Apache-2.0
/// @file
/// The files that one call of the command names. A file that is written must not be named twice.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cosmati::cli {

/// The identity of a file: that of an existing file, or the path at which it would be.
struct file_identity {
  std::optional<std::pair<unsigned long long, unsigned long long>> node;  ///< device and inode
  std::string place;                                                      ///< without links, `.` and `..`
  bool loses_nothing = false;                                             ///< whether it is /dev/null or similar

  bool same(file_identity const& other) const;
};

/// Collects the files that are read and written, before that happens. Every function throws command_error (`bad_input`)
/// with the option, the path and the mistake.
class named_files {
 public:
  /// @param command precedes each message: "sim: ", or nothing
  explicit named_files(std::string command = {}) : command_(std::move(command)) {}

  /// Adds a file that is read. The option `option` names it.
  void reads(std::string const& option, std::string const& path);
  /// Adds a file that is written. Its folder must exist. The file must be no input and no other output.
  void writes(std::string const& option, std::string const& path);
  /// As `writes`, for a file in a folder that the subcommand makes.
  void writes_in_new_folder(std::string const& option, std::string const& path);
  /// Adds standard output, to which results go. If it is a regular file, the file counts as an output. @param alone
  /// also counts a pipe or a terminal, because a program reads the output
  void writes_standard_output(bool alone = false);

 private:
  struct named {
    std::string option, path;
    file_identity is;
    bool written = false;
  };
  void add(named one);
  [[noreturn]] void refuse(std::string const& text) const;

  std::string command_;
  std::vector<named> all_;
};

}  // namespace cosmati::cli
