// SPDX-License-Identifier: Apache-2.0
/// @file
/// The configurations of `gemm_hopper` that are compared on lists of shapes. Each file adds some of them.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using namespace cosmati;

/// A product of bfloat16, A (M, K) and B (N, K) contiguous along K, C (M, N) along N.
struct product {
  int m, n, k;
  bfloat16_t const* a;
  bfloat16_t const* b;
  bfloat16_t* c;
};

/// One way to compute a product.
struct candidate {
  std::string text;
  hopper_config config;
  int split;
  std::function<void(product const&, stream_handle)> run;
};

inline auto problem_of(product const& p) {
  return make_gemm_problem(make_tensor(make_gmem_ptr(p.a), make_shape(p.m, p.k), make_stride(p.k, _1{})),
                           make_tensor(make_gmem_ptr(p.b), make_shape(p.n, p.k), make_stride(p.k, _1{})),
                           make_tensor(make_gmem_ptr(p.c), make_shape(p.m, p.n), make_stride(p.n, _1{})), 1.f, 0.f);
}

/// Adds a configuration, once for each number of blocks that may share the sum over K.
template <hopper_config config>
void add(std::vector<candidate>& all) {
  static_assert(detail::hopper_problem_fits<config, decltype(problem_of({})), true>, "it is no configuration");
  for (int split = 1; split <= config.split; split *= 2) {
    std::string text = std::to_string(config.tile_m) + "x" + std::to_string(config.tile_n) + " stages " +
                       std::to_string(config.stages) + " consumers " + std::to_string(config.consumers) + " blocks " +
                       std::to_string(config.blocks) + (config.turned ? " turned" : "") +
                       (config.schedule == hopper_schedule::pingpong ? " pingpong" : "") +
                       (config.results != 2 ? " results " + std::to_string(config.results) : "") +
                       (config.cluster != 1 ? " cluster " + std::to_string(config.cluster) : "") +
                       (config.band != 16 ? " band " + std::to_string(config.band) : "");
    if (config.split > 1) text += " split " + std::to_string(split) + " of " + std::to_string(config.split);
    all.push_back({text, config, split, [split](product const& p, stream_handle stream) {
                     detail::run_gemm_hopper<config>(problem_of(p), identity{}, stream, split);
                   }});
  }
}

/// @name The configurations of each file
/// @{
void add_cooperative(std::vector<candidate>& all);
void add_pingpong(std::vector<candidate>& all);
void add_split(std::vector<candidate>& all);
void add_turned(std::vector<candidate>& all);
/// @}

/// Products of groups with ragged rows, beside cuBLAS.
void compare_experts();
/// Products of 8-bit floats with sums of two levels and scales of blocks, beside those of one level.
void compare_scaled();

}  // namespace bench
