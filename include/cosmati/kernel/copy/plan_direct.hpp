// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of the direct route, and what they cost.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_gathers.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Calls `offer(direct_launch)` for every launch of the space. @param all also those of blocks that take several parts
template <class Offer>
constexpr void for_launches(bool all, Offer const& offer) {
  constexpr int threads[] = {64, 128, 192, 256, 384, 512, 768, 1024}, blocks[] = {0, 1, 2, 4, 8, 16, 32};
  direct_launch how;
  for (int const t : threads)
    for (how.at_once = 1; how.at_once <= 4; how.at_once *= 2)
      for (int b = 0; b < (all ? 7 : 1); ++b)
        for (int cache = 0; cache < 4; ++cache) {
          how.threads = t;
          how.blocks = blocks[b];
          how.stream_loads = cache % 2 != 0;
          how.stream_stores = cache / 2 != 0;
          offer(how);
        }
}

/// What decides how many threads, vectors and which caches suit a copy through registers.
enum class direct_kind {
  streamed,   ///< whole vectors side by side on both sides
  large,      ///< the same, much more than the caches keep of it: 256 MiB or more
  cut,        ///< the same, rows begin or end within sectors: what is left of a sector should meet the rest in L2
  shifted,    ///< vectors put together, of windows or of single elements side by side: enough are in flight with one
  scattered,  ///< neighbours lie apart in the source: L1 has what the next warp needs
  gathered,   ///< the same, several to a vector
  spread,     ///< rows of one element each: one load, a vector of it stored
  repeated    ///< the source is read many times
};
/// The launch that was fastest for most copies of a kind, and how much longer others take. Measured: bench/NOTES.md.
/// @param bytes of an element; @param short_rows rows of single elements to the target, with gaps between them
constexpr direct_launch usual_launch(direct_kind kind, int bytes, bool short_rows) {
  if (short_rows) return {.threads = 256, .at_once = 1};
  switch (kind) {
    case direct_kind::streamed:
      return {.threads = 192, .at_once = 1, .stream_loads = true, .stream_stores = true};
    case direct_kind::large:
      return {.threads = 256, .at_once = 1};
    case direct_kind::cut:
      return {.threads = 128, .at_once = bytes == 16 ? 1 : 2};
    case direct_kind::shifted:
      return {.threads = bytes < 4 ? 64 : 128, .at_once = bytes == 1 ? 4 : 2, .stream_stores = true};
    case direct_kind::scattered:
      return {.threads = bytes < 16 ? 192 : 384, .at_once = 2};
    case direct_kind::gathered:
      if (bytes == 8) return {.threads = 512, .at_once = 1, .stream_stores = true};
      if (bytes == 2) return {.threads = 256, .at_once = 1, .stream_stores = true};
      return {.threads = 64, .at_once = 4, .stream_stores = true};
    case direct_kind::spread:
      return {.threads = 128, .at_once = 2, .stream_stores = true};
    default:
      if (bytes < 4) return {.threads = 128, .at_once = 1, .stream_stores = true};
      return {.threads = bytes == 16 ? 128 : 64, .at_once = 4, .stream_stores = true};
  }
}
constexpr double launch_factor(direct_launch const& how, direct_launch const& usual, direct_kind kind) {
  double factor = 1;
  for (int t = how.threads; t > usual.threads; t /= 2) factor += 0.01;
  for (int t = how.threads; t < usual.threads; t *= 2) factor += 0.01;
  if (how.threads >= 768 && usual.threads < 768) factor += 0.08;
  if (how.threads == 64 && how.at_once == 1 && usual.threads > 64) factor += 0.12;
  if (how.at_once != usual.at_once) factor += how.at_once > 2 * usual.at_once ? 0.06 : 0.04;
  if (how.blocks != 0) factor += 0.03 + 0.02 * (how.blocks < 4 ? 2 : 1);
  if (how.stream_loads != usual.stream_loads) factor += how.stream_loads ? 0.1 : 0.03;
  if (how.stream_stores != usual.stream_stores) factor += kind == direct_kind::gathered ? 0.08 : 0.02;
  return factor;
}
/// Bytes of which the difference of both sides' first addresses is a multiple, 16 at most.
constexpr std::int64_t apart_alignment(copy_problem const& p) {
  std::int64_t known = p.source_alignment < p.target_alignment ? p.source_alignment : p.target_alignment;
  if (p.apart_alignment > known) known = p.apart_alignment;
  return power_of_two_in((p.source_offset - p.target_offset) * p.element_bytes, known < 16 ? known : 16);
}

