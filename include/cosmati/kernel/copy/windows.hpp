// SPDX-License-Identifier: Apache-2.0
/// @file
/// Any permutation through shared memory, by aligned accesses of 16 bytes on both sides, for any extents.
///
/// A tile covers the innermost modes of the source and of the target, so that its runs are long on both sides. The
/// aligned windows that cover the source's runs are loaded to shared memory with everything else that they contain.
/// Long runs use bulk copies, short ones `cp.async`. No thread waits for them until the previous tile is stored. Then
/// each thread assembles aligned windows of the target. A table gives the offsets of a row's elements, once for each
/// element of a window with which the row may begin. The incomplete ends of rows are stored element by element,
/// neighbours by neighbouring threads. If the target repeats the source, a tile is loaded once and stored several
/// times. Runs may have gaps, which are loaded with them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cosmati/kernel/copy/window_memory.hpp>
#include <cosmati/kernel/prepared_launch.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Assembles a window of the target from the elements that a table names.
template <int element_bytes>
__device__ inline register_words<16> gathered_window(unsigned char const* base, unsigned char const* places) {
  constexpr int window_elements = window_bytes / element_bytes;
  constexpr int table = window_elements >= 8 ? 16 : 2 * window_elements;  // the bytes of the table that one load takes
  register_words<16> window = {};
  shared_elements<element_bytes> const element(base);
  COSMATI_UNROLL
  for (int part = 0; part < 2 * window_elements / table; ++part) {
    register_words<int{table}> const place = load_words<int{table}>(places + part * table);
    COSMATI_UNROLL
    for (int k = 0; k < table / 2; ++k) {
      int const e = part * (table / 2) + k;
      std::uint32_t const at = __byte_perm(place.word[k / 2], 0, k % 2 == 0 ? 0x4410 : 0x4432);
      register_words<element_bytes> const one = element[at];
      if constexpr (element_bytes < 4) {
        window.word[e * element_bytes / 4] |= one.word[0] << (e * element_bytes % 4 * 8);
      } else {
        COSMATI_UNROLL
        for (int w = 0; w < element_bytes / 4; ++w) window.word[e * element_bytes / 4 + w] = one.word[w];
      }
    }
  }
  return window;
}

/// Assembles a window word by word, starting with the word that the turn gives. @tparam element_bytes 1 or 2
template <int element_bytes>
__device__ inline register_words<16> gathered_window_turned(unsigned char const* base, unsigned char const* places,
                                                            window_turn const& turn) {
  constexpr int word_elements = 4 / element_bytes;  // the elements of a word
  constexpr std::uint32_t table = 2 * word_elements;
  shared_elements<element_bytes> const element(base);
  std::uint32_t lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(lane));  // otherwise values that depend on the lane occupy more registers than there are
#endif
  std::uint32_t const first = turn.word_of(lane);
  std::uint32_t word[4] = {};
  COSMATI_UNROLL
  for (std::uint32_t k = 0; k < 4; ++k) {
    register_words<int{table}> const place = load_words<int{table}>(places + (first + k) % 4 * table);
    COSMATI_UNROLL
    for (int e = 0; e < word_elements; ++e)
      word[k] |= element[__byte_perm(place.word[e / 2], 0, e % 2 == 0 ? 0x4410 : 0x4432)].word[0]
                 << (e * element_bytes * 8);
  }
  // `first` is the index in the window of the first assembled word.
  bool const by_one = (first & 1u) != 0, by_two = (first & 2u) != 0;
  std::uint32_t const turned[4] = {by_one ? word[3] : word[0], by_one ? word[0] : word[1], by_one ? word[1] : word[2],
                                   by_one ? word[2] : word[3]};
  return {{by_two ? turned[2] : turned[0], by_two ? turned[3] : turned[1], by_two ? turned[0] : turned[2],
           by_two ? turned[1] : turned[3]}};
}

