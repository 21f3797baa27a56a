// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of the direct route, and what they cost.
#pragma once

#include <cosmati/kernel/copy/plan_costs.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Plans>
constexpr void offer_direct(Plans& plans, copy_device const& device) {
  copy_problem const& p = plans.problem;
  double const elements = static_cast<double>(p.size()), bytes = 2 * elements * p.element_bytes;
  auto const offer = [&](int vector, bool aligned) {
    std::int64_t const width = vector * p.element_bytes;
    copy_plan plan;
    plan.vector = vector;
    plan.together = vector == 1 || (aligned && p.mode[0].source == 1 && base_is_aligned(p, true, width) &&
                                    strides_are_multiples(p, true, vector, 0));
    std::int64_t const extent = p.rank == 0 ? 1 : p.mode[0].extent, stride = p.rank == 0 ? 1 : p.mode[0].source;
    double const slots =
        elements / static_cast<double>(extent) * static_cast<double>(ceil_of(extent, vector) + (aligned ? 0 : 1));
    // Lanes beside each other are a source stride apart: each has sectors of its own when that is long.
    double const apart = static_cast<double>(magnitude(stride) * p.element_bytes);
    double const read = stride == 0 ? 1.0 / 32 : apart > 32 ? 32.0 / p.element_bytes : apart / p.element_bytes;
    double const written =
        p.rank == 0 ? 1
                    : larger(1, p.mode[0].target * p.element_bytes > 32 ? 32.0 / p.element_bytes
                                                                        : static_cast<double>(p.mode[0].target));
    double const run = static_cast<double>(extent) * p.element_bytes;
    plan.memory_us =
        bytes * 0.5 * (read * sector_factor(run, false) + written * sector_factor(run, false)) / device.bytes_per_us;
    if (p.rank <= 1 && stride == 1) plan.memory_us = bytes / device.bytes_per_us;
    double const loads = plan.together ? 1 : vector;
    double const wavefronts_of_load = larger(1, larger(static_cast<double>(width) / 4, apart * 32 / 128));
    plan.shared_us = slots / 32 * (loads * wavefronts_of_load + larger(1, static_cast<double>(width) / 4)) /
                     (device.multiprocessors * device.cycles_per_us);
    plan.issue_us = slots / 32 * (20 + 3 * loads + 12 * (p.rank > 1 ? p.rank - 1 : 0)) /
                    (device.multiprocessors * device.cycles_per_us * 3);
    // A warp that has the first or the last vector of a row, which are not whole, goes two ways.
    if (!aligned) plan.issue_us *= 1 + (extent < 64 * vector ? 1.0 : 64.0 * vector / static_cast<double>(extent));
    total(plan, device);
    plans.offer(plan);
  };
  std::int64_t const row = p.rank > 0 && p.mode[0].target == 1 ? p.mode[0].extent : 1;
  auto const fits = [&](int vector) { return vector * p.element_bytes <= 16 && row >= vector; };
  offer(1, true);
  int vector = 2;
  for (; fits(vector); vector *= 2) {
    if (!base_is_aligned(p, false, vector * p.element_bytes) || !strides_are_multiples(p, false, vector, 0)) break;
    offer(vector, true);
  }
  // Rows that begin within vectors of the target have one more, and the first and the last are not whole: with long
  // rows still four times as fast as single elements.
  if (vector > 2 || !fits(vector)) return;
  vector = 16 / p.element_bytes;
  if (row >= 8 * vector) offer(vector, false);
}

}  // namespace detail

}  // namespace COSMATI_NAMESPACE
