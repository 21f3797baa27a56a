// SPDX-License-Identifier: Apache-2.0
/// @file
/// What measurements say beyond the planner's costs: which of the plans that these predict nearly as fast is fastest.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan_features.hpp>
#include <cosmati/kernel/copy/plan_trees.hpp>

namespace COSMATI_NAMESPACE::detail {

static_assert(plan_tree_features == plan_feature_count,
              "plan_trees.hpp was fitted to other features: bench/planner/fit.py writes it anew");

/// The smallest copies that were measured, more than the L2 cache holds of both sides: 64 MiB at random, and two thirds
/// of that where the last extent was rounded from 3 to 2.
inline constexpr std::int64_t least_corrected = std::int64_t{42} << 20;
/// Whether a problem is of the kind that was measured: not small, not all together, aligned bases, on an H200.
constexpr bool is_corrected(copy_problem const& p, copy_device const& device) {
  if (p.rank == 0 || is_contiguous(p) || p.size() > (std::int64_t{1} << 50) ||
      p.size() * p.element_bytes < least_corrected)
    return false;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return false;
  return base_is_aligned(p, true, 16) && base_is_aligned(p, false, 16) && device == copy_device{};
}

/// Of each group the plans that may be its best: most of those through registers and by windows, as the costs tell
/// their launches and tiles apart least (bench/NOTES.md).
class plan_pool {
 public:
  static constexpr int most = 192;                                                  ///< of a group
  static constexpr int begin[plan_groups + 1] = {0, 192, 256, 320, 432, 496, 560};  ///< of each group's among all
  /// How many plans of a group are kept: fewer of a constant, whose steps compilers count.
  static constexpr int most_of(int group) {
    return __builtin_is_constant_evaluated() ? 32 : begin[group + 1] - begin[group];
  }
  copy_problem problem;
  int considered = 0;

  explicit constexpr plan_pool(copy_problem const& p) : problem(p) {}
  /// A plan of a route that takes as long is counted, but not kept.
  constexpr double limit(copy_route route) const {
    int const group = static_cast<int>(route), room = most_of(group);
    list const& mine = of_[group];
    if (mine.kept == 0) return 1e300;
    double const *us = us_ + begin[group], reach = us[0] * plan_tree_reach[group];
    return mine.kept < room || reach < us[room - 1] ? reach : us[room - 1];
  }
  constexpr void offer(copy_plan const& one) {
    ++considered;
    int const group = group_of(one), room = most_of(group);
    list& mine = of_[group];
    double* const us = us_ + begin[group];
    std::uint8_t* const order = order_ + begin[group];
    if (mine.kept > 0 && one.us > us[0] * plan_tree_reach[group]) return;
    if (mine.kept == room && one.us >= us[room - 1]) return;
    int at = mine.kept < room ? mine.kept++ : room - 1;
    std::uint8_t const place = at == mine.stored ? static_cast<std::uint8_t>(mine.stored++) : order[at];
    for (; at > 0 && one.us < us[at - 1]; --at) us[at] = us[at - 1], order[at] = order[at - 1];
    us[at] = one.us;
    order[at] = place;
    plan_[begin[group] + place] = one;
  }
  /// Plans of a group within reach of its best.
  constexpr int within_reach(int group) const {
    double const* const us = us_ + begin[group];
    int n = of_[group].kept;
    while (n > 0 && us[n - 1] > us[0] * plan_tree_reach[group]) --n;
    return n;
  }
  /// Plan k of a group, the fastest by the costs alone first.
  constexpr copy_plan const& at(int group, int k) const { return plan_[begin[group] + order_[begin[group] + k]]; }

 private:
  struct list {
    int kept = 0, stored = 0;
  };
  list of_[plan_groups];
  double us_[begin[plan_groups]] = {};           // of a group's fastest first
  std::uint8_t order_[begin[plan_groups]] = {};  // which of the group's plans these are
  copy_plan plan_[begin[plan_groups]];
};

/// What some of a forest's trees add up to, and where the next one begins.
struct forest_sum {
  std::int32_t sum = 0;
  int end = 0;
  constexpr double logarithm() const { return sum / 4096.0; }
};
/// Trees whose sum is the logarithm of a factor of time, as text: compilers read a string far faster than
/// numbers. A tree begins with how many characters it has; then its nodes in preorder: a character for the feature, how
/// many characters on the branch for larger values begins, and the threshold, a feature's unit of 1/256; or '~' and the
/// value, in units of 1/4096.
struct plan_forest {
  char const* tree = nullptr;
  int length = 0;

