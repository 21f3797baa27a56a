// SPDX-License-Identifier: Apache-2.0
/// @file
/// Permutations, including ragged transposes, whose stores are whole sectors of the target wherever rows begin.
///
/// A store of part of a sector costs as much as several whole ones. Each row of a tile is therefore cut at sector
/// boundaries of the target, whose offset differs from row to row. The tile loads a few more runs of the source than
/// its rows are long. Bulk copies load the aligned windows that cover the runs, without realigning them. Then each
/// thread assembles aligned windows of the target, one below the other. It looks up the offsets of their elements only
/// once, as long as the rows begin at the same offset in a sector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/sector_tiles.hpp>
#include <cosmati/kernel/copy/window_memory.hpp>
#include <cosmati/kernel/prepared_launch.hpp>
#include <cosmati/kernel/transpose/micro.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>

namespace COSMATI_NAMESPACE {

/// The argument of the kernel.
struct sector_copy_arguments {
  char const* source;
  char* target;
  char const *first, *last;  ///< the bytes that may be read; if both are null, only the runs
  l2_hint hint;              ///< the hint of the loads
  sector_tiles tiles;
  ordered_tiles order;
};

namespace detail {
/// The tile of the block.
struct sector_place {
  std::int64_t source, target;  ///< the offsets from the bases, in bytes
  std::uint32_t row, begin;     ///< the first row; the first element of the rows, without the slack
  std::uint32_t rows;           ///< the number of rows

  __device__ explicit sector_place(sector_copy_arguments const& job) {
    tile_corner const corner = corner_of_tile(job.order.grid, blockIdx.x, job.order.first, job.order.second);
    source = corner.source;
    target = corner.target;
    row = corner.second * job.tiles.rows;
    begin = corner.first * job.tiles.row_length;
    std::uint32_t const left = job.tiles.all_rows - row;
    rows = left < job.tiles.rows ? left : job.tiles.rows;
  }
};

/// The parts of the block's shared memory.
struct sector_memory {
  unsigned char* stage;
  unsigned char* rows;    ///< the table of rows: the offset in the target of each row's first window, and the elements
                          ///< by which the row starts early
  unsigned char* places;  ///< the table of runs: the offset of each run in the stage, in elements
  std::uint64_t* barrier;

  __device__ explicit sector_memory(sector_tiles const& tiles) {
    stage = dynamic_shared();
    rows = stage + tiles.stage_bytes;
    places = rows + tiles.rows * 16;
    barrier = reinterpret_cast<std::uint64_t*>(places + round_up(tiles.runs * 4, 16));
  }
};

/// Fills the tile's table of rows. All threads call it.
template <int element_bytes>
__device__ inline void make_sector_rows(sector_copy_arguments const& job, sector_memory const& memory,
                                        sector_place const& at) {
  sector_tiles const& tiles = job.tiles;
  for (std::uint32_t r = threadIdx.x; r < at.rows; r += blockDim.x) {
    std::int64_t const offset = at.target + tiles.run_elements.of_element(at.row + r).offset;
    auto const address = reinterpret_cast<std::uintptr_t>(job.target + offset);
    std::uint32_t const sector_offset = static_cast<std::uint32_t>(address) / element_bytes % tiles.unit;
    std::int64_t const begin = static_cast<std::int64_t>(at.begin) - sector_offset;
    store_words<16>(memory.rows + r * 16, words_of(offset + begin * element_bytes, sector_offset));
  }
}

/// A run of the tile, or none.
struct sector_run {
  bool in_tile, is_run;
  window_run run;

