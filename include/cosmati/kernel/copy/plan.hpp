// SPDX-License-Identifier: Apache-2.0
/// @file
/// The planner: which of the ways to copy between two strided tensors is fastest, by a model of what each costs.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan_corrections.hpp>
#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_direct.hpp>
#include <cosmati/kernel/copy/plan_once.hpp>
#include <cosmati/kernel/copy/plan_sectors.hpp>
#include <cosmati/kernel/copy/window_tiles.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Plans>
constexpr void offer_transposes(Plans& plans, copy_device const& device, copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  if (p.rank < 2 || p.mode[0].target != 1) return;
  bool const large = p.size() * p.element_bytes >= std::int64_t{64} << 20;
  for (int m = 1; m < p.rank; ++m) {
    if (p.mode[m].source != 1) continue;
    for (int vector = 1; vector * p.element_bytes <= 16; vector *= 2) {
      std::int64_t const width = vector * p.element_bytes;
      if (!transpose_fits(p, m, 0, vector)) break;
      // Of 9,921 large copies that have such plans eight were the fastest by more than 5 % (bench/NOTES.md).
      if (large && (width < 4 || (width == 4 && p.element_bytes > 1))) continue;
      double const tiles = transpose_tiles_of(p, m, 0, vector);
      if (tiles >= 2147483648.0) continue;
      copy_plan plan;
      plan.route = copy_route::transpose;
      plan.vector = vector;
      plan.column_mode = m;
      plan.row_mode = 0;
      std::int64_t const side = transpose_side(p, vector);
      double const in = static_cast<double>(p.mode[m].extent) / static_cast<double>(ceil_of(p.mode[m].extent, side)),
                   out = static_cast<double>(p.mode[0].extent) / static_cast<double>(ceil_of(p.mode[0].extent, side));
      if (large && p.element_bytes >= 4 &&
          3 * filled_by(p.mode[m].extent, side) * filled_by(p.mode[0].extent, side) < 1)
        continue;  // such tiles: three of 1,985
      // Fitted to 105 plans of 8- and 16-byte elements: sectors that two tiles write or read cost as much as several,
      // but not for the larger tiles where L2 keeps what is read.
      double const in_bytes = in * p.element_bytes, out_bytes = out * p.element_bytes;
      bool const kept = traffic.kept && side * p.element_bytes == 512;
      bool const read_whole = kept || strides_are_multiples(p, true, 32 / p.element_bytes, m),
                 written_whole = kept || strides_are_multiples(p, false, 32 / p.element_bytes, 0);
      plan.memory_us = larger(traffic.hot, 1.38 * traffic.written + 0.66 * traffic.read + 9.41 * traffic.cut +
                                               traffic.useful * ((6.78 + (read_whole ? 0 : 38.6)) / in_bytes +
                                                                 (19.7 + (written_whole ? 0 : 37.5)) / out_bytes));
      if (traffic.kept) plan.memory_us *= 0.96;
      // A tile costs its time whether it is full or not.
      double const accesses = static_cast<double>(side * side) / vector / 32;
      plan.shared_us = tiles * accesses * 8.6 / (device.multiprocessors * device.cycles_per_us);
      plan.us = device.launch_us + overlapped<2>(plan.memory_us, plan.shared_us, 0);
      if (width < 4) plan.us *= 1.8;  // measured: half a word a lane, and each waits for its own
      plans.offer(plan);
    }
  }
}

/// Wavefronts of the stores to shared memory by which 32 lanes put away neighbouring elements of a run of the source.
constexpr int wavefronts_of_run(run_tiles const& t, int element_bytes, std::uint32_t length) {
  std::uint32_t place[32] = {};
  sums_of_elements(t.source, &run_mode::row_part, 32, place);
  lane_wavefronts wavefronts(element_bytes);
  for (std::uint32_t lane = 0; lane < 32 && lane < length; ++lane)
    wavefronts.add(lane, place[lane] * static_cast<std::uint32_t>(element_bytes));
  return wavefronts.count();
}