/// Stores the whole windows of a tile's rows. @param base the address of the tile's corner in shared memory
/// @tparam turned whether lanes start with different words
template <int element_bytes, bool turned>
__device__ inline void store_windows(window_copy_arguments const& job, window_memory const& memory,
                                     window_tile_rows const& tile, unsigned char const* base) {
  constexpr int window_elements = window_bytes / element_bytes;
  window_tiles const& tiles = job.tiles;
  char* const target = job.target + tile.target;
  auto const corner = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target));
  int const thread = static_cast<int>(threadIdx.x), across = 1 << job.row_log, column = thread & (across - 1);
  auto const gathered = [&](unsigned char const* from, unsigned char const* places) {
    if constexpr (turned)
      return gathered_window_turned<element_bytes>(from, places, job.turn);
    else
      return gathered_window<element_bytes>(from, places);
  };
  COSMATI_NO_UNROLL
  for (int r = thread >> job.row_log; r < tile.rows; r += window_copy_threads >> job.row_log) {
    [[maybe_unused]] access_step const turn;
    register_words<16> const entry = load_words<16>(memory.rows + r * 16);
    std::uint32_t const address = corner + entry.word[0];
    std::uint32_t const shift = address % window_bytes / element_bytes;  // the elements of the first window before the
                                                                         // row
    int const end = static_cast<int>(static_cast<std::uint32_t>(tile.row_length) + shift) / window_elements;
    unsigned char const* const row = base + entry.word[2];
    // Each thread starts at a line boundary of the target.
    int w = column - static_cast<int>(address / window_bytes & static_cast<std::uint32_t>(across - 1));
    if (w < (shift > 0 ? 1 : 0)) w += across;
    char* to = target + integer_of(entry) - shift * element_bytes + w * window_bytes;
    auto e = static_cast<std::uint32_t>(w * window_elements) - shift;
    unsigned char const* place = memory.places + (shift * (tiles.table_pitch + 1) + e) * 2;
    if (tiles.period == tiles.row_length) {
      COSMATI_NO_UNROLL
      for (; w < end; w += across) {
        [[maybe_unused]] access_step const step;
        store_words<16>(to, gathered(row, place));
        to += across * window_bytes;
        place += across * window_elements * 2;
      }
    } else {
      COSMATI_NO_UNROLL
      for (; w < end; w += across) {
        [[maybe_unused]] access_step const step;
        std::uint32_t const periods = tiles.periods.quotient(e), rest = tiles.periods.remainder(e, periods);
        place = memory.places + ((0u - rest) % window_elements * (tiles.table_pitch + 1) + rest) * 2;
        store_words<16>(to, gathered(row + periods * tiles.period_step, place));
        to += across * window_bytes;
        e += static_cast<std::uint32_t>(across * window_elements);
      }
    }
  }
}

/// Stores the row's parts of its first and last windows. The last threads, which had less work before, take the first
/// rows.
template <int element_bytes>
__device__ inline void store_ends(window_copy_arguments const& job, window_memory const& memory,
                                  window_tile_rows const& tile, unsigned char const* base) {
  constexpr int window_elements = window_bytes / element_bytes;
  window_tiles const& tiles = job.tiles;
  char* const target = job.target + tile.target;
  auto const corner = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target));
  int const thread = static_cast<int>(threadIdx.x), k = thread % window_elements;
  COSMATI_NO_UNROLL
  for (int r = (window_copy_threads - 1 - thread) / window_elements; r < tile.rows;
       r += window_copy_threads / window_elements) {
    [[maybe_unused]] access_step const turn;
    register_words<16> const entry = load_words<16>(memory.rows + r * 16);
    auto const shift = static_cast<int>((corner + entry.word[0]) % window_bytes) / element_bytes;
    int const last =
        (tile.row_length + shift) / window_elements * window_elements - shift;  // the first element of the last window
    auto const move = [&](int e) {
      std::uint32_t const periods = tiles.periods.quotient(static_cast<std::uint32_t>(e));
      std::uint32_t const rest = tiles.periods.remainder(static_cast<std::uint32_t>(e), periods);
      std::uint32_t const at = load_words<2>(memory.places + rest * 2).word[0];
      store_words<element_bytes>(
          target + integer_of(entry) + e * element_bytes,
          load_words<element_bytes>(base + entry.word[2] + periods * tiles.period_step + at * element_bytes));
    };
    if (shift > 0 && k >= shift && k - shift < tile.row_length) move(k - shift);
    if (last >= 0 && last + k < tile.row_length) move(last + k);
  }
}

/// A run of a tile. @param corner the tile's corner in the source
/// @param entry the run's entry in the table of runs
__device__ inline window_run windows_of_run(char const* corner, int run_bytes, unsigned char* stage,
                                            register_words<16> const& entry) {
  char const* const begin = corner + integer_of(entry);
  auto const window_offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(corner) % window_bytes);
  auto const before = static_cast<int>(reinterpret_cast<std::uintptr_t>(begin) % window_bytes);
  return {begin, run_bytes, stage + static_cast<int>(entry.word[2]) + window_offset - before};
}

/// Loads one run for each thread, by a bulk copy. All threads of the block call it.
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

/// Loads a window to shared memory, by `cp.async` if the target has it.
__device__ inline void load_window(unsigned char* to, char const* from) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  cp_async<window_bytes, cache_level::ca>(to, from);
#else
  store_words<window_bytes>(to, load_words<window_bytes>(from));
#endif
}
/// Ends a group of these loads.
__device__ inline void end_windows() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  cp_async_fence();
#endif
}
/// Waits for all groups except the newest `left`.
template <int left>
__device__ inline void wait_for_windows() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  cp_async_wait<left>();
#endif
}

/// Loads runs by windows. Neighbouring threads take neighbouring windows of a run, starting at line boundaries of the
/// source.
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
        [[maybe_unused]] access_step const step;
        [[maybe_unused]] unwritten_scope const of_gaps(job.across_gaps);
        load_window(run.to + w * window_bytes, run.from + w * window_bytes);
      }
    } else {
      int const begin = run.first_may_be_read(job) ? 0 : 1, end = run.windows - (run.last_may_be_read(job) ? 0 : 1);
      COSMATI_NO_UNROLL
      for (; w < run.windows; w += across) {
        [[maybe_unused]] access_step const step;
        unsigned char* const to = run.to + w * window_bytes;
        char const* const from = run.from + w * window_bytes;
        if (w >= begin && w < end) {
          [[maybe_unused]] unwritten_scope const of_gaps(job.across_gaps);
          load_window(to, from);
        } else {
          load_part_of_window<element_bytes>(to, from, run.begin, run.end, job.across_gaps);
        }
      }
    }
  }
}