  template <int element_bytes>
  __device__ static sector_run of(sector_copy_arguments const& job, sector_memory const& memory, sector_place const& at,
                                  std::uint32_t r) {
    // Elements before the first and after the last of a row are no runs. The unsigned number of an element before the
    // first is huge.
    sector_tiles const& tiles = job.tiles;
    std::uint32_t const element = at.begin + r - tiles.slack;
    bool const in_tile = r < tiles.runs, is_run = in_tile && element < tiles.all_row_length;
    char const* const begin = job.source + at.source + std::int64_t{at.row} * element_bytes +
                              tiles.row_elements.of_element(is_run ? element : 0).offset;
    return {in_tile, is_run,
            window_run(begin, static_cast<int>(at.rows) * element_bytes,
                       memory.stage + tiles.place_of_run(is_run ? r : 0))};
  }
  /// Writes the offset to the table of runs.
  template <int element_bytes>
  __device__ void store_place(sector_tiles const& tiles, sector_memory const& memory, std::uint32_t r) const {
    store_words<4>(memory.places + r * 4,
                   {{(tiles.place_of_run(r) + static_cast<std::uint32_t>(run.begin - run.from)) / element_bytes}});
  }
};

/// Starts the loads of the tile's runs. All threads call it.
template <int element_bytes>
__device__ inline void load_sector_runs(sector_copy_arguments const& job, sector_memory const& memory,
                                        sector_place const& at) {
  std::uint32_t const thread = threadIdx.x, lane = thread % 32;
  COSMATI_NO_UNROLL
  for (std::uint32_t first = thread - lane; first < job.tiles.runs; first += blockDim.x) {
    std::uint32_t const r = first + lane;
    sector_run const one = sector_run::of<element_bytes>(job, memory, at, r);
    if (one.in_tile) one.store_place<element_bytes>(job.tiles, memory, r);
    load_run_in_bulk<element_bytes>(job, one.run, one.is_run ? one.run.windows : 0, false, *memory.barrier);
  }
  __syncwarp();
  if (lane == 0) arrive_barrier(*memory.barrier);
}

/// Loads a window of a run by lines, if `wanted`. On the GPU it is one load with a predicate, and L2 fetches the whole
/// line, because other tiles need the rest.
/// @tparam keep whether L1 keeps the line; otherwise it leaves room for loads in flight, which is faster for 4 bytes
///   and slower for 8 (bench/notes/loads-in-flight-need-l1.md)
template <l2_hint hint, bool keep>
__device__ inline register_words<16> load_window_of_line(char const* from, bool wanted) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  register_words<16> v;
  auto const global = __cvta_generic_to_global(from);
#define COSMATI_LOAD_OF_LINE(how, policy, ...)                                      \
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %5, 0; @p ld.global" how             \
               ".L2::128B.v4.b32 {%0, %1, %2, %3}, [%4]" policy "; }"               \
               : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3]) \
               : "l"(global), "r"(static_cast<int>(wanted))__VA_OPT__(, ) __VA_ARGS__)
  if constexpr (hint == l2_hint::evict_last && keep)
    COSMATI_LOAD_OF_LINE(".L2::cache_hint", ", %6", "l"(evict_last_policy()));
  else if constexpr (hint == l2_hint::evict_last)
    COSMATI_LOAD_OF_LINE(".L1::no_allocate.L2::cache_hint", ", %6", "l"(evict_last_policy()));
  else if constexpr (keep)
    COSMATI_LOAD_OF_LINE("", "");
  else
    COSMATI_LOAD_OF_LINE(".L1::no_allocate", "");
#undef COSMATI_LOAD_OF_LINE
  return v;
#else
  return wanted ? load_words<16>(from, hint) : register_words<16>{};
#endif
}

/// Loads the tile's runs, each by `line_threads` lanes, starting at line boundaries of the source. All threads call it,
/// and wait for their loads.
template <int element_bytes, l2_hint hint>
__device__ inline void load_sector_lines(sector_copy_arguments const& job, sector_memory const& memory,
                                         sector_place const& at) {
  constexpr int at_once = 6;  // the lines that are loaded at once
  int const column = static_cast<int>(threadIdx.x % line_threads);
  // The largest number of lines of a run, which may begin anywhere in a line.
  int const lines = (static_cast<int>(at.rows) * element_bytes - element_bytes + line_bytes - 1) / line_bytes + 1;
  COSMATI_NO_UNROLL
  for (std::uint32_t first = threadIdx.x / 32 * (32 / line_threads); first < job.tiles.runs;
       first += blockDim.x / line_threads) {
    [[maybe_unused]] access_step const turn;
    std::uint32_t const r = first + threadIdx.x % 32 / line_threads;
    sector_run const one = sector_run::of<element_bytes>(job, memory, at, r);
    window_run const& run = one.run;
    if (one.in_tile && column == 0) one.store_place<element_bytes>(job.tiles, memory, r);
    int const begin = run.first_may_be_read(job) ? 0 : 1;
    int const end = one.is_run ? run.windows - (run.last_may_be_read(job) ? 0 : 1) : 0;
    int const line_offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(run.from) % line_bytes) / window_bytes;
    COSMATI_NO_UNROLL
    for (int line = 0; line < lines; line += at_once) {
      register_words<16> held[at_once];
      int const w = line * line_threads + column - line_offset;
      auto const wanted = [&](int k) { return w + k * line_threads >= begin && w + k * line_threads < end; };
      COSMATI_UNROLL
      for (int k = 0; k < at_once; ++k) {
        [[maybe_unused]] access_step const step;
        held[k] =
            load_window_of_line<hint, (element_bytes > 4)>(run.from + (w + k * line_threads) * window_bytes, wanted(k));
      }
      COSMATI_UNROLL
      for (int k = 0; k < at_once; ++k) {
        [[maybe_unused]] access_step const step;
        if (wanted(k)) store_words<16>(run.to + (w + k * line_threads) * window_bytes, held[k]);
      }
    }
    // The first and the last window, if they may be read only in part.
    int const part = column == 0 ? 0 : run.windows - 1;
    if (one.is_run && column < 2 && column < run.windows && (part < begin || part >= end))
      load_part_of_window<element_bytes>(run.to + part * window_bytes, run.from + part * window_bytes, run.begin,
                                         run.end);
  }
}

