// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans that load once what is repeated, and what they cost.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/once_windows.hpp>
#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_gathers.hpp>

namespace COSMATI_NAMESPACE::detail {

/// What a warp of `copy_once` touches in the mean, counted of a few warps.
struct once_accesses {
  double load_lines = 0;   ///< lines of the source, for each of a window's loads
  double store_lines = 0;  ///< of a store at a place: lines of the target
  double cut_sectors = 0;  ///< of these sectors of the target that it writes in part

  static constexpr once_accesses of(copy_problem const& p, once_windows const& w) {
    once_accesses all;
    std::int64_t const warps = ceil_of(w.slots(), 32);
    int counted = 4;
    if (__builtin_is_constant_evaluated()) counted = 1;  // compilers count the steps of a constant
    for (int k = 0; k < counted; ++k) {
      double const part = k * 0.618034 + 0.31;
      double const where = (part - static_cast<int>(part)) * static_cast<double>(warps);
      all.count(p, w, static_cast<std::int64_t>(where) * 32);
    }
    all.load_lines /= counted;
    all.store_lines /= counted;
    all.cut_sectors /= counted;
    return all;
  }

 private:
  constexpr void count(copy_problem const& p, once_windows const& w, std::int64_t first_slot) {
    std::int64_t const element = p.element_bytes, run_bytes = w.run_length * element;
    int const each = static_cast<int>(w.bytes / element);
    // Neighbours in the source are loaded by two vectors; of other windows up to four loads are counted.
    bool const vectors = each > 1 && w.run_modes > 0 && w.loaded.mode[0].source == 1 &&
                         w.loaded.mode[0].extent >= std::int64_t{8} * each;
    int looked_at = vectors ? 2 : each < 4 ? each : 4;
    if (__builtin_is_constant_evaluated()) looked_at = 1;
    distinct line_of_load[4], line, sector;
    for (int lane = 0; lane < 32 && first_slot + lane < w.slots(); ++lane) {
      std::int64_t rest = (first_slot + lane) / w.windows, from = p.source_offset, to = p.target_offset;
      std::int64_t const window = (first_slot + lane) % w.windows * w.bytes;
      for (int m = w.run_modes; m < w.loaded.rank; ++m) {
        copy_mode const& mode = w.loaded.mode[m];
        from += rest % mode.extent * mode.source;
        to += rest % mode.extent * mode.target;
        rest /= mode.extent;
      }
      for (int m = 0; m < w.repeating; ++m) to += w.place[m].extent / 2 * w.place[m].target;
      std::int64_t const late = ((to * element) % w.bytes + w.bytes) % w.bytes,
                         first = (w.turns || window == 0 ? window : window - late) / element;
      for (int k = 0; k < looked_at; ++k) {
        std::int64_t number = first + (vectors ? k * (each - 1) : k * each / looked_at), at = from;
        if (number >= w.run_length) break;
        for (int m = 0; m < w.run_modes; ++m) {
          copy_mode const& mode = w.loaded.mode[m];
          at += number % mode.extent * mode.source;
          number /= mode.extent;
        }
        line_of_load[k].add(floored(at * element, line_bytes), 1);
      }
      std::int64_t const until = run_bytes + late - window, begin = window > 0 ? 0 : late,
                         end = until < w.bytes ? until : w.bytes, at = to * element - late + window;
      if (end <= begin) continue;
      line.add(floored(at, line_bytes), 1);
      sector.add(floored(at, sector_bytes), static_cast<int>(end - begin));
    }
    double const loads = (vectors ? 2.0 : each) / looked_at;
    for (distinct const& of_load : line_of_load) load_lines += of_load.count * loads;
    store_lines += line.count;
    for (int k = 0; k < sector.count; ++k) cut_sectors += sector.sum[k] < sector_bytes ? 1 : 0;
  }
  static constexpr std::int64_t floored(std::int64_t x, std::int64_t by) { return (x < 0 ? x - by + 1 : x) / by; }
  /// Different numbers of a warp's lanes, and what comes to each.
  struct distinct {
    int count = 0;
    std::int64_t number[32] = {};
    int sum[32] = {};
    constexpr void add(std::int64_t one, int more) {
      int k = count;  // most often it is that of the lane before
      while (k > 0 && number[k - 1] != one) --k;
      if (k == 0) number[count++] = one, k = count;
      sum[k - 1] += more;
    }
  };
};

/// Fitted to 106,000 plans of what is repeated in 3700 random problems: bench/NOTES.md. These parts add up.
template <class Plans>
constexpr void offer_once(Plans& plans, copy_device const& device, copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  bool repeats = false;
  for (int m = 1; m < p.rank; ++m) repeats = repeats || p.mode[m].source == 0;
  if (!repeats) return;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  double const beyond = pieces_beyond(p, device.l2_bytes / 64, true, 64) * 64 * traffic.unique / p.element_bytes;
  double const all_cut = traffic.units.alone + traffic.units.beside;
  double const memory_us = 1.09 * traffic.read + (beyond > traffic.read ? 0.925 * (beyond - traffic.read) : 0) +
                           0.755 * traffic.written + traffic.refill;
  for (int vector = 1; vector * p.element_bytes <= 16; vector *= 2) {
    if (!is_once_vector(vector, p.element_bytes) || (vector > 1 && (p.rank == 0 || p.mode[0].target != 1))) continue;
    std::int64_t counted_together = 0;
    once_accesses warp;
    for (int const threads : {64, 128, 256, 512, 1024}) {
      once_windows const w = once_windows::of(p, vector, threads);
      if (!w.fit()) break;
      copy_plan plan;
      plan.vector = vector;
      plan.launch.threads = threads;
      plan.launch.once = true;
      if (w.together != counted_together) {
        warp = once_accesses::of(p, w);
        counted_together = w.together;
      }
      std::int64_t const each = w.places_each(threads, static_cast<int>(device.multiprocessors));
      double const slots = static_cast<double>(w.slots()), shares = static_cast<double>(ceil_of(w.places, each)),
                   loads = slots / 32 * shares, stores = slots / 32 * static_cast<double>(w.places);
      // Sectors that another store writes as well, rather late.
      double const met = stores * warp.cut_sectors - all_cut;
      plan.memory_us = memory_us + (met > 0 ? 0.98 * met / cycles : 0);
      // Sectors that a block finds with none of its others, of few elements and in many pages.
      double const block = static_cast<double>(threads) * vector, everywhere = 2048 * device.multiprocessors * vector,
                   pages = pieces_of_block(p, everywhere, true, page_bytes),
                   found = pieces_of_block(p, block, true, sector_bytes) / block;
      plan.shared_us = (loads * (0.534 * warp.load_lines + 5.8) + stores * 1.24 * warp.store_lines +
                        slots * shares * vector * found * (0.223 / p.element_bytes + 0.69 * pages / (pages + 100))) /
                       cycles;
      plan.issue_us = stores * (1.53 + (w.turns ? 2.9 : 0)) / cycles;
      // The last blocks run by themselves.
      double const turns =
          static_cast<double>(ceil_of(w.slots(), threads)) * threads * shares / (2048 * device.multiprocessors);
      double const us = (plan.memory_us + plan.shared_us + plan.issue_us) * (1 + 0.25 / turns);
      for (bool const stream_stores : {true, false}) {
        plan.launch.stream_stores = stream_stores;
        plan.us = device.launch_us + us * (threads == 256 ? 1 : 1.01) * (stream_stores ? 1 : 1.005);
        plans.offer(plan);
      }
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