  constexpr plan_forest() = default;
  template <int count>
  constexpr plan_forest(char const (&trees)[count]) : tree(trees), length(count - 1) {}

  /// @param before those that are counted already; @param trees how many more, or as many as there are
  constexpr forest_sum sum(plan_features const& f, forest_sum const& before = {}, int trees = 1 << 30) const {
    forest_sum all = before;
    for (; all.end < length && trees > 0; --trees) {
      char const* at = tree + all.end;
      all.end += (at[0] - '#') * 57 + (at[1] - '#');
      at += 2;
      // In one expression, as compilers count the calls of a constant.
      while (*at != '~')
        at +=
            f.value[*at - (*at > '[' ? '$' : '#')] <= ((at[3] - '#') * 57 + (at[4] - '#')) * 57 + (at[5] - '#') - 32768
                ? 6
                : (at[1] - '#') * 57 + (at[2] - '#');
      all.sum += ((at[1] - '#') * 57 + (at[2] - '#')) * 57 + (at[3] - '#') - 32768;
    }
    return all;
  }
};
/// How far a plan is behind its group's best, beyond what is predicted. Of transposes vectors as wide as possible are
/// the best by the costs alone.
inline constexpr plan_forest plan_order[plan_groups] = {plan_order_trees_direct,  {},
                                                        plan_order_trees_runs,    plan_order_trees_windows,
                                                        plan_order_trees_sectors, plan_order_trees_once};
/// What a group's best plan takes, beyond what is predicted.
inline constexpr plan_forest plan_time[plan_groups] = {plan_time_trees_direct,  plan_time_trees_transpose,
                                                       plan_time_trees_runs,    plan_time_trees_windows,
                                                       plan_time_trees_sectors, plan_time_trees_once};
constexpr double exponential(double x) {
  double sum = 1, term = 1;
  for (int n = 1; n < 12; ++n) sum += term *= x / 16 / n;
  for (int n = 0; n < 4; ++n) sum *= sum;
  return sum;
}

/// What is at the memory's limit: transposes of whole lines on both sides by the widest vectors, in tiles that are
/// nearly full.
constexpr bool is_at_limit(copy_problem const& p, copy_plan const& plan) {
  if (plan.route != copy_route::transpose || plan.vector * p.element_bytes != 16) return false;
  int const line = line_bytes / p.element_bytes;
  std::int64_t const side = transpose_side(p, plan.vector);
  return filled_by(p.mode[plan.column_mode].extent, side) * filled_by(p.mode[plan.row_mode].extent, side) >= 0.9 &&
         strides_are_multiples(p, true, line, plan.column_mode) && strides_are_multiples(p, false, line, plan.row_mode);
}

/// How plans of a group are to be put in order: factors of their predicted times. A few trees are asked about all of
/// them, the others about the plans that these say are the best; and the best of those are put in order by what they
/// are said to take, too.
class plan_ranking {
 public:
  double factor[plan_pool::most] = {};
  double leader_us = 0;  ///< what the best one is said to take
  int leader = -1;
  int finalists = 0, timed = 0;  ///< about how many all trees were asked, and of how many those that say times