/// Parts that a mode may be cut into: even ones, and powers of two.
struct cuts {
  int count = 0;
  std::int64_t part[24] = {};
  constexpr cuts(std::int64_t extent, std::int64_t most) {
    if (most < 1) return;
    for (std::int64_t limit = most; count < 10 && limit > 0; limit = part[count - 1] - 1)
      part[count++] = ceil_of(extent, ceil_of(extent, limit));
    for (std::int64_t power = 256; power > 4 && count < 16; power /= 2)
      if (power <= most && power < extent) part[count++] = power;
  }
};

/// What a copy by runs takes, of elements of up to 2, up to 8, and 16 bytes: cycles of a multiprocessor, and
/// microseconds that a block waits, fitted to 45,000 plans of 284 random problems and of 95 permutations
/// (bench/NOTES.md).
struct run_weights {
  double cut_row;                ///< of the bytes that rows lie beyond multiples of 64
  double load, conflict, store;  ///< a warp's access, a further wavefront of it
  double run, row;               ///< each
  double elements, tile;         ///< 32 of them; each
  double wait, batch;            ///< us a tile, and for each batch of loads

  static constexpr run_weights of(int element_bytes) {
    if (element_bytes < 4) return {3.64, 0.891, 0.0649, 3.79, 4.8, 3.71, 0.022, 433, 1.01, 0.463};
    if (element_bytes < 16) return {0.305, 6.07, 0.262, 0.005, 0.0433, 4.9, 0.00588, 167, 0.537, 0.254};
    return {3.14, 0.0628, 0.157, 0.0281, 4.59, 12.5, 30.5, 4.55, 0.457, 0.204};
  }
};

/// The plans with this tile, which differ in their padding.
template <class Plans>
constexpr void offer_runs(Plans& plans, copy_device const& device, copy_traffic const& traffic,
                          source_order const& order, run_tile tile) {
  copy_problem const& p = plans.problem;
  int const source_cut = order.mode[tile.source_modes - 1], target_cut = tile.target_modes - 1;
  double tiles = 1, here = 1;  // here: elements of a tile, those at the edges counted in
  std::int64_t elements = 1;
  double fill[copy_max_rank] = {};
  for (int m = 0; m < p.rank; ++m) {
    double const n = static_cast<double>(ceil_of(p.mode[m].extent, tile.extent[m]));
    tiles *= n;
    fill[m] = static_cast<double>(p.mode[m].extent) / n / static_cast<double>(tile.extent[m]);
    here *= fill[m] * static_cast<double>(tile.extent[m]);
    elements *= tile.extent[m];
  }
  if (elements * p.element_bytes > run_copy_stage || tiles >= 2147483648.0) return;
  std::int64_t const run_aligned = alignment_of_runs(p, order, tile, true),
                     row_aligned = alignment_of_runs(p, order, tile, false);
  double const cycles = device.multiprocessors * device.cycles_per_us;
  std::uint32_t run_length = 1;
  double target_length = fill[target_cut];
  for (int k = 0; k < tile.source_modes; ++k) run_length *= static_cast<std::uint32_t>(tile.extent[order.mode[k]]);
  for (int m = 0; m < tile.target_modes; ++m) target_length *= static_cast<double>(tile.extent[m]);
  double const source_length = run_length * fill[source_cut];
  double const source_runs = here / source_length, target_runs = here / target_length;
  double const source_bytes = source_length * p.element_bytes, target_bytes = target_length * p.element_bytes;
  double const word = p.element_bytes < 4 ? 4 : p.element_bytes;
  // Warp instructions of a tile: loads, and stores of rows, whose first line is seldom whole.
  double const loads = source_runs * static_cast<double>(ceil_of(static_cast<std::int64_t>(source_length + 0.99), 32));
  double const stores =
      target_runs * static_cast<double>(1 + static_cast<std::int64_t>((target_bytes / word / 16 + 1) / 2));
  double const batches =
      static_cast<double>(ceil_of(static_cast<std::int64_t>(here + 0.999), run_copy_threads * std::int64_t{16}));
  run_weights const w = run_weights::of(p.element_bytes);
  double const run_ends = static_cast<double>(64 - run_aligned) / source_bytes,
               row_ends = static_cast<double>(64 - row_aligned) / target_bytes;
  double const memory_us = 0.639 * traffic.written + 1.05 * traffic.read + 0.5 * traffic.cut + 0.65 * traffic.refill +
                           traffic.useful * (0.155 * run_ends + w.cut_row * row_ends);
  double const without_conflicts =
      loads * w.load + stores * w.store + source_runs * w.run + target_runs * w.row + here / 32 * w.elements + w.tile;
  copy_plan plan;
  plan.route = copy_route::runs;
  for (tile.padding = 0; tile.padding < 4; ++tile.padding) {
    double const bytes = static_cast<double>(run_sizes::of(p, order, tile).shared_bytes());
    if (bytes > device.shared_bytes / 2) return;
    plan.tile = tile;
    double const room = device.shared_bytes / (bytes + 1024);
    double const blocks = room < 8 ? static_cast<double>(static_cast<std::int64_t>(room)) : 8;
    double const in_flight = device.multiprocessors * blocks * bytes / 1e6;
    plan.memory_us = memory_us * (1 + larger(0, in_flight - 11.5) * (row_aligned < 64 ? 0.0178 : 0.0162));
    plan.shared_us = tiles * without_conflicts / cycles;
    plan.issue_us = tiles / (device.multiprocessors * blocks) * (w.wait + w.batch * batches);
    plan.us = device.launch_us + larger(plan.memory_us, plan.shared_us) + plan.issue_us;
    if (plan.us < plans.limit(copy_route::runs)) {
      plan.wavefronts = wavefronts_of_run(run_tiles::of(p, tile), p.element_bytes, run_length);
      plan.shared_us += tiles * loads * w.conflict * larger(0, plan.wavefronts - 1) / cycles;
      plan.us = device.launch_us + overlapped<2>(plan.memory_us, plan.shared_us, 0) + plan.issue_us;
    }
    plans.offer(plan);
  }
}

