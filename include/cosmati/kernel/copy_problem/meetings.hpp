// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether two elements of a copy overlap: two of the target, or one of the source and one of the target.
///
/// The answer is exact within a limit of steps, which takes microseconds and satisfies the compilers' limits for
/// constants. Layouts need no steps if each stride, in sorted order, exceeds the reach of the smaller ones.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/reduce.hpp>
#include <cosmati/kernel/copy_problem/checks.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace COSMATI_NAMESPACE::detail {

/// The limit of steps of a search. A search that has not decided by then counts as finding no overlap.
inline constexpr int copy_search_steps = 2000;

/// Searches integers within bounds such that the sum of their products with strides lies in a range.
struct meeting_search {
  /// One integer of the sum.
  struct term {
    std::int64_t stride = 1;         ///< a positive stride
    std::int64_t low = 0, high = 0;  ///< bounds of the integer
    std::int64_t value = 0;          ///< the value that was found
    int mode = 0;                    ///< the mode of the coordinate
    bool of_target = false;
  };
  int count = 0, steps = copy_search_steps;
  term terms[2 * copy_max_rank + 2] = {};  ///< the terms by ascending strides

  /// Adds a term, whose stride is not 0.
  constexpr void add(term t) {
    if (t.stride < 0) t = {-t.stride, -t.high, -t.low, 0, t.mode, t.of_target};
    int at = count++;
    for (; at > 0 && terms[at - 1].stride > t.stride; --at) terms[at] = terms[at - 1];
    terms[at] = t;
  }
  /// Whether the sum can lie between `low` and `high`.
  /// @param differing null, or a problem; then the integers are the coordinates of one element of its source and one of
  ///   its target, which count only if they are not the same element, or if the source repeats elements
  constexpr bool finds(std::int64_t low, std::int64_t high, copy_problem const* differing = nullptr) {
    std::int64_t least = 0, most = 0;
    for (int k = 0; k < count; ++k) least += terms[k].stride * terms[k].low, most += terms[k].stride * terms[k].high;
    return finds(count, low, high, least, most, differing);
  }

 private:
  static constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
  /// Whether the coordinates that were found are those of two elements, not of one.
  constexpr bool differ(copy_problem const& p) const {
    std::int64_t step[copy_max_rank + 1] = {};
    for (int k = 0; k < count; ++k) {
      // A subtracted term was negated, so that its stride is positive.
      term const& t = terms[k];
      step[t.mode] += t.of_target ? t.value : p.mode[t.mode].source < 0 ? -t.value : t.value;
    }
    for (int m = 0; m < p.rank; ++m)
      if (step[m] != 0 || p.mode[m].source == 0) return true;
    return false;
  }
  /// @param least, most bounds of the sum of the first `left` terms
  [[gnu::noinline, gnu::cold]] constexpr bool finds(int left, std::int64_t low, std::int64_t high, std::int64_t least,
                                                    std::int64_t most, copy_problem const* differing) {
    if (least > high || most < low) return false;
    if (left == 0) return differing == nullptr || differ(*differing);
    term& t = terms[left - 1];
    least -= t.stride * t.low;
    most -= t.stride * t.high;
    std::int64_t first = -floor_of(most - low, t.stride), last = floor_of(high - least, t.stride);
    if (first < t.low) first = t.low;
    if (last > t.high) last = t.high;
    for (t.value = first; t.value <= last; ++t.value) {
      if (--steps < 0) return false;
      std::int64_t const moved = t.value * t.stride;
      if (finds(left - 1, low - moved, high - moved, least, most, differing)) return true;
    }
    return false;
  }
};

[[noreturn]] inline void copy_writes_one_place_twice(int rank, std::int64_t const (&steps)[copy_max_rank + 1],
                                                     copy_mode const (&mode)[copy_max_modes]) {
  char text[512] = "";
  int at = 0;
  for (int m = 0; m < rank; ++m) {
    if (steps[m] == 0) continue;
    int const left = static_cast<int>(sizeof text) - at;
    int const n =
        std::snprintf(text + at, static_cast<std::size_t>(left), "%s%lld in the mode of extent %lld and stride %lld",
                      at == 0 ? "" : ", ", static_cast<long long>(steps[m]), static_cast<long long>(mode[m].extent),
                      static_cast<long long>(mode[m].target));
    if (n >= left) break;
    at += n;
  }
  fail(
      "copy: two elements of the destination are one place, steps of %s apart: it would be written twice; copy to a "
      "tensor of distinct elements",
      text);
}
/// Fails if two elements of the target overlap. @param p its modes in the order of the target's strides, which are
/// positive
[[gnu::noinline, gnu::cold]] constexpr void check_target_is_distinct(copy_problem const& p) {
  std::int64_t reach = 0;
  int suspect = 0;  // the number of modes up to the last one whose stride the smaller ones reach
  for (int m = 0; m < p.rank; ++m) {
    if (p.mode[m].target <= reach) suspect = m + 1;
    reach += (p.mode[m].extent - 1) * p.mode[m].target;
  }
  if (suspect == 0 || suspect > copy_max_rank + 1) return;
  std::int64_t steps[copy_max_rank + 1] = {};
  for (int m = 0; m < suspect; ++m) {  // two modes decide directly
    for (int k = 0; k < m; ++k) {
      std::int64_t const common = algebra::gcd(p.mode[m].target, p.mode[k].target);
      if (p.mode[m].target / common >= p.mode[k].extent || p.mode[k].target / common >= p.mode[m].extent) continue;
      steps[m] = p.mode[k].target / common;
      steps[k] = -p.mode[m].target / common;
      copy_writes_one_place_twice(p.rank, steps, p.mode);
    }
  }
  int left = copy_search_steps;
  for (int top = 2; top < suspect && left > 0; ++top) {  // a step in this mode equals a combination of steps in smaller
                                                         // ones
    meeting_search search;
    search.steps = left;
    for (int m = 0; m < top; ++m)
      search.add({p.mode[m].target, 1 - p.mode[m].extent, p.mode[m].extent - 1, 0, m, true});
    search.add({p.mode[top].target, 1, p.mode[top].extent - 1, 0, top, true});
    if (search.finds(0, 0)) {
      for (int k = 0; k < search.count; ++k) steps[search.terms[k].mode] = search.terms[k].value;
      copy_writes_one_place_twice(p.rank, steps, p.mode);
    }
    left = search.steps;
  }
}