/// Fitted to the fastest launches of 316 choices of a vector in 284 random problems: bench/NOTES.md.
template <class Plans>
constexpr void offer_direct(Plans& plans, copy_device const& device, copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  bool const contiguous = is_contiguous(p);
  std::int64_t const extent = p.rank == 0 ? 1 : p.mode[0].extent,
                     stride = p.rank == 0 ? 1 : magnitude(p.mode[0].source);
  bool repeated = false;
  // What lies in the same 64 bytes of the source as a run, but is copied after `between` bytes, comes from L2 or from
  // memory again.
  std::int64_t const run = stride == 1 ? extent : 1;
  double const runs_of_64 = 64.0 / static_cast<double>(run * p.element_bytes);
  double read_again = 1, between = 64;
  bool neighbours = false;  // of an element in the source are copied as well
  double before = 1;        // so many elements later: L1 has their lines still, or no more
  for (int m = 0; m < p.rank; ++m) {
    double const extents = static_cast<double>(p.mode[m].extent);
    repeated = repeated || p.mode[m].source == 0;
    neighbours = neighbours || magnitude(p.mode[m].source) == 1;
    if (!neighbours) before *= extents;
    if (p.mode[m].source == run && runs_of_64 > 1) {
      double const root = cube_root(between);
      read_again = 1 + ((runs_of_64 < extents ? runs_of_64 : extents) - 1) * root / (root + 439);
    }
    if (p.mode[m].source != 0) between *= extents;
  }
  // Single elements that lie apart and are repeated while L1 has their lines: up to 1200 of them, and how often.
  double lines_kept = 1, times_kept = 1;
  for (int m = 0; m < p.rank && times_kept == 1; ++m)
    (p.mode[m].source == 0 ? times_kept : lines_kept) *= static_cast<double>(p.mode[m].extent);
  if (lines_kept > 1200 || p.rank == 0 || stride <= 1) times_kept = 1;
  std::int64_t const sector = p.element_bytes < 32 ? 32 / p.element_bytes : 1;
  bool const cut = p.rank > 1 && (extent % sector != 0 || !strides_are_multiples(p, false, sector, 0));
  // What L2 does not hold until its neighbours are copied comes from memory again.
  double const beyond = pieces_beyond(p, device.l2_bytes / 64, false, 64) * 64 * static_cast<double>(p.size()) /
                        device.bytes_per_us,
               read = larger(traffic.read * read_again, beyond);
  double const memory_us = (stride > 1 ? 1.17 : 1) * (0.935 * read + 0.905 * traffic.written + 0.6 * traffic.refill);
  bool const short_rows = traffic.cut > 0.2 * traffic.written;  // with gaps between them
  auto const offer = [&](int vector, bool aligned, bool together, bool widest) {
    copy_plan plan;
    plan.vector = vector;
    plan.together = together;
    bool const windows = !together && is_shifted_vector(p, vector);
    // A single store is a sector of its own on its way to L2: most where nothing else fills the sector, less where
    // several go to the same one. Fitted to 2976 problems whose rows are no multiples of vectors (bench/NOTES.md).
    double const alone = contiguous || windows ? 0 : single_stores(p, vector);
    // Those of short rows that lie in the same 64 bytes go there together.
    double const step = p.rank > 1 ? static_cast<double>(p.mode[1].target * p.element_bytes) : 64,
                 shared = step < 64 ? step / 64 : 1;
    plan.memory_us = memory_us + (traffic.cut > 0 ? 312e-6
                                  : stride == 0   ? 200e-6
                                                  : 40e-6) *
                                     alone / (alone + 12) * shared * static_cast<double>(p.size()) /
                                     static_cast<double>(extent);
    // Accesses of a warp, 32 vectors: the rows that it has parts of, and whether some vectors are not whole, which it
    // goes another way for.
    double const slots = static_cast<double>(ceil_of(extent, vector) + (aligned ? 0 : 1));
    double const warps = static_cast<double>(p.size()) / static_cast<double>(extent) * slots / 32;
    double const rows = 32 / slots;
    bool const single = !together && vector > 1 && stride != 0;  // of stride 0 one is loaded for all
    bool const whole = vector == 1 || contiguous || (aligned && extent % vector == 0);
    double const ways = whole ? 0 : rows < 1 ? rows : 1;
    // Cycles for sectors of the source, of which a warp has as many as a vector has bytes; L1 has many of those that
    // lie apart, if their neighbours are copied as well.
    double const bytes = vector * p.element_bytes + rows, apart = static_cast<double>(stride * p.element_bytes);
    // Lines of its accesses, one a single element, and a cycle each where L1 has none of them.
    double const lines = vector * (vector * apart < 128 ? vector * apart / 4 : 32);
    double const sectors = stride == 0   ? rows
                           : stride == 1 ? 1.1 * bytes
                           : neighbours
                               ? larger(0.65 * bytes, single ? (0.3 + 0.62 * before / (before + 10000)) * lines : 0)
                               : 63.7 * vector * (apart < 32 ? apart / 32 : 1) / times_kept;
    plan.shared_us = warps * larger(sectors, contiguous ? 0 : (stride == 1 ? 8.8 : 2.41) * rows) / cycles;
    plan.issue_us =
        warps *
        ((contiguous ? 7.93 : 24.4 + 10.6 * (p.rank - 2)) + (single ? 2.88 : 0) * vector + 0.54 * ways * vector) /
        cycles;
    if (windows) {  // two loads and some shifts, and one after the other what is left of a window at a row's end
      plan.shared_us = warps * 1.6 * (16 + rows) / cycles;
      plan.issue_us = warps * (40 + (contiguous ? 0 : 10.6 * (p.rank - 1)) + 40 * ways) / cycles;
    }
    direct_kind kind = traffic.useful * device.bytes_per_us >= 268435456 ? direct_kind::large : direct_kind::streamed;
    if (stride == 0 && !together && vector > 1)
      kind = direct_kind::spread;
    else if (repeated)
      kind = direct_kind::repeated;
    else if (stride > 1)
      kind = single ? direct_kind::gathered : direct_kind::scattered;
    else if (single)
      kind = direct_kind::shifted;
    else if (!contiguous && (extent % vector != 0 || cut))
      kind = direct_kind::cut;
    direct_launch const usual = usual_launch(kind, p.element_bytes, short_rows && vector == 1);
    double const usual_us = overlapped<4>(plan.memory_us, plan.shared_us, plan.issue_us);
    for_launches(widest, [&](direct_launch const& how) {
      plan.launch = how;
      plan.us = device.launch_us + usual_us * launch_factor(how, usual, kind);
      plans.offer(plan);
    });
  };
  std::int64_t const row = p.rank > 0 && p.mode[0].target == 1 ? p.mode[0].extent : 1;
  auto const fits = [&](int vector) { return vector * p.element_bytes <= 16 && row >= vector; };
  // Vectors may begin anywhere in bytes that lie together, if they do so on both sides.
  auto const goes_together = [&](int vector) {
    std::int64_t const width = vector * p.element_bytes;
    if (vector == 1) return true;
    if (contiguous) return apart_alignment(p) % width == 0;
    return p.mode[0].source == 1 && base_is_aligned(p, true, width) && strides_are_multiples(p, true, vector, 0);
  };
  auto const is_aligned = [&](int vector) {
    return vector == 1 || (contiguous && goes_together(vector)) ||
           (base_is_aligned(p, false, vector * p.element_bytes) && strides_are_multiples(p, false, vector, 0));
  };
  int widest = 1;
  while (fits(2 * widest) && is_aligned(2 * widest)) widest *= 2;
  // Vectors put together of rows as short as this are seldom the fastest, and then by a tenth; others are up to twice
  // as fast (of 115 problems; bench/NOTES.md).
  if (!goes_together(widest) && is_shifted_vector(p, widest) && row * p.element_bytes < 64) widest /= 2;
  for (int vector = 1; vector <= widest; vector *= 2) offer(vector, true, goes_together(vector), vector == widest);
  // Rows that begin within vectors of the target have one more, and the first and the last are not whole: with long
  // rows still four times as fast as single elements.
  int const most = 16 / p.element_bytes;
  if (widest < most && row >= 8 * most) offer(most, false, false, false);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
