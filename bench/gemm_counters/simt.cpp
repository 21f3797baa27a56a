// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <cosmati/kernel/gemm/simt.hpp>

namespace gemm_counters {
namespace {

template <class T>
struct simt_of {
  template <int mode_a, int mode_b>
  struct launch {
    static void run(extents how) {
      constexpr simt_config config = detail::simt_config_for < sizeof(T), mode_a == 1 || mode_b == 1 > ();
      multiply<T, T, mode_a, mode_b>(
          how, config.tile_m, config.tile_n, config.tile_k,
          [](auto const& A, auto const& B, auto const& C_, auto beta) { gemm_simt(A, B, C_, T(1), beta); });
    }
  };
};

}  // namespace

void add_simt_f32(std::vector<counted_case>& all) { add_layouts<simt_of<float>::launch>(all, "simt f32"); }
void add_simt_f64(std::vector<counted_case>& all) { add_layouts<simt_of<double>::launch>(all, "simt f64"); }

}  // namespace gemm_counters
