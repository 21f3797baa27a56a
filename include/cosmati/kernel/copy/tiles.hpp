// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles of a permutation by aligned windows: which modes make up a run of the source and a row of the target, and
/// where in shared memory an element lies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/tile_order.hpp>

/// Whether the target has bulk copies, and the barriers that wait for them; the simulated device has.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define COSMATI_COPIES_IN_BULK 1
#else
#define COSMATI_COPIES_IN_BULK 0
#endif

namespace COSMATI_NAMESPACE {

/// What a plan chooses.
struct run_tile {
  int source_modes = 1, target_modes = 1;   ///< how many modes a run has, in the order of the side's strides
  std::int64_t extent[copy_max_rank] = {};  ///< of the tile

  friend constexpr bool operator==(run_tile const&, run_tile const&) = default;
};

/// One side of a tile: its runs, and the modes that count them.
/// @tparam Mode `extent` within the tile, and `add_to(sum, c)`, what coordinate c adds to a `Mode::sum`
template <class Mode>
struct tile_side {
  using sum = typename Mode::sum;
  int in_run = 0, counted = 0;  ///< modes within a run, modes that count runs; in this order in `mode`
  int cut = -1;                 ///< the mode that a tile may have a part of, at the end of the run, or -1
  std::uint32_t length = 1;     ///< elements of a run, but for the mode `cut`
  std::uint32_t count = 1;      ///< of runs, but for the mode that the other side cuts
  std::uint32_t cut_tile = 1, cut_extent = 1;  ///< of the mode `cut`: a tile's part and all of it
  Mode mode[copy_max_rank] = {};

  /// How much of the mode `cut` tile number n of it has.
  COSMATI_HD constexpr std::uint32_t left(std::uint32_t n) const {
    std::uint32_t const rest = cut_extent - n * cut_tile;
    return rest < cut_tile ? rest : cut_tile;
  }
  COSMATI_HD constexpr sum sum_over(std::uint32_t number, int begin, int end) const {
    sum at = {};
    COSMATI_NO_UNROLL
    for (int m = begin; m < end; ++m) {
      std::uint32_t const rest = mode[m].extent.quotient(number);
      mode[m].add_to(at, mode[m].extent.remainder(number, rest));
      number = rest;
    }
    return at;
  }
  COSMATI_HD constexpr sum of_element(std::uint32_t element) const { return sum_over(element, 0, in_run); }
  COSMATI_HD constexpr sum of_run(std::uint32_t run) const { return sum_over(run, in_run, in_run + counted); }
};

namespace detail {
/// Bytes between elements of the source that windows read with them: fewer than a page has, so that no page is read
/// which has none of the source.
inline constexpr std::int64_t copy_widest_gap = 4095;
/// Whether a run of the source goes on with a further mode though there are gaps between that mode's elements: they are
/// not much more than is read anyway, and hold nothing of the target.
/// @param span elements from the first to the last of those of the modes before, both counted
constexpr bool windows_bridge(copy_problem const& p, std::int64_t span, std::int64_t stride) {
  if (p.interleaved || stride < span) return false;
  std::int64_t const gap = (stride - span) * p.element_bytes, inner = span * p.element_bytes;
  return gap <= copy_widest_gap && gap <= (inner > 64 ? inner : 64);
}

COSMATI_HD constexpr std::uint32_t round_up(std::uint32_t n, std::uint32_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

COSMATI_HD inline register_words<8> words_of(std::int64_t v) {
  return {{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)}};
}
COSMATI_HD inline register_words<16> words_of(std::int64_t v, std::uint32_t third) {
  return {{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32), third, 0}};
}
template <int bytes>
COSMATI_HD inline std::int64_t integer_of(register_words<bytes> const& v) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(v.word[1]) << 32) | v.word[0]);
}
}  // namespace detail

/// The tiles by windows of a problem in their order; `first` is the mode that runs of the source may have a
/// part of, `second` the target's.
constexpr ordered_tiles order_of_tiles(copy_problem const& p, run_tile const& tile) {
  return ordered_tiles::of(p, tile_set::of(p, tile.extent), detail::source_order(p).mode[tile.source_modes - 1],
                           tile.target_modes - 1);
}

/// What an access of the kernel moves on either side, in bytes: an aligned window of the tensor.
inline constexpr int window_bytes = 16;
inline constexpr int window_copy_threads = 512;
/// Threads of a multiprocessor that the registers are enough for.
inline constexpr int window_copy_resident = 1536;
/// Tiles that a block has in shared memory: it stores one while the other is loaded.
inline constexpr int window_copy_stages = 2;
/// Tiles are looked up so many at once, by as many threads.
inline constexpr int window_batch = 32;
/// Places in shared memory are kept in 16 bits, in elements.
inline constexpr std::uint32_t window_places = 65536;
/// Elements that a tile stores at most, those that it repeats counted each time.
inline constexpr int window_most_stored = 1 << 24;
/// Places that the tables have of rows where these could be fewer.
inline constexpr std::uint32_t window_longest_table = 8192;

