// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the subcommands answer as JSON, for them and for the explorer (web/). Each throws `command_error`.
#pragma once

#include "copy_arguments.hpp"
#include "mma_arguments.hpp"

#include <nlohmann/json.hpp>

namespace cosmati::cli {

/// `cosmati layout --json`. @param quick without the table; what only looking at many cells decides is null
nlohmann::json describe_layout(std::string const& text, bool quick);

struct tiled_copy_texts : copy_texts {
  std::string src, dst;               ///< empty: no partition of that side
  std::vector<std::int64_t> threads;  ///< whose first offsets are wanted
};
/// `cosmati tiled-copy --json`. @param quick without the tables of who moves each element of the tile
nlohmann::json describe_tiled_copy(tiled_copy_texts const& texts, bool quick);

struct tiled_mma_texts : mma_texts {
  std::string a, b, c;  ///< layouts of (M, K), (N, K), (M, N); empty: no partition of that operand
};
/// `cosmati tiled-mma --json`.
nlohmann::json describe_tiled_mma(tiled_mma_texts const& texts);

struct plan_texts {
  std::string source, target;                ///< layouts of the same shape, or instead of them
  std::vector<std::int64_t> shape, permute;  ///< an array in C order, and the order of its modes in the copy
  int bytes = 4;                             ///< of an element
  std::int64_t source_alignment = 16, target_alignment = 16;  ///< bytes
  int alternatives = 4;                                       ///< how many plans beside the best one
  int threads = 0;                                            ///< of a block of a kernel of one's own; 0: copy_tensor's
  std::string device = "h200";                                ///< a row of `device_models`
  std::string arch;                                           ///< the kernel's GPU, where that is another
};
/// `cosmati plan --json`.
nlohmann::json describe_plan(plan_texts const& texts);

}  // namespace cosmati::cli
