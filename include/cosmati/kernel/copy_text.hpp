// SPDX-License-Identifier: Apache-2.0
/// @file
/// A plan in words: what it does, its predicted cost, and the reason. This header is opt-in, for the host.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/tensor_copy.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class... Arguments>
std::string formatted(char const* format, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}
inline std::string modes_text(copy_problem const& p, std::int64_t const (&tile)[copy_max_rank]) {
  std::string s;
  for (int m = 0; m < p.rank; ++m) s += formatted(m == 0 ? "(%lld" : ",%lld", static_cast<long long>(tile[m]));
  return s + ")";
}
inline std::string launch_text(direct_launch const& how) {
  std::string s = formatted("%d threads a block", how.threads);
  if (how.stream_loads) s += ", loads past L1";
  if (how.stream_stores) s += ", stores evicted first";
  if (how.once) s += ", what is repeated loaded once";
  return s;
}
}  // namespace detail

/// The text of a simplified problem: extents, strides of the source, strides of the target, as in "(4096,32):(1,4096)
/// -> (32,1)".
inline std::string text(copy_problem const& p) {
  std::string extents, source, target;
  for (int m = 0; m < p.rank; ++m) {
    char const* const before = m == 0 ? "" : ",";
    extents += detail::formatted("%s%lld", before, static_cast<long long>(p.mode[m].extent));
    source += detail::formatted("%s%lld", before, static_cast<long long>(p.mode[m].source));
    target += detail::formatted("%s%lld", before, static_cast<long long>(p.mode[m].target));
  }
  return "(" + extents + "):(" + source + ") -> (" + target + "), elements of " + std::to_string(p.element_bytes) +
         (p.element_bytes == 1 ? " byte" : " bytes");
}

/// The kernel that the plan launches, by its name in profiles.
inline std::string kernel_name(copy_problem const& p, copy_plan const& plan) {
  if (plan.route == copy_route::transpose)
    return detail::formatted("transpose_tiles<%d, %d>", p.element_bytes, plan.vector * p.element_bytes);
  if (plan.route == copy_route::windows) {
    window_tiles const tiles = window_tiles::of(p, plan.tile);
    bool const turns = window_turn::of(tiles, p.element_bytes, detail::window_row_log(tiles)).turns();
    return detail::formatted("copy_windows<%d, %s, %s>", p.element_bytes, plan.bulk ? "true" : "false",
                             turns ? "true" : "false");
  }
  if (plan.route == copy_route::sectors)
    return detail::formatted(plan.sectors.by_lines ? "copy_sectors_by_lines<%d>" : "copy_sectors<%d>", p.element_bytes);
  if (plan.together && is_contiguous(p))
    return detail::formatted("copy_contiguous<%d>",
                             plan.vector * p.element_bytes >= 4 ? plan.vector * p.element_bytes / 16 * 12 + 4 : 1);
  if (plan.launch.once)
    return detail::formatted("copy_once<%d, %s>", p.element_bytes,
                             once_windows::of(p, plan.launch.threads).turns ? "true" : "false");
  return detail::formatted("copy_direct<copy_bits<%d>, %d, %s, %d>", p.element_bytes, plan.vector,
                           plan.together && plan.vector > 1 ? "true" : "false", plan.vector == 1 ? 2 : 1);
}

