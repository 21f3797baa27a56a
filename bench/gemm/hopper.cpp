// SPDX-License-Identifier: Apache-2.0
// gemm_hopper, which takes its configuration by itself, beside the fastest of cuBLAS and cuBLASLt.
#include "works.hpp"

#include <cosmati/kernel/gemm/hopper.hpp>

namespace bench {
namespace {

template <class T, class TC, bool a_along_k, bool b_along_k>
work product(char const* type, extents const& e, char const* name = "gemm/hopper") {
  auto const chosen =
      detail::choose_hopper_config(e.m, e.n, e.k, 1, static_cast<int>(sizeof(T)), current_device().multiprocessors);
  hopper_config const c = detail::hopper_configs[chosen.config];
  std::string const tiles = "hopper_config{" + std::to_string(c.tile_m) + ", " + std::to_string(c.tile_n) + ", " +
                            std::to_string(c.tile_k) + ", " + std::to_string(c.stages) + ", " +
                            std::to_string(c.consumers) + "}" + (c.turned ? ", turned" : "") +
                            (chosen.split > 1 ? ", split " + std::to_string(chosen.split) : "");
  work w = make_work<T, TC, a_along_k, b_along_k>(
      name, type, tiles, e, nullptr, [](auto const& A, auto const& B, auto const& C_) { gemm_hopper(A, B, C_); });
  w.best_peer = true;
  return w;
}
template <class T>
void add_orders(std::vector<work>& all, char const* type, extents const& e) {
  all.push_back(product<T, T, true, true>(type, e));
  all.push_back(product<T, T, false, false>(type, e));
  all.push_back(product<T, T, false, true>(type, e));
  all.push_back(product<T, T, true, false>(type, e));
}

/// N and K of the weights of public models: Llama 3 (8B, 70B), Mixtral, DeepSeek V3, Qwen 2.5 (7B).
constexpr int weights[][2] = {{6144, 4096},  {4096, 4096},  {28672, 4096}, {4096, 14336}, {10240, 8192},
                              {8192, 28672}, {14336, 4096}, {2112, 7168},  {24576, 1536}, {7168, 16384},
                              {4096, 7168},  {4608, 3584},  {3584, 3584},  {37888, 3584}, {3584, 18944}};

}  // namespace

void add_models(std::vector<work>& all) {
  for (int const m : {16, 128, 1024, 8192})
    for (auto const& [n, k] : weights)
      all.push_back(product<bfloat16_t, bfloat16_t, true, true>("bf16", {m, n, k}, "gemm/models"));
}

void add_hopper(std::vector<work>& all) {
  for (extents const& e : {extents{2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 4096, 4096}}) {
    add_orders<bfloat16_t>(all, "bf16", e);
    add_orders<half_t>(all, "f16", e);
  }
  for (extents const& e : {extents{4096, 4096, 4096}, {8192, 8192, 8192}}) {
    all.push_back(product<float_e4m3_t, bfloat16_t, true, true>("e4m3", e));
    all.push_back(product<tfloat32_t, float, true, true>("tf32", e));
    all.push_back(product<std::int8_t, int, true, true>("s8", e));
  }
}

}  // namespace bench
