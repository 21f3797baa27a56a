// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random pairs of strided tensors, copied by the planner's choices and compared with a loop over the elements.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/copy.hpp>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#define EXPECT_SAYS(text, ...)                                            \
  do {                                                                    \
    std::string const says = random_copies::thrown([&] { __VA_ARGS__; }); \
    EXPECT_NE(says.find(text), std::string::npos) << says;                \
  } while (false)

namespace random_copies {
using namespace cosmati;

inline std::string described(copy_problem const& p) {
  std::ostringstream s;
  s << p.element_bytes << " bytes";
  for (int m = 0; m < p.rank; ++m) s << ' ' << p.mode[m].extent << ':' << p.mode[m].source << '>' << p.mode[m].target;
  s << " offsets " << p.source_offset << '>' << p.target_offset;
  return s.str();
}
inline std::string described(copy_plan const& plan) {
  std::ostringstream s;
  s << name_of(plan.route);
  s << " vector " << plan.vector << (plan.together ? " together" : "");
  if (plan.route == copy_route::direct)
    s << ' ' << plan.launch.threads << " threads" << (plan.launch.stream_loads ? " stream loads" : "")
      << (plan.launch.stream_stores ? " stream stores" : "") << (plan.launch.once ? " once" : "");
  if (plan.route == copy_route::windows) {
    s << " modes " << plan.tile.source_modes << '>' << plan.tile.target_modes << " tile";
    for (std::int64_t const e : plan.tile.extent) s << ' ' << e;
    s << (plan.bulk ? " bulk" : "");
  }
  if (plan.route == copy_route::sectors)
    s << " modes " << plan.sectors.source_modes << '>' << plan.sectors.target_modes << " tile "
      << plan.sectors.run_length << " x " << plan.sectors.row_length << (plan.sectors.by_lines ? " by lines" : "");
  return s.str();
}

/// Lowest and highest offset of the elements of one side.
struct span {
  std::int64_t low = 0, high = 0;
  span(copy_problem const& p, bool source) {
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const reach = (p.mode[m].extent - 1) * (source ? p.mode[m].source : p.mode[m].target);
      (reach < 0 ? low : high) += reach;
    }
  }
};

class strides {
 public:
  explicit strides(unsigned seed) : random_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool one_in(int n) { return below(n) == 0; }

  /// A random problem of at most `most` elements.
  copy_problem problem(int element_bytes, std::int64_t most) {
    copy_problem p;
    p.element_bytes = element_bytes;
    int const rank = 1 + below(6);
    std::int64_t extent[copy_max_rank], size = 1;
    for (int m = 0; m < rank; ++m) {
      int const kind = below(6);
      extent[m] = kind == 0   ? 1 + below(3)
                  : kind == 1 ? 8 * (1 + below(8))
                  : kind == 2 ? 60 + below(80)
                              : 2 + below(40);
      if (size * extent[m] > most) extent[m] = 1 + below(static_cast<int>(most / size < 4 ? most / size : 4));
      size *= extent[m];
    }
    std::int64_t stride[2][copy_max_rank];
    for (auto& side : stride) {
      bool const is_source = &side == &stride[0];
      int order[copy_max_rank];
      for (int m = 0; m < rank; ++m) {
        int const at = below(m + 1);
        order[m] = order[at];
        order[at] = m;
      }
      if (one_in(3))
        for (int m = 0; m < rank; ++m) order[m] = m;
      std::int64_t next = one_in(12) ? 2 : 1;
      bool const gaps = one_in(3), aligned = one_in(2);
      for (int k = 0; k < rank; ++k) {
        int const m = order[k];
        if (is_source && one_in(15)) {
          side[m] = 0;
          continue;
        }
        side[m] = next;
        next *= extent[m];
        if (gaps && one_in(2)) next += aligned ? 16 - next % 16 : below(5);
      }
      for (int m = 0; m < rank; ++m)
        if (one_in(20)) side[m] = -side[m];
    }
    for (int m = 0; m < rank; ++m) p.push(extent[m], stride[0][m], stride[1][m]);
    p.source_offset = -span(p, true).low + (one_in(2) ? 0 : below(17));
    p.target_offset = -span(p, false).low + (one_in(2) ? 0 : below(17));
    return p;
  }

 private:
  std::mt19937 random_;
};

/// Calls f(source offset, target offset) for every element.
template <class Function>
void for_every_element(copy_problem const& p, Function const& f) {
  std::int64_t at[copy_max_modes] = {};
  for (std::int64_t n = p.size(); n > 0; --n) {
    std::int64_t s = p.source_offset, t = p.target_offset;
    for (int m = 0; m < p.rank; ++m) {
      s += at[m] * p.mode[m].source;
      t += at[m] * p.mode[m].target;
    }
    f(s, t);
    for (int m = 0; m < p.rank && ++at[m] == p.mode[m].extent; ++m) at[m] = 0;
  }
}

