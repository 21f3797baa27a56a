// SPDX-License-Identifier: Apache-2.0
/// @file
/// From an array and the options of `cosmati run-copy` to a job for a device.
#pragma once

#include "job.hpp"
#include "npy.hpp"

#include <cosmati/core/flat_tree.hpp>
#include <string>
#include <vector>

namespace cosmati::cli {

/// Empty texts leave the choice to `plan_copy`.
struct copy_options {
  std::string thr, val, atom, tile, order;
  bool transpose = false;
};

/// The tiled copy and what it is applied to.
struct copy_plan {
  cosmati_run_copy::copy_job job;
  npy_head output;                     ///< of the file to write
  std::int64_t rows = 1, columns = 1;  ///< of one matrix
  std::int64_t batches = 1;
  bool transposed = false;  ///< the two modes change places
  bool turned = false;      ///< memory runs along the other mode at the end: the tile is read turned
  std::string atom;
  flat_tree<symbolic_integer> thr, val, tiler, layout_tv;
  flat_tree<symbolic_integer> source, target;    ///< (m,n) -> offset, both in the input's coordinates
  flat_tree<symbolic_integer> stage;             ///< the tile in shared memory
  flat_tree<symbolic_integer> partition_source;  ///< of one thread: ((atom values, others), rest) -> offset
  flat_tree<symbolic_integer> partition_target;
  std::vector<std::string> notes;
};

/// @throws command_error, whose text names the option, the numbers, and what to write instead
copy_plan plan_copy(npy_head const& input, copy_options const& options);

}  // namespace cosmati::cli