namespace detail {
/// The tiles of a plan with tiles.
constexpr tile_set tiles_of_plan(copy_problem const& p, copy_plan const& plan) {
  if (plan.route == copy_route::sectors) return tiles_by_sectors(p, plan.sectors);
  if (plan.route != copy_route::transpose) return tile_set::of(p, plan.tile.extent);
  std::int64_t tile[copy_max_rank] = {};
  for (int m = 0; m < p.rank; ++m)
    tile[m] = m == plan.column_mode || m == plan.row_mode ? transpose_side(p, plan.vector) : 1;
  return tile_set::of(p, tile);
}
/// How often a full tile stores each element that it loads.
constexpr std::int64_t times_stored(copy_problem const& p, run_tile const& tile) {
  std::int64_t times = 1;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source == 0) times *= tile.extent[m];
  return times;
}
/// The modes along which the tiles of a plan come first, if the order differs from that of the target's modes.
inline std::string order_text(copy_problem const& p, copy_plan const& plan) {
  tile_set const tiles = tiles_of_plan(p, plan);
  tile_order const order = tile_order::of(p, tiles);
  int named = order.rank - 1;  // later modes are in their own order
  while (named > 0 && order.mode[named - 1] < order.mode[named]) --named;
  std::string text;
  for (int k = 0; k < named; ++k) {
    int const mode = tiles.of_mode[order.mode[k]];
    text += k == 0 ? ", tiles first along " : ", then ";
    text += mode == tile_set::along_rows ? "rows" : mode == tile_set::along_runs ? "runs" : formatted("mode %d", mode);
  }
  return text;
}
/// Describes the plan without the order of its tiles.
inline std::string text_of_tiles(copy_problem const& p, copy_plan const& plan) {
  if (plan.route == copy_route::direct) {
    std::string const how = detail::launch_text(plan.launch);
    if (plan.together && is_contiguous(p))
      return detail::formatted("direct: both sides lie together, accesses of %d bytes, %s",
                               plan.vector * p.element_bytes, how.c_str());
    if (plan.launch.once) {
      once_windows const w = once_windows::of(p, plan.launch.threads);
      long long const run = w.run_length * p.element_bytes;
      return detail::formatted("direct: windows of %d bytes of %lld in the target, each stored at %lld place%s%s, %s",
                               plan.vector * p.element_bytes, run, static_cast<long long>(w.places),
                               w.places == 1 ? "" : "s", w.turns ? ", turned where these lie differently" : "",
                               how.c_str());
    }
    return detail::formatted("direct: vectors of %d elements (%d bytes) to the target, %s from the source, %s",
                             plan.vector, plan.vector * p.element_bytes, plan.together ? "the same" : "single elements",
                             how.c_str());
  }
  if (plan.route == copy_route::transpose) {
    int const side = static_cast<int>(detail::transpose_side(p, plan.vector));
    return detail::formatted(
        "transpose: modes %d and %d in tiles of %d x %d, vectors of %d elements (%d bytes) on both sides, squares of "
        "%d x %d transposed in registers, shared memory swizzled",
        plan.column_mode, plan.row_mode, side, side, plan.vector, plan.vector * p.element_bytes, plan.vector,
        plan.vector);
  }
  if (plan.route == copy_route::windows) {
    window_tiles const t = window_tiles::of(p, plan.tile);
    std::int64_t const often = detail::times_stored(p, plan.tile);
    unsigned const run = t.run_elements(t.source.cut_tile), copied = t.source.length * t.source.cut_tile;
    std::string const gaps = run > copied ? detail::formatted(" (%u copied)", copied) : std::string();
    return detail::formatted(
        "windows: tile %s, read in %u runs of %u elements%s by %s, written in %u rows of %u%s, 16 aligned bytes at "
        "a time, %zu bytes of shared memory for two tiles",
        detail::modes_text(p, plan.tile.extent).c_str(), t.runs, run, gaps.c_str(),
        plan.bulk ? "bulk copies" : "cp.async", t.rows, t.row_length,
        often > 1 ? detail::formatted(", each element %lld times", static_cast<long long>(often)).c_str() : "",
        t.shared_bytes());
  }
  sector_tiles const t = sector_tiles::of(p, plan.sectors);
  return detail::formatted(
      "sectors: tiles of %u x %u of %u x %u elements, read in %u runs of %u by %s, written in %u rows of %u "
      "that begin where sectors of %d bytes do, %zu bytes of shared memory",
      t.row_length, t.rows, t.all_row_length, t.all_rows, t.runs, t.rows,
      plan.sectors.by_lines ? "whole lines" : "bulk copies", t.rows, t.row_length, sector_bytes, t.shared_bytes());
}
}  // namespace detail

/// Describes the plan.
inline std::string text(copy_problem const& p, copy_plan const& plan) {
  return detail::text_of_tiles(p, plan) + (plan.route == copy_route::direct ? "" : detail::order_text(p, plan));
}

/// Explains the cost of the plan.
inline std::string reason(copy_plan const& plan) {
  bool const direct = plan.route == copy_route::direct;
  std::string s = detail::formatted("%.1f us: memory %.1f, ", plan.us, plan.memory_us);
  s += direct ? detail::formatted("caches %.1f, instructions %.1f", plan.shared_us, plan.issue_us)
              : detail::formatted("work of the multiprocessors %.1f, waiting %.1f", plan.shared_us, plan.issue_us);
  if (plan.memory_us + plan.shared_us + plan.issue_us < plan.us / 2)
    s += "; most of it is the start of a kernel";
  else if (plan.memory_us >= plan.shared_us && plan.memory_us >= plan.issue_us)
    s += "; the memory decides";
  else if (plan.shared_us >= plan.issue_us)
    s += direct ? "; the caches decide" : "; the multiprocessors' work decides";
  else
    s += direct ? "; the instructions decide" : "; waiting for what is loaded decides";
  return s;
}

