// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tune_copy(src, dst)`: measures the planner's best plans on the device and keeps the winner in a file. This header
/// is opt-in, for the host; it needs nlohmann-json.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/times_in_turn.hpp>
#include <cosmati/kernel/tuned_file.hpp>
#include <cosmati/runtime/device_memory.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// The options of `tune_copy`.
struct tune_options {
  int plans = 8;      ///< the number of the planner's best plans, at most `copy_plans_kept`
  int rounds = 5;     ///< timed runs of each plan, in turn, after a warm-up run; the median counts
  std::string cache;  ///< a JSON file that is read first and extended at the end; empty for none
};

/// The result of `tune_copy`.
struct tuned_copy {
  copy_problem problem;     ///< simplified: `launch_plan(problem, plan, ...)` runs it
  copy_plan plan;           ///< the fastest plan
  double us = 0;            ///< the measured time in microseconds; `plan.us` is the prediction
  int place = 0;            ///< the rank of the plan among the planner's choices; 0 is the first
  bool from_cache = false;  ///< whether the result was read from the file, and nothing was run
};

namespace detail {

/// The fields of a plan as one word of JSON.
inline std::string key_of(copy_problem const& p, copy_plan const& plan) {
  char const* const route = name_of(plan.route);
  nlohmann::json j;
  if (plan.route == copy_route::windows)
    j = {route, plan.tile.source_modes, plan.tile.target_modes, plan.bulk,
         std::vector<std::int64_t>(plan.tile.extent, plan.tile.extent + p.rank)};
  else if (plan.route == copy_route::sectors)
    j = {route,
         plan.sectors.source_modes,
         plan.sectors.target_modes,
         plan.sectors.run_length,
         plan.sectors.row_length,
         plan.sectors.by_lines};
  else if (plan.route == copy_route::transpose)
    j = {route, plan.vector, plan.column_mode, plan.row_mode};
  else
    j = {route, plan.vector, plan.together, plan.launch.threads, plan.launch.stream_loads, plan.launch.stream_stores};
  if (plan.route == copy_route::direct && plan.launch.once) j.push_back("once");
  return j.dump();
}
/// A simplified problem, with the alignment of its addresses, as one word of JSON.
inline std::string key_of(copy_problem const& p) {
  nlohmann::json j = {p.element_bytes,    p.source_offset,    p.target_offset,
                      p.source_alignment, p.target_alignment, p.apart_alignment};
  for (int m = 0; m < p.rank; ++m) j.push_back({p.mode[m].extent, p.mode[m].source, p.mode[m].target});
  if (p.interleaved) j.push_back("interleaved");
  return j.dump();
}

template <class Src, class Dst>
tuned_copy tune_tensors(Src const& src, Dst const& dst, tune_options const& options) {
  if (options.plans < 1 || options.rounds < 1)
    throw error("tune_copy: options.plans is %d and options.rounds %d; both are 1 or more", options.plans,
                options.rounds);
  copy_plans const plans = plan_copy(make_copy_problem(src, dst), device_model::of_current());
  if (plans.kept == 0)
    throw error("tune_copy(src, dst): the tensors have no elements; there is nothing to measure, call copy_tensor");
  void const* const source = raw_pointer_cast(src.data());
  void* const target = raw_pointer_cast(dst.data());
  expect_device_memory("tune_copy(src, dst)", "src", source);
  expect_device_memory("tune_copy(src, dst)", "dst", target);
  check_apart("tune_copy", plans.problem, source, target, plans.problem.element_bytes);
  tuned_copy best;
  best.problem = plans.problem;

  std::string const device = tuned_device(), problem = key_of(plans.problem);
  if (!options.cache.empty()) {
    nlohmann::json const all = read_tuned("tune_copy", options.cache, device);
    nlohmann::json const kept = all.value(device, nlohmann::json::object()).value(problem, nlohmann::json());
    if (kept.is_object() && kept.contains("plan") && kept.contains("us") && kept["us"].is_number() &&
        kept["us"].get<double>() >= 0) {
      for (int k = 0; k < plans.kept; ++k) {
        if (kept["plan"] != key_of(plans.problem, plans.plan[k])) continue;
        best.plan = plans.plan[k];
        best.us = kept["us"];
        best.place = k;
        best.from_cache = true;
        return best;
      }
    }
    check_can_keep_tuned("tune_copy", options.cache);
  }

  int number[copy_plans_kept];
  int const count = plans.in_turn(options.plans, number);
  std::vector<double> const us = times_in_turn(static_cast<std::size_t>(count), options.rounds, [&](std::size_t k) {
    launch_plan(plans.problem, plans.plan[number[k]], source, target);
  });
  auto const fastest = std::min_element(us.begin(), us.end());
  best.place = number[fastest - us.begin()];
  best.plan = plans.plan[best.place];
  best.us = *fastest;
  if (!options.cache.empty())
    keep_tuned("tune_copy", options.cache, device, problem,
               {{"plan", key_of(plans.problem, best.plan)}, {"us", best.us}});
  return best;
}
}  // namespace detail

/// Measures the planner's best plans for the copy of `src` to `dst`, each several times, and returns the fastest. The
/// plans copy: afterwards `dst` is what `copy_tensor(src, dst)` makes of it, unless the answer came from the file.
///
/// The file maps a device with the library's version, and a problem, to the winner. A plan in it that the planner would
/// not choose today is measured again. Programs may share the file; each adds its winner to the others'. On the
/// simulated device the times are those of the simulation. Throws `error` as `copy_tensor` does, if there is nothing to
/// copy, if options are invalid, and, before it measures, if the file cannot be read or written.
template <class Src, class Dst>
tuned_copy tune_copy(Src const& src, Dst const& dst, tune_options const& options = {}) {
  if constexpr (detail::copied_tensors<Src, Dst>::ok) {
    using T = std::remove_cv_t<typename Dst::value_type>;
    constexpr bool same = std::is_same_v<std::remove_cv_t<typename Src::value_type>, T> && detail::may_be_copied<T>;
    static_assert(same, "tune_copy(src, dst): elements of one type, trivially copyable, of 1, 2, 4, 8 or 16 bytes");
    constexpr bool written = !std::is_const_v<typename Dst::element_type>;
    static_assert(written, "tune_copy(src, dst): dst's elements are const");
    if constexpr (same && written) return detail::tune_tensors(src, dst, options);
  }
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
