// SPDX-License-Identifier: Apache-2.0
/// @file
/// The shared memory of the kernels that copy by windows: runs of the source as aligned windows, tables of runs, rows
/// and offsets, and the order in which a warp's loads avoid bank conflicts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/copy/tiles.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Counts the wavefronts of an access to shared memory with one element per lane. The hardware serves 32 lanes
/// together, 16 for elements of 8 bytes, 8 for elements of 16. Each group takes as many wavefronts as the largest
/// number of distinct words that it reads from one bank.
class lane_wavefronts {
 public:
  constexpr explicit lane_wavefronts(int element_bytes)
      : bytes_(element_bytes < 4 ? 4 : static_cast<std::uint32_t>(element_bytes)), together_(128 / bytes_) {}
  /// Adds a lane whose element begins at this byte.
  constexpr void add(std::uint32_t lane, std::uint32_t byte) {
    std::uint32_t const word = byte / bytes_, group = lane / together_;
    int& last = last_[group * together_ + word % together_];
    int deep = 1;
    for (int k = last; k > 0; k = before_[k - 1], ++deep)
      if (word_[k - 1] == word) return;
    word_[words_] = word;
    before_[words_] = last;
    last = ++words_;
    if (deep > most_[group]) most_[group] = deep, ++count_;
  }
  constexpr int count() const { return count_; }

 private:
  std::uint32_t bytes_, together_;
  int words_ = 0, count_ = 0, most_[4] = {};
  std::uint32_t word_[32] = {};
  int before_[32] = {}, last_[32] = {};  // the index (from 1) of a word of the same bank and group
};
/// The sums over the coordinates of a side's first `count` elements, for one member of its modes.
template <class Mode, std::size_t room>
constexpr void sums_of_elements(tile_side<Mode> const& side, std::uint32_t Mode::*part, std::uint32_t count,
                                std::uint32_t (&sum)[room]) {
  std::uint32_t inner = 1;
  for (int m = 0; m < side.in_run && inner < count; ++m) {
    std::uint32_t const step = side.mode[m].*part, all = inner * side.mode[m].extent.divisor;
    for (std::uint32_t k = inner; k < count && k < all; ++k) sum[k] = sum[k - inner] + step;
    inner = all;
  }
}
}  // namespace detail

/// The word, out of the four of a window, with which each lane starts to assemble it. Lanes whose first words are in
/// the same bank start with different words. Windows of neighbouring elements are 16 bytes apart in shared memory, so
/// every eighth lane of a warp uses the same bank.
struct window_turn {
  /// The bits of the lane's index that select the word: two from `first`, exclusive-ored with two from `second`. From 5
  /// on there are none.
  int first = 5, second = 5;
  int wavefronts = 1;  ///< the wavefronts of a warp's load with one element per lane

  /// Whether some lanes start with another word than the first.
  COSMATI_HD constexpr bool turns() const { return first < 5; }
  /// The word with which a lane starts.
  COSMATI_HD constexpr std::uint32_t word_of(std::uint32_t lane) const {
    return ((lane >> first) ^ (lane >> second)) & 3u;
  }

  /// The choice for tiles with elements of this size and 2^row_log threads along a row. Without many conflicts no lane
  /// turns, because turning costs a tenth if shared memory is not the bottleneck.
  [[gnu::noinline, gnu::cold]] static constexpr window_turn of(window_tiles const& t, int element_bytes, int row_log) {
    std::uint32_t const elements = (1u << (row_log < 5 ? row_log : 5)) * t.each;
    std::uint32_t place[512] = {}, run[512] = {};
    detail::sums_of_elements(t.target, &window_mode::place, elements, place);
    detail::sums_of_elements(t.target, &window_mode::run, elements, run);
    window_turn chosen;
    int const plain = chosen.count(t, element_bytes, row_log, place, run, false);
    if (element_bytes <= 2 && plain >= 4) {
      window_turn turned;
      turned.first = row_log == 3 ? 3 : 2;  // by the four rows of a warp; or by the lanes of one row
      turned.second = row_log == 3 ? 5 : 4;
      if (2 * turned.count(t, element_bytes, row_log, place, run, false) <= plain) chosen = turned;
    }
    // Compilers limit the steps of a constant.
    chosen.wavefronts = chosen.count(t, element_bytes, row_log, place, run, !__builtin_is_constant_evaluated());
    return chosen;
  }

