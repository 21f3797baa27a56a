// SPDX-License-Identifier: Apache-2.0
/// @file
/// Checks that a plan fits a problem and that addresses have the problem's alignment, which the kernels assume.
///
/// The planner offers only plans that fit. A plan may also be written by hand, made for another problem, or read from a
/// file. It would then copy wrongly or fault.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/costs.hpp>
#include <cosmati/kernel/copy/once.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class... Arguments>
[[noreturn]] void plan_is_none(char const* format, Arguments... arguments) {
  throw error("launch_plan: the plan's %.700s; take a plan of plan_copy for this problem",
              error(format, arguments...).what());
}
inline bool is_power_of_two_up_to(std::int64_t n, std::int64_t most) {
  return n >= 1 && n <= most && (n & (n - 1)) == 0;
}

/// A grid has fewer than 2^31 blocks.
inline void check_tiles(char const* what, double tiles) {
  if (tiles >= 2147483648.0) plan_is_none("%s are %.0f tiles, and a grid has fewer than 2^31 blocks", what, tiles);
}
inline void check_vector(copy_problem const& p, int vector) {
  if (!is_vector_of_kernel(vector, p.element_bytes))
    throw error("launch_plan: the plan's vectors have %d elements of %d bytes; there are kernels for 1 and %d", vector,
                p.element_bytes, 16 / p.element_bytes);
}

inline void check_direct(copy_problem const& p, copy_plan const& plan) {
  direct_launch const& how = plan.launch;
  if (plan.together && is_contiguous(p)) {
    if (!is_power_of_two_up_to(plan.vector, 16 / p.element_bytes)) check_vector(p, plan.vector);
  } else {
    check_vector(p, plan.vector);
  }
  if (how.threads < 32 || how.threads > direct_copy_most_threads || how.threads % 32 != 0)
    plan_is_none("launch.threads is %d, and blocks have a multiple of 32 threads, at most %d", how.threads,
                 direct_copy_most_threads);
  if (how.once) {
    once_windows const w = once_windows::of(p, how.threads);
    if (w.repeating == 0)
      plan_is_none("launch.once is true, and no mode of the problem but the first repeats the source (stride 0)");
    if (plan.vector * p.element_bytes != 16)
      plan_is_none("launch.once goes with windows of 16 bytes, and vectors have %d elements of %d", plan.vector,
                   p.element_bytes);
  }
  bool const together = plan.together && is_contiguous(p);  // works at any addresses
  if (together || plan.vector == 1) return;
  if (p.rank == 0 || p.mode[0].target != 1)
    plan_is_none("vectors have %d elements, and the problem's first mode does not lie together in the target",
                 plan.vector);
  if (!plan.together || how.once) return;  // this kernel finds contiguous parts by itself
  std::int64_t const width = std::int64_t{plan.vector} * p.element_bytes;
  for (bool const of_source : {true, false})
    if ((of_source ? p.mode[0].source : p.mode[0].target) != 1 || !base_is_aligned(p, of_source, width) ||
        !strides_are_multiples(p, of_source, plan.vector, 0))
      plan_is_none("vectors of %d elements go together, and those of the %s are not all at multiples of %lld bytes",
                   plan.vector, of_source ? "source" : "target", static_cast<long long>(width));
}

inline void check_transpose(copy_problem const& p, copy_plan const& plan) {
  int const column = plan.column_mode, row = plan.row_mode, vector = plan.vector;
  if (vector * p.element_bytes != 16)
    plan_is_none("vectors have %d elements of %d bytes, and those of a transpose have 16 bytes", vector,
                 p.element_bytes);
  if (column < 0 || column >= p.rank || row < 0 || row >= p.rank || column == row)
    plan_is_none("column_mode is %d and row_mode %d, and they are two of the problem's %d modes", column, row, p.rank);
  if (p.mode[column].source != 1 || p.mode[row].target != 1)
    plan_is_none(
        "column_mode is %d, of stride %lld in the source, and row_mode %d, of stride %lld in the target: both are 1",
        column, static_cast<long long>(p.mode[column].source), row, static_cast<long long>(p.mode[row].target));
  if (!transpose_fits(p, column, row, vector))
    plan_is_none(
        "vectors have %d elements, of which extents of modes %d and %d, strides, or addresses of both sides are no "
        "multiples",
        vector, column, row);
  check_tiles("modes", transpose_tiles_of(p, column, row, vector));
}