  constexpr plan_ranking(plan_pool const& pool, plan_view const& view, int group)
      : pool_(pool), group_(group), count_(pool.within_reach(group)) {
    plan_forest const forest = plan_order[group];
    plan_features seen[plan_pool::most];
    forest_sum sum[plan_pool::most];
    for (int k = 0; k < count_; ++k) {
      seen[k] = view.of(pool.at(group, k));
      sum[k] = forest.sum(seen[k], {}, plan_trees_for_all);
      say(k, sum[k].logarithm());
    }
    // Of a constant compilers count the steps.
    finalists = take_best(__builtin_is_constant_evaluated() ? 6 : plan_finalists);
    ask(forest, seen, sum);
    for (int k = 0; k < count_; ++k)
      if (is_best_[k]) say(k, sum[k].logarithm());
    keep_others_behind();
    timed = take_best(__builtin_is_constant_evaluated() ? 1 : plan_timed);
    double said[plan_pool::most] = {}, least = 0;
    for (forest_sum& none : sum) none = {};
    ask(plan_time[group], seen, sum);
    for (int k = 0; k < count_; ++k) {
      if (!is_best_[k]) continue;
      said[k] = pool.at(group, k).us * exponential(sum[k].logarithm());
      if (least == 0 || said[k] < least) least = said[k];
    }
    for (int k = 0; k < count_; ++k) {
      if (!is_best_[k]) continue;
      scale(k, square_root(said[k] / least));
      if (leader < 0 || us_[k] < us_[leader]) leader = k;
    }
    keep_others_behind();
    leader_us = said[leader];
  }

 private:
  /// The trees that have not been asked about the best plans; a few about all of them before the next ones, as caches
  /// have room for a few.
  constexpr void ask(plan_forest const& forest, plan_features const (&seen)[plan_pool::most],
                     forest_sum (&sum)[plan_pool::most]) const {
    for (bool more = true; more;) {
      more = false;
      for (int k = 0; k < count_; ++k) {
        if (!is_best_[k]) continue;
        sum[k] = forest.sum(seen[k], sum[k], 32);
        more = sum[k].end < forest.length;
      }
    }
  }
  constexpr void say(int k, double logarithm) {
    factor[k] = exponential(logarithm);
    if (plan_trees_alone[group_]) factor[k] *= pool_.at(group_, 0).us / pool_.at(group_, k).us;
    us_[k] = pool_.at(group_, k).us * factor[k];
  }
  constexpr void scale(int k, double by) {
    factor[k] *= by;
    us_[k] *= by;
  }
  /// @return how many there are
  constexpr int take_best(int plans) {
    for (bool& is_one : is_best_) is_one = false;
    int n = 0;
    for (; n < plans && n < count_; ++n) {
      int best = -1;
      for (int k = 0; k < count_; ++k)
        if (!is_best_[k] && (best < 0 || us_[k] < us_[best])) best = k;
      is_best_[best] = true;
    }
    return n;
  }
  /// What less is known of does not put a plan before those that were taken.
  constexpr void keep_others_behind() {
    double slowest = 0;
    for (int k = 0; k < count_; ++k)
      if (is_best_[k] && us_[k] > slowest) slowest = us_[k];
    for (int k = 0; k < count_; ++k)
      if (!is_best_[k] && us_[k] < slowest) scale(k, slowest / us_[k]);
  }

  plan_pool const& pool_;
  int group_, count_;
  double us_[plan_pool::most] = {};
  bool is_best_[plan_pool::most] = {};
};

/// The best plans of the pool: in each route by the trees that order its plans, among routes by those that say what the
/// routes' best take.
/// @param plans as `copy_plans`: what is offered is the plan with its corrected time
template <class Plans>
constexpr void take_corrected(Plans& plans, plan_pool const& pool, copy_device const& device) {
  double best[plan_groups] = {};
  int first = -1;
  for (int g = 0; g < plan_groups; ++g) {
    if (pool.within_reach(g) == 0) continue;
    best[g] = pool.at(g, 0).us;
    if (first < 0 || best[g] < best[first]) first = g;
  }
  bool const all_is_said = is_at_limit(pool.problem, pool.at(first, 0));
  plan_view const view(pool.problem, device, best);
  for (int g = 0; g < plan_groups; ++g) {
    int const count = pool.within_reach(g);
    for (int k = 0; k < count && all_is_said; ++k) plans.offer(pool.at(g, k));
    if (count == 0 || all_is_said) continue;
    plan_ranking const ranking(pool, view, g);
    double const among = ranking.leader_us / (pool.at(g, ranking.leader).us * ranking.factor[ranking.leader]);
    for (int k = 0; k < count; ++k) {
      copy_plan plan = pool.at(g, k);
      plan.correction = ranking.factor[k] * among;
      plan.us *= plan.correction;
      plans.offer(plan);
    }
  }
  plans.considered = pool.considered;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
