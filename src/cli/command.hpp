// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface that the subcommands share. Each is in a file of its own and adds itself to the command line.
#pragma once

#include "command_end.hpp"

#include <CLI/CLI.hpp>

namespace cosmati::cli {

/// @name The subcommands
/// Each runs when its callback is called. It writes its output at the end, or throws `command_error`.
/// @{
void add_layout_command(CLI::App& app);
void add_eval_command(CLI::App& app);
void add_tiled_copy_command(CLI::App& app);
void add_tiled_mma_command(CLI::App& app);
void add_run_copy_command(CLI::App& app);
void add_gemm_command(CLI::App& app);
void add_count_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_sim_command(CLI::App& app);
void add_draw_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_diff_command(CLI::App& app);
void add_plan_command(CLI::App& app);
/// @}

}  // namespace cosmati::cli
