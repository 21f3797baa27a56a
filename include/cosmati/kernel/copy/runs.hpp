// SPDX-License-Identifier: Apache-2.0
/// @file
/// Any permutation through shared memory: runs that lie together in the source come in, runs that lie together in the
/// target go out.
///
/// A tile takes the innermost modes of the source, so that its runs in the source are long, and the innermost modes of
/// the target, so that its runs there are. A warp reads one run of the source after the other, an element a lane, and
/// puts each where the target wants it: a row of shared memory holds a run of the target. Where that is is the sum of a
/// part that the lane knows and a part that the run knows. Then a warp writes one row after the other, words of 4 bytes
/// or an element where that is larger, and lanes begin where lines of 128 bytes of the target do: a sector that is
/// written in two parts costs more than the part.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cosmati/kernel/copy/run_tiles.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

/// The kernel's argument.
struct run_copy_arguments {
  char const* source;
  char* target;
  ordered_tiles order;
  run_tiles tiles;
};

namespace detail {
/// Elements [begin, end) of a word of shared memory, of which some are not of this run.
template <int element_bytes>
COSMATI_HD inline void store_part_of_word(char* to, unsigned char const* from, int begin, int end) {
  COSMATI_UNROLL
  for (int e = 0; e < 4 / element_bytes; ++e) {
    [[maybe_unused]] access_step const turn;
    if (e >= begin && e < end)
      store_words<element_bytes>(to + e * element_bytes, load_words<element_bytes>(from + e * element_bytes));
  }
}
}  // namespace detail

