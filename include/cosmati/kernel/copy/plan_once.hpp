// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans that load once what is repeated, and what they cost.
#pragma once

#include <cosmati/kernel/copy/once_windows.hpp>
#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_gathers.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Plans>
constexpr void offer_once(Plans& plans, copy_device const& device, copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  double const beyond = pieces_beyond(p, l2_bytes / 64, true, 64) * 64 * traffic.unique / p.element_bytes,
               read = larger(traffic.read, beyond);
  for (int vector = 1; vector * p.element_bytes <= 16; vector *= 2) {
    if (!is_once_vector(vector, p.element_bytes) || (vector > 1 && (p.rank == 0 || p.mode[0].target != 1))) continue;
    for (int const threads : {64, 128, 256, 512, 1024}) {
      once_windows const w = once_windows::of(p, vector, threads);
      if (!w.fit()) break;
      copy_plan plan;
      plan.vector = vector;
      plan.launch.threads = threads;
      plan.launch.once = true;
      plan.memory_us = 0.935 * read + 0.905 * traffic.written + 0.758 * traffic.cut;
      // Loads, of each share of a window's places again: each element some instructions, and a sector.
      std::int64_t const each = w.places_each(threads, static_cast<int>(device.multiprocessors));
      double const warps = static_cast<double>(w.slots()) / 32,
                   loads = warps * static_cast<double>(ceil_of(w.places, each)),
                   stores = warps * static_cast<double>(w.places);
      // A store is a cycle for each run that a warp has windows of and for each 128 bytes; runs' ends are several.
      double const windows = static_cast<double>(w.windows), runs = windows < 32 ? 32 / windows : 1,
                   ends = vector > 1 && (w.turns || w.run_length % vector != 0) ? 2 * runs : 0;
      double const lines = static_cast<double>(vector * p.element_bytes) / 4;
      plan.shared_us = (loads * vector * 24 + stores * ((runs > lines ? runs : lines) + 2 * ends)) / cycles;
      plan.issue_us =
          (loads * (40 + 10 * vector) + stores * (10 + (w.turns ? 6 : 0) + (ends > 0 ? 10 : 0))) / (4 * cycles);
      double const us = overlapped<4>(plan.memory_us, plan.shared_us, plan.issue_us);
      for (bool const stream_stores : {true, false}) {
        plan.launch.stream_stores = stream_stores;
        plan.us = device.launch_us + us * (threads == 256 ? 1 : 1.02) * (stream_stores ? 1 : 1.01);
        plans.offer(plan);
      }
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail
