// SPDX-License-Identifier: Apache-2.0
/// @file
/// How good the planner's first choice is: random problems, each copied by every plan of its space.
#pragma once

#include <array>
#include <cosmati/kernel/copy/plan_text.hpp>
#include <cosmati/kernel/copy/tune.hpp>
#include <limits>
#include <set>

#include "harness.hpp"

namespace bench {

/// All plans of a problem, those that launch the same once.
struct every_plan {
  copy_problem problem;
  std::vector<copy_plan> list = {};
  std::set<std::string> known = {};

  explicit every_plan(copy_problem const& p) : problem(simplified(p)) { offer_plans(*this); }
  double limit(copy_route) const { return std::numeric_limits<double>::infinity(); }
  void offer(copy_plan const& plan) {
    if (known.insert(detail::key_of(problem, plan)).second) list.push_back(plan);
  }
};

/// The study's outcome.
class study {
 public:
  /// @param details null, or where every plan's prediction and time goes, a line each
  study(benchmark& b, std::FILE* details) : b_(b), details_(details) {}

  void run(int problems, unsigned seed) {
    random_copies random(seed);
    progress shown;
    shown.expect(static_cast<std::size_t>(problems));
    for (int n = 0; n < problems; ++n) {
      case_of_copy const one = random.next();
      shown.say("planner study: " + one.work);
      search(one);
    }
  }
  /// Times every plan of one problem, the fastest ones and the planner's first choice once more, in turn.
  /// @param counts whether it is one of those that the summary is of
  void search(case_of_copy const& one, bool counts = true) {
    every_plan all(one.problem);
    copy_plans const chosen = plan_copy(one.problem);
    // What the costs predict to take three times as long as the best is not run: of 13,988 such plans of 379 problems
    // that were (those which the weights were fitted to), none came within 1.16 times of the best.
    double least = std::numeric_limits<double>::infinity();
    for (copy_plan const& plan : all.list) least = std::min(least, plan.us);
    auto const far = [&](copy_plan const& plan) { return plan.us > 3 * least; };
    std::size_t const before = all.list.size();
    all.list.erase(std::remove_if(all.list.begin(), all.list.end(), far), all.list.end());
    left_out_ += before - all.list.size();
    std::vector<double> us(all.list.size(), std::numeric_limits<double>::infinity());
    warm_up(chosen);
    double best = std::numeric_limits<double>::infinity();
    // Each once; what is not far behind again and again.
    for (double const behind : {std::numeric_limits<double>::infinity(), 1.25, 1.1}) {
      for (std::size_t begin = 0; begin < all.list.size(); begin += batch) {
        std::vector<std::size_t> now;
        for (std::size_t k = begin; k < std::min(begin + batch, all.list.size()); ++k)
          if (!(us[k] > behind * best) || std::isinf(us[k])) now.push_back(k);
        std::vector<double> const took = times(all, now);
        for (std::size_t k = 0; k < now.size(); ++k) us[now[k]] = std::min(us[now[k]], took[k]);
      }
      best = *std::min_element(us.begin(), us.end());
    }
    std::vector<std::size_t> order(us.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::size_t const leaders = std::min<std::size_t>(6, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(leaders), order.end(),
                      [&](std::size_t a, std::size_t b) { return us[a] < us[b]; });
    std::vector<contestant> race = {contestant_of(chosen.problem, chosen.plan[0])};
    for (std::size_t k = 0; k < leaders; ++k) race.push_back(contestant_of(all.problem, all.list[order[k]]));
    b_.race(race, 11, touched_by(one.problem));
    std::size_t winner = 0;
    std::vector<double> medians;
    for (auto const& each : race) medians.push_back(median(each.microseconds));
    for (std::size_t k = 1; k < race.size(); ++k)
      if (medians[k] < medians[winner]) winner = k;
    b_.check(one, chosen, chosen.plan[0]);
    if (winner > 0) b_.check(one, chosen, all.list[order[winner - 1]]);

    double const bytes = static_cast<double>(one.problem.size() * one.problem.element_bytes);
    if (counts) {
      first_.push_back(2e-3 * bytes / medians[0]);
      best_.push_back(2e-3 * bytes / medians[winner]);
      plans_.push_back(before);
    }
    char figures[64];
    std::snprintf(figures, sizeof figures, "%.1f,%.3f\n", medians[winner], medians[winner] / medians[0]);
    lines += one.work + ",\"" + text(all.problem) + "\"," + std::to_string(before) + ",\"" + race[0].name + "\",";
    lines += detail::formatted("%.1f,%.1f,\"", chosen.plan[0].us, medians[0]) + race[winner].name + "\"," + figures;
    if (details_ != nullptr) {
      std::fprintf(details_, "problem|%s|%s|%.2f|%.2f\n", one.work.c_str(), detail::key_of(all.problem).c_str(),
                   medians[0], medians[winner]);
      for (std::size_t k = 0; k < all.list.size(); ++k)
        std::fprintf(details_, "%s|%.2f|%.2f\n", detail::key_of(all.problem, all.list[k]).c_str(), all.list[k].us,
                     us[k]);
    }
  }
  /// As a result: the first choices' rates beside the best plans'.
  result summary(unsigned seed) const {
    std::size_t const n = first_.size();
    std::size_t within = 0;
    double worst = 1;
    for (std::size_t k = 0; k < n; ++k) {
      double const ratio = first_[k] / best_[k];
      within += ratio >= 0.95;
      worst = std::min(worst, ratio);
    }
    std::size_t const fewest = *std::min_element(plans_.begin(), plans_.end()),
                      most = *std::max_element(plans_.begin(), plans_.end());
    return {"tensors/planner_study",
            "the planner's first choices",
            "the best of an exhaustive search",
            {{"problems", std::to_string(n)},
             {"seed", std::to_string(seed)},
             {"within_5_percent", std::to_string(within)},
             {"worst", std::to_string(worst)},
             {"plans", quoted(std::to_string(fewest) + " to " + std::to_string(most))}},
            "GB/s",
            first_,
            best_,
            "medians over the problems, each problem's rate the median of 11; the spread is that of the problems; " +
                std::to_string(left_out_) +
                " plans predicted to take 3 times as long as the first choice were not run"};
  }
  std::string lines = "work,problem,plans,first,predicted_us,us,best,best_us,ratio\n";

 private:
  static constexpr std::size_t batch = 64;

  contestant contestant_of(copy_problem const& p, copy_plan const& plan) {
    return {text(p, plan), [this, p, plan] { launch_plan(p, plan, b_.in(), b_.out()); }};
  }
  void warm_up(copy_plans const& chosen) {
    for (int k = 0; k < 3; ++k) launch_plan(chosen.problem, chosen.plan[0], b_.in(), b_.out());
  }
  /// One launch of each, queued one behind the other.
  std::vector<double> times(every_plan const& all, std::vector<std::size_t> const& which) {
    for (std::size_t k = 0; k < which.size(); ++k) {
      b_.rotate(touched_by(all.problem));
      marks_[k].record();
      launch_plan(all.problem, all.list[which[k]], b_.in(), b_.out());
      ends_[k].record();
    }
    b_.rotate(0);
    std::vector<double> us;
    for (std::size_t k = 0; k < which.size(); ++k)
      us.push_back(1e3 * static_cast<double>(elapsed_ms(marks_[k], ends_[k])));
    return us;
  }
  benchmark& b_;
  std::FILE* details_;
  std::array<event, batch> marks_, ends_;
  std::vector<double> first_, best_;
  std::vector<std::size_t> plans_;
  std::size_t left_out_ = 0;
};

}  // namespace bench