/// Assembles a window of the target from its elements.
template <int element_bytes>
__device__ inline register_words<16> window_of(register_words<element_bytes> const (&one)[16u / element_bytes]) {
  register_words<16> window;
  COSMATI_UNROLL
  for (int w = 0; w < 4; ++w) {
    if constexpr (element_bytes == 1)
      window.word[w] = permuted_bytes(permuted_bytes(one[4 * w].word[0], one[4 * w + 1].word[0], 0x0040),
                                      permuted_bytes(one[4 * w + 2].word[0], one[4 * w + 3].word[0], 0x0040), 0x5410);
    else if constexpr (element_bytes == 2)
      window.word[w] = permuted_bytes(one[2 * w].word[0], one[2 * w + 1].word[0], 0x5410);
    else
      window.word[w] = one[w * 4 / element_bytes].word[w % (element_bytes / 4)];
  }
  return window;
}

/// Stores the whole windows of the tile by the block's first `threads` threads. A warp takes 8 adjacent windows of each
/// of four rows.
template <int element_bytes>
__device__ inline void store_sector_tile(sector_copy_arguments const& job, sector_memory const& memory,
                                         sector_place const& at, std::uint32_t threads) {
  constexpr int window_elements = window_bytes / element_bytes;
  sector_tiles const& tiles = job.tiles;
  std::uint32_t const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  if (thread >= threads) return;
  std::uint32_t const warps_log = static_cast<std::uint32_t>(tiles.windows_log) - 3;  // log2 of the adjacent warps
  std::uint32_t const window = (warp & ((1u << warps_log) - 1)) * 8 + lane % 8;
  std::uint32_t const across = threads >> tiles.windows_log;  // the rows that are stored at once
  std::uint32_t const spread = static_cast<std::uint32_t>(tiles.spread_log);
  std::uint32_t const x = lane / 8, y = warp >> warps_log;
  std::uint32_t const own = (x << spread) | (y & ((1u << spread) - 1)) | ((y >> spread) << (spread + 2));
  std::uint32_t const step = tiles.step;
  std::uint32_t place[static_cast<unsigned>(window_elements)] = {}, sector_offset = 0xffffffffu;
  // The lanes of a warp execute the loops together, including those that store nothing.
  COSMATI_NO_UNROLL
  for (std::uint32_t head = own; head < step; head += across) {
    COSMATI_NO_UNROLL
    for (std::uint32_t before = 0; before < at.rows; before += step) {
      std::uint32_t const r = before + head;
      if (r < at.rows) {
        register_words<16> const entry = load_words<16>(memory.rows + r * 16);
        if (sector_offset != entry.word[2]) {
          sector_offset = entry.word[2];
          unsigned char const* const from =
              memory.places + (tiles.slack - sector_offset + window * window_elements) * 4;
          COSMATI_UNROLL
          for (int e = 0; e < window_elements; ++e) place[e] = load_words<4>(from + e * 4).word[0];
        }
        // The elements of the row from this window's first on. For a window before the row the unsigned number is huge.
        std::uint32_t const first = at.begin + window * window_elements - sector_offset;
        if (first < tiles.all_row_length && first + window_elements <= tiles.all_row_length) {
          shared_elements<element_bytes> const element(memory.stage + r * element_bytes);
          register_words<element_bytes> one[static_cast<unsigned>(window_elements)];
          COSMATI_UNROLL
          for (int e = 0; e < window_elements; ++e) one[e] = element[place[e]];
          store_words<16>(job.target + integer_of(entry) + window * window_bytes, window_of<element_bytes>(one));
        }
      }
      __syncwarp();
    }
  }
}

