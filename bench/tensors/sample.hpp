// SPDX-License-Identifier: Apache-2.0
/// @file
/// Times of plans of many problems, which the planner's corrections are fitted to.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <thread>

#include "study.hpp"

namespace bench {

/// Takes problem after problem; writes a line for each, then one for each plan that ran: what it is, what it took each
/// time, in microseconds.
class sample {
 public:
  /// @param details where the lines go
  /// @param once mostly plans that load once what is repeated, of problems that have some: six times as many
  sample(benchmark& b, std::FILE* details, double seconds, bool once)
      : b_(b), details_(details), seconds_(seconds), once_(once) {}

  /// As many as there is time for. Other threads plan the next ones while the device copies.
  void run(std::function<case_of_copy()> const& next) {
    std::deque<std::future<prepared>> ahead;
    unsigned const most = 2 * std::max(2u, std::thread::hardware_concurrency());
    for (unsigned number = 0; has_time();) {
      while (ahead.size() < most)
        ahead.push_back(std::async(std::launch::async, once_ ? prepare_once : prepare, next(), number++));
      take(ahead.front().get());
      ahead.pop_front();
    }
  }
  int problems() const { return problems_; }
  std::int64_t launches() const { return launches_; }

 private:
  static constexpr std::size_t batch = 64, first_choices = 6;

