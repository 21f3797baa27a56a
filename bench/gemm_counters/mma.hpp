// SPDX-License-Identifier: Apache-2.0
/// @file
/// Launches of `gemm_mma` with the tiles that suit the type; a file a type includes this, because each takes a compiler
/// half a minute.
#pragma once

#include "cases.hpp"

#include <cosmati/kernel/gemm/mma.hpp>

namespace gemm_counters {

/// @tparam T of A and B, @tparam TC of C
template <class T, class TC>
struct mma_of {
  template <int mode_a, int mode_b>
  struct launch {
    static void run(extents how) {
      constexpr mma_config config = detail::mma_config_for<T>();
      multiply<T, TC, mode_a, mode_b>(how, config.tile_m, config.tile_n, detail::mma_tile_k<T>(config),
                                      [](auto const& A, auto const& B, auto const& C_, auto beta) {
                                        gemm_mma(A, B, C_, static_cast<decltype(beta)>(1), beta);
                                      });
    }
  };
};

}  // namespace gemm_counters