/// How many runs and elements a tile has, and what they need in shared memory. Runs of the target are called rows.
///
/// Shared memory holds the source's windows as they are: run r from the byte r * pitch + r / each * 16 + what its
/// address is beyond a window's, where `each` elements fill a window. So both addresses of a window are aligned, and
/// elements that are `each` runs apart, which neighbouring threads want, are in other banks.
///
/// Along modes that repeat the source a tile has what it loaded once: they count no runs, and rows where they are not
/// in the target's rows.
struct window_sizes {
  std::uint32_t each = 1;                            ///< elements of a window
  std::uint32_t runs = 1, rows = 1, row_length = 1;  ///< of a whole tile
  std::uint32_t windows = 1;                         ///< of a run of the source, at most
  /// Elements of the source from a run's first to its last, gaps between them counted in, where the mode that a tile
  /// may have a part of has one element; and what each further one adds.
  std::uint32_t run_span = 1, run_step = 0;
  std::uint32_t row_step = 1;  ///< what each element of that mode adds to a row of the target
  std::uint32_t pitch = 0;     ///< bytes of shared memory
  /// Elements of a row whose places are in the table; those that are a period further on are `period_step` bytes
  /// further on. A row's whole length, unless it ends with a mode along which places go up evenly, or not at all.
  std::uint32_t period = 1, period_step = 0;
  std::uint32_t table_pitch = 0;  ///< entries of a table of places; there is one for each element of a window
  std::uint32_t stage_bytes = 0;  ///< of a tile

  /// Bytes from the stage's begin to where a run lies that begins at `offset` of its tensor.
  COSMATI_HD constexpr std::uint32_t place_of_run(std::uint32_t run, std::int64_t offset) const {
    return run * pitch + run / each * window_bytes + static_cast<std::uint32_t>(offset & (window_bytes - 1));
  }
  /// From a run's or a row's first to its last, both counted, where the tile has so much of the mode that it has a part
  /// of.
  COSMATI_HD constexpr std::uint32_t run_elements(std::uint32_t cut) const { return run_span + (cut - 1) * run_step; }
  COSMATI_HD constexpr std::uint32_t row_elements(std::uint32_t cut) const { return cut * row_step; }
  /// Of the tables of places.
  COSMATI_HD constexpr std::uint32_t places_bytes() const { return detail::round_up(each * table_pitch * 2, 16); }
  /// A block's: tiles, two batches of what is known of each, tables of runs, rows and places, barriers.
  constexpr std::size_t shared_bytes() const {
    return std::size_t{window_copy_stages} * stage_bytes + 2 * window_batch * 32 + (runs + rows) * std::size_t{16} +
           places_bytes() + 16;
  }
  constexpr bool fit() const {
    return stage_bytes / (window_bytes / each) < window_places && shared_bytes() <= 227 * 1024 &&
           std::uint64_t{rows} * row_length <= window_most_stored;
  }
  /// Of a multiprocessor that has so many bytes for its blocks, each of which takes a KiB more; one at least.
  constexpr std::size_t blocks(double bytes) const {
    std::size_t const room = static_cast<std::size_t>(bytes + 1024) / (shared_bytes() + 1024),
                      most = window_copy_resident / window_copy_threads;
    return room < 1 ? 1 : room < most ? room : most;
  }

  /// For a problem and a plan's choice.
  [[gnu::noinline, gnu::cold]] static constexpr window_sizes of(copy_problem const& p,
                                                                detail::source_order const& order,
                                                                run_tile const& tile) {
    window_sizes s;
    auto const bytes = static_cast<std::uint32_t>(p.element_bytes);
    bool in_source[copy_max_rank] = {};
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      in_source[m] = true;
      s.run_span += (k == 0 ? 0u : static_cast<std::uint32_t>(tile.extent[order.mode[k - 1]]) - 1) * s.run_step;
      s.run_step = static_cast<std::uint32_t>(p.mode[m].source);
      if (m >= tile.target_modes) s.rows *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    for (int m = 0; m < tile.target_modes; ++m) {
      if (m + 1 < tile.target_modes) s.row_step *= static_cast<std::uint32_t>(tile.extent[m]);
      if (!in_source[m] && p.mode[m].source != 0) s.runs *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    for (int m = tile.target_modes; m < p.rank; ++m)
      if (p.mode[m].source == 0) s.rows *= static_cast<std::uint32_t>(tile.extent[m]);
    s.row_length = s.row_elements(static_cast<std::uint32_t>(tile.extent[tile.target_modes - 1]));
    s.each = window_bytes / bytes;
    // A run that begins late in a window ends as late in one.
    std::uint32_t const late = window_bytes - bytes;
    std::uint32_t const run_bytes =
        s.run_elements(static_cast<std::uint32_t>(tile.extent[order.mode[tile.source_modes - 1]])) * bytes;
    s.windows = (late + run_bytes + window_bytes - 1) / window_bytes;
    s.pitch = detail::round_up(run_bytes + 2 * late, window_bytes);
    s.stage_bytes = s.runs * s.pitch + (s.runs / s.each + 2) * window_bytes;
    int const cut = tile.target_modes - 1;
    bool const even = (in_source[cut] || p.mode[cut].source == 0) && s.row_length * s.each > window_longest_table;
    s.period = even ? s.row_step : s.row_length;
    s.period_step = even ? static_cast<std::uint32_t>(p.mode[cut].source) * bytes : 0;
    s.table_pitch = detail::round_up(s.period + (even ? 2 : 1) * s.each, 8);
    return s;
  }
};

namespace detail {
/// Threads side by side along a row: lines of it at once, some lines to a thread, and no thread idle where rows are
/// few.
constexpr int window_row_log(window_sizes const& sizes) {
  int log = 3;
  std::uint32_t const windows = sizes.row_length / sizes.each;
  while ((1 << log) < window_copy_threads &&
         ((7u << log) < 2 * windows || (window_copy_threads >> log) > static_cast<int>(sizes.rows)))
    ++log;
  return log;
}
/// The same along a run of the source.
constexpr int window_run_log(window_sizes const& sizes) {
  int log = 2;
  while ((1 << log) < window_copy_threads && (3u << log) < sizes.windows) ++log;
  return log;
}
}  // namespace detail

/// One mode of a side of the tile.
struct window_mode {
  /// What coordinates add up to.
  struct sum {
    std::int64_t offset = 0;
    std::uint32_t place = 0, run = 0;
  };
  fast_divider extent;      ///< within the tile
  std::int64_t step = 0;    ///< bytes of this side's tensor
  std::uint32_t place = 0;  ///< bytes within a run of the source
  std::uint32_t run = 0;    ///< runs of the source

