// SPDX-License-Identifier: Apache-2.0
/// @file
/// Programs that the command runs, and the folder for the files that it needs.
#pragma once

#include "captured_text.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cosmati::cli {

/// How a program ended.
struct process_end {
  int exit = -1;           ///< the exit status; -1 if a signal or the time limit ended the process
  int signal = 0;          ///< the signal that ended it
  bool timed_out = false;  ///< the time limit ended the process
  bool too_long = false;   ///< the process was ended because it printed more than `most_output`
  bool clean() const { return exit == 0; }
};

/// The options of a run. Standard input is this command's own.
struct process_options {
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to this command's
  captured_text* output = nullptr;                                    ///< receives standard output and error
  std::size_t most_output = 0;                                        ///< the limit of the output in bytes; 0 for none
  bool output_to_error = false;  ///< whether its standard output goes to this command's standard error
  bool fixed_addresses = false;  ///< whether its memory has the same addresses each time
  double seconds = 0;            ///< the time limit; 0 for none
};

/// Runs `arguments[0]`, searched in PATH, to its end. An interrupt, a hang-up or a request to terminate ends it first,
/// with everything that it has started. Programs whose output is captured have a process group of their own; all
/// programs have one if standard input is no terminal.
/// @pre an `interruption` lives
/// @throws command_error if it cannot be started; and with the exit status 128 + signal, if this command was
///   interrupted
process_end run_process(std::vector<std::string> const& arguments, process_options const& options);

/// The path of a program: as given if it has a slash, otherwise from PATH. It is empty if there is none.
std::filesystem::path find_program(std::string const& name);

/// Gives "signal 11 (Segmentation fault)".
std::string signal_text(int signal);

/// A new folder, which is removed with this object.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  std::filesystem::path const& path() const { return path_; }
  /// @throws command_error that names the folder, if its file system is full
  void check_room() const;

 private:
  std::filesystem::path path_;
};

}  // namespace cosmati::cli