/// Parts that a mode may be cut into for windows: even ones of short modes, of long ones many that are powers of two or
/// fall between them.
struct window_cuts {
  int count = 0;
  std::int64_t part[40] = {};
  constexpr window_cuts(std::int64_t extent, std::int64_t most) {
    if (most < 1) return;
    if (extent <= most) part[count++] = extent;
    if (extent <= 512) {
      for (std::int64_t pieces = 2; pieces <= 16 && pieces <= extent; ++pieces) {
        std::int64_t const each = ceil_of(extent, pieces);
        if (each <= most && (count == 0 || part[count - 1] != each)) part[count++] = each;
      }
    } else {
      for (std::int64_t power = 2048; power >= 8; power /= 2)
        for (std::int64_t eighths = 7; eighths >= 4; --eighths)
          if (std::int64_t const each = power * eighths / 4; each <= most && each < extent) part[count++] = each;
    }
  }
};

/// How often a tile of windows may be stored: parts of the last mode that repeats the source, where it is not the
/// first. These are divisors of its extent, up to 4, 16 and 256.
struct window_repeats {
  int mode = -1, count = 0;
  std::int64_t part[3] = {};
  constexpr explicit window_repeats(copy_problem const& p) {
    for (int m = 1; m < p.rank; ++m)
      if (p.mode[m].source == 0) mode = m;
    if (mode < 0) return;
    std::int64_t const extent = p.mode[mode].extent;
    if (extent > copy_longest_tiled_mode) return;  // the parts that it is copied in have other divisors
    for (std::int64_t const most : {4, 16, 256}) {
      std::int64_t each = extent < most ? extent : most;
      while (extent % each != 0) --each;
      if (each > (count == 0 ? 1 : part[count - 1])) part[count++] = each;
    }
  }
};

/// What a copy by windows takes: times of the traffic, cycles of a multiprocessor, and microseconds that a block waits,
/// fitted to 50,000 plans of 284 random problems and of 95 permutations (bench/NOTES.md).
struct window_weights {
  double cut_run;              ///< of the bytes that runs lie beyond multiples of 64
  double load, checked;        ///< a warp's window to shared memory; more where the source has gaps
  double tile, run, part;      ///< each; an element of a window of which only a part may be read
  double wait, wait_for_byte;  ///< us a tile
  double wait_part;            ///< us a step along runs

