// SPDX-License-Identifier: Apache-2.0
/// @file
/// A copy between two strided tensors as numbers, and its simplest form.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy_problem/meetings.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

[[noreturn]] inline void copy_has_too_many_modes(int rank) {
  fail("copy: %d modes remain after merging what can be merged, the most is %d; copy it slice by slice", rank,
       copy_max_rank);
}

/// The largest power of two, up to `most`, that divides x.
constexpr std::int64_t power_of_two_in(std::int64_t x, std::int64_t most) {
  auto const bits = static_cast<std::uint64_t>(x), lowest = bits & (~bits + 1);
  if (x != 0 && lowest < static_cast<std::uint64_t>(most)) return static_cast<std::int64_t>(lowest);
  std::int64_t p = 1;
  while (p < most) p *= 2;
  return p;
}
constexpr std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

/// Drops modes of extent 1, and makes the strides of the target positive and ascending.
constexpr void order_by_target(copy_problem& p) {
  int kept_modes = 0;
  for (int m = 0; m < p.rank; ++m) {
    copy_mode one = p.mode[m];
    if (one.extent == 1) continue;
    if (one.extent > 1 && one.target == 0) copy_writes_one_place_many_times(one.extent);
    if (one.target < 0) {
      p.source_offset += (one.extent - 1) * one.source;
      p.target_offset += (one.extent - 1) * one.target;
      one.source = -one.source;
      one.target = -one.target;
    }
    int at = kept_modes++;
    for (; at > 0 && p.mode[at - 1].target > one.target; --at) p.mode[at] = p.mode[at - 1];
    p.mode[at] = one;
  }
  p.rank = kept_modes;
}
/// Merges neighbours that form one mode in both tensors.
constexpr void merge_modes(copy_problem& p) {
  int kept_modes = 0;
  for (int m = 0; m < p.rank; ++m) {
    copy_mode const& next = p.mode[m];
    if (kept_modes > 0) {
      copy_mode& last = p.mode[kept_modes - 1];
      if (next.target == last.extent * last.target && next.source == last.extent * last.source) {
        last.extent *= next.extent;
        continue;
      }
    }
    p.mode[kept_modes++] = next;
  }
  p.rank = kept_modes;
}
/// Splits elements that exceed the alignment of their addresses into smaller ones.
constexpr void narrow_elements(copy_problem& p) {
  while (p.element_bytes > 1 &&
         (p.source_alignment % p.element_bytes != 0 || p.target_alignment % p.element_bytes != 0)) {
    for (int m = p.rank; m > 0; --m)
      p.mode[m] = {p.mode[m - 1].extent, 2 * p.mode[m - 1].source, 2 * p.mode[m - 1].target};
    p.mode[0] = {2, 1, 1};
    ++p.rank;
    p.element_bytes /= 2;
    p.source_offset *= 2;
    p.target_offset *= 2;
    merge_modes(p);
  }
}
/// Joins pairs of elements that are contiguous in both tensors.
constexpr void widen_elements(copy_problem& p) {
  while (p.rank > 0 && p.element_bytes < 16) {
    bool pairs = p.mode[0].source == 1 && p.mode[0].target == 1 && p.mode[0].extent % 2 == 0 &&
                 p.source_alignment % (2 * p.element_bytes) == 0 && p.target_alignment % (2 * p.element_bytes) == 0 &&
                 p.source_offset % 2 == 0 && p.target_offset % 2 == 0;
    for (int m = 1; m < p.rank; ++m) pairs = pairs && p.mode[m].source % 2 == 0 && p.mode[m].target % 2 == 0;
    if (!pairs) return;
    p.element_bytes *= 2;
    p.source_offset /= 2;
    p.target_offset /= 2;
    p.mode[0].extent /= 2;
    for (int m = 1; m < p.rank; ++m) {
      p.mode[m].source /= 2;
      p.mode[m].target /= 2;
    }
    if (p.mode[0].extent == 1) {
      for (int m = 1; m < p.rank; ++m) p.mode[m - 1] = p.mode[m];
      --p.rank;
    }
  }
}

}  // namespace detail

