// SPDX-License-Identifier: Apache-2.0
/// @file
/// Any permutation through shared memory, by aligned accesses of 16 bytes on both sides, whatever the extents are.
///
/// A tile takes the innermost modes of the source, so that its runs in the source are long, and the innermost modes of
/// the target, so that its runs there are. The aligned windows that cover the runs of the source come into shared
/// memory with what else they hold, by bulk copies where runs are long, by `cp.async` where they are short; nobody
/// waits for them until the tile before is stored. Then a thread puts together an aligned window of the target: a table
/// says where a row's elements lie, once for each element of a window that the row may begin with. What is left at the
/// ends of rows is stored element by element, neighbours by neighbouring threads. Where the target repeats the source,
/// a tile is stored to several of these places, and loaded once. Runs may have gaps, which come in with them; rows may
/// have gaps, which are left out: then every window is stored as far as it is there.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cosmati/kernel/copy/window_stores.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// A run of a tile. @param corner the tile's in the source; @param entry of the table of runs
__device__ inline window_run windows_of_run(char const* corner, int run_bytes, unsigned char* stage,
                                            register_words<16> const& entry) {
  char const* const begin = corner + integer_of(entry);
  auto const late = static_cast<int>(reinterpret_cast<std::uintptr_t>(corner) % window_bytes);
  auto const before = static_cast<int>(reinterpret_cast<std::uintptr_t>(begin) % window_bytes);
  return {begin, run_bytes, stage + static_cast<int>(entry.word[2]) + late - before};
}

/// Each thread takes a run. By all threads of the block.
template <int element_bytes>
__device__ inline void load_runs_in_bulk(window_copy_arguments const& job, window_memory const& memory,
                                         window_tile_runs const& tile, unsigned char* stage, std::uint64_t& barrier) {
  int const thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  if (int first = thread - lane; first < tile.runs) {
    char const* const corner = job.source + tile.source();
    COSMATI_NO_UNROLL
    for (; first < tile.runs; first += window_copy_threads) {
      int const r = first + lane < tile.runs ? first + lane : first;
      window_run const run = windows_of_run(corner, tile.run_bytes, stage, load_words<16>(memory.runs + r * 16));
      load_run_in_bulk<element_bytes>(job, run, first + lane < tile.runs ? run.windows : 0, tile.whole, barrier,
                                      job.across_gaps);
    }
  }
  __syncwarp();
  if (lane == 0) arrive_barrier(barrier);
}

/// Neighbouring threads take neighbouring windows of a run, from where lines of the source begin.
template <int element_bytes>
__device__ inline void load_runs_by_windows(window_copy_arguments const& job, window_memory const& memory,
                                            window_tile_runs const& tile, unsigned char* stage) {
  int const thread = static_cast<int>(threadIdx.x), across = 1 << job.run_log, column = thread & (across - 1);
  int r = thread >> job.run_log;
  if (r >= tile.runs) return;
  char const* const corner = job.source + tile.source();
  COSMATI_NO_UNROLL
  for (; r < tile.runs; r += window_copy_threads >> job.run_log) {
    [[maybe_unused]] access_step const turn;
    window_run const run = windows_of_run(corner, tile.run_bytes, stage, load_words<16>(memory.runs + r * 16));
    int w = column - (static_cast<int>(reinterpret_cast<std::uintptr_t>(run.from) / window_bytes) & (across - 1));
    if (w < 0) w += across;
    if (tile.whole) {
      COSMATI_NO_UNROLL
      for (; w < run.windows; w += across) {
        [[maybe_unused]] access_step const turn;
        [[maybe_unused]] unwritten_scope const of_gaps(job.across_gaps);
        cp_async<16, cache_level::ca>(run.to + w * window_bytes, run.from + w * window_bytes);
      }
    } else {
      int const begin = run.first_may_be_read(job) ? 0 : 1, end = run.windows - (run.last_may_be_read(job) ? 0 : 1);
      COSMATI_NO_UNROLL
      for (; w < run.windows; w += across) {
        [[maybe_unused]] access_step const turn;
        unsigned char* const to = run.to + w * window_bytes;
        char const* const from = run.from + w * window_bytes;
        if (w >= begin && w < end) {
          [[maybe_unused]] unwritten_scope const of_gaps(job.across_gaps);
          cp_async<16, cache_level::ca>(to, from);
        } else {
          load_part_of_window<element_bytes>(to, from, run.begin, run.end, job.across_gaps);
        }
      }
    }
  }
}

