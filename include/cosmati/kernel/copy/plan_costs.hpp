// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a plan of a copy is, what the planner knows of the device, and what its routes' costs have in common.
#pragma once

#include <cosmati/kernel/copy/sector_tiles.hpp>

namespace COSMATI_NAMESPACE {

/// How a copy goes.
enum class copy_route {
  direct,     ///< through registers
  transpose,  ///< vectors of two modes, exchanged in registers and shared memory
  runs,       ///< runs of several modes through shared memory, element by element
  windows,    ///< runs of several modes through shared memory, by aligned windows of 16 bytes on both sides
  sectors     ///< the same with rows cut where sectors of the target begin
};
/// "direct", "transpose", "runs", "windows" or "sectors": also the enumerator's name.
constexpr char const* name_of(copy_route route) {
  constexpr char const* names[] = {"direct", "transpose", "runs", "windows", "sectors"};
  return names[static_cast<int>(route)];
}

/// What the model knows of a device.
struct copy_device {
  double bytes_per_us = 4.3e6;  ///< of global memory, read and written together
  double multiprocessors = 132;
  double cycles_per_us = 1755;
  double shared_bytes = 227 * 1024;  ///< of a multiprocessor, for all its blocks
  double launch_us = 2.5;
};

/// One way to do a copy, and what it is predicted to cost.
struct copy_plan {
  copy_route route = copy_route::direct;
  int vector = 1;                     ///< elements of an access (direct, transpose)
  bool together = false;              ///< direct: the source has them side by side
  int column_mode = 0, row_mode = 0;  ///< transpose: side by side in the source, in the target
  run_tile tile;                      ///< runs, windows
  bool bulk = false;                  ///< windows: loaded by bulk copies
  sector_tile sectors;                ///< sectors
  // What is predicted, in microseconds; the longest decides, the others hide behind it for the most part.
  double memory_us = 0;  ///< sectors of global memory
  double shared_us = 0;  ///< requests and wavefronts of global and shared memory in the multiprocessors
  double issue_us = 0;   ///< instructions
  double us = 0;
  double wavefronts = 1;  ///< of a warp's access to shared memory on its way out
};

/// How many plans are kept, the best first.
inline constexpr int copy_plans_kept = 16;
/// The best plans for a problem, best first.
struct copy_plans {
  copy_problem problem;  ///< simplified
  int considered = 0;    ///< plans that could do it
  int kept = 0;
  copy_plan plan[copy_plans_kept];

  /// Takes a plan among the best, if it is one.
  constexpr void offer(copy_plan const& one) {
    ++considered;
    if (kept == copy_plans_kept && one.us >= plan[kept - 1].us) return;
    int at = kept < copy_plans_kept ? kept++ : kept - 1;
    for (; at > 0 && one.us < plan[at - 1].us; --at) plan[at] = plan[at - 1];
    plan[at] = one;
  }
};

namespace detail {

constexpr double larger(double a, double b) { return a > b ? a : b; }
constexpr std::int64_t ceil_of(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

/// Bytes that runs of `bytes` cost beyond their own: the sectors that they begin and end in, but for those which the
/// neighbour finds in the L2 cache.
constexpr double sector_factor(double bytes, bool aligned) {
  return 1 + (aligned ? 0.0 : 10.0 / bytes) + (bytes < 128 ? 0.35 * (128 - bytes) / bytes : 0.0);
}

constexpr void total(copy_plan& plan, copy_device const& device) {
  double const longest = larger(plan.memory_us, larger(plan.shared_us, plan.issue_us));
  plan.us = device.launch_us + longest + 0.15 * (plan.memory_us + plan.shared_us + plan.issue_us - longest);
}

constexpr bool strides_are_multiples(copy_problem const& p, bool of_source, std::int64_t elements, int but) {
  for (int m = 0; m < p.rank; ++m)
    if (m != but && (of_source ? p.mode[m].source : p.mode[m].target) % elements != 0) return false;
  return true;
}
constexpr bool base_is_aligned(copy_problem const& p, bool of_source, std::int64_t bytes) {
  return of_source ? p.source_alignment % bytes == 0 && p.source_offset * p.element_bytes % bytes == 0
                   : p.target_alignment % bytes == 0 && p.target_offset * p.element_bytes % bytes == 0;
}

}  // namespace detail

}  // namespace COSMATI_NAMESPACE