/// Checks the modes of a side's runs: whole modes that follow each other contiguously, and a part of the last.
/// @param bridges whether there may be gaps between them
inline void check_runs_of_side(copy_problem const& p, source_order const& order, run_tile const& tile, bool of_source,
                               bool bridges = false) {
  int const modes = of_source ? tile.source_modes : tile.target_modes;
  char const* const side = of_source ? "source" : "target";
  if (modes < 1 || modes > p.rank) plan_is_none("tile.%s_modes is %d, of a problem of %d modes", side, modes, p.rank);
  std::int64_t together = 1;
  for (int k = 0; k < modes; ++k) {
    int const m = of_source ? order.mode[k] : k;
    std::int64_t const stride = of_source ? p.mode[m].source : p.mode[m].target;
    if (stride != together && !(k > 0 && of_source && bridges && windows_bridge(p, together, stride)))
      plan_is_none("tile.%s_modes is %d, and mode %d does not begin where those before end: its stride is %lld", side,
                   modes, m, static_cast<long long>(stride));
    if (k + 1 < modes && tile.extent[m] != p.mode[m].extent)
      plan_is_none("tile.extent[%d] is %lld of %lld, and only the last mode of a side's runs may be cut", m,
                   static_cast<long long>(tile.extent[m]), static_cast<long long>(p.mode[m].extent));
    together += (p.mode[m].extent - 1) * stride;
  }
}
inline void check_tile(copy_problem const& p, copy_plan const& plan) {
  run_tile const& tile = plan.tile;
  for (int m = 0; m < p.rank; ++m) {
    if (p.mode[m].source < 0) plan_is_none("route is %s, which takes no negative strides", name_of(plan.route));
    if (tile.extent[m] < 1 || tile.extent[m] > p.mode[m].extent)
      plan_is_none("tile.extent[%d] is %lld, and the mode has %lld elements", m, static_cast<long long>(tile.extent[m]),
                   static_cast<long long>(p.mode[m].extent));
  }
  source_order const order(p);
  check_runs_of_side(p, order, tile, true, true);
  check_runs_of_side(p, order, tile, false);
  bool in_run[copy_max_rank] = {};
  for (int k = 0; k < tile.source_modes; ++k) in_run[order.mode[k]] = true;
  for (int k = 0; k < tile.target_modes; ++k) in_run[k] = true;
  double tiles = 1, elements = 1, stored = 1;
  for (int m = 0; m < p.rank; ++m) {
    bool const repeats = p.mode[m].source == 0;
    if (!in_run[m] && !repeats && tile.extent[m] != 1)
      plan_is_none("tile.extent[%d] is %lld, and the mode is in neither side's runs: 1", m,
                   static_cast<long long>(tile.extent[m]));
    if (!in_run[m] && tile.extent[m] != 1 &&
        (p.mode[m].extent % tile.extent[m] != 0 || p.mode[m].extent > copy_longest_tiled_mode))
      plan_is_none(
          "tile.extent[%d] is %lld, and the mode, which repeats the source, has %lld elements: a divisor, and 1 of "
          "more than %lld",
          m, static_cast<long long>(tile.extent[m]), static_cast<long long>(p.mode[m].extent),
          static_cast<long long>(copy_longest_tiled_mode));
    tiles *= static_cast<double>(ceil_of(p.mode[m].extent, tile.extent[m]));
    stored *= static_cast<double>(tile.extent[m]);
    if (!repeats) elements *= static_cast<double>(tile.extent[m]);
  }
  double run_reach = 1, row_reach = 1;  // the distance from the first to the last element, including gaps
  for (int k = 0; k < tile.source_modes; ++k)
    run_reach += static_cast<double>((tile.extent[order.mode[k]] - 1) * p.mode[order.mode[k]].source);
  for (int m = 0; m < tile.target_modes; ++m) row_reach += static_cast<double>((tile.extent[m] - 1) * p.mode[m].target);
  check_tiles("tile.extent", tiles);
  double const most = 227 * 1024;
  // The sizes must fit in their integers.
  if (stored > window_most_stored)
    plan_is_none("tile stores %.0f elements; the most is %d", stored, window_most_stored);
  bool const fits = elements * p.element_bytes <= most && run_reach * p.element_bytes <= most &&
                    row_reach <= window_most_stored && window_sizes::of(p, order, tile).fit();
  if (!fits)
    plan_is_none(
        "tile has %.0f elements of %d bytes, in runs from first to last of %.0f and rows of %.0f, more than shared "
        "memory has room for",
        elements, p.element_bytes, run_reach, row_reach);
}

