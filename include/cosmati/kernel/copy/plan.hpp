// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a plan of a copy says: the kernel, its tile, its launch, and what it is predicted to cost.
///
/// The words of this folder, each used for one thing:
/// - a *run* is what lies together in the source of what a tile copies;
/// - a *row* is what lies together in the target;
/// - a *window* is 16 bytes at a multiple of 16 of either tensor, one access;
/// - a *sector* is 32 bytes at a multiple of 32, what the memory moves at least;
/// - a *part* of a mode is as much of it as a tile has.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/registers.hpp>
#include <cosmati/kernel/copy/sector_tiles.hpp>

namespace COSMATI_NAMESPACE {

/// How a copy goes.
enum class copy_route {
  direct,     ///< through registers
  transpose,  ///< vectors of two modes, exchanged in registers and shared memory
  windows,    ///< runs and rows of several modes through shared memory, by aligned windows on both sides
  sectors     ///< the same with rows cut where sectors of the target begin
};
/// How many there are.
inline constexpr int copy_routes = 4;
/// "direct", "transpose", "windows" or "sectors": also the enumerator's name.
constexpr char const* name_of(copy_route route) {
  constexpr char const* names[] = {"direct", "transpose", "windows", "sectors"};
  int const number = static_cast<int>(route);
  return number >= 0 && number < copy_routes ? names[number] : "none";
}

/// One way to do a copy, and what it is predicted to cost.
struct copy_plan {
  copy_route route = copy_route::direct;
  int vector = 1;                     ///< elements of an access (direct, transpose)
  bool together = false;              ///< direct: the source has them side by side
  direct_launch launch;               ///< direct
  int column_mode = 0, row_mode = 0;  ///< transpose: side by side in the source, in the target
  run_tile tile;                      ///< windows
  bool bulk = false;                  ///< windows: loaded by bulk copies
  sector_tile sectors;                ///< sectors
  // What is predicted, in microseconds; the longest decides, the others hide behind it for the most part.
  double memory_us = 0;   ///< global memory's time
  double shared_us = 0;   ///< work of the multiprocessors: accesses, instructions (direct: what the caches do)
  double issue_us = 0;    ///< blocks that wait for what they load (direct: instructions)
  double us = 0;          ///< all of it
  double wavefronts = 1;  ///< of a warp's access to shared memory on its way out

  /// Whether both say the same is to be done, whatever they predict.
  constexpr bool does_as(copy_plan const& other) const {
    if (route != other.route) return false;
    if (route == copy_route::direct)
      return vector == other.vector && together == other.together && launch == other.launch;
    if (route == copy_route::transpose)
      return vector == other.vector && column_mode == other.column_mode && row_mode == other.row_mode;
    return route == copy_route::windows ? tile == other.tile && bulk == other.bulk : sectors == other.sectors;
  }
};

/// Plans that are considered for a problem, at most.
inline constexpr int copy_plans_kept = 64;
namespace detail {
/// Takes a plan to its place among the `kept` best, those that take the least first; where there is no room, the last
/// goes, or the plan itself.
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
  copy_problem problem;  ///< simplified
  int kept = 0;
  copy_plan plan[copy_plans_kept];

  /// Takes a plan among the best, if it is one.
  constexpr void offer(copy_plan const& one) { detail::keep_in_order(plan, kept, one); }
  /// Numbers of up to `most` plans, taken in turn from the kernels, the best of each first: those to be measured.
  /// @param number room for `most` @return how many
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
  /// Kernels of one kind differ by widths alone.
  static constexpr int kind_of(copy_plan const& one) {
    bool const other = one.route == copy_route::direct    ? one.launch.once
                       : one.route == copy_route::windows ? one.bulk
                                                          : one.sectors.by_lines;
    return 2 * static_cast<int>(one.route) + (other ? 1 : 0);
  }
};
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