/// How a tile's rows are stored.
enum class window_rows {
  whole,   ///< windows of elements in their order
  turned,  ///< lanes begin with different words of their windows
  cut      ///< windows that have gaps
};
/// What the kernels do.
template <int element_bytes, bool bulk, window_rows how>
__device__ inline void copy_tiles_of_windows(window_copy_arguments const& job) {
  constexpr int ahead = window_copy_stages - 1;
  window_memory const memory(job.tiles);
  int const thread = static_cast<int>(threadIdx.x);
  auto const count = static_cast<int>((job.order.grid.count - blockIdx.x + gridDim.x - 1) / gridDim.x);  // its tiles
  auto const look_up = [&](int k) {
    if (thread >= window_batch || k + thread >= count) return;
    std::uint32_t const n = blockIdx.x + static_cast<std::uint32_t>(k + thread) * gridDim.x;
    window_tile::of(job, n, element_bytes).store(memory.tile(k + thread));
  };
  auto const stage = [&](int k) {
    return memory.stage + static_cast<std::uint32_t>(k % window_copy_stages) * job.tiles.stage_bytes;
  };
  auto const load = [&](int k) {
    if (k < count) {
      window_tile_runs const tile(memory.tile(k));
      if constexpr (bulk)
        load_runs_in_bulk<element_bytes>(job, memory, tile, stage(k), memory.barrier(k));
      else
        load_runs_by_windows<element_bytes>(job, memory, tile, stage(k));
    }
    if constexpr (!bulk) cp_async_fence();
  };
  if (bulk && thread == 0) {
    for (int k = 0; k < window_copy_stages; ++k) initialize_barrier(memory.barrier(k), window_copy_threads / 32);
    fence_barrier_init();
  }
  look_up(0);
  make_window_tables<element_bytes, how == window_rows::cut>(job.tiles, memory);

  for (int k = 0; k < ahead; ++k) load(k);
  for (int k = 0; k < count; ++k) {
    if ((k + ahead) % window_batch == 0) look_up(k + ahead);
    if constexpr (bulk)
      wait_barrier(memory.barrier(k), k / window_copy_stages % 2);
    else
      cp_async_wait<ahead - 1>();
    __syncthreads();  // and all have stored the tile before: its stage is free
    load(k + ahead);
    window_tile_rows tile(memory.tile(k));
    if (element_bytes < window_bytes || thread >> job.row_log < tile.rows) {
      tile.load_corners();
      unsigned char const* const base =
          stage(k) + reinterpret_cast<std::uintptr_t>(job.source + tile.source) % window_bytes;
      if constexpr (how == window_rows::cut) {
        store_windows_with_gaps<element_bytes>(job, memory, tile, base);
      } else {
        store_windows<element_bytes, how == window_rows::turned>(job, memory, tile, base);
        if constexpr (element_bytes < window_bytes) store_ends<element_bytes>(job, memory, tile, base);
      }
    }
    if constexpr (bulk) fence_proxy_async_shared();  // the next copies write where this thread has read
  }
}
}  // namespace detail

