// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of copies by windows with their costs; and `plan_copy`, which collects the plans of all kernels for a
/// problem.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/candidates_tiles.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {
/// The number of times that a tile of windows may be stored. They are parts of the last mode that repeats the source,
/// unless it is the first: divisors of its extent, up to 4, 16 and 256.
struct window_repeats {
  int mode = -1, count = 0;
  std::int64_t part[3] = {};
  constexpr explicit window_repeats(copy_problem const& p) {
    for (int m = 1; m < p.rank; ++m)
      if (p.mode[m].source == 0) mode = m;
    if (mode < 0) return;
    std::int64_t const extent = p.mode[mode].extent;
    if (extent > copy_longest_tiled_mode) return;  // such a mode is copied in parts, which have other divisors
    for (std::int64_t const most : {4, 16, 256}) {
      std::int64_t each = extent < most ? extent : most;
      while (extent % each != 0) --each;
      if (each > (count == 0 ? 1 : part[count - 1])) part[count++] = each;
    }
  }
};

/// The weights of a copy by windows: multiples of the memory traffic's time, cycles of a multiprocessor, and
/// microseconds for which a block waits. Fitted to 50,000 plans of 284 random problems and of 95 permutations
/// (bench/notes).
struct window_weights {
  double cut_run;              ///< the weight of the bytes by which runs miss multiples of 64
  double load, checked;        ///< the weights of a warp's window to shared memory, and of its checks if the source has
                               ///< gaps
  double tile, run, part;      ///< the weights of each tile, each run, and each element of a window that may be read
                               ///< only in part
  double wait, wait_for_byte;  ///< the waits for each tile, in microseconds
  double wait_part;            ///< microseconds for each step along runs

  static constexpr window_weights of(bool bulk) {
    if (bulk) return {0.288, 0.114, 2.49, 347, 6.17, 0.443, 1.28, 1.07e-05, 0.157};
    return {0.391, 6.81, 5.17, 13.8, 2.05, 1.39, 1.09, 1.51e-05, 0.174};
  }
};
/// The costs of the plans by windows of one problem.
class window_costs {
 public:
  constexpr window_costs(copy_problem const& p, device_model const& device, copy_traffic const& traffic)
      : p_(p), device_(device), traffic_(traffic), order_(p), source_has_gaps_(source_has_gaps(p)) {}

