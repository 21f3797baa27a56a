// SPDX-License-Identifier: Apache-2.0
/// @file
/// How good the planner is: random problems, each copied by its choice, by the best of eight that are measured, and by
/// every plan of a wide space.
#pragma once

#include <array>
#include <cosmati/kernel/copy_text.hpp>
#include <limits>

#include "harness.hpp"

namespace bench {

/// Plans of a problem far beyond those that the planner considers: tiles of all shapes, launches of all sizes. Those
/// whose costs are more than twice the least are left out.
struct wide_space {
  copy_problem problem;
  std::vector<copy_plan> list;

  explicit wide_space(copy_plans const& chosen) : problem(chosen.problem) {
    for (int k = 0; k < chosen.kept; ++k) list.push_back(chosen.plan[k]);
    if (problem.rank > copy_max_rank || problem.rank < 1) return;
    device_model const& device = device_model::of_current();
    detail::copy_traffic const traffic(problem, device);
    add_direct(chosen);
    bool forward = problem.mode[0].target == 1;
    for (int m = 0; m < problem.rank; ++m) forward = forward && problem.mode[m].source >= 0;
    detail::source_order const order(problem);
    if (!forward || problem.mode[order.mode[0]].source != 1) return;
    add_windows(device, traffic, chosen.plan[0].us);
    if (problem.element_bytes < window_bytes) add_sectors(order);
  }

 private:
  void add(copy_plan const& plan) {
    for (copy_plan const& other : list)
      if (other.does_as(plan)) return;
    list.push_back(plan);
  }
  void add_direct(copy_plans const& chosen) {
    for (int k = 0; k < chosen.kept; ++k) {
      copy_plan plan = chosen.plan[k];
      if (plan.route != copy_route::direct) continue;
      for (int const threads : {64, 128, 192, 256, 384, 512, 768, 1024})
        for (int cache = 0; cache < 4; ++cache) {
          plan.launch.threads = threads;
          plan.launch.stream_loads = cache % 2 != 0;
          plan.launch.stream_stores = cache / 2 != 0;
          add(plan);
        }
    }
  }
  void add_windows(device_model const& device, detail::copy_traffic const& traffic, double least) {
    struct below {
      wide_space& space;
      double us;
      double limit() const { return us; }
      void offer(copy_plan const& plan) { space.add(plan); }
    } worth_trying{*this, 2 * least};
    detail::window_costs const costs(problem, device, traffic);
    detail::for_window_tiles(problem, costs.order(), [&](run_tile const& tile) { costs.of_tile(tile, worth_trying); });
  }
  void add_sectors(detail::source_order const& order) {
    std::int64_t rows = 1;
    for (int i = 1; i < problem.rank && problem.mode[order.mode[i - 1]].source == rows; ++i) {
      rows *= problem.mode[order.mode[i - 1]].extent;
      for (int j = 1; j < problem.rank; ++j)
        for (std::int64_t bytes = 128; bytes <= 1024; bytes *= 2)
          for (std::int64_t const run : {128, 192, 256, 320, 384, 512, 640, 768, 1024})
            for (bool const by_lines : {false, true}) {
              copy_plan plan;
              plan.route = copy_route::sectors;
              plan.sectors = {i, j, std::min(run / problem.element_bytes, rows), bytes / problem.element_bytes,
                              by_lines};
              try {
                detail::check_plan(problem, plan, device_model::of_current());
                add(plan);
              } catch (error const&) {  // is none
              }
            }
    }
  }
};

/// The study's outcome.
class study {
 public:
  explicit study(benchmark& b) : b_(b) {}

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
  void search(case_of_copy const& one) {
    copy_plans const chosen = plan_copy(one.problem, device_model::of_current());
    wide_space const all(chosen);
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
    std::vector<contestant> race = {contestant_of(chosen.problem, chosen.plan[0]),
                                    contestant_of(chosen.problem, measured_choice(chosen))};
    for (std::size_t k = 0; k < leaders; ++k) race.push_back(contestant_of(all.problem, all.list[order[k]]));
    b_.race(race, 11, touched_by(one.problem));
    std::size_t winner = 0;
    std::vector<double> medians;
    for (auto const& each : race) medians.push_back(median(each.microseconds));
    for (std::size_t k = 1; k < race.size(); ++k)
      if (medians[k] < medians[winner]) winner = k;
    b_.check(one, chosen, chosen.plan[0]);
    if (winner > 1) b_.check(one, chosen, all.list[order[winner - 2]]);

    double const bytes = static_cast<double>(one.problem.size() * one.problem.element_bytes);
    double const best_us = medians[winner];
    first_.push_back(2e-3 * bytes / medians[0]);
    measured_.push_back(2e-3 * bytes / medians[1]);
    best_.push_back(2e-3 * bytes / best_us);
    plans_.push_back(all.list.size());
    lines += one.work + ",\"" + text(all.problem) + "\"," + std::to_string(all.list.size()) + ",\"" + race[0].name +
             "\",\"" + race[1].name + "\",\"" + race[winner].name + "\"";
    lines += detail::formatted(",%.1f,%.1f,%.1f,%.1f,%.3f,%.3f\n", chosen.plan[0].us, medians[0], medians[1], best_us,
                               best_us / medians[0], best_us / medians[1]);
  }
  /// As results: the rates of the first choices and of the measured ones, beside the best plans'.
  std::vector<result> summaries(unsigned seed) const {
    return {summary("estimate", "the planner's first choices", first_, seed),
            summary("measure", "the best of eight that are measured", measured_, seed)};
  }
  std::string lines =
      "work,problem,plans,first,measured,best,predicted_us,us,measured_us,best_us,ratio,measured_ratio\n";