  struct prepared {
    case_of_copy one;
    every_plan all;
    std::vector<std::size_t> chosen;
  };
  /// Takes plans as `copy_plans` does, and keeps all of them.
  struct every_corrected {
    copy_problem problem;
    int considered = 0;
    std::vector<copy_plan> list = {};
    void offer(copy_plan const& plan) { list.push_back(plan); }
  };
  /// A problem's plans that are corrected, the best first.
  static std::vector<copy_plan> corrected(copy_problem const& problem) {
    detail::plan_pool pool(problem);
    offer_plans(pool);
    every_corrected all = {problem};
    detail::take_corrected(all, pool, {});
    std::stable_sort(all.list.begin(), all.list.end(),
                     [](copy_plan const& a, copy_plan const& b) { return a.us < b.us; });
    return all.list;
  }
  /// Plans that differ only in how they are launched, or in the side of a tile: what is well known of one of them.
  static int kind_of(copy_plan const& plan) {
    if (plan.route == copy_route::direct) return plan.vector + (plan.launch.once ? 512 : plan.together ? 32 : 0);
    return 64 + 2 * static_cast<int>(plan.route) + (plan.bulk ? 1 : 0);
  }
  static bool has_gaps(copy_problem const& p, copy_plan const& plan) {
    return plan.route == copy_route::windows &&
           (detail::reads_gaps(p, plan) || window_tiles::of(p, plan.tile).row_has_gaps());
  }
  static bool is_shifted(copy_problem const& p, copy_plan const& plan) {
    return plan.route == copy_route::direct && !plan.together && !plan.launch.once &&
           detail::is_shifted_vector(p, plan.vector);
  }
  /// Of each 50th problem all plans that the costs predict to take less than three times the best. Of others the best
  /// 16 as corrected, the best 5 of each route, the best 4 and the best of each kind by the costs alone, 6 of windows
  /// with gaps and of shifted vectors each, 3 by chance, and 16 that load once: problems teach more than plans of the
  /// same problem.
  static prepared prepare(case_of_copy const& one, unsigned number) {
    prepared p = {one, every_plan(one.problem), {}};
    std::vector<copy_plan> const& list = p.all.list;
    std::vector<bool> taken(list.size());
    auto const take = [&](std::size_t k) {
      if (!taken[k]) p.chosen.push_back(k);
      taken[k] = true;
    };
    std::vector<std::size_t> order(list.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return list[a].us < list[b].us; });
    while (list[order.back()].us > 3 * list[order[0]].us) order.pop_back();
    if (number % 50 == 49) {
      for (std::size_t const k : order) take(k);
      return p;
    }
    if (detail::is_corrected(p.all.problem, {})) {
      std::map<std::string, std::size_t> place;
      for (std::size_t k = 0; k < list.size(); ++k) place[detail::key_of(p.all.problem, list[k])] = k;
      int of_route[detail::plan_groups] = {}, n = 0;
      for (copy_plan const& plan : corrected(p.all.problem))
        if (of_route[detail::group_of(plan)]++ < 5 || n < 16) {
          take(place.at(detail::key_of(p.all.problem, plan)));
          ++n;
        }
    }
    std::map<int, int> of_kind;
    for (std::size_t k = 0; k < order.size(); ++k)
      if ((of_kind[kind_of(list[order[k]])]++ < 1 && list[order[k]].us < 2 * list[order[0]].us) || k < 4)
        take(order[k]);
    std::mt19937 random(number);
    for (int n = 0; n < 3; ++n) take(order[random() % order.size()]);
    int once = 0;
    for (std::size_t const k : order)
      if (list[k].launch.once && once < 16) take(k), ++once;
    for (auto* const is_one : {has_gaps, is_shifted}) {
      int ones = 0;  // the best four, and some of the next
      for (std::size_t const k : order)
        if (ones < 6 && is_one(p.all.problem, list[k]) && (ones < 4 || random() % 4 == 0)) take(k), ++ones;
    }
    return p;
  }
  /// The best six that load once as corrected, four by the costs and one by chance; the best of each other kind, and of
  /// all by the costs: how far behind others those are matters, too.
  static prepared prepare_once(case_of_copy const& one, unsigned number) {
    prepared p = {one, every_plan(one.problem), {}};
    std::vector<copy_plan> const& list = p.all.list;
    std::map<std::string, std::size_t> place;
    std::vector<std::size_t> by_costs(list.size()), once;
    for (std::size_t k = 0; k < list.size(); ++k) place[detail::key_of(p.all.problem, list[k])] = by_costs[k] = k;
    std::stable_sort(by_costs.begin(), by_costs.end(),
                     [&](std::size_t a, std::size_t b) { return list[a].us < list[b].us; });
    for (std::size_t const k : by_costs)
      if (list[k].launch.once) once.push_back(k);
    if (once.empty() || !detail::is_corrected(p.all.problem, {})) return p;
    auto const take = [&](std::size_t k) {
      if (std::find(p.chosen.begin(), p.chosen.end(), k) == p.chosen.end()) p.chosen.push_back(k);
    };
    std::vector<copy_plan> const best = corrected(p.all.problem);
    int of_route[detail::plan_groups] = {};
    for (copy_plan const& plan : best)
      if (of_route[detail::group_of(plan)]++ < (plan.launch.once ? 6 : 1) &&
          plan.us < (plan.launch.once ? 2 : 1.3) * best[0].us)
        take(place.at(detail::key_of(p.all.problem, plan)));
    take(by_costs[0]);
    for (std::size_t k = 0; k < once.size() && k < 4; ++k) take(once[k]);
    std::mt19937 random(number);
    take(once[random() % once.size()]);
    return p;
  }
  bool has_time() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() < seconds_;
  }
  void take(prepared const& p) {
    every_plan const& all = p.all;
    std::vector<std::size_t> const& chosen = p.chosen;
    if (chosen.empty()) return;
    std::vector<std::vector<double>> us(chosen.size());
    std::vector<double> least(chosen.size(), std::numeric_limits<double>::infinity());
    launch_plan(all.problem, all.list[chosen[0]], b_.in(), b_.out());
    // Each once; what is not far behind, and the planner's first choices, again: one of 500 to 1000 launches takes 1.2
    // times as long by chance.
    for (double const behind : {std::numeric_limits<double>::infinity(), 1.08, 1.06}) {
      double const best = *std::min_element(least.begin(), least.end());
      std::vector<std::size_t> now;
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (k < first_choices || !(least[k] > behind * best)) now.push_back(k);
      std::shuffle(now.begin(), now.end(), random_);
      for (std::size_t begin = 0; begin < now.size(); begin += batch) {
        std::size_t const end = std::min(begin + batch, now.size());
        for (std::size_t k = begin; k < end; ++k) {
          b_.rotate(touched_by(all.problem));
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
    b_.rotate(0);
    ++problems_;
    std::fprintf(details_, "problem|%s|%s|%s|ordered|\n", p.one.work.c_str(), p.one.shape.c_str(),
                 detail::key_of(all.problem).c_str());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      std::fprintf(details_, "%s|", detail::key_of(all.problem, all.list[chosen[k]]).c_str());
      for (std::size_t n = 0; n < us[k].size(); ++n) std::fprintf(details_, n == 0 ? "%.2f" : ",%.2f", us[k][n]);
      std::fputc('\n', details_);
    }
  }

  benchmark& b_;
  std::FILE* details_;
  double seconds_;
  bool once_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mt19937 random_{1};
  std::array<event, batch> marks_, ends_;
  std::int64_t launches_ = 0;
  int problems_ = 0;
};

}  // namespace bench
