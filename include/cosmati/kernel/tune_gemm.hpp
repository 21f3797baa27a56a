// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tune_gemm(A, B, C)`: measures the kernels of a matrix product on the device, and keeps the winner for later calls
/// of `gemm` and in a file. This header is opt-in, for the host; it needs nlohmann-json.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/kernel/gemm.hpp>
#include <cosmati/kernel/times_in_turn.hpp>
#include <cosmati/kernel/tuned_file.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <typeinfo>
#include <vector>

namespace COSMATI_NAMESPACE {

/// The options of `tune_gemm`.
struct tune_gemm_options {
  int rounds = 5;          ///< timed runs of each plan, in turn, after a warm-up run; the median counts
  std::string cache = {};  ///< a JSON file that is read first and extended at the end; empty for none
};

/// The result of `tune_gemm`.
struct tuned_gemm {
  gemm_plan plan;           ///< the fastest plan
  double us = 0;            ///< the measured time in microseconds
  bool from_cache = false;  ///< whether the result was read from the file, and nothing was run
};

namespace detail {

/// The plans that can do a product, on the current device. The plan of `plan_gemm` is the first.
template <class TA, class TB, class TC>
std::vector<gemm_plan> gemm_candidates(TA const& A, TB const& B, TC const& C) {
  using Means = gemm_means<TA, TB, TC>;
  gemm_plan const first = plan_gemm(A, B, C);
  std::vector<gemm_plan> all = {first};
  auto const add = [&](gemm_plan const& plan) {
    if (plan != first) all.push_back(plan);
  };
  if constexpr (Means::hopper) {
    if (hopper_can_do<Means>(make_gemm_problem(A, B, C, gemm_sum_of<TA, TB>(1), gemm_sum_of<TA, TB>(0)), false)) {
      unsigned const usable = usable_gemm_configs<TA, TB, TC>();
      for (int i = 0; i < hopper_config_count; ++i)
        for (int split = 1; (usable >> i & 1u) != 0 && split <= hopper_configs[i].split; split *= 2)
          add({gemm_kernel::hopper, i, split, Means::copies_a, Means::copies_b});
    }
  }
  if constexpr (Means::mma) {
    if (device_has_matrix_products<typename TA::value_type>()) add({gemm_kernel::mma});
  }
  return all;
}

inline nlohmann::json json_of(gemm_plan const& plan) {
  return {static_cast<int>(plan.kernel), plan.config, plan.split, plan.copies_a, plan.copies_b};
}
/// Types, orders and alignments, extents and batches, as one word of JSON.
template <class TA, class TB, class TC, class Problem>
std::string key_of_gemm_in_file(Problem const& p) {
  nlohmann::json const j = {"gemm",
                            typeid(typename TA::value_type).name(),
                            typeid(typename TB::value_type).name(),
                            typeid(typename TC::value_type).name(),
                            gemm_contiguous_mode<TA>,
                            gemm_contiguous_mode<TB>,
                            gemm_contiguous_mode<TC>,
                            p.m,
                            p.n,
                            p.k,
                            p.batches,
                            p.a.is_aligned_to(16),
                            p.b.is_aligned_to(16),
                            p.c.is_aligned_to(16)};
  return j.dump();
}

/// Looks a product up in a file of winners. @param found becomes the winner, if it is one of `plans`
inline bool find_in_file(std::string const& path, std::string const& device, std::string const& problem,
                         std::vector<gemm_plan> const& plans, tuned_gemm& found) {
  nlohmann::json const all = read_tuned("tune_gemm", path, device);
  nlohmann::json const kept = all.value(device, nlohmann::json::object()).value(problem, nlohmann::json());
  if (!kept.is_object() || !kept.contains("plan") || !kept.contains("us") || !kept["us"].is_number()) return false;
  for (gemm_plan const& plan : plans) {
    if (kept["plan"] != json_of(plan)) continue;
    found = {plan, kept["us"].get<double>(), true};
    return true;
  }
  return false;
}

}  // namespace detail

/// Measures the plans that can do C = A B, each several times, and returns the fastest. Later calls of
/// `gemm(A, B, C, alpha, ...)` in this process with the same types, extents and alignments take it. Afterwards C is A
/// B, unless the answer came from the file.
///
/// The file maps a device with the library's version, and a problem, to the winner. Programs may share it; each adds
/// its winner to the others'. On the simulated device the times are those of the simulation. Throws `error` as `gemm`
/// does, if C has no elements, if options are invalid, and, before it measures, if the file cannot be read or written.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <class EA, class LA, class EB, class LB, class EC, class LC>
requires(detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any) tuned_gemm
    tune_gemm(Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
              tune_gemm_options const& options = {}) {
  using TA = Tensor<EA, LA>;
  using TB = Tensor<EB, LB>;
  using TC = Tensor<EC, LC>;
  if (options.rounds < 1) throw error("tune_gemm: options.rounds is %d; it is 1 or more", options.rounds);
  auto const p = make_gemm_problem(A, B, C, detail::gemm_sum_of<TA, TB>(1), detail::gemm_sum_of<TA, TB>(0));
  if (p.is_empty()) throw error("tune_gemm: C has no elements; there is nothing to measure");
  auto const plans = detail::gemm_candidates(A, B, C);
  tuned_gemm best;
  std::string const device = detail::tuned_device(), problem = detail::key_of_gemm_in_file<TA, TB, TC>(p);
  if (options.cache.empty() || !detail::find_in_file(options.cache, device, problem, plans, best)) {
    if (!options.cache.empty()) detail::check_can_keep_tuned("tune_gemm", options.cache);
    auto const us =
        detail::times_in_turn(plans.size(), options.rounds, [&](std::size_t i) { gemm(plans[i], A, B, C); });
    auto const fastest = std::min_element(us.begin(), us.end());
    best = {plans[static_cast<std::size_t>(fastest - us.begin())], *fastest, false};
    if (!options.cache.empty())
      detail::keep_tuned("tune_gemm", options.cache, device, problem,
                         {{"plan", detail::json_of(best.plan)}, {"us", best.us}, {"text", best.plan.text()}});
  }
  detail::known_gemm_plans<TA, TB, TC>::of_process().keep(detail::key_of_gemm(p), best.plan);
  return best;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