  /// What coordinate c of the mode adds.
  COSMATI_HD constexpr void add_to(sum& at, std::uint32_t c) const {
    at.offset += c * step;
    at.place += c * place;
    at.run += c * run;
  }
};
/// One side of a tile that goes by windows.
using window_side = tile_side<window_mode>;

/// The tile as the kernel needs it.
struct window_tiles : window_sizes {
  window_side source, target;
  fast_divider periods;             ///< by `period`
  bool target_cuts_source = false;  ///< the mode that the target's runs may have a part of counts runs of the source
  bool source_cuts_target = false;

  /// Whether a run has elements between those that are copied.
  COSMATI_HD constexpr bool run_has_gaps() const {
    return run_elements(source.cut_tile) != source.length * source.cut_tile;
  }

  /// For a problem and a plan's choice.
  [[gnu::noinline, gnu::cold]] static constexpr window_tiles of(copy_problem const& p, run_tile const& tile) {
    window_tiles t;
    detail::source_order const order(p);
    static_cast<window_sizes&>(t) = window_sizes::of(p, order, tile);
    t.periods = fast_divider(t.period);
    bool in_source[copy_max_rank] = {}, in_target[copy_max_rank] = {};
    for (int k = 0; k < tile.source_modes; ++k) in_source[order.mode[k]] = true;
    for (int k = 0; k < tile.target_modes; ++k) in_target[k] = true;
    t.source.cut = order.mode[tile.source_modes - 1];
    t.target.cut = tile.target_modes - 1;
    t.target_cuts_source = !in_source[t.target.cut] && p.mode[t.target.cut].source != 0;
    t.source_cuts_target = !in_target[t.source.cut];
    auto const part = [&](int m) { return static_cast<std::uint32_t>(tile.extent[m]); };
    std::uint32_t run_weight[copy_max_rank] = {}, runs = 1;
    auto const add = [&](window_side& side, int m, std::int64_t stride, int& count) {
      std::uint32_t const place = in_source[m] ? static_cast<std::uint32_t>(p.mode[m].source * p.element_bytes) : 0u;
      side.mode[side.in_run + side.counted] = {fast_divider(part(m)), stride * p.element_bytes, place, run_weight[m]};
      ++count;
    };
    for (window_side* side : {&t.source, &t.target}) {
      side->cut_tile = part(side->cut);
      side->cut_extent = static_cast<std::uint32_t>(p.mode[side->cut].extent);
    }
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      add(t.source, m, p.mode[m].source, t.source.in_run);
      if (m != t.source.cut) t.source.length *= part(m);
    }
    // The modes that count runs: those of the other side, the one that it may have a part of last.
    for (int m = 0; m < tile.target_modes; ++m) {
      if (in_source[m] || p.mode[m].source == 0) continue;
      run_weight[m] = runs;
      runs *= part(m);
      add(t.source, m, p.mode[m].source, t.source.counted);
      if (m != t.target.cut) t.source.count *= part(m);
    }
    for (int m = 0; m < tile.target_modes; ++m) {
      add(t.target, m, p.mode[m].target, t.target.in_run);
      if (m != t.target.cut) t.target.length *= part(m);
    }
    // Those that count rows: first what repeats the source, of which no tile has a smaller part.
    for (int m = tile.target_modes; m < p.rank; ++m) {
      if (p.mode[m].source != 0 || part(m) == 1) continue;
      add(t.target, m, p.mode[m].target, t.target.counted);
      t.target.count *= part(m);
    }
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      if (in_target[m]) continue;
      add(t.target, m, p.mode[m].target, t.target.counted);
      if (m != t.source.cut) t.target.count *= part(m);
    }
    return t;
  }
};
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
