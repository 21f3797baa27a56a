// SPDX-License-Identifier: Apache-2.0
/// @file
/// What was measured of many plans, with each one's features: the input of fit.py.
///
/// features TIMES OUT. TIMES has a line a problem, "problem|work|shape|key|ordered|", then one a plan, "key|times in
/// microseconds", as `bench_tensors --sample` writes them, or "key|how many*median", as collect.py does. Where
/// "ordered" is missing, tiles came in the order that they had before there was a `tile_order`. OUT has the features'
/// names, then a line a problem, as in TIMES, and one a plan: group, place in its group as predicted, prediction,
/// times, features.
#include <cosmati/kernel/copy/plan.hpp>
#include <cosmati/kernel/copy/plan_features.hpp>
#include <cosmati/kernel/copy/tune.hpp>

#include <cstdio>
#include <fstream>
#include <map>

#include "../tensors/problems.hpp"

namespace {

using namespace cosmati;

char const* const names[] = {
#define COSMATI_PLAN_FEATURE(name) #name,
    COSMATI_PLAN_FEATURES(COSMATI_PLAN_FEATURE)
#undef COSMATI_PLAN_FEATURE
};

struct known_plans {
  copy_problem problem;
  std::map<std::string, copy_plan> plans = {};
  std::map<std::string, int> place = {};
  double best[detail::plan_groups] = {};

  double limit(copy_route) const { return 1e300; }
  void offer(copy_plan const& plan) {
    double& least = best[detail::group_of(plan)];
    if (least == 0 || plan.us < least) least = plan.us;
    plans.emplace(detail::key_of(problem, plan), plan);
  }
  void sort() {
    std::vector<std::pair<double, std::string>> order[detail::plan_groups];
    for (auto const& [key, plan] : plans) order[detail::group_of(plan)].emplace_back(plan.us, key);
    for (auto& group : order) {
      std::sort(group.begin(), group.end());
      for (std::size_t k = 0; k < group.size(); ++k) place[group[k].second] = static_cast<int>(k);
    }
  }
};

/// The order that a plan's tiles had before it was chosen: the target's, but by windows.
tile_order former_order(copy_problem const& p, copy_plan const& plan) {
  tile_set const tiles = detail::tiles_of_plan(p, plan);
  bool const windows = plan.route == copy_route::windows;
  auto const first = [&](int m) { return windows && tiles.grid.tiles[m].divisor > 1 ? m : -1; };
  return tile_order::with_first(detail::tile_neighbours(p, tiles), tiles.grid, first(plan.tile.target_modes - 1),
                                first(detail::source_order(p).mode[plan.tile.source_modes - 1]));
}

int run(char const* sample, char const* out) {
  std::ifstream in(sample);
  std::FILE* const file = std::fopen(out, "w");
  if (!in || file == nullptr) return 1;
  for (char const* name : names) std::fprintf(file, name == names[0] ? "%s" : " %s", name);
  std::fputc('\n', file);
  known_plans all{};
  bool ordered = false;
  int missing = 0;
  for (std::string line; std::getline(in, line);) {
    auto const field = [&](int n) {
      std::size_t begin = 0;
      for (; n > 0; --n) begin = line.find('|', begin) + 1;
      return line.substr(begin, line.find('|', begin) - begin);
    };
    if (field(0) == "problem") {
      all = {bench::problem_of(field(3))};
      offer_plans(all);
      all.sort();
      ordered = field(4) == "ordered";
      std::fprintf(file, "problem|%s|%s|%s|\n", field(1).c_str(), field(2).c_str(), field(3).c_str());
      continue;
    }
    auto const plan = all.plans.find(field(0));
    if (plan == all.plans.end()) {
      ++missing;
      continue;
    }
    detail::plan_features f = detail::plan_view(all.problem, {}, all.best).of(plan->second);
    if (!ordered && plan->second.route != copy_route::direct)
      detail::plan_view::see_order(f, former_order(all.problem, plan->second));
    std::fprintf(file, "%d|%d|%.4f|%s|", detail::group_of(plan->second), all.place[field(0)], plan->second.us,
                 field(1).c_str());
    for (int const v : f.value) std::fprintf(file, " %d", v);
    std::fputc('\n', file);
  }
  std::printf("%d plans are no longer in the planner's space\n", missing);
  return std::fclose(file);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: features SAMPLE OUT\n", stderr);
    return 2;
  }
  return run(arguments[1], arguments[2]);
}