  constexpr source_order const& order() const { return order_; }
  /// Offers two plans with this tile: one loads runs by bulk copies, the other window by window. Bank conflicts are not
  /// included.
  /// @param best takes a plan by `offer(plan)` if it takes less than `limit()` microseconds
  template <class Plans>
  constexpr void of_tile(run_tile const& tile, Plans& best) const {
    window_sizes const sizes = window_sizes::of(p_, order_, tile);
    if (!sizes.fit() || static_cast<double>(sizes.shared_bytes()) > device_.block_bytes) return;
    tile_figures const f = figures_of(tile, sizes);
    if (f.tiles >= 2147483648.0) return;
    for (bool const bulk : {false, true}) {
      if (bulk && !device_.has_bulk_copies()) continue;
      plan_times const times = times_of(bulk, sizes, f, best.limit());
      if (times.us >= best.limit()) continue;
      copy_plan plan;
      plan.route = copy_route::windows;
      plan.tile = tile;
      plan.bulk = bulk;
      plan.memory_us = times.memory_us;
      plan.shared_us = times.shared_us;
      plan.issue_us = times.issue_us;
      plan.us = times.us;
      best.offer(plan);
    }
  }
  /// Adds the bank conflicts of the loads that assemble windows of rows.
  /// @param further the additional wavefronts of a warp's load of one element per lane
  constexpr void add_conflicts(copy_plan& plan, double further) const {
    window_sizes const sizes = window_sizes::of(p_, order_, plan.tile);
    tile_figures const f = figures_of(plan.tile, sizes);
    // Some conflicts overlap with other work. Many conflicts saturate shared memory, at one wavefront a cycle.
    double const many = larger(0, further - 8);
    plan.shared_us += f.work * 16 * f.steps * sizes.each * (0.355 * (further - many) + many) / cycles();
    plan.us = start_us() + overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us);
    plan.wavefronts = further + words();
  }
  /// The words of shared memory that an element takes.
  constexpr double words() const { return p_.element_bytes < 4 ? 1 : p_.element_bytes / 4; }
  /// The additional wavefronts of the loads of a tile's rows.
  constexpr double conflicts_of(run_tile const& tile) const {
    window_tiles const tiles = window_tiles::of(p_, tile);
    return larger(0, window_turn::of(tiles, p_.element_bytes, window_row_log(tiles)).wavefronts - words());
  }

 private:
  /// The figures of a tile that both plans share.
  struct tile_figures {
    double tiles = 1, often = 1;          ///< the number of tiles; how often a tile stores what it loads
    double run = 1, copied = 1, row = 1;  ///< bytes on average, including tiles at the edges; `copied` is a run without
                                          ///< its gaps
    double steps = 0, run_steps = 0;      ///< steps of all threads together, along rows and along runs
    double idle = 1, work = 1;            ///< the slowdown if few tiles leave multiprocessors idle; the number of tiles
                                          ///< in units of full ones
    std::int64_t run_aligned = 64, row_aligned = 64;  ///< the alignment in bytes at which runs and rows begin
    double parts = 0;                                 ///< the number of windows of a run that may be read only in part
  };
  constexpr double start_us() const { return device_.launch_us + staged_start_us; }
  constexpr double cycles() const { return device_.multiprocessors * device_.cycles_per_us; }
  [[gnu::noinline, gnu::cold]] constexpr tile_figures figures_of(run_tile const& tile,
                                                                 window_sizes const& sizes) const {
    tile_figures f;
    int const source_cut = order_.mode[tile.source_modes - 1], target_cut = tile.target_modes - 1;
    double filled = 1;  // the filled fraction of the tiles
    f.run = f.copied = f.row = p_.element_bytes;
    for (int k = 0; k + 1 < tile.source_modes; ++k) f.copied *= static_cast<double>(tile.extent[order_.mode[k]]);
    for (int k = 0; k + 1 < tile.target_modes; ++k) f.row *= static_cast<double>(tile.extent[k]);
    for (int m = 0; m < p_.rank; ++m) {
      double const extent = static_cast<double>(p_.mode[m].extent),
                   n = static_cast<double>(ceil_of(p_.mode[m].extent, tile.extent[m])), part = extent / n;
      if (p_.mode[m].source == 0) f.often *= part;
      if (m == source_cut) {
        f.copied *= part;
        f.run *= sizes.run_span + (part - 1) * sizes.run_step;
      }
      if (m == target_cut) f.row *= part;
      f.tiles *= n;
      filled *= part / static_cast<double>(tile.extent[m]);
    }
    int const row_log = window_row_log(sizes), run_log = window_run_log(sizes);
    double const row_steps = static_cast<double>(ceil_of(std::int64_t{sizes.rows} << row_log, window_copy_threads));
    f.steps = row_steps * static_cast<double>(ceil_of(ceil_of(sizes.row_length, sizes.each), 1 << row_log));
    f.run_steps =
        static_cast<double>(ceil_of(sizes.runs, window_copy_threads >> run_log) * ceil_of(sizes.windows, 1 << run_log));
    f.run_aligned = alignment_of_runs(p_, order_, tile, true);
    f.row_aligned = alignment_of_runs(p_, order_, tile, false);
    std::int64_t const whole_run =
        std::int64_t{sizes.run_elements(static_cast<std::uint32_t>(tile.extent[source_cut]))} * p_.element_bytes;
    f.parts = !source_has_gaps_ ? 0 : f.run_aligned < window_bytes ? 1 : whole_run % window_bytes != 0 ? 0.5 : 0;
    // The time of a small copy is that of its launch, so idle multiprocessors count for large copies only.
    bool const is_large = traffic_.useful * device_.bytes_per_us >= device_.multiprocessors * device_.shared_bytes;
    if (is_large && f.tiles < device_.multiprocessors) f.idle = device_.multiprocessors / f.tiles;
    f.work = f.idle * f.tiles * root_of<2>(filled);  // a tile at the edge takes less than a full one, but not
                                                     // proportionally less
    return f;
  }
  /// The predicted times of a plan; see `copy_plan`.
  struct plan_times {
    double memory_us = 0, shared_us = 0, issue_us = 0, us = 0;
  };
  /// @param limit the time in us above which the plan is not wanted; then `us` is only a lower bound
  [[gnu::noinline, gnu::cold]] constexpr plan_times times_of(bool bulk, window_sizes const& sizes,
                                                             tile_figures const& f, double limit) const {
    plan_times times;
    window_weights const w = window_weights::of(bulk);
    double const blocks = device_.multiprocessors *
                          blocks_at_once(device_, window_copy_resident / window_copy_threads, sizes.shared_bytes());
    double const each = sizes.each, in_flight = blocks * window_copy_stages * sizes.stage_bytes / 1e6;
    double const ends = f.row_aligned < window_bytes ? 1 : 0;
    bool const cut = f.row_aligned < 64, short_rows = window_row_log(sizes) == 3;  // a warp stores to four rows
    double const read = f.copied < f.run ? traffic_.unique * f.run / f.copied : traffic_.read;
    times.memory_us = larger(
        traffic_.hot / f.often,
        (1.19 * traffic_.written + 0.852 * read + 0.9 * traffic_.again / f.often + traffic_.cut +
         0.75 * traffic_.refill + traffic_.useful * 2.12 * static_cast<double>(64 - f.row_aligned) / f.row +
         w.cut_run * traffic_.unique * static_cast<double>(64 - f.run_aligned) / f.copied) *
            (1 + larger(0, in_flight - 0.777) * (cut ? 0.00562 : 0.00593)) * (short_rows ? cut ? 1.02 : 1.03 : 1));
    times.memory_us *= bulk && traffic_.kept ? 0.96 * f.idle : f.idle;
    times.shared_us =
        f.work *
        (16 * (f.steps * each * 1.47 *
                   (words() == 4   ? 2
                    : words() == 2 ? 1.414
                                   : 1) +
               f.run_steps * (w.load + (source_has_gaps_ ? w.checked : 0))) +
         w.tile + sizes.runs * (w.run + f.parts * each * w.part) + sizes.rows * (2.44 + ends * each * 0.401)) /
        cycles();
    // A block waits for one tile, even if there are fewer tiles than blocks.
    times.issue_us = larger(f.work / blocks, 1) * (w.wait + w.wait_for_byte * sizes.stage_bytes + 0.000582 * f.steps +
                                                   f.run_steps * (0.000511 + f.parts * w.wait_part));
    times.us = start_us() + larger(times.memory_us, larger(times.shared_us, times.issue_us));
    if (times.us < limit) times.us = start_us() + overlapped<3>(times.memory_us, times.shared_us, times.issue_us);
    return times;
  }

  copy_problem const& p_;
  device_model const& device_;
  copy_traffic const& traffic_;
  source_order order_;
  bool source_has_gaps_;
};