  static constexpr window_weights of(bool bulk) {
    if (bulk) return {0.288, 0.114, 2.49, 347, 6.17, 0.443, 1.28, 1.07e-05, 0.157};
    return {0.391, 6.81, 5.17, 13.8, 2.05, 1.39, 1.09, 1.51e-05, 0.174};
  }
};
/// What a problem's gaps are to its tiles of windows.
struct window_gaps {
  bool source = false;     ///< has elements between those that are copied
  double stores = 1;       ///< of a warp, for 32 windows of rows with gaps
  double part_bytes = 64;  ///< of what lies together in the target, between two gaps
  double part_early = 0;   ///< what it begins after multiples of 64 bytes, at most

  constexpr explicit window_gaps(copy_problem const& p) : source(source_has_gaps(p)) {
    std::int64_t aligned = 64;
    auto const [part, m] = target_part::of(p);
    if (m == p.rank || !windows_bridge(p, false, part, p.mode[m].target)) return;
    for (int k = m; k < p.rank; ++k) aligned = power_of_two_in(p.mode[k].target * p.element_bytes, aligned);
    stores = stores_between_gaps(p);
    part_bytes = static_cast<double>(part * p.element_bytes);
    part_early = static_cast<double>(64 - aligned);
  }
};
/// The plans with this tile: its runs loaded by bulk copies, or window by window.
template <class Plans>
constexpr void offer_windows(Plans& plans, copy_device const& device, copy_traffic const& traffic,
                             window_gaps const& gaps, source_order const& order, run_tile const& tile) {
  copy_problem const& p = plans.problem;
  window_sizes const sizes = window_sizes::of(p, order, tile);
  if (!sizes.fit()) return;
  int const source_cut = order.mode[tile.source_modes - 1], target_cut = tile.target_modes - 1;
  double tiles = 1, run = p.element_bytes, row = p.element_bytes;  // bytes of a run, those at the edges counted in
  double filled = 1;                                               // how much of the tiles is
  double copied = p.element_bytes;                                 // of a run's bytes: the others are in gaps
  for (int k = 0; k + 1 < tile.source_modes; ++k) copied *= static_cast<double>(tile.extent[order.mode[k]]);
  for (int k = 0; k + 1 < tile.target_modes; ++k) row *= static_cast<double>(tile.extent[k]);
  double often = 1;  // times that a tile stores what it loads
  for (int m = 0; m < p.rank; ++m) {
    double const n = static_cast<double>(ceil_of(p.mode[m].extent, tile.extent[m]));
    if (p.mode[m].source == 0) often *= static_cast<double>(p.mode[m].extent) / n;
    if (m == source_cut) {
      double const part = static_cast<double>(p.mode[m].extent) / n;
      copied *= part;
      run *= sizes.run_span + (part - 1) * sizes.run_step;
    }
    if (m == target_cut) row *= static_cast<double>(p.mode[m].extent) / n;
    tiles *= n;
    filled *= static_cast<double>(p.mode[m].extent) / (n * static_cast<double>(tile.extent[m]));
  }
  if (tiles >= 2147483648.0) return;
  copy_plan plan;
  plan.route = copy_route::windows;
  plan.tile = tile;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  double const blocks = device.multiprocessors * static_cast<double>(sizes.blocks());
  // Steps of all threads together, 16 warps: along rows, and along runs.
  int const row_log = window_row_log(sizes), run_log = window_run_log(sizes);
  bool const row_gaps = sizes.row_has_gaps();
  double const looks = row_gaps ? 1.5 : 1;  // at each element, whether it is there
  double const row_steps = static_cast<double>(ceil_of(std::int64_t{sizes.rows} << row_log, window_copy_threads));
  double const steps = row_steps * static_cast<double>(ceil_of(ceil_of(sizes.row_length, sizes.each), 1 << row_log));
  double const run_steps =
      static_cast<double>(ceil_of(sizes.runs, window_copy_threads >> run_log) * ceil_of(sizes.windows, 1 << run_log));
  std::int64_t const run_aligned = alignment_of_runs(p, order, tile, true),
                     row_aligned = alignment_of_runs(p, order, tile, false);
  // Windows of which only a part may be read, or written: one at a run's end, or one at each.
  std::int64_t const whole_run =
      std::int64_t{sizes.run_elements(static_cast<std::uint32_t>(tile.extent[source_cut]))} * p.element_bytes;
  double const parts = !gaps.source ? 0 : run_aligned < window_bytes ? 1 : whole_run % window_bytes != 0 ? 0.5 : 0;
  double const ends = row_aligned < window_bytes && !row_gaps ? 1 : 0;
  // Bytes of rows, or of their parts, that are written beside whole 64: fitted to 15,000 plans of rows with gaps.
  double const beside =
      row_gaps ? 1.22 * gaps.part_early / gaps.part_bytes : 2.12 * static_cast<double>(64 - row_aligned) / row;
  double const each = sizes.each, words = p.element_bytes < 4 ? 1 : p.element_bytes / 4;
  double const in_flight =
      device.multiprocessors * static_cast<double>(sizes.blocks() * window_copy_stages * sizes.stage_bytes) / 1e6;
  // Few tiles of a large copy leave multiprocessors idle. (A small one waits for its launch, by any tile.)
  bool const is_large = traffic.useful * device.bytes_per_us >= device.multiprocessors * device.shared_bytes;
  double const idle = is_large && tiles < device.multiprocessors ? device.multiprocessors / tiles : 1;
  double const work =
      idle * tiles * square_root(filled);  // a tile at the edge takes less than a whole one, but not in proportion
  bool const cut = row_aligned < 64, short_rows = row_log == 3;  // a warp stores to four rows
  double const read = copied < run ? traffic.unique * run / copied : traffic.read;
  double conflicts = -1;  // further wavefronts, once somebody asks
  for (bool const bulk : {false, true}) {
    window_weights const w = window_weights::of(bulk);
    plan.bulk = bulk;
    plan.memory_us = larger(
        traffic.hot / often,
        (1.19 * traffic.written + 0.852 * read + 0.9 * traffic.again / often + traffic.cut + 0.75 * traffic.refill +
         traffic.useful * beside + w.cut_run * traffic.unique * static_cast<double>(64 - run_aligned) / copied) *
            (1 + larger(0, in_flight - 0.777) * (cut ? 0.00562 : 0.00593)) * (short_rows ? cut ? 1.02 : 1.03 : 1));
    plan.memory_us *= bulk && traffic.kept ? 0.96 * idle : idle;
    plan.shared_us =
        work *
        (16 * (steps * each * 1.47 * looks *
                   (words == 4   ? 2
                    : words == 2 ? 1.414
                                 : 1) +
               steps * (row_gaps ? 1.26 * gaps.stores : 0) + run_steps * (w.load + (gaps.source ? w.checked : 0))) +
         w.tile + sizes.runs * (w.run + parts * each * w.part) + sizes.rows * (2.44 + ends * each * 0.401)) /
        cycles;
    plan.issue_us = work / blocks *
                    (w.wait + w.wait_for_byte * sizes.stage_bytes + 0.000582 * steps +
                     run_steps * (0.000511 + parts * w.wait_part));
    double const limit = plans.limit(copy_route::windows);
    plan.us = device.launch_us + larger(plan.memory_us, larger(plan.shared_us, plan.issue_us));
    if (plan.us < limit) plan.us = device.launch_us + overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us);
    if (plan.us < limit) {
      if (conflicts < 0)
        conflicts = larger(0, window_turn::of(window_tiles::of(p, tile), p.element_bytes, row_log).wavefronts - words);
      // Some hide behind other work; many are what the pipe of shared memory takes, one a cycle.
      double const many = larger(0, conflicts - 8);
      plan.shared_us += work * 16 * steps * each * (0.355 * (conflicts - many) + many) / cycles;
      plan.us = device.launch_us + overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us);
      plan.wavefronts = conflicts + words;
    }
    plans.offer(plan);
  }
}

