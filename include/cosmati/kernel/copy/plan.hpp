// SPDX-License-Identifier: Apache-2.0
/// @file
/// The planner: which of the ways to copy between two strided tensors is fastest, by a model of what each costs.
#pragma once

#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_direct.hpp>
#include <cosmati/kernel/copy/plan_sectors.hpp>
#include <cosmati/kernel/copy/window_tiles.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Plans>
constexpr void offer_transposes(Plans& plans, copy_device const& device) {
  copy_problem const& p = plans.problem;
  if (p.rank < 2 || p.mode[0].target != 1) return;
  double const traffic = copy_traffic(p).us(device);
  for (int m = 1; m < p.rank; ++m) {
    if (p.mode[m].source != 1) continue;
    for (int vector = 1; vector * p.element_bytes <= 16; vector *= 2) {
      std::int64_t const width = vector * p.element_bytes;
      if (p.mode[m].extent % vector != 0 || p.mode[0].extent % vector != 0 || !base_is_aligned(p, true, width) ||
          !base_is_aligned(p, false, width) || !strides_are_multiples(p, true, vector, m) ||
          !strides_are_multiples(p, false, vector, 0))
        break;
      copy_plan plan;
      plan.route = copy_route::transpose;
      plan.vector = vector;
      plan.column_mode = m;
      plan.row_mode = 0;
      std::int64_t const side = (p.element_bytes == 16 ? 512 : 256) / p.element_bytes;
      double tiles = static_cast<double>(ceil_of(p.mode[m].extent, side) * ceil_of(p.mode[0].extent, side));
      for (int k = 1; k < p.rank; ++k)
        if (k != m) tiles *= static_cast<double>(p.mode[k].extent);
      double const in = static_cast<double>(p.mode[m].extent) / static_cast<double>(ceil_of(p.mode[m].extent, side)),
                   out = static_cast<double>(p.mode[0].extent) / static_cast<double>(ceil_of(p.mode[0].extent, side));
      // Measured: a sector that two tiles write costs as much as several.
      bool const sectors = strides_are_multiples(p, false, 32 / p.element_bytes, 0);
      double const ends = sectors ? 0.0 : (width == 16 ? 75 : 150) / (out * p.element_bytes);
      plan.memory_us =
          (width == 16 ? 1 : 1.06) * 0.5 * traffic *
          (sector_factor(in * p.element_bytes, width == 16) + sector_factor(out * p.element_bytes, width == 16) + ends);
      // A tile costs its time whether it is full or not.
      double const accesses = static_cast<double>(side * side) / vector / 32;
      plan.shared_us = tiles * accesses * 4 * larger(1, static_cast<double>(width) / 4) /
                       (device.multiprocessors * device.cycles_per_us);
      plan.issue_us = tiles * (accesses * (20 + 2 * vector) + 8 * (60 + 12 * p.rank)) /
                      (device.multiprocessors * device.cycles_per_us * 3);
      total(plan, device);
      if (width < 4) plan.us *= 1.8;  // measured: half a word a lane, and each waits for its own
      plans.offer(plan);
    }
  }
}

/// Wavefronts of the stores to shared memory by which 32 lanes put away neighbouring elements of a run of the source.
constexpr double wavefronts_of_run(run_tiles const& t, int element_bytes, std::uint32_t length) {
  int const lanes = length < 32 ? static_cast<int>(length) : 32;
  int const groups = element_bytes < 8 ? 1 : element_bytes / 4;  // lanes that are served together: 32, 16, 8
  int sum = 0;
  for (int g = 0; g < groups; ++g) {
    std::uint32_t word[32] = {};
    int words = 0, per_bank[32] = {}, worst = 0;
    for (int l = g * 32 / groups; l < (g + 1) * 32 / groups && l < lanes; ++l) {
      run_place const at = t.source.of_element(static_cast<std::uint32_t>(l));
      std::uint32_t const w = at.row_part * static_cast<std::uint32_t>(element_bytes) / 4;
      bool known = false;
      for (int k = 0; k < words && !known; ++k) known = word[k] == w;
      if (known) continue;
      word[words++] = w;
      int const here = ++per_bank[w % 32];
      worst = here > worst ? here : worst;
    }
    sum += worst;
  }
  return sum;
}