/// Returns the simplest form of a copy problem. The result has no mode of extent 1. Its modes are in the order of the
/// target's strides, which are positive. Modes that are contiguous in both tensors are merged, and elements are as
/// large as the addresses allow.
///
/// It fails in these cases:
/// - extents or strides exceed what 64-bit byte offsets can hold;
/// - the target has a mode of stride 0, or two overlapping elements. A search of 2000 steps may leave the second open.
///   Strides that each exceed the reach of the smaller ones need no search;
/// - more than 8 modes remain, not counting the mode of pieces of elements whose addresses have a smaller alignment.
/// @param widen whether elements may grow; they may not if they are converted
[[gnu::noinline, gnu::cold]] constexpr copy_problem simplified(copy_problem p, bool widen = true) {
  detail::check_numbers(p);
  for (int m = 0; m < p.rank; ++m) {
    if (p.mode[m].extent == 0) {
      p.mode[0] = {0, 1, 1};
      p.rank = 1;
      return p;
    }
  }
  detail::order_by_target(p);
  detail::merge_modes(p);
  detail::check_target_is_distinct(p);
  int most = copy_max_rank;
  if (widen && p.rank <= copy_max_rank + 1) {
    int const rank = p.rank;
    detail::narrow_elements(p);
    if (p.rank > rank) ++most;
    detail::widen_elements(p);
  }
  if (p.rank > most) detail::copy_has_too_many_modes(p.rank);
  return p;
}

namespace detail {
/// A contiguous part of the target, between gaps if there are any: the number of the innermost modes in it.
struct target_part {
  std::int64_t elements = 1;
  int modes = 0;

  static constexpr target_part of(copy_problem const& p) {
    target_part part;
    while (part.modes < p.rank && p.mode[part.modes].target == part.elements)
      part.elements *= p.mode[part.modes++].extent;
    return part;
  }
};
/// Whether the source has other elements between those that are copied. Copied elements may be repeated.
constexpr bool source_has_gaps(copy_problem const& p) {
  std::int64_t span = 1;  // the distance from the first to the last of the elements that are known to be contiguous
  bool known[copy_max_rank + 1] = {};
  for (int n = 0; n < p.rank; ++n) {
    int least = -1;
    for (int m = 0; m < p.rank; ++m)
      if (!known[m] && (least < 0 || magnitude(p.mode[m].source) < magnitude(p.mode[least].source))) least = m;
    std::int64_t const step = magnitude(p.mode[least].source);
    if (step > span) return true;
    known[least] = true;
    span += (p.mode[least].extent - 1) * step;
  }
  return false;
}
/// The number of slots of a row, of `slot_bytes` each. It includes a few more slots, if that lets a warp's accesses
/// begin at line boundaries of the target. A sector that two warps write costs more than the parts of either warp.
/// @param element_bytes the size of the target's elements
inline std::int64_t slots_to_lines(std::int64_t row, std::int64_t slot_bytes, copy_problem const& p,
                                   std::int64_t element_bytes, void const* target) {
  std::int64_t line = power_of_two_in(
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target) & 127u) + p.target_offset * element_bytes,
      128);
  for (int m = 1; m < p.rank; ++m) line = power_of_two_in(p.mode[m].target * element_bytes, line);
  std::int64_t const slots = line / slot_bytes, rounded = slots > 1 ? (row + slots - 1) / slots * slots : row;
  return (rounded - row) * 8 <= row ? rounded : row;
}
/// A copy in two parts.
struct copy_halves {
  copy_problem low, high;

  /// The first part has the coordinates of a mode below `at`, the second part the others.
  static constexpr copy_halves of(copy_problem const& p, int mode, std::int64_t at) {
    copy_halves parts = {p, p};
    parts.low.mode[mode].extent = at;
    parts.high.mode[mode].extent -= at;
    parts.high.source_offset += at * p.mode[mode].source;
    parts.high.target_offset += at * p.mode[mode].target;
    return parts;
  }
  /// Halves of the longest mode. The first mode, which vectors run along, is cut between two vectors if there are two.
  static constexpr copy_halves of_longest_mode(copy_problem const& p, std::int64_t vector) {
    int longest = 0;
    for (int m = 1; m < p.rank; ++m)
      if (p.mode[m].extent > p.mode[longest].extent || p.mode[longest].extent < 2 * (longest == 0 ? vector : 1))
        longest = m;
    std::int64_t const unit = longest == 0 ? vector : 1;
    return of(p, longest, p.mode[longest].extent / 2 / unit * unit);
  }
};
}  // namespace detail

/// Whether both sides are contiguous. `copy_contiguous` copies such a problem, at any addresses.
constexpr bool is_contiguous(copy_problem const& p) {
  return p.rank == 0 || (p.rank == 1 && p.mode[0].source == 1 && p.mode[0].target == 1);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