/// Describes the copy, the plan, and its basis: "(48,64):(1,48) -> (64,1), elements of 4 bytes: ..., 3.1 us measured".
inline std::string text(tensor_copy const& plan) {
  if (plan.problem().size() == 0) return text(plan.problem()) + ": nothing to copy";
  char const* const basis[] = {"estimated", "measured", "estimated, as both sides share memory",
                               "estimated, as the stream is captured"};
  return text(plan.problem()) + ": " + text(plan.problem(), plan.choice()) +
         detail::formatted(", %.1f us %s", plan.us(), basis[static_cast<int>(plan.basis())]);
}

/// The C++ calls that execute the plan.
inline std::string code(copy_problem const& p, copy_plan const& plan) {
  std::string s = "cosmati::copy_problem p;\n";
  s += detail::formatted("p.element_bytes = %d;\n", p.element_bytes);
  for (int m = 0; m < p.rank; ++m)
    s += detail::formatted("p.push(%lld, %lld, %lld);  // extent, strides of the source and of the target\n",
                           static_cast<long long>(p.mode[m].extent), static_cast<long long>(p.mode[m].source),
                           static_cast<long long>(p.mode[m].target));
  if (p.source_offset != 0)
    s += detail::formatted("p.source_offset = %lld;\n", static_cast<long long>(p.source_offset));
  if (p.target_offset != 0)
    s += detail::formatted("p.target_offset = %lld;\n", static_cast<long long>(p.target_offset));
  copy_problem const usual;
  auto const alignment = [&](char const* name, std::int64_t bytes, std::int64_t unless) {
    if (bytes != unless) s += detail::formatted("p.%s = %lld;\n", name, static_cast<long long>(bytes));
  };
  alignment("source_alignment", p.source_alignment, usual.source_alignment);
  alignment("target_alignment", p.target_alignment, usual.target_alignment);
  alignment("apart_alignment", p.apart_alignment, usual.apart_alignment);
  if (p.interleaved) s += "p.interleaved = true;\n";
  s += "cosmati::copy_plan plan;\n";
  s += detail::formatted("plan.route = cosmati::copy_route::%s;\n", name_of(plan.route));
  if (plan.route == copy_route::windows) {
    s += detail::formatted("plan.tile.source_modes = %d;\nplan.tile.target_modes = %d;\n", plan.tile.source_modes,
                           plan.tile.target_modes);
    for (int m = 0; m < p.rank; ++m)
      s += detail::formatted("plan.tile.extent[%d] = %lld;\n", m, static_cast<long long>(plan.tile.extent[m]));
    s += detail::formatted("plan.bulk = %s;\n", plan.bulk ? "true" : "false");
  } else if (plan.route == copy_route::sectors) {
    s += detail::formatted("plan.sectors = {%d, %d, %lld, %lld%s};  // modes of a run, of a row; elements of each%s\n",
                           plan.sectors.source_modes, plan.sectors.target_modes,
                           static_cast<long long>(plan.sectors.run_length),
                           static_cast<long long>(plan.sectors.row_length), plan.sectors.by_lines ? ", true" : "",
                           plan.sectors.by_lines ? "; by lines" : "");
  } else {
    s += detail::formatted("plan.vector = %d;\n", plan.vector);
    if (plan.route == copy_route::direct)
      s += detail::formatted(
          "plan.together = %s;\nplan.launch = {.threads = %d, .stream_loads = %s, "
          ".stream_stores = %s%s};\n",
          plan.together ? "true" : "false", plan.launch.threads, plan.launch.stream_loads ? "true" : "false",
          plan.launch.stream_stores ? "true" : "false", plan.launch.once ? ", .once = true" : "");
    else
      s += detail::formatted("plan.column_mode = %d;\nplan.row_mode = %d;\n", plan.column_mode, plan.row_mode);
  }
  return s + "cosmati::launch_plan(p, plan, source, target);\n";
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