/// Parts that a mode may be cut into: even ones, and powers of two.
struct cuts {
  int count = 0;
  std::int64_t part[24] = {};
  constexpr cuts(std::int64_t extent, std::int64_t most) {
    if (most < 1) return;
    for (std::int64_t pieces = ceil_of(extent, most); count < 10; ++pieces) {
      std::int64_t const each = ceil_of(extent, pieces);
      if (count == 0 || part[count - 1] != each) part[count++] = each;
      if (each == 1) break;
    }
    for (std::int64_t power = 256; power > 4 && count < 16; power /= 2)
      if (power <= most && power < extent) part[count++] = power;
  }
};

/// What a copy by runs takes: times of the traffic, cycles of a multiprocessor, and microseconds that a block waits,
/// all fitted to some 30,000 plans on an H200 (bench/NOTES.md).
struct run_weights {
  double traffic, in_flight;     ///< of the memory's time; where few bytes are on their way
  double cut_run, cut_row;       ///< of 64 bytes for each run and row that ends within these
  double load, conflict, store;  ///< a warp's access, a further wavefront of it
  double run, row;               ///< each
  double wait, batch;            ///< us a tile, and for each batch of loads

  static constexpr run_weights of(int element_bytes) {
    if (element_bytes < 4) return {0.491, 0, 0.246, 1.96, 2.16, 0.195, 2.64, 2.98, 3.19, 2.83, 0.319};
    if (element_bytes < 16) return {0.709, 1.13, 0.51, 0, 2.32, 0.314, 0, 0.311, 3.65, 0, 0.717};
    return {1.22, 0, 0, 0, 0, 0.0561, 2.16, 0, 2.88, 0, 0.975};
  }
};

