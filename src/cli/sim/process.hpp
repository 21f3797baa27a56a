// SPDX-License-Identifier: Apache-2.0
/// @file
/// Programs that the command runs, and the folder where it keeps what they need.
#pragma once

#include "captured_text.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cosmati::cli {

/// How a program ended.
struct process_end {
  int exit = -1;           ///< its exit status; -1 when a signal or the time ended it
  int signal = 0;          ///< the signal that ended it
  bool timed_out = false;  ///< it was ended here
  bool too_long = false;   ///< it was ended here, as it printed more than `most_output`
  bool clean() const { return exit == 0; }
};

/// How to run one. Standard input is this command's own.
struct process_options {
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to this command's
  captured_text* output = nullptr;                                    ///< receives standard output and error
  std::size_t most_output = 0;                                        ///< bytes of it; 0: any number
  bool output_to_error = false;  ///< its standard output goes to this command's standard error
  bool fixed_addresses = false;  ///< it finds its memory at the same addresses each time
  double seconds = 0;            ///< after which it is ended; 0: never
};

/// Runs `arguments[0]`, looked for in PATH, to its end. An interrupt, a hang-up or a request to terminate ends it
/// first, with all that it has started: programs whose output is taken, and all where standard input is no terminal,
/// have a process group of their own.
/// @pre an `interruption` lives
/// @throws command_error when it cannot be started; and, with the exit status 128 + signal, when this command was
/// interrupted
process_end run_process(std::vector<std::string> const& arguments, process_options const& options);

/// The path of a program: as given when it has a slash, otherwise from PATH. Empty when it is not there.
std::filesystem::path find_program(std::string const& name);

/// "signal 11 (Segmentation fault)".
std::string signal_text(int signal);

/// A folder of its own that goes away with this object.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  std::filesystem::path const& path() const { return path_; }
  /// @throws command_error that names the folder, when its file system is full
  void check_room() const;

 private:
  std::filesystem::path path_;
};

}  // namespace cosmati::cli