/// The body of the kernels.
template <int element_bytes, bool bulk, bool turned>
__device__ inline void copy_tiles_of_windows(window_copy_arguments const& job) {
  constexpr int ahead = window_copy_stages - 1;
  window_memory const memory(job.tiles);
  int const thread = static_cast<int>(threadIdx.x);
  // the number of the block's tiles
  auto const count = static_cast<int>((job.order.grid.count - blockIdx.x + gridDim.x - 1) / gridDim.x);
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
    if constexpr (!bulk) end_windows();
  };
  if constexpr (bulk) {
    if (thread == 0) {
      for (int k = 0; k < window_copy_stages; ++k) initialize_barrier(memory.barrier(k), window_copy_threads / 32);
      fence_barrier_init();
    }
  }
  look_up(0);
  make_window_tables<element_bytes>(job.tiles, memory);

  for (int k = 0; k < ahead; ++k) load(k);
  for (int k = 0; k < count; ++k) {
    if ((k + ahead) % window_batch == 0) look_up(k + ahead);
    if constexpr (bulk)
      wait_barrier(memory.barrier(k), k / window_copy_stages % 2);
    else
      wait_for_windows<ahead - 1>();
    __syncthreads();  // all threads have also stored the previous tile, so its stage is free
    load(k + ahead);
    window_tile_rows tile(memory.tile(k));
    if (element_bytes < window_bytes || thread >> job.row_log < tile.rows) {
      tile.load_corners();
      unsigned char const* const base =
          stage(k) + reinterpret_cast<std::uintptr_t>(job.source + tile.source) % window_bytes;
      store_windows<element_bytes, turned>(job, memory, tile, base);
      if constexpr (element_bytes < window_bytes) store_ends<element_bytes>(job, memory, tile, base);
    }
    if constexpr (bulk)
      fence_proxy_async_shared();  // orders this thread's reads before the next copies, which
                                   // overwrite them
  }
}
}  // namespace detail

namespace detail {
/// The blocks of `copy_windows` for which a multiprocessor has registers. sm_75 has threads for two.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int window_blocks = 1024 / window_copy_threads;
#else
inline constexpr int window_blocks = window_copy_resident / window_copy_threads;
#endif
}  // namespace detail

/// Each block copies one tile after the other.
/// @tparam element_bytes 1 to 16
/// @tparam bulk whether a thread loads a run by one bulk copy; otherwise it loads a window by `cp.async`, or by a plain
///   load if there is no `cp.async`
/// @tparam turned whether lanes start with different words of their windows, for elements of 1 or 2 bytes
template <int element_bytes, bool bulk, bool turned>
__global__ void __launch_bounds__(window_copy_threads, detail::window_blocks)
    copy_windows([[maybe_unused]] __grid_constant__ window_copy_arguments const job) {
  if constexpr (!bulk || COSMATI_COPIES_IN_BULK != 0) detail::copy_tiles_of_windows<element_bytes, bulk, turned>(job);
}

namespace detail {
/// Reduces the number of blocks a little, so that no block always gets the same tile of a row or column. Tiles at the
/// edge are small.
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

/// The argument of the kernel for a problem with these tiles.
[[gnu::noinline, gnu::cold]] inline window_copy_arguments window_job(copy_problem const& p, run_tile const& tile,
                                                                     void const* source, void* target) {
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
/// Launches a number of blocks, which take the tiles in turn.
template <int element_bytes>
void launch_windows(launch_sink& sink, window_copy_arguments const& job, std::uint32_t blocks, bool bulk) {
  auto* run = bulk ? copy_windows<element_bytes, true, false> : copy_windows<element_bytes, false, false>;
  if constexpr (element_bytes <= 2)
    if (job.turn.turns())
      run = bulk ? copy_windows<element_bytes, true, true> : copy_windows<element_bytes, false, true>;
  prepare(sink, run, blocks, 1, window_copy_threads, job.tiles.shared_bytes(), job);
}
template <int element_bytes>
void launch_windows(launch_sink& sink, copy_problem const& p, run_tile const& tile, bool bulk, void const* source,
                    void* target) {
  window_copy_arguments const job = window_job(p, tile, source, target);
  device_model const& device = device_model::of_current();
  auto const most = static_cast<std::uint32_t>(device.multiprocessors) *
                    static_cast<std::uint32_t>(job.tiles.blocks(device.shared_bytes));
  std::uint32_t const count = job.order.grid.count;
  launch_windows<element_bytes>(sink, job, blocks_in_turn(count < most ? count : most, job.order.grid), bulk);
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
