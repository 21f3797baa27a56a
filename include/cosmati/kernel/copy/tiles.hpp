// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles of a permutation by aligned windows: the modes of a run of the source and of a row of the target, and the
/// offset of an element in shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/tile_order.hpp>

/// Whether the target has bulk copies and their barriers. The simulated device has them.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define COSMATI_COPIES_IN_BULK 1
#else
#define COSMATI_COPIES_IN_BULK 0
#endif

namespace COSMATI_NAMESPACE {

/// The choices of a plan.
struct run_tile {
  int source_modes = 1, target_modes = 1;   ///< the number of modes of a run, in the order of the side's strides
  std::int64_t extent[copy_max_rank] = {};  ///< the extents of the tile

  friend constexpr bool operator==(run_tile const&, run_tile const&) = default;
};

/// One side of a tile: its runs, and the modes that count them.
/// @tparam Mode has `extent` within the tile, and `add_to(sum, c)`, which adds the effect of coordinate c to a
///   `Mode::sum`
template <class Mode>
struct tile_side {
  using sum = typename Mode::sum;
  int in_run = 0, counted = 0;  ///< the number of modes within a run, and of those that count runs; in this order in
                                ///< `mode`
  int cut = -1;                 ///< the mode that a tile may cover in part, at the end of the run; or -1
  std::uint32_t length = 1;     ///< the elements of a run, without the mode `cut`
  std::uint32_t count = 1;      ///< the number of runs, without the mode that the other side cuts
  std::uint32_t cut_tile = 1, cut_extent = 1;  ///< the extent of a tile along the mode `cut`, and of the whole mode
  Mode mode[copy_max_rank] = {};

  /// The extent of tile n along the mode `cut`.
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
/// The largest gap in bytes that windows read. It is less than a page, so that no page without source elements is read.
inline constexpr std::int64_t copy_widest_gap = 4095;
/// Whether a run of the source continues with a further mode despite the gaps between its elements. The gaps must not
/// be much larger than what is read anyway, and must contain nothing of the target.
/// @param span the elements from the first to the last of the previous modes, inclusive
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

/// The order of a problem's tiles by windows. `first` is the mode that runs of the source may cover in part, `second`
/// the target's.
constexpr ordered_tiles order_of_tiles(copy_problem const& p, run_tile const& tile) {
  return ordered_tiles::of(p, tile_set::of(p, tile.extent), detail::source_order(p).mode[tile.source_modes - 1],
                           tile.target_modes - 1);
}

/// The bytes of an access on either side, which is an aligned window of the tensor.
inline constexpr int window_bytes = 16;
inline constexpr int window_copy_threads = 512;
/// The threads of a multiprocessor for which the registers suffice.
inline constexpr int window_copy_resident = 1536;
/// The tiles of a block in shared memory. It stores one while it loads the other.
inline constexpr int window_copy_stages = 2;
/// The number of tiles that are looked up at once, by as many threads.
inline constexpr int window_batch = 32;
/// The limit of offsets in shared memory, which have 16 bits and count elements.
inline constexpr std::uint32_t window_places = 65536;
/// The limit of elements that a tile stores, including repetitions.
inline constexpr int window_most_stored = 1 << 24;
/// The limit of a table of a row's offsets, beyond which a shorter period is used if possible.
inline constexpr std::uint32_t window_longest_table = 8192;

/// The numbers of a tile's runs and elements, and their needs in shared memory. Runs of the target are called rows.
///
/// Shared memory holds the source's windows unchanged. Run r starts at byte r * pitch + r / each * 16, plus its address
/// modulo a window, where `each` elements fill a window. Both addresses of a window are therefore aligned. Elements
/// that are `each` runs apart, which neighbouring threads read, are in different banks.
///
/// Modes that repeat the source are loaded once. They do not count runs. They count rows if they are not part of the
/// target's rows.
struct window_sizes {
  std::uint32_t each = 1;                            ///< the elements of a window
  std::uint32_t runs = 1, rows = 1, row_length = 1;  ///< the numbers of a full tile
  std::uint32_t windows = 1;                         ///< the largest number of windows of a run of the source
  /// `run_span` is the number of source elements from a run's first to its last, including gaps, if the tile has one
  /// element of the mode that it may cut. Each further element of that mode adds `run_step`.
  std::uint32_t run_span = 1, run_step = 0;
  std::uint32_t row_step = 1;  ///< the elements that each element of that mode adds to a row of the target
  std::uint32_t pitch = 0;     ///< the bytes of shared memory from run to run
  /// The number of a row's elements whose offsets are in the table. Elements one period later are `period_step` bytes
  /// further. The period is the whole row, unless the row ends with a mode along which the offsets grow evenly or stay.
  std::uint32_t period = 1, period_step = 0;
  std::uint32_t table_pitch = 0;  ///< the entries of a table of offsets; there is one table for each element of a
                                  ///< window
  std::uint32_t stage_bytes = 0;  ///< the bytes of shared memory of a tile

