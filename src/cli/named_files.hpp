// SPDX-License-Identifier: Apache-2.0
/// @file
/// The files that one call of the command names. No two of them may be one file where one is written.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cosmati::cli {

/// What tells one file from another: the file that is there, or else where it would be.
struct file_identity {
  std::optional<std::pair<unsigned long long, unsigned long long>> node;  ///< device and inode
  std::string place;                                                      ///< without links, `.` and `..`
  bool loses_nothing = false;                                             ///< /dev/null and its like

  bool same(file_identity const& other) const;
};

/// Collects what is read and what is written, before anything is. Every function throws command_error (`bad_input`)
/// with the option, the path and what is wrong.
class named_files {
 public:
  /// @param command precedes each message: "sim: ", or nothing
  explicit named_files(std::string command = {}) : command_(std::move(command)) {}

  /// A file that is read: the argument `option` names it.
  void reads(std::string const& option, std::string const& path);
  /// A file that is written. The folder must be there; the file must be no input and no other output.
  void writes(std::string const& option, std::string const& path);
  /// As `writes`, of a file in a folder that the subcommand makes.
  void writes_in_new_folder(std::string const& option, std::string const& path);
  /// Results go to standard output: a regular file that it leads to is an output as well. @param alone so is a pipe or
  /// a terminal, as what goes there is to be read by a program
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
