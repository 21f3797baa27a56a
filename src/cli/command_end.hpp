// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a subcommand ends, and what it says: all that needs no options, which take the compiler seconds.
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
inline constexpr int failure = 1;    ///< something could not be done
inline constexpr int bad_input = 2;  ///< the command line, or a text in it, is not what it should be
/// @}

/// Ends the command: `what()` goes to standard error behind "cosmati: ".
class command_error : public std::runtime_error {
 public:
  command_error(int status, std::string const& text) : std::runtime_error(text), status_(status) {}
  int status() const noexcept { return status_; }

 private:
  int status_;
};

/// Ends the command without a word: everything is said on standard output.
struct exit_status {
  int status;
};

/// @name Signals that ask the command to end (interruption.hpp)
/// @{
inline volatile std::sig_atomic_t ending_signal = 0;  ///< 0: none came
/// @throws command_error, with the exit status 128 + signal, once one has come
void check_not_interrupted();
/// @}

/// The value of a text, and when it is wrong an error that shows `option`, the text, and a caret.
class evaluator;
struct value;
value const& evaluate_argument(evaluator& evaluate, std::string const& option, std::string const& text);

/// Writes everything to standard output. @throws command_error when that fails
void write_output(std::string const& text);

}  // namespace cosmati::cli
