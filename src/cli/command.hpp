// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the subcommands share. Each stands in a file of its own and adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

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

/// The value of a text, and when it is wrong an error that shows `option`, the text, and a caret.
class evaluator;
struct value;
value const& evaluate_argument(evaluator& evaluate, std::string const& option, std::string const& text);

/// Writes everything to standard output. @throws command_error when that fails
void write_output(std::string const& text);

/// @name The subcommands
/// Each runs when its callback is called, writes its output at the end, and throws `command_error` otherwise.
/// @{
void add_layout_command(CLI::App& app);
void add_eval_command(CLI::App& app);
void add_tiled_copy_command(CLI::App& app);
void add_run_copy_command(CLI::App& app);
void add_count_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_sim_command(CLI::App& app);
void add_draw_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_diff_command(CLI::App& app);
void add_plan_command(CLI::App& app);
/// @}

}  // namespace cosmati::cli