/// The parts into which a mode may be cut: the whole mode; equal parts of a short mode; for a long mode powers of two
/// and some numbers between them, which keep addresses aligned.
struct window_cuts {
  int count = 0;
  std::int64_t part[40] = {};
  /// @param most the largest number of elements of a part
  constexpr window_cuts(std::int64_t extent, std::int64_t most) {
    if (most < 1) return;
    if (extent <= most) part[count++] = extent;
    if (extent <= 256) {
      for (std::int64_t pieces = 2; pieces <= 12 && pieces <= extent; ++pieces) add(ceil_of(extent, pieces), most);
    } else {
      for (std::int64_t power = 4096; power >= 8; power /= 2)
        for (std::int64_t quarters = 6; quarters >= 4; --quarters)
          if (std::int64_t const each = power * quarters / 4; each < extent) add(each, most);
    }
  }

 private:
  constexpr void add(std::int64_t each, std::int64_t most) {
    if (each <= most && (count == 0 || part[count - 1] != each)) part[count++] = each;
  }
};

/// Calls `offer(tile)` for tiles of several modes on both sides. Their elements take 4 to 72 KiB, 12 to 72 KiB for
/// large copies, or the whole problem.
template <class Offer>
[[gnu::noinline, gnu::cold]] constexpr void for_window_tiles(copy_problem const& p, source_order const& order,
                                                             Offer const& offer) {
  std::int64_t const bytes = p.element_bytes, most = 65536 / bytes;
  double const all = static_cast<double>(p.size()) * static_cast<double>(bytes), least = all < 4096           ? all
                                                                                         : all < 16e6         ? 4096
                                                                                         : source_has_gaps(p) ? 3072
                                                                                                              : 12288;
  std::int64_t run = 1;  // the distance from the first to the last element of the whole modes
  for (int i = 1; i <= p.rank; ++i) {
    int const source_cut = order.mode[i - 1];
    std::int64_t const step = p.mode[source_cut].source;
    if (i > 1) {
      copy_mode const& before = p.mode[order.mode[i - 2]];
      run += (before.extent - 1) * before.source;
      if (step != run && !windows_bridge(p, run, step)) break;
    }
    if (run > most || run * bytes > 4096) break;
    window_cuts const source_parts(p.mode[source_cut].extent, (most - run) / step + 1);
    std::int64_t row = 1;
    for (int j = 1; j <= p.rank; ++j) {
      int const target_cut = j - 1;
      if (j > 1) {
        row *= p.mode[j - 2].extent;
        if (p.mode[target_cut].target != row) break;
      }
      if (row > most || row * bytes > 4096) break;
      window_cuts const target_parts(p.mode[target_cut].extent, most / row);
      run_tile tile;
      tile.source_modes = i;
      tile.target_modes = j;
      for (std::int64_t& extent : tile.extent) extent = 1;
      for (int k = 0; k + 1 < i; ++k) tile.extent[order.mode[k]] = p.mode[order.mode[k]].extent;
      for (int k = 0; k + 1 < j; ++k) tile.extent[k] = p.mode[k].extent;
      // A mode that one side may cut stays whole if it lies within the other side's runs.
      std::int64_t const source_least = tile.extent[source_cut], target_least = tile.extent[target_cut];
      for (int a = 0; a < source_parts.count; ++a) {
        for (int b = 0; b < target_parts.count; ++b) {
          std::int64_t const source_part = source_parts.part[a], target_part = target_parts.part[b];
          if (source_cut == target_cut && source_part != target_part) continue;
          if (source_least > source_part || target_least > target_part) continue;
          tile.extent[source_cut] = source_part;
          tile.extent[target_cut] = target_part;
          double size = static_cast<double>(bytes);
          for (int m = 0; m < p.rank; ++m)
            if (p.mode[m].source != 0) size *= static_cast<double>(tile.extent[m]);
          if (size >= least && size <= 73728) offer(tile);
        }
      }
    }
  }
}

