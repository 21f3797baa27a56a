// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles of a permutation through shared memory: which modes make up a run of the source and a run of the target,
/// and where in shared memory an element lies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/copy/tile_order.hpp>

namespace COSMATI_NAMESPACE {

/// Threads of a block.
inline constexpr int run_copy_threads = 256;
/// Pieces of 32 elements that a run of the source has at most: a lane knows the place of one element of each.
inline constexpr int run_copy_pieces = 8;
/// The kernel's pieces, 1, 2, 4 or 8, for runs of the source of so many elements.
constexpr int run_copy_pieces_of(std::int64_t length) {
  int pieces = 1;
  while (pieces < run_copy_pieces && length > 32 * pieces) pieces *= 2;
  return pieces;
}
/// Bytes of a tile's elements that the planner gives a block, at most.
inline constexpr int run_copy_stage = 72 * 1024;
/// A place is kept shifted so far, plus what the run's address says in the bits below.
inline constexpr int run_place_shift = 6;

/// What a plan chooses.
struct run_tile {
  int source_modes = 1, target_modes = 1;   ///< how many modes a run has, in the order of the side's strides
  std::int64_t extent[copy_max_rank] = {};  ///< of the tile
  int padding = 0;                          ///< words that a row of shared memory has beyond what it needs
};

/// A run of the source, in shared memory: bytes from the tile's corner, and what it adds to its elements' places.
struct alignas(16) run_entry {
  std::int64_t offset;
  std::uint32_t place, unused;
};

/// An offset in the tensor and a place in shared memory, to be added to others.
struct run_place {
  std::int64_t offset;     ///< bytes
  std::uint32_t row_part;  ///< elements
  std::uint32_t address;   ///< elements that the target's runs begin further on; only the low bits count

  /// The place in shared memory, with the bits of the address that `slack` lets through.
  COSMATI_HD constexpr std::uint32_t place(std::uint32_t slack) const {
    return (row_part << run_place_shift) + (address & slack);
  }
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

/// One mode of a run.
struct run_mode {
  using sum = run_place;
  fast_divider extent;         ///< within the tile
  std::int64_t step = 0;       ///< bytes of this side's tensor
  std::uint32_t row_part = 0;  ///< elements of shared memory
  std::uint32_t address = 0;   ///< elements of the target by which its runs move, 0 within a run of the target