/// @tparam element_bytes 1 to 16
/// @tparam pieces 1, 2, 4 or 8: runs of the source have at most 32 times as many elements
template <int element_bytes, int pieces>
__global__ void __launch_bounds__(run_copy_threads) copy_runs(__grid_constant__ run_copy_arguments const job) {
  constexpr int lanes = 32, warps = run_copy_threads / lanes;
  constexpr int word = element_bytes < 4 ? 4 : element_bytes;  // bytes of a store
  constexpr int each = word / element_bytes;                   // elements of it
  constexpr std::uint32_t slack = static_cast<std::uint32_t>(each - 1);
  constexpr int at_once = (element_bytes < 4 ? 16 : 8) / pieces;  // runs that a warp reads before it stores the first
  run_tiles const& tiles = job.tiles;
  unsigned char* const stage = dynamic_shared();
  auto* const source_runs = reinterpret_cast<run_entry*>(stage + tiles.stage_bytes);
  auto* const target_runs = reinterpret_cast<std::int64_t*>(stage + tiles.stage_bytes + tiles.source_table_bytes);
  int const thread = static_cast<int>(threadIdx.x), lane = thread % lanes, warp = thread / lanes;

  tile_corner const corner = corner_of_tile(job.order.grid, blockIdx.x, job.order.first, job.order.second);
  std::uint32_t const source_cut = tiles.source.left(corner.first), target_cut = tiles.target.left(corner.second);
  char const* const source = job.source + corner.source;
  char* const target = job.target + corner.target;
  // How many runs there are and how long they are, which the tiles at the edge shorten.
  int const source_length = static_cast<int>(tiles.source.length * source_cut);
  int const target_length = static_cast<int>(tiles.target.length * target_cut);
  int const source_count = static_cast<int>(tiles.source.count * (tiles.target_cuts_source ? target_cut : 1));
  int const target_count = static_cast<int>(tiles.target.count * (tiles.source_cuts_target ? source_cut : 1));

  // What each run adds, once for the block.
  for (int r = thread; r < source_count; r += run_copy_threads) {
    run_place const at = tiles.source.of_run(static_cast<std::uint32_t>(r));
    store_words<16>(source_runs + r, detail::words_of(at.offset, at.place(slack)));
  }
  for (int r = thread; r < target_count; r += run_copy_threads)
    store_words<8>(target_runs + r, detail::words_of(tiles.target.of_run(static_cast<std::uint32_t>(r)).offset));
  // What each element of a run adds: the lane's own ones. Rows begin where in a word the target's run does.
  auto const start = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target) / element_bytes);
  std::uint32_t own[pieces];
  COSMATI_UNROLL
  for (int j = 0; j < pieces; ++j)
    own[j] = tiles.source.of_element(static_cast<std::uint32_t>(j * lanes + lane)).place(slack) + (start & slack);
  __syncthreads();

  // In.
  for (int first = warp; first < source_count; first += warps * at_once) {
    [[maybe_unused]] access_step const turn;
    register_words<element_bytes> held[at_once][pieces] = {};
    std::uint32_t run_part[at_once] = {};
    COSMATI_UNROLL
    for (int k = 0; k < at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      int const r = first + k * warps;
      if (r >= source_count) continue;
      register_words<16> const entry = load_words<16>(source_runs + r);
      char const* const run = source + detail::integer_of(entry) + lane * element_bytes;
      run_part[k] = entry.word[2];
      COSMATI_UNROLL
      for (int j = 0; j < pieces; ++j) {
        [[maybe_unused]] access_step const turn;
        if (j * lanes + lane >= source_length) continue;
        if constexpr (element_bytes < 4)
          held[k][j] = load_read_only<element_bytes>(run + j * lanes * element_bytes);
        else
          cp_async<element_bytes, cache_level::ca>(stage + ((own[j] + run_part[k]) >> run_place_shift) * element_bytes,
                                                   run + j * lanes * element_bytes);
      }
    }
    if constexpr (element_bytes < 4) {
      COSMATI_UNROLL
      for (int k = 0; k < at_once; ++k) {
        [[maybe_unused]] access_step const turn;
        if (first + k * warps >= source_count) continue;
        COSMATI_UNROLL
        for (int j = 0; j < pieces; ++j) {
          [[maybe_unused]] access_step const turn;
          if (j * lanes + lane >= source_length) continue;
          std::uint32_t const sum = own[j] + run_part[k];
          std::uint32_t const at = (sum >> run_place_shift) + (sum & slack);
          store_words<element_bytes>(stage + at * element_bytes, held[k][j]);
        }
      }
    }
  }
  if constexpr (element_bytes >= 4) cp_async_wait_all();
  __syncthreads();

  // Out.
  for (int r = warp; r < target_count; r += warps) {
    [[maybe_unused]] access_step const turn;
    char* const run = target + detail::integer_of(load_words<8>(target_runs + r));
    auto const address = reinterpret_cast<std::uintptr_t>(run);
    int const late = static_cast<int>(address % word) / element_bytes;  // elements of the first word before the run
    int const shift = static_cast<int>(address / word % lanes);         // words of the first line before the run
    int const words = (late + target_length + each - 1) / each;
    unsigned char const* const row =
        stage + static_cast<std::uint32_t>(r) * tiles.pitch * static_cast<std::uint32_t>(element_bytes);
    // Of whole words all lanes take the same turns: the compiler would part lanes by the number of their own.
    constexpr bool in_step = each == 1;
    for (int next = in_step ? -shift : lane - shift; next < words; next += lanes) {
      [[maybe_unused]] access_step const turn;
      int const w = in_step ? next + lane : next;
      if (w < 0 || (in_step && w >= words)) continue;
      char* const to = run - late * element_bytes + w * word;
      int const begin = w * each - late, end = target_length - begin;  // of the run's elements, this word's
      if (each == 1 || (begin >= 0 && end >= each))
        store_streaming<word>(to, load_words<word>(row + w * word));
      else if constexpr (each > 1)
        detail::store_part_of_word<element_bytes>(to, row + w * word, -begin, end);
    }
  }
}

namespace detail {
template <int element_bytes>
void launch_runs(copy_problem const& p, run_tile const& tile, void const* source, void* target, stream_handle stream) {
  run_copy_arguments job;
  job.source = static_cast<char const*>(source) + p.source_offset * p.element_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * p.element_bytes;
  job.order = order_of_tiles(p, tile);
  job.tiles = run_tiles::of(p, tile);
  launch_config const config = {.grid = job.order.grid.count,
                                .block = run_copy_threads,
                                .shared_bytes = job.tiles.shared_bytes(),
                                .stream = stream};
  switch (run_copy_pieces_of(std::int64_t{job.tiles.source.length} * job.tiles.source.cut_tile)) {
    case 1:
      return launch(copy_runs<element_bytes, 1>, config, job);
    case 2:
      return launch(copy_runs<element_bytes, 2>, config, job);
    case 4:
      return launch(copy_runs<element_bytes, 4>, config, job);
    default:
      return launch(copy_runs<element_bytes, 8>, config, job);
  }
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
