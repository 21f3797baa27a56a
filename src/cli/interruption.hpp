// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a signal that ends the command does: children end, files that are not whole go away, and one line says so.
#pragma once

#include <csignal>
#include <string>

namespace cosmati::cli {

/// For the whole command: SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the file that is being written, say one line, and
/// end the command by the signal.
void end_at_signals();

/// The file that goes away when a signal ends the command; one at a time.
class file_in_progress {
 public:
  explicit file_in_progress(std::string const& path);
  file_in_progress(file_in_progress const&) = delete;
  file_in_progress& operator=(file_in_progress const&) = delete;
  ~file_in_progress();
};

/// While it lives, the signals only set `ending_signal`: what runs looks at it, and destructors clean up. System calls
/// that wait are interrupted.
class interruption {
 public:
  interruption();
  interruption(interruption const&) = delete;
  interruption& operator=(interruption const&) = delete;
  ~interruption();
};

/// While it lives, the signals of `interruption` and SIGCHLD wait; `wait` takes them.
class held_signals {
 public:
  held_signals();
  held_signals(held_signals const&) = delete;
  held_signals& operator=(held_signals const&) = delete;
  ~held_signals();

  /// The mask outside of this object.
  sigset_t const& outside() const { return outside_; }
  /// What a child starts with: the mask and the default actions.
  void release_in_child() const;

 private:
  sigset_t outside_ = {};
  struct sigaction child_before_ = {};
};

}  // namespace cosmati::cli