/// Blocks stay and take one tile after the other.
/// @tparam element_bytes 1 to 16
/// @tparam bulk a thread loads a run, by one bulk copy; else a window, by `cp.async`
template <int element_bytes, bool bulk>
__global__ void __launch_bounds__(window_copy_threads, window_copy_resident / window_copy_threads)
    copy_windows(__grid_constant__ window_copy_arguments const job) {
  detail::copy_tiles_of_windows<element_bytes, bulk, detail::window_rows::whole>(job);
}
/// The same where lanes begin with different words of their windows. @tparam element_bytes 1 or 2
template <int element_bytes, bool bulk>
__global__ void __launch_bounds__(window_copy_threads, window_copy_resident / window_copy_threads)
    copy_windows_turned(__grid_constant__ window_copy_arguments const job) {
  detail::copy_tiles_of_windows<element_bytes, bulk, detail::window_rows::turned>(job);
}
/// The same where rows have gaps, which are not written. @tparam element_bytes 1 or 2
template <int element_bytes, bool bulk>
__global__ void __launch_bounds__(window_copy_threads, window_copy_resident / window_copy_threads)
    copy_windows_with_gaps(__grid_constant__ window_copy_arguments const job) {
  detail::copy_tiles_of_windows<element_bytes, bulk, detail::window_rows::cut>(job);
}

namespace detail {

/// A few blocks fewer, so that none meets the same tile of a row or column again and again: those at the edge are
/// small.
constexpr std::uint32_t blocks_in_turn(std::uint32_t blocks, tile_grid const& grid) {
  auto const divides = [&](std::uint32_t n) {
    for (std::uint32_t d = 2; d <= n && d <= blocks; ++d)
      if (n % d == 0 && blocks % d == 0) return true;
    return false;
  };
  if (blocks < 32) return blocks;
  for (int m = 0; m < 2 && m < grid.rank;) {
    if (divides(grid.tiles[m].divisor)) {
      --blocks;
      m = 0;
    } else {
      ++m;
    }
  }
  return blocks;
}

/// The argument of a copy of a problem by these tiles.
inline window_copy_arguments window_job(copy_problem const& p, run_tile const& tile, void const* source, void* target) {
  window_copy_arguments job;
  job.source = static_cast<char const*>(source) + p.source_offset * p.element_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * p.element_bytes;
  job.hint = hint_of_copy(p.size() * p.element_bytes);
  job.order = order_of_tiles(p, tile);
  job.tiles = window_tiles::of(p, tile);
  job.row_log = window_row_log(job.tiles);
  job.run_log = window_run_log(job.tiles);
  job.across_gaps = job.tiles.run_has_gaps();
  job.turn = window_turn::of(job.tiles, p.element_bytes, job.row_log);
  job.span = 2 * window_bytes + p.element_bytes;
  for (int m = 0; m < p.rank; ++m) job.span += (tile.extent[m] - 1) * p.mode[m].source * p.element_bytes;
  readable_bytes const readable(p, job.source);
  job.first = readable.first;
  job.last = readable.last;
  return job;
}
/// By so many blocks, which take the tiles in turn.
template <int element_bytes>
void launch_windows(window_copy_arguments const& job, std::uint32_t blocks, bool bulk, stream_handle stream) {
  launch_config const config = {
      .grid = blocks, .block = window_copy_threads, .shared_bytes = job.tiles.shared_bytes(), .stream = stream};
  auto* run = bulk ? copy_windows<element_bytes, true> : copy_windows<element_bytes, false>;
  if constexpr (element_bytes <= 2) {
    if (job.turn.turns())
      run = bulk ? copy_windows_turned<element_bytes, true> : copy_windows_turned<element_bytes, false>;
    if (job.tiles.row_has_gaps())
      run = bulk ? copy_windows_with_gaps<element_bytes, true> : copy_windows_with_gaps<element_bytes, false>;
  }
  launch(run, config, job);
}
template <int element_bytes>
void launch_windows(copy_problem const& p, run_tile const& tile, bool bulk, void const* source, void* target,
                    stream_handle stream) {
  window_copy_arguments const job = window_job(p, tile, source, target);
  auto const most = static_cast<std::uint32_t>(multiprocessors()) * static_cast<std::uint32_t>(job.tiles.blocks());
  std::uint32_t const count = job.order.grid.count;
  launch_windows<element_bytes>(job, blocks_in_turn(count < most ? count : most, job.order.grid), bulk, stream);
}

}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
