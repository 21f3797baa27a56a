// SPDX-License-Identifier: Apache-2.0
/// @file
/// `launch_plan(problem, plan, source, target)`: launches the kernels of a plan.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/checks.hpp>
#include <cosmati/kernel/copy/direct.hpp>
#include <cosmati/kernel/copy/once.hpp>
#include <cosmati/kernel/copy/sectors.hpp>
#include <cosmati/kernel/copy/windows.hpp>
#include <cosmati/kernel/transpose/tiles.hpp>
#include <cosmati/runtime/device_memory.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Splits a problem and calls `go(part)` for each part. No mode of a part is longer than `longest`, which is 2048 or
/// more. Parts begin at multiples of any vector.
template <class Go>
void for_parts(copy_problem const& p, std::int64_t longest, Go const& go) {
  for (int m = 0; m < p.rank; ++m) {
    if (p.mode[m].extent <= longest) continue;
    std::int64_t const unit = longest / 1024 > 16 ? longest / 1024 : 16;
    copy_halves const parts = copy_halves::of(p, m, p.mode[m].extent / 2 / unit * unit);
    for_parts(parts.low, longest, go);
    for_parts(parts.high, longest, go);
    return;
  }
  go(p);
}

/// @tparam least the size of the smallest elements that are copied in vectors
template <int element_bytes, int least>
void launch_direct_plan(launch_sink& sink, copy_problem const& p, copy_plan const& plan, void const* source,
                        void* target) {
  constexpr int most = 16 / element_bytes;
  if (plan.together && is_contiguous(p)) {
    char const* const from = static_cast<char const*>(source) + p.source_offset * element_bytes;
    char* const to = static_cast<char*>(target) + p.target_offset * element_bytes;
    int const width = plan.vector * element_bytes, most_width = width_of_both(from, to);
    launch_contiguous<least>(sink, from, to, p.size() * element_bytes, width < most_width ? width : most_width,
                             plan.launch);
  } else if (plan.launch.once) {
    launch_once<element_bytes>(sink, p, plan.launch, source, target);
  } else {
    launch_direct_of<copy_bits<element_bytes>, most>(sink, p, plan.vector, plan.together, plan.launch, source, target);
  }
}
template <int element_bytes, int least>
void launch_plan_of(launch_sink& sink, copy_problem const& p, copy_plan const& plan, void const* source, void* target) {
  switch (plan.route) {
    case copy_route::direct:
      return launch_direct_plan<element_bytes, least>(sink, p, plan, source, target);
    case copy_route::transpose:
      return launch_transpose<element_bytes, 16>(sink, p, plan.column_mode, plan.row_mode, source, target);
    case copy_route::windows:
      return launch_windows<element_bytes>(sink, p, plan.tile, plan.bulk, source, target);
    case copy_route::sectors:
      if constexpr (element_bytes < window_bytes)
        return launch_sectors<element_bytes>(sink, p, plan.sectors, source, target);
  }
}
/// Elements at addresses that are not aligned for their type. They are copied one by one, so that few kernels are
/// needed.
template <int element_bytes>
void launch_single_elements(launch_sink& sink, copy_problem const& p, copy_plan const& plan, void const* source,
                            void* target) {
  launch_direct_of<copy_bits<element_bytes>, 1>(sink, p, 1, false, plan.launch, source, target);
}

/// Launches a plan that is known to fit the problem, at addresses with the problem's alignment. This is a template, so
/// that its kernels are compiled where it is called.
/// @tparam least the size of the smallest elements that have all kernels; plans for smaller ones are `single_elements`
template <int least = 1>
void launch_known_plan(launch_sink& sink, copy_problem const& given, copy_plan const& plan, void const* source,
                       void* target) {
  auto const go = [&](copy_problem const& p) {
    auto const of = [&](auto bytes) {
      constexpr int e = decltype(bytes)::value;
      if constexpr (e >= least)
        launch_plan_of<e, least>(sink, p, plan, source, target);
      else
        launch_single_elements<e>(sink, p, plan, source, target);
    };
    switch (p.element_bytes) {
      case 1:
        return of(std::integral_constant<int, 1>{});
      case 2:
        return of(std::integral_constant<int, 2>{});
      case 4:
        return of(std::integral_constant<int, 4>{});
      case 8:
        return of(std::integral_constant<int, 8>{});
      default:
        return of(std::integral_constant<int, 16>{});
    }
  };
  if (plan.route == copy_route::direct) return go(given);
  for_parts(given, copy_longest_tiled_mode, go);
}
/// The plan that copies elements one by one.
constexpr copy_plan single_elements() {
  copy_plan plan;
  plan.launch.threads = 128;
  return plan;
}
}  // namespace detail

/// Runs a plan. Throws `error` in these cases: the plan does not fit the problem, such as a plan of another problem
/// with better alignment; an address does not have the problem's alignment; the device lacks the instructions. It does
/// not search for overlapping elements as `copy_tensor` does. This is a template, so that its kernels are compiled
/// where it is called, not wherever this file is included.
/// @param given the problem that the plan was made for, simplified: `copy_plans::problem`
template <class = void>
void launch_plan(copy_problem const& given, copy_plan const& plan, void const* source, void* target,
                 stream_handle stream = nullptr) {
  detail::check_numbers(given);
  if (given.size() == 0) return;
  if (given.rank > copy_max_rank + (plan.route == copy_route::direct ? 1 : 0))
    detail::copy_has_too_many_modes(given.rank);
  detail::check_plan(given, plan, device_model::of_current());
  detail::expect_device_memory("launch_plan", "the source", source);
  detail::expect_device_memory("launch_plan", "the target", target);
  if (!(plan.route == copy_route::direct && plan.together && is_contiguous(given))) {  // works at any addresses
    detail::check_address("source", source, given.source_alignment);
    detail::check_address("target", target, given.target_alignment);
  }
  detail::check_gaps(given, plan, source, target);
  detail::starts_at_once sink(stream);
  detail::launch_known_plan<>(sink, given, plan, source, target);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