[[gnu::noinline, gnu::cold]] constexpr void offer_windows(copy_plans& plans, device_model const& device,
                                                          copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  if (p.rank < 1 || p.mode[0].target != 1) return;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return;
  window_costs const costs(p, device, traffic);
  if (p.mode[costs.order().mode[0]].source != 1) return;
  best_plans<16> best;
  window_repeats const repeats(p);
  for_window_tiles(p, costs.order(), [&](run_tile tile) {
    costs.of_tile(tile, best);
    if (repeats.mode < tile.target_modes) return;
    for (int k = 0; k < repeats.count; ++k) {
      tile.extent[repeats.mode] = repeats.part[k];
      costs.of_tile(tile, best);
    }
  });
  // Counting bank conflicts takes longest. They are counted for the best plans only, and once for each tile.
  double further[16] = {};
  for (int k = 0; k < best.kept; ++k) {
    int same = 0;
    while (same < k && !(best.plan[same].tile == best.plan[k].tile)) ++same;
    further[k] = same < k ? further[same] : costs.conflicts_of(best.plan[k].tile);
  }
  for (int k = 0; k < best.kept; ++k) {
    costs.add_conflicts(best.plan[k], further[k]);
    plans.offer(best.plan[k]);
  }
}
}  // namespace detail

/// The plans for a copy, at most 64 and best first, by a model of their costs on a device. This is a template, so that
/// it is compiled where it is called. @param p is simplified here
template <class = void>
[[gnu::noinline, gnu::cold]] constexpr copy_plans plan_copy(copy_problem const& p, device_model const& device = {}) {
  copy_plans plans;
  plans.problem = simplified(p);
  if (plans.problem.size() == 0) return plans;  // an empty problem needs no plan
  detail::copy_traffic const traffic(plans.problem, device);
  detail::offer_direct(plans, device, traffic);
  detail::offer_once(plans, device, traffic);
  if (plans.problem.rank > copy_max_rank)
    return plans;  // elements are copied in pieces, and the other kernels have no
                   // room for the mode of pieces
  detail::offer_transposes(plans, device, traffic);
  detail::offer_windows(plans, device, traffic);
  detail::offer_sectors(plans, device, traffic);
  return plans;
}
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