 private:
  /// The wavefronts of the first load of a tile's first warp.
  /// @param place, run the sums over the coordinates of a row's elements
  /// @param rows_begin_inside whether rows may begin inside a window; neighbours at different offsets share no words
  [[gnu::noinline, gnu::cold]] constexpr int count(window_tiles const& t, int element_bytes, int row_log,
                                                   std::uint32_t const (&place)[512], std::uint32_t const (&run)[512],
                                                   bool rows_begin_inside) const {
    std::uint32_t const across = 1u << (row_log < 5 ? row_log : 5);
    detail::lane_wavefronts counter(element_bytes);
    for (std::uint32_t row = 0; row < 32 / across && row < t.rows; ++row) {
      window_mode::sum const here = t.target.of_run(row);
      // The elements of the first window that precede the row.
      std::uint32_t const before = rows_begin_inside ? static_cast<std::uint32_t>(here.offset) % 16 / (16 / t.each) : 0;
      for (std::uint32_t k = 0; k < across && k * t.each < t.row_length; ++k) {
        std::uint32_t const lane = row * across + k, begin = k * t.each + (turns() ? word_of(lane) * t.each / 4 : 0);
        std::uint32_t const element = begin - before;
        if (begin >= before && element < t.row_length)
          counter.add(lane, t.place_of_run(run[element] + here.run, 0) + place[element] + here.place);
      }
    }
    return counter.count();
  }
};

namespace detail {
/// Copies the elements [begin, end) of a window of the source to shared memory, one by one.
/// @param across_gaps whether some of them may lie in a gap
template <int element_bytes>
__device__ inline void load_part_of_window(unsigned char* to, char const* from, char const* begin, char const* end,
                                           bool across_gaps = false) {
  for (int b = 0; b < window_bytes; b += element_bytes) {
    [[maybe_unused]] access_step const turn;
    [[maybe_unused]] unwritten_scope const of_gaps(across_gaps);
    if (from + b >= begin && from + b < end) store_words<element_bytes>(to + b, load_words<element_bytes>(from + b));
  }
}

/// A run of the source: its windows, and their addresses in shared memory.
struct window_run {
  char const *begin, *end;  ///< the range of its elements
  char const* from;
  unsigned char* to;
  int windows;

  /// @param place the address in shared memory of the run's first window
  __device__ window_run(char const* run, int run_bytes, unsigned char* place) : begin(run), end(run + run_bytes) {
    auto const before = static_cast<int>(reinterpret_cast<std::uintptr_t>(begin) % window_bytes);
    from = begin - before;
    to = place;
    windows = (before + run_bytes + window_bytes - 1) / window_bytes;
  }
  template <class Job>
  __device__ bool first_may_be_read(Job const& job) const {
    return from >= (job.first != nullptr ? job.first : begin);
  }
  template <class Job>
  __device__ bool last_may_be_read(Job const& job) const {
    return from + windows * window_bytes <= (job.first != nullptr ? job.last : end);
  }
};

/// Loads a run by one bulk copy. All lanes of a warp call it together; `windows` is 0 for a lane without a run.
/// @param job `hint` is the hint to L2
/// @param whole whether all windows may be read whole
/// @param across_gaps whether some elements may lie in a gap
template <int element_bytes, class Job>
__device__ inline void load_run_in_bulk(Job const& job, window_run const& run, int windows, bool whole,
                                        std::uint64_t& barrier, bool across_gaps = false) {
  char const* from = run.from;
  unsigned char* to = run.to;
  if (!whole && windows > 0) {
    if (!run.last_may_be_read(job)) {
      --windows;
      load_part_of_window<element_bytes>(to + windows * window_bytes, from + windows * window_bytes, run.begin, run.end,
                                         across_gaps);
    }
    if (windows > 0 && !run.first_may_be_read(job)) {
      --windows;
      load_part_of_window<element_bytes>(to, from, run.begin, run.end, across_gaps);
      to += window_bytes;
      from += window_bytes;
    }
    fence_proxy_async_shared();  // orders the stores before a later bulk copy to the same place
  }
  auto const bytes = static_cast<std::uint32_t>(windows) * window_bytes;
  std::uint32_t const sum = __reduce_add_sync(0xffffffffu, bytes);
  if (threadIdx.x % 32 == 0) expect_bytes(barrier, sum);
  __syncwarp();
  [[maybe_unused]] unwritten_scope const of_gaps(across_gaps);
  if (bytes > 0) bulk_copy_g2s(to, from, bytes, barrier, job.hint);
}

/// Elements of shared memory, indexed from `base`. On the GPU it holds a 32-bit address that is opaque to the compiler.
/// With a pointer, the compiler would use two additions for each element.
template <int element_bytes>
struct shared_elements {
#if defined(__CUDA_ARCH__)
  std::uint32_t base;
  __device__ explicit shared_elements(unsigned char const* p) : base(cast_smem_ptr_to_uint(p)) { asm("" : "+r"(base)); }
  __device__ register_words<element_bytes> operator[](std::uint32_t at) const {
    register_words<element_bytes> v;
    std::uint32_t const from = base + at * element_bytes;
    if constexpr (element_bytes == 1)
      asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 2)
      asm volatile("{ .reg .b16 h; ld.shared.b16 h, [%1]; cvt.u32.u16 %0, h; }" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 4)
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 8)
      asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(v.word[0]), "=r"(v.word[1]) : "r"(from));
    else
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                   : "r"(from));
    return v;
  }
