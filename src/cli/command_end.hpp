// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a subcommand and its messages. These parts need no options, whose header takes the compiler seconds.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11
class App;
}

namespace cosmati::cli {

/// @name Exit statuses
/// @{
inline constexpr int success = 0;
inline constexpr int failure = 1;    ///< the status if an action failed
inline constexpr int bad_input = 2;  ///< the command line, or a text in it, is wrong
/// @}

/// Ends the command: `what()` goes to standard error after "cosmati: ".
class command_error : public std::runtime_error {
 public:
  command_error(int status, std::string const& text) : std::runtime_error(text), status_(status) {}
  int status() const noexcept { return status_; }

 private:
  int status_;
};

/// Ends the command without a message, because standard output has everything.
struct exit_status {
  int status;
};

/// @name Signals that ask the command to end (interruption.hpp)
/// @{
inline volatile std::sig_atomic_t ending_signal = 0;  ///< the signal that came; 0 if none
/// @throws command_error with the exit status 128 + signal, if a signal has come
void check_not_interrupted();
/// @}

/// The value of a text. A wrong text is an error with `option`, the text, and a caret.
class evaluator;
struct value;
value const& evaluate_argument(evaluator& evaluate, std::string const& option, std::string const& text);

/// Writes everything to standard output. @throws command_error if that fails
void write_output(std::string const& text);

}  // namespace cosmati::cli