  /// The offset in the stage of a run that begins at byte `offset` of its tensor.
  COSMATI_HD constexpr std::uint32_t place_of_run(std::uint32_t run, std::int64_t offset) const {
    return run * pitch + run / each * window_bytes + static_cast<std::uint32_t>(offset & (window_bytes - 1));
  }
  /// The elements from the first to the last of a run or a row, inclusive, if the tile covers `cut` elements of the
  /// mode that it may cut.
  COSMATI_HD constexpr std::uint32_t run_elements(std::uint32_t cut) const { return run_span + (cut - 1) * run_step; }
  COSMATI_HD constexpr std::uint32_t row_elements(std::uint32_t cut) const { return cut * row_step; }
  /// The bytes of the tables of offsets.
  COSMATI_HD constexpr std::uint32_t places_bytes() const { return detail::round_up(each * table_pitch * 2, 16); }
  /// The shared memory of a block: tiles, two batches of tile records, tables of runs, rows and offsets, and barriers.
  constexpr std::size_t shared_bytes() const {
    return std::size_t{window_copy_stages} * stage_bytes + 2 * window_batch * 32 + (runs + rows) * std::size_t{16} +
           places_bytes() + 16;
  }
  constexpr bool fit() const {
    return stage_bytes / (window_bytes / each) < window_places && shared_bytes() <= 227 * 1024 &&
           std::uint64_t{rows} * row_length <= window_most_stored;
  }
  /// The blocks of a multiprocessor that has `bytes` bytes for them, at least one. Each block takes one KiB more than
  /// it asks for.
  constexpr std::size_t blocks(double bytes) const {
    std::size_t const room = static_cast<std::size_t>(bytes + 1024) / (shared_bytes() + 1024),
                      most = window_copy_resident / window_copy_threads;
    return room < 1 ? 1 : room < most ? room : most;
  }

  /// The sizes for a problem and a plan's choices.
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
    // A run may begin and end anywhere in a window.
    std::uint32_t const largest_offset = window_bytes - bytes;
    std::uint32_t const run_bytes =
        s.run_elements(static_cast<std::uint32_t>(tile.extent[order.mode[tile.source_modes - 1]])) * bytes;
    s.windows = (largest_offset + run_bytes + window_bytes - 1) / window_bytes;
    s.pitch = detail::round_up(run_bytes + 2 * largest_offset, window_bytes);
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
/// The threads along a row, as a logarithm. They cover whole lines, each thread takes some lines, and no thread is idle
/// if there are few rows.
constexpr int window_row_log(window_sizes const& sizes) {
  int log = 3;
  std::uint32_t const windows = sizes.row_length / sizes.each;
  while ((1 << log) < window_copy_threads &&
         ((7u << log) < 2 * windows || (window_copy_threads >> log) > static_cast<int>(sizes.rows)))
    ++log;
  return log;
}
/// The threads along a run of the source, as a logarithm.
constexpr int window_run_log(window_sizes const& sizes) {
  int log = 2;
  while ((1 << log) < window_copy_threads && (3u << log) < sizes.windows) ++log;
  return log;
}
}  // namespace detail

/// One mode of a side of the tile.
struct window_mode {
  /// The sum over the coordinates.
  struct sum {
    std::int64_t offset = 0;
    std::uint32_t place = 0, run = 0;
  };
  fast_divider extent;      ///< the extent of the mode within the tile
  std::int64_t step = 0;    ///< the step in this side's tensor, in bytes
  std::uint32_t place = 0;  ///< the step within a run of the source, in bytes
  std::uint32_t run = 0;    ///< the step in runs of the source

  /// Adds the effect of coordinate c of the mode.
  COSMATI_HD constexpr void add_to(sum& at, std::uint32_t c) const {
    at.offset += c * step;
    at.place += c * place;
    at.run += c * run;
  }
};
/// One side of a tile by windows.
using window_side = tile_side<window_mode>;

/// The tile as the kernel needs it.
struct window_tiles : window_sizes {
  window_side source, target;
  fast_divider periods;             ///< divides by `period`
  bool target_cuts_source = false;  ///< whether the mode that the target's runs may cut counts runs of the source
  bool source_cuts_target = false;

  /// Whether a run has elements between those that are copied.
  COSMATI_HD constexpr bool run_has_gaps() const {
    return run_elements(source.cut_tile) != source.length * source.cut_tile;
  }

  /// The tile for a problem and a plan's choices.
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
    // The modes that count runs are those of the other side. The mode that it may cut comes last.
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
    // The modes that count rows: first those that repeat the source, which no tile cuts.
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