inline void check_sectors(copy_problem const& p, copy_plan const& plan) {
  sector_tile const& tile = plan.sectors;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) plan_is_none("route is sectors, which takes no negative strides");
  source_order const order(p);
  run_tile whole;
  whole.source_modes = tile.source_modes;
  whole.target_modes = tile.target_modes;
  for (int m = 0; m < p.rank; ++m) whole.extent[m] = p.mode[m].extent;
  check_runs_of_side(p, order, whole, true);
  check_runs_of_side(p, order, whole, false);
  for (int k = 0; k < tile.source_modes; ++k)
    if (order.mode[k] < tile.target_modes)
      plan_is_none("sectors have mode %d in a run of the source and in a row of the target", order.mode[k]);
  double rows = 1, length = 1;
  for (int k = 0; k < tile.source_modes; ++k) rows *= static_cast<double>(p.mode[order.mode[k]].extent);
  for (int m = 0; m < tile.target_modes; ++m) length *= static_cast<double>(p.mode[m].extent);
  if (rows >= 1 << 30 || length >= 1 << 30)
    plan_is_none("sectors are for fewer than 2^30 rows of fewer than 2^30 elements; here these are %.0f of %.0f", rows,
                 length);
  if (tile.run_length < 1 || static_cast<double>(tile.run_length) > rows || tile.run_length > 1024)
    plan_is_none("sectors.run_length is %lld, and there are %.0f rows", static_cast<long long>(tile.run_length), rows);
  if (!is_power_of_two_up_to(tile.row_length, 1024 / p.element_bytes) || tile.row_length * p.element_bytes < 128)
    plan_is_none("sectors.row_length is %lld elements of %d bytes; it is a power of two, of 128 to 1024 bytes",
                 static_cast<long long>(tile.row_length), p.element_bytes);
  if (p.element_bytes == window_bytes)
    plan_is_none("route is sectors, which is for elements of fewer than 16 bytes: windows takes these");
  sector_sizes const sizes = sector_sizes::of(p, tile);
  if (!sizes.fit())
    plan_is_none("sectors take %zu bytes of shared memory; a block has %d", sizes.shared_bytes(), 227 * 1024);
  check_tiles("sectors", static_cast<double>(ceil_of(static_cast<std::int64_t>(length) + sizes.slack, tile.row_length) *
                                             ceil_of(static_cast<std::int64_t>(rows), tile.run_length)) *
                             (static_cast<double>(p.size()) / rows / length));
}

/// Throws `error` if the kernels of the plan would not copy the problem on the device.
inline void check_plan(copy_problem const& p, copy_plan const& plan, device_model const& device) {
  bool const by_sectors = plan.route == copy_route::sectors, by_windows = plan.route == copy_route::windows;
  if (!device.has_bulk_copies() && ((by_windows && plan.bulk) || (by_sectors && !plan.sectors.by_lines)))
    plan_is_none("route is %s by bulk copies, which begin with capability 9.0, and the device has %d.%d",
                 name_of(plan.route), device.compute_capability / 10, device.compute_capability % 10);
  switch (plan.route) {
    case copy_route::direct:
      return check_direct(p, plan);
    case copy_route::transpose:
      return check_transpose(p, plan);
    case copy_route::windows:
      return check_tile(p, plan);
    case copy_route::sectors:
      return check_sectors(p, plan);
  }
  throw error("launch_plan: the plan's route is %d, which is none; take a plan of plan_copy for this problem",
              static_cast<int>(plan.route));
}
/// Whether the plan reads elements between those of the source.
inline bool reads_gaps(copy_problem const& p, copy_plan const& plan) {
  return plan.route == copy_route::windows && window_tiles::of(p, plan.tile).run_has_gaps();
}
/// Throws `error` if the plan reads elements between those of the source and some of them belong to the target.
inline void check_gaps(copy_problem const& p, copy_plan const& plan, void const* source, void const* target) {
  if (p.interleaved || !sides_interleave(p, bytes_apart(source, target), p.element_bytes) || !reads_gaps(p, plan))
    return;
  throw error(
      "launch_plan: the plan reads what lies between the source's elements, and some of the target's lie there (source "
      "at %p, target at %p); plan the problem with `interleaved`, as make_copy_problem(source, target) sets it",
      source, target);
}
/// Throws `error` if an address does not have the problem's alignment, because the kernels would fault.
inline void check_address(char const* side, void const* address, std::int64_t alignment) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (at % static_cast<std::uintptr_t>(alignment) != 0)
    throw error(
        "launch_plan: the %s, at 0x%llx, is not at a multiple of the problem's %s_alignment, %lld bytes; plan a "
        "problem whose %s_alignment is %lld, as make_copy_problem(source, target) makes it",
        side, static_cast<unsigned long long>(at), side, static_cast<long long>(alignment), side,
        static_cast<long long>(power_of_two_in(static_cast<std::int64_t>(at & 15u) + 16, 16)));
}
}  // namespace COSMATI_NAMESPACE::detail
#include <cosmati/core/macros_end.hpp>
