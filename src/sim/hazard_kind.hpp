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
  leak,
  conversion
};

/// Whether it does not change the verdict: memory that is never freed, and a result that differs from a GPU's.
inline bool is_note(hazard_kind kind) { return kind == hazard_kind::leak || kind == hazard_kind::conversion; }

}  // namespace cosmati_sim
