// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies that convert their elements: which vectors they take, and their launch.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/direct.hpp>
#include <cosmati/kernel/copy/plan_costs.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Whether vectors of v elements of `bytes` lie at addresses for accesses of up to 16 bytes.
constexpr bool conversion_fits(copy_problem const& p, bool of_source, int v, int bytes) {
  std::int64_t const width = v * bytes < 16 ? v * bytes : 16;
  std::int64_t const joined =
      of_source ? p.source_alignment | (p.source_offset * bytes) : p.target_alignment | (p.target_offset * bytes);
  if (joined % width != 0) return false;
  for (int m = 1; m < p.rank; ++m)
    if ((of_source ? p.mode[m].source : p.mode[m].target) * bytes % width != 0) return false;
  return true;
}

/// The widest vectors of a conversion, in elements: 16 bytes of the larger type, so that neighbouring lanes' accesses
/// lie side by side in both tensors; where it is four times as large, 32. Measured: bench/NOTES.md.
template <class From, class To>
inline constexpr int widest_conversion = [] {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To));
  constexpr int larger = from > to ? from : to, smaller = from > to ? to : from;
  return (larger >= 4 * smaller ? 32 : 16) / larger;
}();
/// How many of them a thread loads before it stores the first.
template <class From, class To>
inline constexpr int conversions_at_once = sizeof(From) == sizeof(To) ? 1 : 2;

/// How elements are converted on the way. @param p simplified without growing its elements
template <class From, class To>
constexpr copy_plan plan_conversion(copy_problem const& p) {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To));
  constexpr int most = widest_conversion<From, To>;
  copy_plan plan;
  plan.together = true;
  plan.launch = {.threads = 128, .at_once = conversions_at_once<From, To>};
  if (p.source_alignment % from != 0 || p.target_alignment % to != 0) {
    plan.together = false;
    return plan;  // in pieces, one by one
  }
  for (int v = 2; v <= most && p.rank > 0; v *= 2) {
    if (p.mode[0].target != 1 || p.mode[0].extent < v || !conversion_fits(p, false, v, to)) break;
    plan.vector = v;
    plan.together = p.mode[0].source == 1 && conversion_fits(p, true, v, from);
  }
  if (plan.vector == 1 && most > 1 && p.rank > 0 && p.mode[0].target == 1 && p.mode[0].extent >= 8 * most) {
    plan.vector = most;  // rows begin within vectors
    plan.together = false;
  }
  return plan;
}

/// @param plan of `plan_conversion`
template <class From, class To>
void launch_conversion(copy_problem const& p, copy_plan const& plan, void const* source, void* target,
                       stream_handle stream) {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To)), words = 4;
  bool const aligned = p.source_alignment % from == 0 && p.target_alignment % to == 0;
  auto const go = [&](auto bytes) {
    launch_direct_of<copy_converted_in_pieces<From, To, decltype(bytes)::value>, 1, conversions_at_once<From, To>>(
        p, plan.vector, plan.together, plan.launch, source, target, stream);
  };
  if constexpr (from >= words && to >= words && from + to > 2 * words)  // as complex numbers may lie
    if (!aligned && p.source_alignment % words == 0 && p.target_alignment % words == 0)
      return go(std::integral_constant<int, words>{});
  if constexpr (from + to > 2)
    if (!aligned) return go(std::integral_constant<int, 1>{});
  launch_direct_of<copy_converted<From, To>, widest_conversion<From, To>, conversions_at_once<From, To>>(
      p, plan.vector, plan.together, plan.launch, source, target, stream);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