/// Calls `offer(tile)` for the tiles of several modes on both sides, `most_source` and `most_target` elements long at
/// most. @tparam Cuts the parts of the mode that a side's runs end with; @tparam bridges runs may have gaps
template <class Cuts, bool bridges, class Offer>
constexpr void for_tiles(copy_problem const& p, source_order const& order, std::int64_t source_most,
                         std::int64_t target_most, Offer const& offer) {
  std::int64_t source_inner = 1;  // from the first to the last
  for (int i = 1; i <= p.rank; ++i) {
    int const source_cut = order.mode[i - 1];
    std::int64_t const step = p.mode[source_cut].source;
    if (i > 1) {
      copy_mode const& before = p.mode[order.mode[i - 2]];
      source_inner += (before.extent - 1) * before.source;
      if (step != source_inner && !(bridges && windows_bridge(p, true, source_inner, step))) break;
    }
    if (source_inner > source_most) break;
    Cuts const source_parts(p.mode[source_cut].extent, (source_most - source_inner) / step + 1);
    std::int64_t target_inner = 1;
    for (int j = 1; j <= p.rank; ++j) {
      int const target_cut = j - 1;
      std::int64_t const target_step = p.mode[target_cut].target;
      if (j > 1) {
        target_inner += (p.mode[j - 2].extent - 1) * p.mode[j - 2].target;
        if (target_step != target_inner && !(bridges && windows_bridge(p, false, target_inner, target_step))) break;
      }
      if (target_inner > target_most) break;
      Cuts const target_parts(p.mode[target_cut].extent, (target_most - target_inner) / target_step + 1);
      run_tile tile;
      tile.source_modes = i;
      tile.target_modes = j;
      for (std::int64_t& extent : tile.extent) extent = 1;
      for (int k = 0; k + 1 < i; ++k) tile.extent[order.mode[k]] = p.mode[order.mode[k]].extent;
      for (int k = 0; k + 1 < j; ++k) tile.extent[k] = p.mode[k].extent;
      // A mode that one side may have a part of is whole where the other side has it within its runs.
      std::int64_t const source_least = tile.extent[source_cut], target_least = tile.extent[target_cut];
      for (int a = 0; a < source_parts.count; ++a) {
        for (int b = 0; b < target_parts.count; ++b) {
          std::int64_t const source_part = source_parts.part[a], target_part = target_parts.part[b];
          if (source_cut == target_cut && source_part != target_part) continue;
          if (source_least > source_part || target_least > target_part) continue;
          tile.extent[source_cut] = source_part;
          tile.extent[target_cut] = target_part;
          offer(tile);
        }
      }
    }
  }
}