/// The elements 1, 8, 15, ...
template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * 7 + 1);
  return v;
}
/// A problem with modes in the target's order; `source` gives their order in the source.
inline copy_problem reordered(int element_bytes, std::vector<std::int64_t> const& extents,
                              std::vector<int> const& source, std::int64_t gap = 0) {
  copy_problem p;
  p.element_bytes = element_bytes;
  std::vector<std::int64_t> stride(extents.size());
  std::int64_t next = 1;
  for (int const m : source) {
    stride[static_cast<std::size_t>(m)] = next;
    next = next * extents[static_cast<std::size_t>(m)] + gap;
  }
  next = 1;
  for (std::size_t m = 0; m < extents.size(); ++m) {
    p.push(extents[m], stride[m], next);
    next = next * extents[m] + gap;
  }
  return p;
}
/// Text of the error that the call throws.
template <class Call>
std::string thrown(Call const& call) {
  try {
    call();
  } catch (error const& e) {
    return e.what();
  }
  return "no error";
}

/// `launch_plan` as a function to be passed.
inline constexpr auto by_launch_plan = [](auto const&... arguments) { launch_plan(arguments...); };

/// Copies p by the plan that `choose(plans)` returns, and compares every byte of the target's buffer, gaps included.
/// The buffers begin `source_shift` and `target_shift` bytes after an aligned address. Gaps of the source stay as
/// allocated.
/// @param go launches: (problem, plan, source, target)
template <class Choose, class Go = decltype(by_launch_plan)>
void expect_copied_by(copy_problem p, std::size_t source_shift, std::size_t target_shift, std::mt19937& random,
                      Choose const& choose, Go const& go = by_launch_plan) {
  auto const e = static_cast<std::size_t>(p.element_bytes);
  std::size_t const source_bytes =
      source_shift + static_cast<std::size_t>(p.source_offset + span(p, true).high + 1) * e;
  std::size_t const target_bytes =
      target_shift + static_cast<std::size_t>(p.target_offset + span(p, false).high + 1) * e;
  std::vector<unsigned char> host(source_bytes), wanted(target_bytes + 32, 0xa5);
  for (auto& byte : host) byte = static_cast<unsigned char>(random());
  device_buffer<unsigned char> in(host), out(wanted);
  for_every_element(p, [&](std::int64_t s, std::int64_t t) {
    std::memcpy(wanted.data() + target_shift + static_cast<std::size_t>(t) * e,
                host.data() + source_shift + static_cast<std::size_t>(s) * e, e);
  });
  p.source_alignment = detail::alignment_of(in.data() + source_shift);
  p.target_alignment = detail::alignment_of(out.data() + target_shift);
  copy_plans const plans = plan_copy(p, device_model::of_current());
  ASSERT_GT(plans.kept, 0) << described(p);
  copy_plan const plan = choose(plans);
  SCOPED_TRACE(described(p) + "; simplified " + described(plans.problem) + "; " + described(plan));
  try {
    go(plans.problem, plan, in.data() + source_shift, out.data() + target_shift);
    ASSERT_TRUE(out.download() == wanted);
  } catch (error const& e) {
    FAIL() << e.what();
  }
}

/// All plans that the planner considers.
struct every_plan {
  copy_problem problem;
  std::vector<copy_plan> list;

  explicit every_plan(copy_problem const& p) {
    copy_plans const plans = plan_copy(p, device_model::of_current());
    problem = plans.problem;
    list.assign(plans.plan, plans.plan + plans.kept);
  }
};

/// One of the plans. Each route has the same probability, because some routes have many more plans.
inline copy_plan any_of(std::vector<copy_plan> const& list, std::mt19937& random) {
  std::vector<copy_route> routes;
  for (copy_plan const& plan : list)
    if (std::find(routes.begin(), routes.end(), plan.route) == routes.end()) routes.push_back(plan.route);
  copy_route const route = routes[random() % routes.size()];
  std::vector<copy_plan> of_route;
  for (copy_plan const& plan : list)
    if (plan.route == route) of_route.push_back(plan);
  return of_route[random() % of_route.size()];
}

/// Copies by the planner's first choice, or by any plan that it considers.
inline void expect_copied(copy_problem const& p, std::size_t source_shift, std::size_t target_shift, bool first_choice,
                          std::mt19937& random) {
  expect_copied_by(p, source_shift, target_shift, random, [&](copy_plans const& plans) {
    return first_choice ? plans.plan[0] : any_of(every_plan(plans.problem).list, random);
  });
}

}  // namespace random_copies
