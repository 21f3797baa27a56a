// SPDX-License-Identifier: Apache-2.0
/// @file
/// Times of plans of many problems, which the planner's corrections are fitted to.
#pragma once

#include <chrono>
#include <map>

#include "study.hpp"

namespace bench {

/// Takes problem after problem; writes a line for each, then one for each plan that ran: what it is, what it took each
/// time, in microseconds.
class sample {
 public:
  sample(benchmark& b, std::FILE* details, double seconds) : b_(b), details_(details), seconds_(seconds) {}

  bool has_time() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() < seconds_;
  }
  int problems() const { return problems_; }
  std::int64_t launches() const { return launches_; }

  void take(case_of_copy const& one) {
    if (!has_time()) return;
    every_plan all(one.problem);
    auto const chosen = chosen_of(all.list);
    std::vector<std::vector<double>> us(chosen.size());
    std::vector<double> least(chosen.size(), std::numeric_limits<double>::infinity());
    for (int k = 0; k < 3; ++k) launch_plan(all.problem, all.list[chosen[0]], b_.in(), b_.out());
    // Each once; what is not far behind again.
    for (double const behind : {std::numeric_limits<double>::infinity(), 1.2, 1.1, 1.07}) {
      double const best = *std::min_element(least.begin(), least.end());
      std::vector<std::size_t> now;
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (us[k].empty() || !(least[k] > behind * best)) now.push_back(k);
      std::shuffle(now.begin(), now.end(), random_);
      for (std::size_t begin = 0; begin < now.size(); begin += batch) {
        std::size_t const end = std::min(begin + batch, now.size());
        for (std::size_t k = begin; k < end; ++k) {
          marks_[k - begin].record();
          launch_plan(all.problem, all.list[chosen[now[k]]], b_.in(), b_.out());
          ends_[k - begin].record();
        }
        for (std::size_t k = begin; k < end; ++k) {
          double const took = 1e3 * static_cast<double>(elapsed_ms(marks_[k - begin], ends_[k - begin]));
          us[now[k]].push_back(took);
          least[now[k]] = std::min(least[now[k]], took);
        }
      }
      launches_ += static_cast<std::int64_t>(now.size());
    }
    ++problems_;
    std::fprintf(details_, "problem|%s|%s|%s|\n", one.work.c_str(), one.shape.c_str(),
                 detail::key_of(all.problem).c_str());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      std::fprintf(details_, "%s|", detail::key_of(all.problem, all.list[chosen[k]]).c_str());
      for (std::size_t n = 0; n < us[k].size(); ++n) std::fprintf(details_, n == 0 ? "%.2f" : ",%.2f", us[k][n]);
      std::fputc('\n', details_);
    }
  }

 private:
  static constexpr std::size_t batch = 64;

  /// Plans that differ only in how they are launched, or in the side of a tile: what is well known of one of them.
  static int kind_of(copy_plan const& plan) {
    if (plan.route == copy_route::direct) return plan.vector + (plan.together ? 32 : 0);
    return 64 + 2 * static_cast<int>(plan.route) + (plan.bulk ? 1 : 0);
  }
  /// The best 80 as predicted, the best 16 of each kind, and 70 more by chance, of each tenth problem all the others,
  /// none predicted to take three times as long as the best.
  std::vector<std::size_t> chosen_of(std::vector<copy_plan> const& list) {
    std::vector<std::size_t> order(list.size()), chosen, rest;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return list[a].us < list[b].us; });
    std::map<int, int> of_kind;
    for (std::size_t place = 0; place < order.size(); ++place) {
      copy_plan const& plan = list[order[place]];
      if (plan.us > 3 * list[order[0]].us) break;
      bool const leads = of_kind[kind_of(plan)]++ < 16;
      (place < 80 || leads ? chosen : rest).push_back(order[place]);
    }
    std::shuffle(rest.begin(), rest.end(), random_);
    if (problems_ % 10 != 9) rest.resize(std::min<std::size_t>(rest.size(), 70));
    chosen.insert(chosen.end(), rest.begin(), rest.end());
    return chosen;
  }
  benchmark& b_;
  std::FILE* details_;
  double seconds_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mt19937 random_{1};
  std::array<event, batch> marks_, ends_;
  std::int64_t launches_ = 0;
  int problems_ = 0;
};

}  // namespace bench
