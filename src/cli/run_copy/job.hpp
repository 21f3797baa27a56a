// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface between `cosmati run-copy` and a device: a tiled copy as small tables of integers.
///
/// Nothing here depends on `COSMATI_NAMESPACE`. A file compiled for the simulated device and one compiled by nvcc have
/// different library classes, and both use this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cosmati_run_copy {

/// A layout from indices to coordinates of the matrix. Index i is divided by the extents, the first fastest; each digit
/// moves m and n by its steps.
struct place_table {
  static constexpr int most = 24;
  struct step {
    std::uint32_t extent;
    std::int32_t m, n;
  };
  std::int32_t count;
  step steps[most];
};

/// One pass of the tiled copy over the tile: which thread moves which values.
struct copy_pass {
  place_table thread;           ///< thread -> its first value
  place_table vector;           ///< vector of a thread -> its first value, relative to the thread's
  std::uint32_t vectors;        ///< the vectors of one thread
  std::int32_t next_m, next_n;  ///< the step from one value of a vector to the next
};

/// The elements from one index of a mode to the next.
struct matrix_strides {
  std::int64_t m, n;
  std::int64_t batch[3];
};

/// The data of the kernel.
struct copy_tables {
  std::int64_t rows, columns;
  std::int64_t batch[3];          ///< extents of the leading modes, the last fastest
  std::int64_t tiles_m, tiles_n;  ///< the tiles of one matrix
  std::int64_t tile_m, tile_n;
  std::int32_t columns_first;     ///< whether the tiles of a matrix follow each other along n
  std::int32_t stage_m, stage_n;  ///< the strides of the tile in shared memory
  matrix_strides source, target;
  copy_pass load, store;
};

struct copy_job {
  int value_bytes = 0;
  int vector_bytes = 0;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  std::uint64_t blocks = 0;
  std::size_t elements = 0;
  void const* input = nullptr;
  void* output =
      nullptr;  ///< the output buffer; its content is copied to the device before the run, and back afterwards
  copy_tables tables = {};
};

/// The executed instructions of one kind. An instruction of one lane counts as one.
struct instruction_count {
  bool store;
  bool shared;
  int bytes;
  std::uint64_t count;
};

struct copy_outcome {
  std::string device;
  std::vector<instruction_count> instructions;
  std::vector<std::int64_t> first_loaded, first_stored;  ///< the element offsets of each thread of block 0, or -1
  double seconds = 0;                                    ///< the time in the kernel, for all waves
};

/// Called from time to time with the number of finished blocks.
using copy_observer = std::function<void(std::uint64_t done)>;

/// @throws std::exception with a sentence
copy_outcome run_on_simulated_device(copy_job const& job, copy_observer const& observer);
/// Exists only if it is compiled with COSMATI_CUDA.
copy_outcome run_on_gpu(copy_job const& job, copy_observer const& observer);
bool gpu_is_available();

}  // namespace cosmati_run_copy