/// The range of bytes of a side's elements, from its base. @param bytes the size of an element
struct byte_range {
  std::int64_t begin = 0, end = 0;
  constexpr byte_range(copy_problem const& p, bool of_source, int bytes) {
    begin = (of_source ? p.source_offset : p.target_offset) * bytes;
    end = begin + bytes;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const reach = (p.mode[m].extent - 1) * (of_source ? p.mode[m].source : p.mode[m].target) * bytes;
      (reach < 0 ? begin : end) += reach;
    }
  }
};

/// Whether the byte ranges of the two sides overlap.
/// @param apart the bytes from the target's base to the source's
/// @param source_bytes the size of an element as it is read
constexpr bool sides_interleave(copy_problem const& p, std::int64_t apart, int source_bytes) {
  byte_range const source(p, true, source_bytes), target(p, false, p.element_bytes);
  return source.begin + apart < target.end && target.begin < source.end + apart;
}
/// Whether an element of the target provably overlaps another element of the source.
/// @param apart the bytes from the target's base to the source's
/// @param source_bytes the size of an element as it is read
[[gnu::noinline, gnu::cold]] constexpr bool sides_meet(copy_problem const& p, std::int64_t apart, int source_bytes) {
  int const target_bytes = p.element_bytes;
  if (!sides_interleave(p, apart, source_bytes)) return false;
  if (p.rank > copy_max_rank + 1) return false;
  // For element c of the source and element d of the target, the distance of their first bytes is first + c * source -
  // d * target.
  std::int64_t const first = apart + p.source_offset * source_bytes - p.target_offset * target_bytes;
  std::int64_t const low = 1 - source_bytes - first, high = target_bytes - 1 - first;
  bool same = source_bytes == target_bytes;
  for (int m = 0; m < p.rank; ++m) same = same && p.mode[m].source == p.mode[m].target;
  int steps = copy_search_steps;
  if (same) {  // only the difference of c and d counts, so no element overlaps itself unless all do
    if (first == 0) return false;
    meeting_search search;
    for (int m = 0; m < p.rank; ++m)
      search.add({p.mode[m].source * source_bytes, 1 - p.mode[m].extent, p.mode[m].extent - 1, 0, m, false});
    return search.finds(low, high);
  }
  // Each round but the last assumes that one of c and d is positive in mode `other / 2` and the other is 0 there. The
  // last round assumes nothing.
  for (int other = 0; other <= 2 * p.rank && steps > 0; ++other) {
    meeting_search search;
    search.steps = steps;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const last = p.mode[m].extent - 1;
      bool const source_moves = other == 2 * m, target_moves = other == 2 * m + 1;
      if (p.mode[m].source != 0)
        search.add({p.mode[m].source * source_bytes, source_moves ? 1 : 0, target_moves ? 0 : last, 0, m, false});
      search.add({-p.mode[m].target * target_bytes, target_moves ? 1 : 0, source_moves ? 0 : last, 0, m, true});
    }
    if (search.finds(low, high, &p)) return true;
    steps = search.steps;
  }
  return false;
}

inline std::int64_t bytes_apart(void const* source, void const* target) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(source) - reinterpret_cast<std::uintptr_t>(target));
}
[[noreturn]] inline void copy_would_overwrite_its_source(char const* who, void const* source, void* target) {
  throw error(
      "%s(src, dst): elements of dst lie where other elements of src do, which would be overwritten before "
      "they are read (src at %p, dst at %p); copy to memory of its own",
      who, source, target);
}
/// Throws if the two sides of a copy provably overlap.
/// @param who the function that the error names
/// @param p simplified
/// @param source_bytes the size of an element
[[gnu::noinline, gnu::cold]] inline void check_apart(char const* who, copy_problem const& p, void const* source,
                                                     void* target, int source_bytes) {
  if (sides_meet(p, bytes_apart(source, target), source_bytes)) copy_would_overwrite_its_source(who, source, target);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
