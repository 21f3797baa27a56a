// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plan of a copy: the kernel, its tile, its launch, and its predicted cost.
///
/// The words of this folder have these meanings:
/// - a *run* is a contiguous part of the source in a tile;
/// - a *row* is a contiguous part of the target in a tile;
/// - a *window* is 16 bytes at a multiple of 16 of either tensor, which one access moves;
/// - a *sector* is 32 bytes at a multiple of 32, the smallest unit that the memory moves;
/// - a *part* of a mode is the range of it that a tile covers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/registers.hpp>
#include <cosmati/kernel/copy/sector_tiles.hpp>

namespace COSMATI_NAMESPACE {

/// The kinds of kernels that copy.
enum class copy_route {
  direct,     ///< through registers
  transpose,  ///< exchanges vectors of two modes in registers and shared memory
  windows,    ///< moves runs and rows of several modes through shared memory, by aligned windows on both sides
  sectors     ///< as `windows`, but cuts rows at sector boundaries of the target
};
/// The number of kinds.
inline constexpr int copy_routes = 4;
/// "direct", "transpose", "windows" or "sectors", the name of the enumerator.
constexpr char const* name_of(copy_route route) {
  constexpr char const* names[] = {"direct", "transpose", "windows", "sectors"};
  int const number = static_cast<int>(route);
  return number >= 0 && number < copy_routes ? names[number] : "none";
}

/// One way to do a copy, with its predicted cost.
struct copy_plan {
  copy_route route = copy_route::direct;
  int vector = 1;                     ///< the number of elements of an access (direct, transpose)
  bool together = false;              ///< direct: whether a vector is contiguous in the source
  direct_launch launch;               ///< the launch of a direct copy
  int column_mode = 0, row_mode = 0;  ///< transpose: the contiguous modes of the source and of the target
  run_tile tile;                      ///< the tile of a copy by windows
  bool bulk = false;                  ///< windows: whether bulk copies load them
  sector_tile sectors;                ///< the tile of a copy by sectors
  // The predicted times in microseconds. The longest dominates; the others mostly overlap with it.
  double memory_us = 0;   ///< the time of global memory
  double shared_us = 0;   ///< the multiprocessors' work, accesses and instructions (direct: the caches' work)
  double issue_us = 0;    ///< blocks that wait for their loads (direct: instructions)
  double us = 0;          ///< the total
  double wavefronts = 1;  ///< the wavefronts of a warp's read of shared memory

  /// Whether both plans do the same, whatever their predictions.
  constexpr bool does_as(copy_plan const& other) const {
    if (route != other.route) return false;
    if (route == copy_route::direct)
      return vector == other.vector && together == other.together && launch == other.launch;
    if (route == copy_route::transpose)
      return vector == other.vector && column_mode == other.column_mode && row_mode == other.row_mode;
    return route == copy_route::windows ? tile == other.tile && bulk == other.bulk : sectors == other.sectors;
  }
};

/// The largest number of plans that are considered for a problem.
inline constexpr int copy_plans_kept = 64;
namespace detail {
/// Inserts a plan among the `kept` best, which are ordered by predicted time. If there is no room, the slowest plan is
/// dropped.
template <class Plan, std::size_t most>
[[gnu::noinline, gnu::cold]] constexpr void keep_in_order(Plan (&plan)[most], int& kept, Plan const& one) {
  constexpr int room = static_cast<int>(most);
  if (kept == room && one.us >= plan[kept - 1].us) return;
  int at = kept < room ? kept++ : kept - 1;
  for (; at > 0 && one.us < plan[at - 1].us; --at) plan[at] = plan[at - 1];
  plan[at] = one;
}
}  // namespace detail

/// The plans for a problem, best first.
struct copy_plans {
  copy_problem problem;  ///< the problem in its simplest form
  int kept = 0;
  copy_plan plan[copy_plans_kept];

  /// Inserts a plan if it is among the best.
  constexpr void offer(copy_plan const& one) { detail::keep_in_order(plan, kept, one); }
  /// Selects plans to be measured: the indices of up to `most` plans, taken from the kernels in turn, the best of each
  /// first.
  /// @param number has room for `most` indices
  /// @return their number
  constexpr int in_turn(int most, int* number) const {
    int count = 0;
    bool taken[copy_plans_kept] = {};
    while (count < most && count < kept) {
      bool of_kind[2 * copy_routes] = {};
      for (int k = 0; k < kept && count < most; ++k) {
        bool& seen = of_kind[kind_of(plan[k])];
        if (taken[k] || seen) continue;
        seen = taken[k] = true;
        number[count++] = k;
      }
    }
    return count;
  }

 private:
  /// Kernels of one kind differ only in widths.
  static constexpr int kind_of(copy_plan const& one) {
    bool const other = one.route == copy_route::direct    ? one.launch.once
                       : one.route == copy_route::windows ? one.bulk
                                                          : one.sectors.by_lines;
    return 2 * static_cast<int>(one.route) + (other ? 1 : 0);
  }
};
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
