// SPDX-License-Identifier: Apache-2.0
/// @file
/// The transpose through shared memory. It loads vectors along one mode, transposes them in registers and shared
/// memory, and stores vectors along another mode.
///
/// A thread loads a square: as many vectors, one below the other, as a vector has elements. It transposes the square in
/// registers and stores the columns to shared memory. A swizzle of the vectors' indices avoids bank conflicts on both
/// sides. Global memory is read and written in whole runs of 256 bytes or more.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/prepared_launch.hpp>
#include <cosmati/kernel/tile_order.hpp>
#include <cosmati/kernel/transpose/micro.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>

namespace COSMATI_NAMESPACE {

/// A tile: `columns` contiguous elements of the source times `rows` contiguous elements of the target.
/// @tparam element_bytes 1 to 16
/// @tparam vector_bytes the size of an access to global and shared memory
template <int element_bytes, int vector_bytes>
struct transpose_tile {
  static constexpr int run_bytes =
      detail::transpose_run_bytes(element_bytes, vector_bytes);  ///< contiguous in the source and in the target
  static constexpr int threads = run_bytes;
  static constexpr int vector = vector_bytes / element_bytes;
  static constexpr int elements = run_bytes / element_bytes;  ///< the number of rows and of columns
  static constexpr int chunks = run_bytes / vector_bytes;     ///< vectors of a run
  static constexpr int squares = chunks * chunks / threads;   ///< squares of vector x vector elements for each thread
  static constexpr int at_once =
      squares * vector <= 16 ? squares : 16 / vector;  ///< squares that are loaded before the first is stored
  static constexpr int shared_bytes = run_bytes * elements;
  static_assert(squares % at_once == 0);

  /// The offset in bytes of vector `chunk` of row `column` in shared memory. The swizzle uses the index of the square.
  COSMATI_HD static constexpr int at(int column, int chunk) {
    return column * run_bytes + ((chunk ^ ((column / vector) & (128 / vector_bytes - 1))) * vector_bytes);
  }
};

/// The argument of the kernel. Numbers are bytes, except for `columns` and `rows`, which are elements.
struct transpose_arguments {
  char const* source;
  char* target;
  ordered_tiles order;  ///< `first` is the contiguous mode of the source, `second` that of the target
  std::uint32_t columns, rows;
  std::int64_t source_row, target_column;  ///< the bytes from row to row of the source, and from column to column of
                                           ///< the target
  l2_hint hint;                            ///< the hint of the loads
};

namespace detail {
/// Plain loads and stores are 2 % faster than streaming ones. Loads whose lines L2 keeps longest are 2 % faster than
/// plain ones. For elements of 16 bytes without a hint, loads past L1 are faster (bench/notes/cache-hints.md).
template <int element_bytes, int bytes>
__device__ inline register_words<bytes> load_of_run(char const* from, l2_hint hint) {
  if (element_bytes == 16 && hint == l2_hint::none) return load_streaming<bytes>(from);
  return load_words<bytes>(from, hint);
}
}  // namespace detail

/// The kernel: each block moves one tile, through registers and swizzled shared memory.
template <int element_bytes, int vector_bytes>
__global__ void __launch_bounds__(transpose_tile<element_bytes, vector_bytes>::threads)
    transpose_tiles(__grid_constant__ transpose_arguments const job) {
  using tile = transpose_tile<element_bytes, vector_bytes>;
  constexpr int vector = tile::vector;
  unsigned char* const shared = dynamic_shared();
  tile_corner const place = corner_of_tile(job.order.grid, blockIdx.x, job.order.first, job.order.second);
  // The rest of the tensor from the tile's corner on. Tiles at the edge are not full.
  int const columns = static_cast<int>(job.columns - place.first * static_cast<std::uint32_t>(tile::elements));
  int const rows = static_cast<int>(job.rows - place.second * static_cast<std::uint32_t>(tile::elements));
  char const* const source = job.source + place.source;
  char* const target = job.target + place.target;
  int const thread = static_cast<int>(threadIdx.x);

  COSMATI_NO_UNROLL
  for (int first = 0; first < tile::squares; first += tile::at_once) {
    register_words<vector_bytes> held[tile::at_once][static_cast<unsigned>(vector)];
    COSMATI_UNROLL
    for (int k = 0; k < tile::at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      int const square = thread + (first + k) * tile::threads;
      int const column = square % tile::chunks * vector, row = square / tile::chunks * vector;
      if (column < columns && row < rows) {
        char const* const from = source + row * job.source_row + column * element_bytes;
        COSMATI_UNROLL
        for (int i = 0; i < vector; ++i)
          held[k][i] = detail::load_of_run<element_bytes, vector_bytes>(from + i * job.source_row, job.hint);
      }
    }
    COSMATI_UNROLL
    for (int k = 0; k < tile::at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      int const square = thread + (first + k) * tile::threads;
      int const column = square % tile::chunks * vector, row = square / tile::chunks * vector;
      if (column < columns && row < rows) {
        transpose_registers<element_bytes, vector_bytes>(held[k]);
        COSMATI_UNROLL
        for (int i = 0; i < vector; ++i)
          store_words<vector_bytes>(shared + tile::at(column + i, row / vector), held[k][i]);
      }
    }
  }
  __syncthreads();
  constexpr int vectors = tile::elements * tile::chunks / tile::threads;
  constexpr int unrolled = vectors < 16 ? vectors : 16;
  COSMATI_NO_UNROLL
  for (int first = 0; first < vectors; first += unrolled) {
    COSMATI_UNROLL
    for (int k = 0; k < unrolled; ++k) {
      [[maybe_unused]] access_step const turn;
      int const number = thread + (first + k) * tile::threads;
      int const column = number / tile::chunks, chunk = number % tile::chunks;
      if (column < columns && chunk * vector < rows)
        store_words<vector_bytes>(target + column * job.target_column + chunk * vector_bytes,
                                  load_words<vector_bytes>(shared + tile::at(column, chunk)));
    }
  }
}

namespace detail {
/// The arguments of a transpose that exchanges two modes of a problem. The others are batches.
[[gnu::noinline, gnu::cold]] inline transpose_arguments transpose_job(copy_problem const& p, int column_mode,
                                                                      int row_mode, int tile_elements,
                                                                      void const* source, void* target) {
  std::int64_t tile[copy_max_rank];
  for (int m = 0; m < copy_max_rank; ++m) tile[m] = m == column_mode || m == row_mode ? tile_elements : 1;
  return {static_cast<char const*>(source) + p.source_offset * p.element_bytes,
          static_cast<char*>(target) + p.target_offset * p.element_bytes,
          ordered_tiles::of(p, tile_set::of(p, tile), column_mode, row_mode),
          static_cast<std::uint32_t>(p.mode[column_mode].extent),
          static_cast<std::uint32_t>(p.mode[row_mode].extent),
          p.mode[row_mode].source * p.element_bytes,
          p.mode[column_mode].target * p.element_bytes,
          hint_of_copy(p.size() * p.element_bytes)};
}
template <int element_bytes, int vector_bytes>
void launch_transpose(launch_sink& sink, copy_problem const& p, int column_mode, int row_mode, void const* source,
                      void* target) {
  using tile = transpose_tile<element_bytes, vector_bytes>;
  transpose_arguments const job = transpose_job(p, column_mode, row_mode, tile::elements, source, target);
  prepare(sink, transpose_tiles<element_bytes, vector_bytes>, job.order.grid.count, 1, tile::threads,
          tile::shared_bytes, job);
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
