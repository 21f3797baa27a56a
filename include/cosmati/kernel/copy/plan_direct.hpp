// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of the direct route, and what they cost.
#pragma once

#include <cosmati/kernel/copy/plan_costs.hpp>

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
  ragged,     ///< rows begin or end within vectors or sectors: what is left of a sector should meet the rest in L2
  shifted,    ///< the same, single elements to vectors, 256 MiB or more
  scattered,  ///< neighbours lie apart in the source: L1 has what the next warp needs
  repeated    ///< the source is read many times
};
/// The launch that was fastest for most copies of a kind, and how much longer others take. Measured: bench/NOTES.md.
constexpr direct_launch usual_launch(direct_kind kind) {
  switch (kind) {
    case direct_kind::streamed:
      return {.threads = 256, .at_once = 1, .stream_loads = true, .stream_stores = true};
    case direct_kind::large:
      return {.threads = 256, .at_once = 1};
    case direct_kind::ragged:
      return {.threads = 256, .at_once = 2};
    case direct_kind::shifted:
      return {.threads = 256, .at_once = 1};
    case direct_kind::scattered:
      return {.threads = 256, .at_once = 4};
    default:
      return {.threads = 128, .at_once = 4, .stream_stores = true};
  }
}
constexpr double launch_factor(direct_launch const& how, direct_kind kind, std::int64_t width) {
  direct_launch const usual = usual_launch(kind);
  double factor = kind == direct_kind::shifted ? 0.88 : 1;
  for (int t = how.threads; t > usual.threads; t /= 2) factor += 0.01;
  for (int t = how.threads; t < usual.threads; t *= 2) factor += 0.01;
  if (how.at_once != usual.at_once) factor += how.at_once > usual.at_once && width == 16 ? 0.08 : 0.02;
  if (how.blocks != 0) factor += 0.03 + 0.02 * (how.blocks < 4 ? 2 : 1);
  if (how.stream_loads != usual.stream_loads) factor += how.stream_loads ? 0.1 : 0.03;
  if (how.stream_stores != usual.stream_stores) factor += 0.02;
  return factor;
}
/// Bytes of which the difference of both sides' first addresses is a multiple, 16 at most.
constexpr std::int64_t apart_alignment(copy_problem const& p) {
  std::int64_t known = p.source_alignment < p.target_alignment ? p.source_alignment : p.target_alignment;
  if (p.apart_alignment > known) known = p.apart_alignment;
  return power_of_two_in((p.source_offset - p.target_offset) * p.element_bytes, known < 16 ? known : 16);
}

template <class Plans>
constexpr void offer_direct(Plans& plans, copy_device const& device) {
  copy_problem const& p = plans.problem;
  double const elements = static_cast<double>(p.size()), cycles = device.multiprocessors * device.cycles_per_us;
  copy_traffic const traffic(p);
  bool const contiguous = is_contiguous(p);
  bool repeated = false, shared_soon = false;
  // What lies in the same 64 bytes of the source as a run, but is copied long after it, comes from memory again.
  std::int64_t const run = p.rank > 0 && p.mode[0].source == 1 ? p.mode[0].extent : 1;
  double const runs_of_64 = 64.0 / static_cast<double>(run * p.element_bytes);
  double read_again = 1, between = 64;
  for (int m = 0; m < p.rank; ++m) {
    repeated = repeated || p.mode[m].source == 0;
    if (p.mode[m].source == run && between > 24e6 && runs_of_64 > 1)
      read_again =
          runs_of_64 < static_cast<double>(p.mode[m].extent) ? runs_of_64 : static_cast<double>(p.mode[m].extent);
    if (p.mode[m].source == 1) shared_soon = between <= 32 * 64;  // by the same block
    if (p.mode[m].source != 0) between *= static_cast<double>(p.mode[m].extent);
  }
  std::int64_t const sector = p.element_bytes < 32 ? 32 / p.element_bytes : 1;
  bool const cut = p.rank > 1 && (p.mode[0].extent % sector != 0 || !strides_are_multiples(p, false, sector, 0));
  auto const offer = [&](int vector, bool aligned, bool together, bool widest) {
    copy_plan plan;
    plan.vector = vector;
    plan.together = together;
    std::int64_t const extent = p.rank == 0 ? 1 : p.mode[0].extent, stride = p.rank == 0 ? 1 : p.mode[0].source;
    double const slots =
        elements / static_cast<double>(extent) * static_cast<double>(ceil_of(extent, vector) + (aligned ? 0 : 1));
    plan.memory_us = larger((traffic.read * read_again + traffic.written) / device.bytes_per_us, traffic.us(device));
    // Lanes beside each other are a source stride apart: each has sectors of its own when that is long.
    double const apart = static_cast<double>(magnitude(stride) * p.element_bytes);
    bool const single = !together || magnitude(stride) > 1;
    double const sectors = apart < 32 ? apart / 32 : 1;
    double const single_access = magnitude(stride) > 1 ? 0.3 + (shared_soon ? 0.3 : 0.8) * sectors
                                 : stride == 0         ? 0.05
                                                       : 0.1;
    // A short row of the target has sectors of its own in the source.
    double const of_row = p.rank > 1 ? 0.8 / static_cast<double>(extent) : 0;
    plan.shared_us = elements * ((single ? single_access : 0) + of_row) / cycles;
    // A warp that has the first or the last vector of a row, which are not whole, goes two ways.
    double const ways = aligned ? 1 : 1 + (extent < 64 * vector ? 1.0 : 64.0 * vector / static_cast<double>(extent));
    direct_kind kind = traffic.useful >= 268435456 ? direct_kind::large : direct_kind::streamed;
    if (repeated)
      kind = direct_kind::repeated;
    else if (magnitude(stride) > 1 && !(shared_soon && p.element_bytes == 16))
      kind = direct_kind::scattered;
    else if (!together || (!contiguous && (extent % vector != 0 || (kind == direct_kind::streamed && cut))))
      kind = !together && kind == direct_kind::large ? direct_kind::shifted : direct_kind::ragged;
    for_launches(widest, [&](direct_launch const& how) {
      // Threads and blocks cost what they cost, however little they move.
      plan.issue_us = slots / 32 * ways * (3 + 12.0 / how.at_once + (together ? 3 : 2 * vector) + 2 * p.rank) / cycles;
      plan.launch = how;
      plan.us = device.launch_us + overlapped(plan.memory_us, plan.shared_us, plan.issue_us) *
                                       launch_factor(how, kind, vector * p.element_bytes);
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
  for (int vector = 1; vector <= widest; vector *= 2) offer(vector, true, goes_together(vector), vector == widest);
  // Rows that begin within vectors of the target have one more, and the first and the last are not whole: with long
  // rows still four times as fast as single elements.
  int const most = 16 / p.element_bytes;
  if (widest < most && row >= 8 * most) offer(most, false, false, false);
}

}  // namespace COSMATI_NAMESPACE::detail
