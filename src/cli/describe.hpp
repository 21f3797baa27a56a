// SPDX-License-Identifier: Apache-2.0
/// @file
/// The JSON output of the subcommands, for them and for the explorer (web/). Each function throws `command_error`.
#pragma once

#include "copy_arguments.hpp"
#include "mma_arguments.hpp"

#include <nlohmann/json.hpp>

namespace cosmati::cli {

/// `cosmati layout --json`. @param quick omits the table; properties that need a look at many cells are null
nlohmann::json describe_layout(std::string const& text, bool quick);

struct tiled_copy_texts : copy_texts {
  std::string src, dst;               ///< empty: no partition of that side
  std::vector<std::int64_t> threads;  ///< the threads whose first offsets are requested
};
/// `cosmati tiled-copy --json`. @param quick omits the tables of the threads that move each element of the tile
nlohmann::json describe_tiled_copy(tiled_copy_texts const& texts, bool quick);

struct tiled_mma_texts : mma_texts {
  std::string a, b, c;  ///< the layouts of (M, K), (N, K), (M, N); empty: no partition of that operand
};
/// `cosmati tiled-mma --json`.
nlohmann::json describe_tiled_mma(tiled_mma_texts const& texts);

struct plan_texts {
  std::string source, target;                ///< layouts of the same shape; or the following two instead
  std::vector<std::int64_t> shape, permute;  ///< an array in C order, and the order of its modes in the copy
  int bytes = 4;                             ///< the size of an element
  std::int64_t source_alignment = 16, target_alignment = 16;  ///< the alignments in bytes
  int alternatives = 4;                                       ///< the number of plans besides the best one
  int threads = 0;                                            ///< the threads of a block of the user's kernel; 0 means
                                                              ///< copy_tensor
  std::string device = "h200";                                ///< a row of `device_models`
  std::string arch;                                           ///< the architecture of the kernel's GPU, if it differs
};
/// `cosmati plan --json`.
nlohmann::json describe_plan(plan_texts const& texts);

}  // namespace cosmati::cli