#else
  unsigned char const* base;
  explicit shared_elements(unsigned char const* p) : base(p) {}
  register_words<element_bytes> operator[](std::uint32_t at) const {
    return load_words<element_bytes>(base + at * element_bytes);
  }
#endif
};

/// The bytes that windows may read beyond the runs: the whole source if it has no gaps, otherwise none (null).
struct readable_bytes {
  char const *first, *last;
  readable_bytes(copy_problem const& p, char const* source) : first(nullptr), last(nullptr) {
    if (source_has_gaps(p)) return;
    std::int64_t high = 1;
    for (int m = 0; m < p.rank; ++m) high += (p.mode[m].extent - 1) * p.mode[m].source;
    first = source;
    last = source + high * p.element_bytes;
  }
};
}  // namespace detail

/// The argument of the kernel.
struct window_copy_arguments {
  char const* source;
  char* target;
  char const *first, *last;  ///< the bytes that may be read; if both are null, only the runs
  l2_hint hint;              ///< the hint of bulk copies
  std::int64_t span;         ///< the largest distance in bytes from a tile's corner to the end of its last window
  ordered_tiles order;
  window_tiles tiles;
  int run_log, row_log;  ///< 2^run_log threads take neighbouring windows of a run, 2^row_log those of a row
  window_turn turn;
  bool across_gaps;  ///< whether runs have gaps
};

namespace detail {
/// A tile as all threads of the block need it, in 32 bytes of shared memory.
struct window_tile {
  std::int64_t source, target;  ///< the offsets from the bases, in bytes
  int run_bytes, runs;
  int row_length, rows;
  bool whole;  ///< whether all windows of its runs may be read whole

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
/// The record of a tile for the threads that load its runs. Each member is read where it is used, by an access of its
/// size. Compilers keep such accesses, so both devices count the same ones.
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
  /// The offset of the corner in the source, in bytes.
  __device__ std::int64_t source() const { return integer_of(load_words<8>(entry)); }
};
/// The record of a tile for the threads that store its rows.
struct window_tile_rows {
  unsigned char const* entry;
  int row_length, rows;
  std::int64_t source = 0, target = 0;  ///< the offsets of the corner, valid after `load_corners`

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
  unsigned char* runs;      ///< the table of runs: each run's offset in bytes from the corner in the source, and its
                            ///< offset in the stage
  unsigned char* rows;      ///< the table of rows: each row's offset in bytes from the corner in the target, and the
                            ///< amount it adds to its elements' offsets
  unsigned char* places;    ///< offsets of a row's elements; one table for each element of a window that a row may
                            ///< begin with
  unsigned char* barriers;  ///< the barriers of the stages, for their bulk copies

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

/// Fills the tables, which are the same for all tiles.
template <int element_bytes>
__device__ inline void make_window_tables(window_tiles const& tiles, window_memory const& memory) {
  constexpr std::uint32_t window_elements = window_bytes / element_bytes;
  std::uint32_t const thread = threadIdx.x;
  for (std::uint32_t r = thread; r < tiles.runs; r += window_copy_threads) {
    auto const at = tiles.source.of_run(r);
    store_words<16>(memory.runs + r * 16, words_of(at.offset, tiles.place_of_run(r, at.offset)));
  }
  for (std::uint32_t r = thread; r < tiles.rows; r += window_copy_threads) {
    auto const at = tiles.target.of_run(r);
    store_words<16>(memory.rows + r * 16, words_of(at.offset, at.place));
  }
  __syncthreads();
  // A window may begin in one period and end in the next.
  std::uint32_t const room = tiles.table_pitch - window_elements,
                      entries = room < tiles.row_length ? room : tiles.row_length;
  for (std::uint32_t e = thread; e < entries; e += window_copy_threads) {
    auto const at = tiles.target.of_element(e);
    std::uint32_t const place = (load_words<4>(memory.runs + at.run * 16 + 8).word[0] + at.place) / element_bytes;
    for (std::uint32_t shift = 0; shift < window_elements; ++shift)
      store_words<2>(memory.places + (shift * tiles.table_pitch + shift + e) * 2, {{place}});
  }
  __syncthreads();
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
