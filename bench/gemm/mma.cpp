// SPDX-License-Identifier: Apache-2.0
// gemm_mma, and the rate of its matrix instructions alone.
#include "instruction_rate.hpp"
#include "works.hpp"

#include <chrono>
#include <cosmati/kernel/gemm/mma.hpp>
#include <thread>

namespace bench {
namespace {

/// The TFLOP/s of an instruction, in warps with M x N independent sums.
template <class Op, int M, int N>
double rate_of() {
  unsigned const blocks = static_cast<unsigned>(current_device().multiprocessors);
  device_buffer<float> out(std::size_t{blocks} * 256);
  event start, stop;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    constexpr int repetitions = 4000;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the clock falls under load
    launch(instruction_rate<Op, M, N>, {.grid = blocks, .block = 256}, out.data(), repetitions / 4);
    start.record();
    launch(instruction_rate<Op, M, N>, {.grid = blocks, .block = 256}, out.data(), repetitions);
    stop.record();
    double const rate = instruction_rate_operations<Op, M, N>(static_cast<int>(blocks), repetitions) /
                        static_cast<double>(elapsed_ms(start, stop)) / 1e9;
    best = rate > best ? rate : best;
  }
  return best;
}

template <class T, class TC, bool along_k, int M = 4, int N = 4>
work product(char const* type, int n) {
  using Op = typename detail::mma_of_elements<T, T>::type;
  constexpr mma_config c = detail::mma_config_for<T>();
  std::string const tiles = "mma_config{" + std::to_string(c.tile_m) + ", " + std::to_string(c.tile_n) + ", " +
                            std::to_string(c.tile_k) + ", " + std::to_string(c.warps_m) + ", " +
                            std::to_string(c.warps_n) + ", " + std::to_string(c.stages) + "}";
  return make_work<T, TC, along_k, along_k>("gemm/mma", type, tiles, {n, n, n}, rate_of<Op, M, N>,
                                            [](auto const& A, auto const& B, auto const& C_) { gemm_mma(A, B, C_); });
}

}  // namespace

void add_mma(std::vector<work>& all, int n) {
  all.push_back(product<half_t, half_t, true>("f16", n));
  all.push_back(product<half_t, half_t, false>("f16", n));
  all.push_back(product<bfloat16_t, bfloat16_t, true>("bf16", n));
  all.push_back(product<bfloat16_t, bfloat16_t, false>("bf16", n));
  all.push_back(product<tfloat32_t, float, true>("tf32", n));
  all.push_back(product<std::int8_t, int, true>("s8", n));
  all.push_back(product<double, double, true, 2, 4>("f64", n));
}

}  // namespace bench
