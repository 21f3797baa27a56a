// SPDX-License-Identifier: Apache-2.0
/// @file
/// `PipelineState`: which stage of a ring is next, and the phase of its barrier. The pipelines of TMA come with the
/// atoms of Hopper. If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/pipeline/sm90_pipeline.hpp>)
#include_next <cutlass/pipeline/sm90_pipeline.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/arch/barrier.h>

namespace cutlass {

/// A place in a ring of stages: the phase changes each time that the index comes round.
template <std::uint32_t Stages_>
struct PipelineState {
  static constexpr std::uint32_t Stages = Stages_;

  PipelineState() = default;
  CUTLASS_HOST_DEVICE constexpr PipelineState(int index, std::uint32_t phase, std::uint32_t count)
      : index_(index), phase_(phase), count_(count) {}

  CUTLASS_HOST_DEVICE constexpr int index() const { return index_; }
  CUTLASS_HOST_DEVICE constexpr std::uint32_t phase() const { return phase_; }
  /// Steps since the begin.
  CUTLASS_HOST_DEVICE constexpr std::uint32_t count() const { return count_; }

  CUTLASS_HOST_DEVICE constexpr void operator++() { advance(1); }
  CUTLASS_HOST_DEVICE constexpr PipelineState& operator+=(std::uint32_t steps) { return advance(steps); }
  CUTLASS_HOST_DEVICE constexpr PipelineState& advance(std::uint32_t steps) {
    if constexpr (Stages > 0) {
      std::uint32_t const reached = static_cast<std::uint32_t>(index_) + steps;
      phase_ ^= reached / Stages % 2;
      index_ = static_cast<int>(reached % Stages);
      count_ += steps;
    }
    return *this;
  }
  CUTLASS_HOST_DEVICE static constexpr PipelineState make_pipeline_state(PipelineState start, std::uint32_t steps) {
    return start.advance(steps);
  }

  int index_ = 0;
  std::uint32_t phase_ = 0;
  std::uint32_t count_ = 0;
};

/// Where a producer begins: its first wait, for a stage that nobody has filled, passes at once.
template <class Pipeline>
CUTLASS_HOST_DEVICE constexpr PipelineState<Pipeline::Stages> make_producer_start_state() {
  return {0, 1, 0};
}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