/// The plans with this tile, which differ in their padding.
template <class Plans>
constexpr void offer_runs(Plans& plans, copy_device const& device, double traffic, source_order const& order,
                          run_tile tile) {
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
  double const cycles = device.multiprocessors * device.cycles_per_us;
  for (tile.padding = 0; tile.padding < 4; ++tile.padding) {
    run_tiles const t = run_tiles::of(p, tile);
    if (static_cast<double>(t.shared_bytes()) > device.shared_bytes / 2) return;
    copy_plan plan;
    plan.route = copy_route::runs;
    plan.tile = tile;
    double const source_length = static_cast<double>(t.source.length * t.source.cut_tile) * fill[source_cut];
    double const target_length = static_cast<double>(t.target.length * t.target.cut_tile) * fill[target_cut];
    double const source_runs = here / source_length, target_runs = here / target_length;
    double const source_bytes = source_length * p.element_bytes, target_bytes = target_length * p.element_bytes;
    plan.wavefronts = wavefronts_of_run(t, p.element_bytes, t.source.length * t.source.cut_tile);
    double const word = p.element_bytes < 4 ? 4 : p.element_bytes;
    // Warp instructions of a tile: loads, and stores of rows, whose first line is seldom whole.
    double const loads =
        source_runs * static_cast<double>(ceil_of(static_cast<std::int64_t>(source_length + 0.99), 32));
    double const stores =
        target_runs * static_cast<double>(1 + static_cast<std::int64_t>((target_bytes / word / 16 + 1) / 2));
    double const room = device.shared_bytes / static_cast<double>(t.shared_bytes() + 1024);
    double const blocks = room < 8 ? static_cast<double>(static_cast<std::int64_t>(room)) : 8;
    double const waves =
        static_cast<double>(static_cast<std::int64_t>(tiles / (device.multiprocessors * blocks) + 0.999999));
    double const batches =
        static_cast<double>(ceil_of(static_cast<std::int64_t>(here + 0.999), run_copy_threads * std::int64_t{16}));
    run_weights const w = run_weights::of(p.element_bytes);
    auto const is_cut = [](double bytes) {
      return bytes / 64 != static_cast<double>(static_cast<std::int64_t>(bytes / 64));
    };
    double const whole = static_cast<double>(p.size()) * p.element_bytes;
    plan.memory_us = traffic * (w.traffic + w.in_flight * 20000 / (blocks * static_cast<double>(t.shared_bytes()))) +
                     64 / device.bytes_per_us *
                         (w.cut_row * (is_cut(target_bytes) ? whole / target_bytes : 0) +
                          w.cut_run * (is_cut(source_bytes) ? whole / source_bytes : 0));
    plan.shared_us = tiles *
                     (loads * (w.load + w.conflict * larger(0, plan.wavefronts - 1)) + stores * w.store +
                      source_runs * w.run + target_runs * w.row) /
                     cycles;
    plan.issue_us = waves * (w.wait + w.batch * batches);
    plan.us = device.launch_us + larger(1.12 * traffic, plan.memory_us + plan.shared_us + plan.issue_us);
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

/// What a copy by windows takes: times of the traffic, cycles of a multiprocessor, and microseconds that a block waits,
/// fitted to some 30,000 plans on an H200 (bench/NOTES.md).
struct window_weights {
  double traffic;                  ///< of the memory's time
  double cut_run, cut_row;         ///< of the bytes that runs and rows lie beyond multiples of 64
  double store, gather, conflict;  ///< a warp's window; each load for it; each wavefront beyond two
  double row_step, load, checked;  ///< a warp's row; its window to shared memory; more where the source has gaps
  double tile, run, row;           ///< each
  double part, end;                ///< an element of a window of which only a part may be read; may be written
  double wait, wait_for_byte;      ///< us a tile
  double wait_checked, wait_part;  ///< us a step along runs

  static constexpr window_weights of(bool bulk) {
    window_weights w = {};
    w.traffic = bulk ? 0.945 : 0.953;
    w.cut_run = bulk ? 0.063 : 0.13;
    w.cut_row = bulk ? 0.684 : 0.66;
    w.store = bulk ? 0.888 : 2.36;
    w.gather = bulk ? 0.566 : 0.653;
    w.conflict = bulk ? 0.399 : 0.373;
    w.row_step = bulk ? 1.95 : 0;
    w.load = bulk ? 0.792 : 1.61;
    w.checked = bulk ? 3.33 : 0.737;
    w.tile = bulk ? 197 : 154;
    w.run = bulk ? 2.24 : 0.455;
    w.row = bulk ? 0.116 : 0.315;
    w.part = bulk ? 0.005 : 0.37;
    w.end = bulk ? 0.822 : 0.726;
    w.wait = bulk ? 0.13 : 0;
    w.wait_for_byte = bulk ? 1.29e-5 : 1.06e-5;
    w.wait_checked = bulk ? 0.045 : 0.15;
    w.wait_part = bulk ? 0.143 : 0.217;
    return w;
  }
};
/// Wavefronts of the loads by which 8 lanes gather neighbouring windows of a row.
constexpr int wavefronts_of_windows(copy_problem const& p, run_tile const& tile, int row_log) {
  window_tiles const t = window_tiles::of(p, tile);
  int const words = p.element_bytes < 4 ? 1 : p.element_bytes / 4, across = 1 << (row_log < 3 ? row_log : 3);
  std::uint32_t seen[32] = {};
  int in_bank[32] = {}, worst = 0;
  for (int lane = 0; lane < 8; ++lane) {
    auto const in_row = t.target.of_element(static_cast<std::uint32_t>(lane % across) * t.each % t.row_length);
    auto const of_row = t.target.of_run(static_cast<std::uint32_t>(lane / across) % t.rows);
    std::uint32_t const first = (t.place_of_run(in_row.run + of_row.run, 0) + in_row.place + of_row.place) / 4;
    for (int k = 0; k < words; ++k) {
      std::uint32_t const word = first + static_cast<std::uint32_t>(k), bank = word % 32;
      if (in_bank[bank] > 0 && seen[bank] == word) continue;
      seen[bank] = word;
      worst = ++in_bank[bank] > worst ? in_bank[bank] : worst;
    }
  }
  return worst;
}

/// The plans with this tile: its runs loaded by bulk copies, or window by window.
/// @param gaps the source has elements between those that are copied
template <class Plans>
constexpr void offer_windows(Plans& plans, copy_device const& device, copy_traffic const& traffic, bool gaps,
                             source_order const& order, run_tile const& tile) {
  copy_problem const& p = plans.problem;
  window_sizes const sizes = window_sizes::of(p, order, tile);
  if (!sizes.fit()) return;
  int const source_cut = order.mode[tile.source_modes - 1], target_cut = tile.target_modes - 1;
  double tiles = 1, run = p.element_bytes, row = p.element_bytes;  // bytes of a run, those at the edges counted in
  for (int k = 0; k + 1 < tile.source_modes; ++k) run *= static_cast<double>(tile.extent[order.mode[k]]);
  for (int k = 0; k + 1 < tile.target_modes; ++k) row *= static_cast<double>(tile.extent[k]);
  for (int m = 0; m < p.rank; ++m) {
    double const n = static_cast<double>(ceil_of(p.mode[m].extent, tile.extent[m]));
    if (m == source_cut) run *= static_cast<double>(p.mode[m].extent) / n;
    if (m == target_cut) row *= static_cast<double>(p.mode[m].extent) / n;
    tiles *= n;
  }
  if (tiles >= 2147483648.0) return;
  copy_plan plan;
  plan.route = copy_route::windows;
  plan.tile = tile;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  double const blocks = device.multiprocessors * static_cast<double>(sizes.blocks());
  double const waves = static_cast<double>(static_cast<std::int64_t>((tiles + blocks - 1) / blocks));
  // Steps of all threads together, 16 warps: along rows, and along runs.
  int const row_log = window_row_log(sizes), run_log = window_run_log(sizes);
  double const row_steps = static_cast<double>(ceil_of(std::int64_t{sizes.rows} << row_log, window_copy_threads));
  double const steps = row_steps * static_cast<double>(ceil_of(ceil_of(sizes.row_length, sizes.each), 1 << row_log));
  double const run_steps =
      static_cast<double>(ceil_of(sizes.runs, window_copy_threads >> run_log) * ceil_of(sizes.windows, 1 << run_log));
  std::int64_t const run_aligned = alignment_of_runs(p, order, tile, true),
                     row_aligned = alignment_of_runs(p, order, tile, false);
  double const parts = gaps && run_aligned < window_bytes ? 1 : 0;  // windows of which only a part may be read
  double const ends = row_aligned < window_bytes ? 1 : 0;           // of which only a part may be written
  double const each = sizes.each;
  double conflicts = -1;  // wavefronts beyond two, once somebody asks
  bool const large = p.element_bytes == 2 && traffic.useful >= 268435456;
  for (bool const bulk : {false, true}) {
    window_weights const w = window_weights::of(bulk);
    plan.bulk = bulk;
    if (large) {
      // Fitted to 4000 tiles of 1 GiB of 2-byte elements, where these weights choose tiles that are 3 % slower.
      std::uint32_t const slots = sizes.rows << row_log;
      double const idle = static_cast<double>(round_up(slots, window_copy_threads)) / slots - 1;  // threads that store
      // Rows along a mode that lies within the runs, but not innermost, are slower than runs that it counts.
      bool along = false;
      for (int k = 1; k < tile.source_modes; ++k) along = along || order.mode[k] == 0;
      double const within = along && order.mode[0] >= tile.target_modes ? 0.12 : 0;
      double const ideal = 2 * traffic.useful / device.bytes_per_us;
      plan.memory_us = ideal * (bulk ? 1.14 : 1.23);
      plan.shared_us = ideal * ((bulk ? 22 : 15) / run + (bulk ? 189 : 151) / row + (bulk ? 0.04 : 0.145) * idle +
                                within + 2000.0 / sizes.stage_bytes);
      plan.issue_us = 3 + larger(0, waves * (1.5 + sizes.stage_bytes / 40000.0) - plan.memory_us - plan.shared_us);
      plan.us = device.launch_us + plan.memory_us + plan.shared_us + plan.issue_us;
      plans.offer(plan);
      continue;
    }
    plan.memory_us =
        w.traffic * traffic.us(device) + (w.cut_row * traffic.written / row * static_cast<double>(64 - row_aligned) +
                                          w.cut_run * traffic.read / run * static_cast<double>(64 - run_aligned)) /
                                             device.bytes_per_us;
    plan.shared_us =
        tiles *
        (16 * (steps * (w.store + each * w.gather) + row_steps * w.row_step +
               run_steps * (w.load + (gaps ? w.checked : 0))) +
         w.tile + sizes.runs * (w.run + parts * each * w.part) + sizes.rows * (w.row + ends * each * w.end)) /
        cycles;
    plan.issue_us = waves * (w.wait + w.wait_for_byte * sizes.stage_bytes +
                             run_steps * (parts * w.wait_part + (gaps ? w.wait_checked : 0)));
    plan.us = device.launch_us + plan.memory_us + plan.shared_us + plan.issue_us;
    if (plan.us < plans.limit()) {
      if (conflicts < 0) conflicts = larger(0, wavefronts_of_windows(p, tile, row_log) - 2);
      double const more = tiles * 16 * steps * each * w.conflict * conflicts / cycles;
      plan.shared_us += more;
      plan.us += more;
    }
    plan.us = larger(plan.us, device.launch_us + 1.12 * traffic.us(device));  // nothing is as fast as that
    plans.offer(plan);
  }
}

/// Calls `offer(tile)` for the tiles of several modes on both sides, `most_source` and `most_target` elements long at
/// most. @tparam Cuts the parts of the mode that a side's runs end with
template <class Cuts, class Offer>
constexpr void for_tiles(copy_problem const& p, source_order const& order, std::int64_t source_most,
                         std::int64_t target_most, Offer const& offer) {
  run_tile tile;
  std::int64_t source_inner = 1;
  for (int i = 1; i <= p.rank; ++i) {
    int const source_cut = order.mode[i - 1];
    if (i > 1) {
      copy_mode const& before = p.mode[order.mode[i - 2]];
      if (p.mode[source_cut].source != before.source * before.extent) break;  // a run has no gaps
      source_inner *= before.extent;
    }
    if (source_inner > source_most) break;
    Cuts const source_parts(p.mode[source_cut].extent, source_most / source_inner);
    std::int64_t target_inner = 1;
    for (int j = 1; j <= p.rank; ++j) {
      int const target_cut = j - 1;
      if (j > 1) {
        copy_mode const& before = p.mode[j - 2];
        if (p.mode[target_cut].target != before.target * before.extent) break;
        target_inner *= before.extent;
      }
      if (target_inner > target_most) break;
      Cuts const target_parts(p.mode[target_cut].extent, target_most / target_inner);
      for (int a = 0; a < source_parts.count; ++a) {
        for (int b = 0; b < target_parts.count; ++b) {
          std::int64_t const source_part = source_parts.part[a], target_part = target_parts.part[b];
          if (source_cut == target_cut && source_part != target_part) continue;
          tile.source_modes = i;
          tile.target_modes = j;
          for (std::int64_t& extent : tile.extent) extent = 1;
          for (int k = 0; k + 1 < i; ++k) tile.extent[order.mode[k]] = p.mode[order.mode[k]].extent;
          for (int k = 0; k + 1 < j; ++k) tile.extent[k] = p.mode[k].extent;
          // A mode that one side may have a part of is whole where the other side has it within its runs.
          if (tile.extent[source_cut] > source_part || tile.extent[target_cut] > target_part) continue;
          tile.extent[source_cut] = source_part;
          tile.extent[target_cut] = target_part;
          offer(tile);
        }
      }
    }
  }
}

template <class Plans>
constexpr void offer_tiles(Plans& plans, copy_device const& device) {
  copy_problem const& p = plans.problem;
  if (p.rank < 1 || p.mode[0].target != 1) return;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return;
  source_order const order(p);
  if (p.mode[order.mode[0]].source != 1) return;
  copy_traffic const traffic(p);
  double const traffic_us = traffic.us(device);
  bool const gaps = source_has_gaps(p);
  for_tiles<cuts>(p, order, 32 * run_copy_pieces, 2048 / p.element_bytes,
                  [&](run_tile const& tile) { offer_runs(plans, device, traffic_us, order, tile); });
  std::int64_t const most = 65536 / p.element_bytes;
  for_tiles<window_cuts>(p, order, most, most,
                         [&](run_tile const& tile) { offer_windows(plans, device, traffic, gaps, order, tile); });
}

}  // namespace detail

/// All plans for a copy, in no order: `plans.offer(plan)` is called for each.
/// @param plans has `problem`, simplified, `limit` and `offer`, as `copy_plans` has
template <class Plans>
constexpr void offer_plans(Plans& plans, copy_device const& device = {}) {
  if (plans.problem.size() == 0) return;  // nothing to do, nothing to plan
  detail::offer_direct(plans, device);
  detail::offer_transposes(plans, device);
  detail::offer_tiles(plans, device);
  detail::offer_sectors(plans, device);
}
/// The best plans for a copy, best first. @param p simplified here
constexpr copy_plans plan_copy(copy_problem const& p, copy_device const& device = {}) {
  copy_plans plans;
  plans.problem = simplified(p);
  offer_plans(plans, device);
  return plans;
}

}  // namespace COSMATI_NAMESPACE
