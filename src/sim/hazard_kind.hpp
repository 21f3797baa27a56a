// SPDX-License-Identifier: Apache-2.0
/// @file
/// The kinds of hazards that the simulated device finds.
#pragma once

#include <cstdint>

namespace cosmati_sim {

enum class hazard_kind : std::uint8_t {
  none,
  out_of_bounds,
  misaligned,
  race,
  uninitialized,
  missing_wait,
  missing_commit,
  missing_barrier,
  missing_proxy_fence,
  mbarrier,
  deadlock,
  divergence,
  wrong_space,
  invalid_argument,
  invalid_launch,
  assertion,
  trap,
  exception,
  division_by_zero,
  stack_overflow,
  leak
};

}  // namespace cosmati_sim