/// Stores the first and last windows of the rows, of which only a part belongs to the row. A thread stores one element.
template <int element_bytes>
__device__ inline void store_sector_ends(sector_copy_arguments const& job, sector_memory const& memory,
                                         sector_place const& at) {
  constexpr std::uint32_t window_elements = window_bytes / element_bytes;
  sector_tiles const& tiles = job.tiles;
  std::uint32_t const end = tiles.all_row_length, part = threadIdx.x % window_elements;
  if (at.begin > 0 && at.begin + tiles.row_length + window_elements <= end) return;
  COSMATI_NO_UNROLL
  for (std::uint32_t before = 0; before < at.rows; before += blockDim.x / window_elements) {
    std::uint32_t const r = before + threadIdx.x / window_elements;
    register_words<16> entry = {};
    if (r < at.rows) entry = load_words<16>(memory.rows + r * 16);
    auto const move = [&](std::uint32_t e) {
      std::uint32_t const run = e + tiles.slack - at.begin;
      std::uint32_t const place = load_words<4>(memory.places + run * 4).word[0] * element_bytes;
      store_words<element_bytes>(job.target + integer_of(entry) + (run + entry.word[2] - tiles.slack) * element_bytes,
                                 load_words<element_bytes>(memory.stage + r * element_bytes + place));
    };
    // The windows of a row are counted from `sector_offset` elements before it. If the row ends in its first window,
    // the first element of its last window has a huge unsigned number.
    std::uint32_t const sector_offset = entry.word[2], window_offset = sector_offset % window_elements,
                        tail = (end + sector_offset) % window_elements, last = end - tail;
    if (r < at.rows && at.begin == 0 && window_offset > 0 && part >= window_offset && part - window_offset < end)
      move(part - window_offset);
    __syncwarp();
    if (r < at.rows && part < tail && last < end && last + sector_offset >= at.begin &&
        last + sector_offset - at.begin < tiles.row_length)
      move(last + part);
    __syncwarp();
  }
}
}  // namespace detail

/// One tile for each block. While a block waits for its runs, others store theirs.
/// @tparam element_bytes 1 to 8
template <int element_bytes>
__global__ void __launch_bounds__(2 * sector_copy_threads, sector_copy_resident / (2 * sector_copy_threads))
    copy_sectors([[maybe_unused]] __grid_constant__ sector_copy_arguments const job) {
#if COSMATI_COPIES_IN_BULK
  detail::sector_memory const memory(job.tiles);
  detail::sector_place const at(job);
  if (threadIdx.x == 0) {
    initialize_barrier(*memory.barrier, static_cast<int>(blockDim.x / 32));
    fence_barrier_init();
  }
  __syncthreads();
  detail::make_sector_rows<element_bytes>(job, memory, at);
  detail::load_sector_runs<element_bytes>(job, memory, at);
  wait_barrier(*memory.barrier, 0);
  __syncthreads();  // the tables, and elements that were loaded one by one, are complete
  detail::store_sector_tile<element_bytes>(job, memory, at, blockDim.x);
  detail::store_sector_ends<element_bytes>(job, memory, at);
#endif
}

namespace detail {
/// The blocks of `copy_sectors_by_lines` for which a multiprocessor has registers. sm_75 has threads for one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int blocks_by_lines = 1;
#else
inline constexpr int blocks_by_lines = sector_copy_resident / (2 * sector_copy_threads);
#endif
}  // namespace detail

/// As `copy_sectors`, but threads load the runs by whole lines through registers. L2 gets half as many requests. Loads
/// in flight need room in L1, which is the memory that shared memory leaves.
/// @tparam element_bytes 1 to 8
template <int element_bytes>
__global__ void __launch_bounds__(2 * sector_copy_threads / 8 * 9, detail::blocks_by_lines)
    copy_sectors_by_lines(__grid_constant__ sector_copy_arguments const job) {
  detail::sector_memory const memory(job.tiles);
  detail::sector_place const at(job);
  detail::make_sector_rows<element_bytes>(job, memory, at);
  if (job.hint == l2_hint::evict_last)
    detail::load_sector_lines<element_bytes, l2_hint::evict_last>(job, memory, at);
  else
    detail::load_sector_lines<element_bytes, l2_hint::none>(job, memory, at);
  __syncthreads();
  detail::store_sector_tile<element_bytes>(job, memory, at, blockDim.x / sector_copy_threads * sector_copy_threads);
  detail::store_sector_ends<element_bytes>(job, memory, at);
}

namespace detail {
[[gnu::noinline, gnu::cold]] inline sector_copy_arguments sector_job(copy_problem const& p, sector_tile const& tile,
                                                                     void const* source, void* target) {
  sector_copy_arguments job;
  job.source = static_cast<char const*>(source) + p.source_offset * p.element_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * p.element_bytes;
  job.hint = hint_of_copy(p.size() * p.element_bytes);
  job.tiles = sector_tiles::of(p, tile);
  job.order = order_of_tiles(p, tile);
  readable_bytes const readable(p, job.source);
  job.first = readable.first;
  job.last = readable.last;
  return job;
}
template <int element_bytes>
void launch_sectors(launch_sink& sink, copy_problem const& p, sector_tile const& tile, void const* source,
                    void* target) {
  sector_copy_arguments const job = sector_job(p, tile, source, target);
  prepare(sink, tile.by_lines ? copy_sectors_by_lines<element_bytes> : copy_sectors<element_bytes>,
          job.order.grid.count, 1,
          static_cast<unsigned>(tile.by_lines ? job.tiles.threads_by_lines() : job.tiles.threads()),
          job.tiles.shared_bytes(), job);
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
