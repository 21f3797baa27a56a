// SPDX-License-Identifier: Apache-2.0
/// @file
/// Turns an array and the options of `cosmati run-copy` into a job for a device.
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

/// The tiled copy, and the arrays that it copies.
struct copy_plan {
  cosmati_run_copy::copy_job job;
  npy_head output;                     ///< the head of the file to write
  std::int64_t rows = 1, columns = 1;  ///< the rows and columns of one matrix
  std::int64_t batches = 1;
  bool transposed = false;  ///< whether the two modes are exchanged
  bool turned = false;      ///< whether memory runs along the other mode at the end, so that the tile is read turned
  std::string atom;
  flat_tree<symbolic_integer> thr, val, tiler, layout_tv;
  flat_tree<symbolic_integer> source, target;    ///< (m,n) -> offset, both in the input's coordinates
  flat_tree<symbolic_integer> stage;             ///< the tile in shared memory
  flat_tree<symbolic_integer> partition_source;  ///< the partition of one thread: ((atom values, others), rest) ->
                                                 ///< offset
  flat_tree<symbolic_integer> partition_target;
  std::vector<std::string> notes;
};

/// @throws command_error with the option, the numbers and the fix
copy_plan plan_copy(npy_head const& input, copy_options const& options);

}  // namespace cosmati::cli
