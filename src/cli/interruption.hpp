// SPDX-License-Identifier: Apache-2.0
/// @file
/// The handling of signals that end the command: children end, unfinished files are removed, and one line tells it.
#pragma once

#include <csignal>
#include <string>

namespace cosmati::cli {

/// For the whole command: SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the file that is being written, print one line,
/// and end the command by the signal.
void end_at_signals();

/// The file that is removed if a signal ends the command. There is one at a time.
class file_in_progress {
 public:
  explicit file_in_progress(std::string const& path);
  file_in_progress(file_in_progress const&) = delete;
  file_in_progress& operator=(file_in_progress const&) = delete;
  ~file_in_progress();
};

/// While an object of this class lives, the signals only set `ending_signal`. The running code tests it, and
/// destructors clean up. Waiting system calls are interrupted.
class interruption {
 public:
  interruption();
  interruption(interruption const&) = delete;
  interruption& operator=(interruption const&) = delete;
  ~interruption();
};

/// While an object of this class lives, the signals of `interruption` and SIGCHLD are blocked. `wait` receives them.
class held_signals {
 public:
  held_signals();
  held_signals(held_signals const&) = delete;
  held_signals& operator=(held_signals const&) = delete;
  ~held_signals();

  /// The signal mask outside this object.
  sigset_t const& outside() const { return outside_; }
  /// Sets the mask and the default actions with which a child starts.
  void release_in_child() const;

 private:
  sigset_t outside_ = {};
  struct sigaction child_before_ = {};
};

}  // namespace cosmati::cli
