// SPDX-License-Identifier: Apache-2.0
// gemm_simt, and the rate of FFMA alone.
#include "works.hpp"

#include <cosmati/kernel/gemm/simt.hpp>

namespace bench {
namespace {

__global__ void __launch_bounds__(256, 1) multiply_adds(float* out, int repetitions, float a, float b) {
  float sum[64];
  COSMATI_UNROLL
  for (int i = 0; i < 64; ++i) sum[i] = static_cast<float>(threadIdx.x + static_cast<unsigned>(i));
  float const x = a + static_cast<float>(threadIdx.x) * 0x1p-20f, y = b;
  COSMATI_NO_UNROLL
  for (int r = 0; r < repetitions; ++r) {
    COSMATI_UNROLL
    for (int j = 0; j < 8; ++j) {
      COSMATI_UNROLL
      for (int i = 0; i < 64; ++i) sum[i] = __builtin_fmaf(sum[i], x, y);
    }
  }
  float s = 0;
  COSMATI_UNROLL
  for (int i = 0; i < 64; ++i) s += sum[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
double rate_of_multiply_adds() {
  constexpr int repetitions = 4000;
  unsigned const blocks = static_cast<unsigned>(current_device().multiprocessors);
  device_buffer<float> out(std::size_t{blocks} * 256);
  event start, stop;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    start.record();
    launch(multiply_adds, {.grid = blocks, .block = 256}, out.data(), repetitions, 0.5f, 0.25f);
    stop.record();
    double const rate = 2.0 * 512 * repetitions * 256 * blocks / static_cast<double>(elapsed_ms(start, stop)) / 1e9;
    best = rate > best ? rate : best;
  }
  return best;
}

std::string text(simt_config const& c) {
  return "simt_config{" + std::to_string(c.tile_m) + ", " + std::to_string(c.tile_n) + ", " + std::to_string(c.tile_k) +
         ", " + std::to_string(c.values_m) + ", " + std::to_string(c.values_n) + ", " + std::to_string(c.stages) +
         ", " + std::to_string(c.blocks) + ", " + std::to_string(c.fetch_from) + ", " + std::to_string(c.fetch_steps) +
         "}";
}
template <bool along_k>
work product(int n) {
  return make_work<float, float, along_k, along_k>(
      "gemm/simt", "f32", text(detail::simt_config_for<4, along_k>()), {n, n, n}, rate_of_multiply_adds,
      [](auto const& A, auto const& B, auto const& C_) { gemm_simt(A, B, C_); });
}

}  // namespace

void add_simt(std::vector<work>& all, int n) {
  all.push_back(product<true>(n));
  all.push_back(product<false>(n));
}

}  // namespace bench
