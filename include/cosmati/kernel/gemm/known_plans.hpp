// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans that `tune_gemm` has measured in this process, by problem. They are bounded in number, and safe to use
/// from several threads.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <atomic>
#include <cosmati/kernel/current_device_model.hpp>
#include <cosmati/kernel/gemm/plan.hpp>
#include <map>
#include <mutex>
#include <tuple>

namespace COSMATI_NAMESPACE::detail {

/// What tells products of the same types apart: the device, the extents, and whether A, B and C are aligned to 16
/// bytes.
using gemm_plan_key = std::tuple<int, int, int, int, int, bool, bool, bool>;

template <class Problem>
gemm_plan_key key_of_gemm(Problem const& p) {
  return {current_device_number(), p.m, p.n, p.k, p.batches, p.a.is_aligned_to(16), p.b.is_aligned_to(16),
          p.c.is_aligned_to(16)};
}

/// The plans for products of these types.
template <class TA, class TB, class TC>
class known_gemm_plans {
 public:
  static constexpr std::size_t most = 256;  ///< beyond these, the smallest key is forgotten

  static known_gemm_plans& of_process() {
    static known_gemm_plans plans;
    return plans;
  }
  /// Whether there is none. It takes no lock, so that programs without tuned plans pay nothing.
  bool is_empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  bool find(gemm_plan_key const& key, gemm_plan& plan) {
    std::lock_guard const lock(mutex_);
    auto const found = plans_.find(key);
    if (found == plans_.end()) return false;
    plan = found->second;
    return true;
  }
  void keep(gemm_plan_key const& key, gemm_plan const& plan) {
    std::lock_guard const lock(mutex_);
    if (plans_.size() == most && !plans_.contains(key)) plans_.erase(plans_.begin());
    plans_[key] = plan;
    count_.store(plans_.size(), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> count_ = 0;
  std::mutex mutex_;
  std::map<gemm_plan_key, gemm_plan> plans_;
};

/// Whether `tune_gemm` has measured this product in this process. @param plan becomes the fastest one
template <class TA, class TB, class TC>
bool find_tuned_gemm(TA const& A, TB const& B, TC const& C, gemm_plan& plan) {
  using Sum = gemm_sum_t<typename TA::value_type, typename TB::value_type>;
  auto& plans = known_gemm_plans<TA, TB, TC>::of_process();
  return !plans.is_empty() && plans.find(key_of_gemm(make_gemm_problem(A, B, C, Sum(1), Sum(0))), plan);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