 private:
  static constexpr std::size_t batch = 64;

  result summary(std::string const& effort, std::string const& what, std::vector<double> const& rates,
                 unsigned seed) const {
    std::size_t const n = rates.size();
    std::size_t within = 0;
    double worst = 1, sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      double const ratio = rates[k] / best_[k];
      within += ratio >= 0.95;
      worst = std::min(worst, ratio);
      sum += ratio;
    }
    std::printf("%s: %zu of %zu within 5 %%, mean %.3f, worst %.3f\n", effort.c_str(), within, n,
                sum / static_cast<double>(n), worst);
    return {"tensors/planner_" + effort,
            what,
            "the best of a wide space",
            {{"problems", std::to_string(n)},
             {"seed", std::to_string(seed)},
             {"within_5_percent", std::to_string(within)},
             {"mean", std::to_string(sum / static_cast<double>(n))},
             {"worst", std::to_string(worst)},
             {"plans", std::to_string(*std::max_element(plans_.begin(), plans_.end()))}},
            "GB/s",
            rates,
            best_,
            "medians over the problems, each problem's rate the median of 11; the spread is that of the problems"};
  }
  /// What `effort::measure` takes.
  copy_plan measured_choice(copy_plans const& plans) {
    detail::copy_key const key = detail::key_of_copy<std::uint8_t, std::uint8_t>(plans.problem, b_.out());
    return detail::measured<std::uint8_t>(key, plans, b_.in(), b_.out(), nullptr)->choice;
  }
  contestant contestant_of(copy_problem const& p, copy_plan const& plan) {
    return {text(p, plan), [this, p, plan] { launch_plan(p, plan, b_.in(), b_.out()); }};
  }
  void warm_up(copy_plans const& chosen) {
    for (int k = 0; k < 3; ++k) launch_plan(chosen.problem, chosen.plan[0], b_.in(), b_.out());
  }
  /// One launch of each, queued one behind the other.
  std::vector<double> times(wide_space const& all, std::vector<std::size_t> const& which) {
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
  std::array<event, batch> marks_, ends_;
  std::vector<double> first_, measured_, best_;
  std::vector<std::size_t> plans_;
};

}  // namespace bench
