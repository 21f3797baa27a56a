// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the kernels that copy by windows have of a tile, and their tables in shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/window_runs.hpp>
#include <cosmati/kernel/copy/window_turns.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>

namespace COSMATI_NAMESPACE {

/// The kernel's argument.
struct window_copy_arguments {
  char const* source;
  char* target;
  char const *first, *last;  ///< what may be read; both null: the runs alone
  l2_hint hint;              ///< of bulk copies
  std::int64_t span;         ///< bytes from a tile's corner to the end of its last window, at most
  ordered_tiles order;
  window_tiles tiles;
  int run_log, row_log;  ///< 2^run_log threads take neighbouring windows of a run, 2^row_log of a row
  window_turn turn;
  bool across_gaps;  ///< runs have some
};

namespace detail {

/// A tile, as all threads of the block need it; 32 bytes of shared memory.
struct window_tile {
  std::int64_t source, target;  ///< bytes from the bases
  int run_bytes, runs;
  int row_length, rows;
  bool whole;  ///< all windows of its runs may be read

  __device__ static window_tile of(window_copy_arguments const& job, std::uint32_t n, int element_bytes) {
    window_tiles const& tiles = job.tiles;
    tile_corner const corner = corner_of_tile(job.order.grid, n, job.order.first, job.order.second);
    std::uint32_t const source_cut = tiles.source.left(corner.first), target_cut = tiles.target.left(corner.second);
    char const* const first = job.source + corner.source;
    return {corner.source,
            corner.target,
            static_cast<int>(tiles.run_elements(source_cut)) * element_bytes,
            static_cast<int>(tiles.source.count * (tiles.target_cuts_source ? target_cut : 1)),
            static_cast<int>(tiles.row_elements(target_cut)),
            static_cast<int>(tiles.target.count * (tiles.source_cuts_target ? source_cut : 1)),
            job.first != nullptr && first - job.first >= window_bytes && job.last - first >= job.span};
  }
  __device__ void store(unsigned char* to) const {
    store_words<16>(to, {{static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(source >> 32),
                          static_cast<std::uint32_t>(target), static_cast<std::uint32_t>(target >> 32)}});
    store_words<16>(to + 16,
                    {{static_cast<std::uint32_t>(whole ? run_bytes : -run_bytes), static_cast<std::uint32_t>(runs),
                      static_cast<std::uint32_t>(row_length), static_cast<std::uint32_t>(rows)}});
  }
};
/// What of a tile the threads need that load its runs. It is read where it is used, in accesses of that size: so the
/// compiler leaves them, and what is counted of them on either device is the same.
struct window_tile_runs {
  unsigned char const* entry;
  int run_bytes, runs;
  bool whole;

  __device__ explicit window_tile_runs(unsigned char const* tile) : entry(tile) {
    register_words<8> const w = load_words<8>(tile + 16);
    auto const bytes = static_cast<int>(w.word[0]);
    run_bytes = bytes < 0 ? -bytes : bytes;
    runs = static_cast<int>(w.word[1]);
    whole = bytes >= 0;
  }
  /// The corner in the source, in bytes.
  __device__ std::int64_t source() const { return integer_of(load_words<8>(entry)); }
};
/// And what those need that store its rows.
struct window_tile_rows {
  unsigned char const* entry;
  int row_length, rows;
  std::int64_t source = 0, target = 0;  ///< once `load_corners` was called

  __device__ explicit window_tile_rows(unsigned char const* tile) : entry(tile) {
    register_words<8> const w = load_words<8>(tile + 24);
    row_length = static_cast<int>(w.word[0]);
    rows = static_cast<int>(w.word[1]);
  }
  __device__ void load_corners() {
    register_words<16> const corners = load_words<16>(entry);
    source = integer_of(corners);
    target = static_cast<std::int64_t>((static_cast<std::uint64_t>(corners.word[3]) << 32) | corners.word[2]);
  }
};

/// The parts of the block's shared memory.
struct window_memory {
  unsigned char* stage;
  unsigned char* list;      ///< two batches of window_tile
  unsigned char* runs;      ///< of each: bytes from the corner in the source, place
  unsigned char* rows;      ///< of each: bytes from the corner in the target, what it adds to its elements' places
  unsigned char* places;    ///< of a row's elements; tables for each element of a window that rows may begin with
  unsigned char* barriers;  ///< of each stage: its bulk copies

  __device__ explicit window_memory(window_tiles const& tiles) {
    stage = dynamic_shared();
    list = stage + window_copy_stages * tiles.stage_bytes;
    runs = list + 2 * window_batch * 32;
    rows = runs + tiles.runs * 16;
    places = rows + tiles.rows * 16;
    barriers = places + tiles.places_bytes();
  }
  __device__ unsigned char* tile(int k) const { return list + k % (2 * window_batch) * 32; }
  __device__ std::uint64_t& barrier(int k) const {
    return *reinterpret_cast<std::uint64_t*>(barriers + k % window_copy_stages * 8);
  }
};

/// In tables of places of rows with gaps: no element. The other bits, 0, are the place of a row's first one.
inline constexpr std::uint32_t window_gap = window_places_between_gaps;

/// The tables, which are the same for all tiles. @tparam gaps rows have some
template <int element_bytes, bool gaps>
__device__ inline void make_window_tables(window_tiles const& tiles, window_memory const& memory) {
  constexpr std::uint32_t each = window_bytes / element_bytes;
  std::uint32_t const thread = threadIdx.x;
  for (std::uint32_t r = thread; r < tiles.runs; r += window_copy_threads) {
    auto const at = tiles.source.of_run(r);
    store_words<16>(memory.runs + r * 16, words_of(at.offset, tiles.place_of_run(r, at.offset)));
  }
  for (std::uint32_t r = thread; r < tiles.rows; r += window_copy_threads) {
    auto const at = tiles.target.of_run(r);
    store_words<16>(memory.rows + r * 16, words_of(at.offset, at.place));
  }
  [[maybe_unused]] constexpr std::uint32_t two_gaps = window_gap | window_gap << 16;
  if constexpr (gaps)
    for (std::uint32_t k = thread * 16; k < tiles.places_bytes(); k += window_copy_threads * 16)
      store_words<16>(memory.places + k, {{two_gaps, two_gaps, two_gaps, two_gaps}});
  __syncthreads();
  // A window may begin in one period and end in the next.
  std::uint32_t const room = tiles.table_pitch - each, entries = room < tiles.row_copied ? room : tiles.row_copied;
  for (std::uint32_t e = thread; e < entries; e += window_copy_threads) {
    auto const at = tiles.target.of_element(e);
    std::uint32_t const place = (load_words<4>(memory.runs + at.run * 16 + 8).word[0] + at.place) / element_bytes;
    std::uint32_t const begin = gaps ? static_cast<std::uint32_t>(at.offset) / element_bytes : e;
    for (std::uint32_t shift = 0; shift < each; ++shift)
      store_words<2>(memory.places + (shift * tiles.table_pitch + shift + begin) * 2, {{place}});
  }
  __syncthreads();
}

}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