  /// What coordinate c of the mode adds.
  COSMATI_HD constexpr void add_to(run_place& at, std::uint32_t c) const {
    at.offset += c * step;
    at.row_part += c * row_part;
    at.address += c * address;
  }
};
/// One side of a tile that goes by runs.
using run_side = tile_side<run_mode>;

namespace detail {
/// Bytes between elements of the source that windows read with them: fewer than a page has, so that no page is read
/// which has none of the source.
inline constexpr std::int64_t copy_widest_gap = 4095;
/// Whether a run of windows goes on with a further mode of its side though there are gaps between that mode's elements.
/// Those of the source are not much more than is read anyway, and hold nothing of the target; those of the target are
/// left out element by element, where elements have one byte or two: of larger ones that is hardly ever faster
/// (bench/NOTES.md).
/// @param span elements from the first to the last of those of the modes before, both counted
constexpr bool windows_bridge(copy_problem const& p, bool of_source, std::int64_t span, std::int64_t stride) {
  if (of_source ? p.interleaved : p.element_bytes > 2) return false;
  if (stride < span) return false;
  std::int64_t const gap = (stride - span) * p.element_bytes, inner = span * p.element_bytes,
                     least = of_source ? 64 : 32;
  return gap <= copy_widest_gap && gap <= (inner > least ? inner : least);
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

/// What a tile needs in shared memory.
struct run_sizes {
  std::uint32_t pitch = 0;  ///< elements from row to row of shared memory
  std::uint32_t stage_bytes = 0, source_table_bytes = 0, target_table_bytes = 0;

  /// Shared memory of a block.
  constexpr std::size_t shared_bytes() const { return stage_bytes + source_table_bytes + target_table_bytes; }

  /// For a problem and a plan's choice.
  static constexpr run_sizes of(copy_problem const& p, detail::source_order const& order, run_tile const& tile) {
    std::uint32_t length = 1, rows = 1, source_rows = 1;
    bool in_source[copy_max_rank] = {};
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      in_source[m] = true;
      if (m >= tile.target_modes) rows *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    for (int m = 0; m < tile.target_modes; ++m) {
      length *= static_cast<std::uint32_t>(tile.extent[m]);
      if (!in_source[m]) source_rows *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    auto const bytes = static_cast<std::uint32_t>(p.element_bytes);
    std::uint32_t const each = bytes < 4 ? 4 / bytes : 1;  // elements of a word
    run_sizes s;
    s.pitch = detail::round_up(length + each - 1, each) + static_cast<std::uint32_t>(tile.padding) * each;
    s.stage_bytes = detail::round_up(rows * s.pitch * bytes, 16);
    s.source_table_bytes = source_rows * 16;
    s.target_table_bytes = rows * 8;
    return s;
  }
};

/// The tile as the kernel needs it.
struct run_tiles : run_sizes {
  run_side source, target;
  bool target_cuts_source = false;  ///< the mode that the target's runs may have a part of counts runs of the source
  bool source_cuts_target = false;

  /// The kernel's arguments for a problem and a plan's choice.
  static constexpr run_tiles of(copy_problem const& p, run_tile const& tile) {
    run_tiles t;
    detail::source_order const order(p);
    static_cast<run_sizes&>(t) = run_sizes::of(p, order, tile);
    bool in_source[copy_max_rank] = {}, in_target[copy_max_rank] = {};
    for (int k = 0; k < tile.source_modes; ++k) in_source[order.mode[k]] = true;
    for (int k = 0; k < tile.target_modes; ++k) in_target[k] = true;
    int const source_cut = order.mode[tile.source_modes - 1], target_cut = tile.target_modes - 1;
    t.source.cut = source_cut;
    t.target.cut = target_cut;
    t.target_cuts_source = !in_source[target_cut];
    t.source_cuts_target = !in_target[source_cut];
    for (run_side* side : {&t.source, &t.target}) {
      side->cut_tile = static_cast<std::uint32_t>(tile.extent[side->cut]);
      side->cut_extent = static_cast<std::uint32_t>(p.mode[side->cut].extent);
    }
    // Where an element lies in shared memory: within its row as in the target's run, rows in the order of the source.
    std::uint32_t within[copy_max_rank] = {}, length = 1;
    for (int k = 0; k < tile.target_modes; ++k) {
      within[k] = length;
      length *= static_cast<std::uint32_t>(tile.extent[k]);
    }
    std::uint32_t row[copy_max_rank] = {}, rows = 1;
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      if (in_target[m]) continue;
      row[m] = rows * t.pitch;
      rows *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    auto const add = [&](run_side& side, int m, std::int64_t stride) {
      bool const moves_rows = !in_target[m];
      side.mode[side.in_run + side.counted] = {fast_divider(static_cast<std::uint32_t>(tile.extent[m])),
                                               stride * p.element_bytes, moves_rows ? row[m] : within[m],
                                               moves_rows ? static_cast<std::uint32_t>(p.mode[m].target) : 0u};
    };
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      add(t.source, m, p.mode[m].source);
      ++t.source.in_run;
      if (m != source_cut) t.source.length *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    for (int m = 0; m < tile.target_modes; ++m) {
      add(t.target, m, p.mode[m].target);
      ++t.target.in_run;
      if (m != target_cut) t.target.length *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    // The modes that count runs: those of the other side, the one that it may have a part of last.
    for (int m = 0; m < tile.target_modes; ++m) {
      if (in_source[m]) continue;
      add(t.source, m, p.mode[m].source);
      ++t.source.counted;
      if (m != target_cut) t.source.count *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      if (in_target[m]) continue;
      add(t.target, m, p.mode[m].target);
      ++t.target.counted;
      if (m != source_cut) t.target.count *= static_cast<std::uint32_t>(tile.extent[m]);
    }
    return t;
  }
};

/// The tiles by runs or windows of a problem in their order; `first` is the mode that runs of the source may have a
/// part of, `second` the target's.
constexpr ordered_tiles order_of_tiles(copy_problem const& p, run_tile const& tile) {
  return ordered_tiles::of(p, tile_set::of(p, tile.extent), detail::source_order(p).mode[tile.source_modes - 1],
                           tile.target_modes - 1);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