template <class Plans>
constexpr void offer_tiles(Plans& plans, copy_device const& device, copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  if (p.rank < 1 || p.mode[0].target != 1) return;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return;
  source_order const order(p);
  if (p.mode[order.mode[0]].source != 1) return;
  window_gaps const gaps(p);
  for_tiles<cuts, false>(p, order, 32 * run_copy_pieces, 2048 / p.element_bytes,
                         [&](run_tile const& tile) { offer_runs(plans, device, traffic, order, tile); });
  std::int64_t const most = 65536 / p.element_bytes;
  window_repeats const repeats(p);
  for_tiles<window_cuts, true>(p, order, most, most, [&](run_tile tile) {
    offer_windows(plans, device, traffic, gaps, order, tile);
    if (repeats.mode < tile.target_modes) return;
    for (int k = 0; k < repeats.count; ++k) {
      tile.extent[repeats.mode] = repeats.part[k];
      offer_windows(plans, device, traffic, gaps, order, tile);
    }
  });
}

}  // namespace detail

/// All plans for a copy, in no order: `plans.offer(plan)` is called for each.
/// @param plans has `problem`, simplified, `limit` and `offer`, as `copy_plans` has
template <class Plans>
constexpr void offer_plans(Plans& plans, copy_device const& device = {}) {
  if (plans.problem.size() == 0) return;  // nothing to do, nothing to plan
  detail::copy_traffic const traffic(plans.problem, device);
  detail::offer_direct(plans, device, traffic);
  detail::offer_once(plans, device, traffic);
  if (plans.problem.rank > copy_max_rank) return;  // elements in pieces: the others have no room for that mode
  detail::offer_transposes(plans, device, traffic);
  detail::offer_tiles(plans, device, traffic);
  detail::offer_sectors(plans, device, traffic);
}
/// The best plans for a copy, best first. A template, so that it is compiled where it is called. @param p simplified
/// here
template <class = void>
constexpr copy_plans plan_copy(copy_problem const& p, copy_device const& device = {}) {
  copy_plans plans;
  plans.problem = simplified(p);
  if (detail::is_corrected(plans.problem, device)) {
    detail::plan_pool pool(plans.problem);
    offer_plans(pool, device);
    detail::take_corrected(plans, pool, device);
  } else {
    offer_plans(plans, device);
  }
  return plans;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
