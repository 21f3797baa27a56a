// SPDX-License-Identifier: Apache-2.0
/// @file
/// Limits of a copy: its numbers must fit in the integers, its elements must have a kernel, and no two elements of the
/// target may overlap.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy_problem/modes.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The limit of a copy's elements, and of the distance from a side's first element to its last. Within it, bytes and
/// their sums over both sides fit in 64 bits.
inline constexpr std::int64_t copy_most_elements = std::int64_t{1} << 56;

[[noreturn]] inline void copy_elements_are_not_of_1_2_4_8_or_16_bytes(int bytes) {
  fail("copy: elements of %d bytes: they are of 1, 2, 4, 8 or 16; copy others as several smaller ones", bytes);
}
[[noreturn]] inline void copy_extent_is_negative(int mode, std::int64_t extent) {
  fail("copy: mode %d has extent %lld; extents are 0 or more", mode, static_cast<long long>(extent));
}
[[noreturn]] inline void copy_has_more_than_2_to_56_elements(int mode, std::int64_t extent, std::int64_t before) {
  fail(
      "copy: mode %d of extent %lld, times %lld elements of the modes before, is more than 2^56 elements; copy it "
      "slice by slice",
      mode, static_cast<long long>(extent), static_cast<long long>(before));
}
[[noreturn]] inline void copy_reaches_further_than_2_to_56_elements(int mode, std::int64_t extent,
                                                                    std::int64_t source_stride,
                                                                    std::int64_t target_stride) {
  fail(
      "copy: with mode %d of extent %lld, stride %lld in the source and %lld in the destination, elements lie more "
      "than 2^56 elements apart, which no memory has room for; mend the strides",
      mode, static_cast<long long>(extent), static_cast<long long>(source_stride),
      static_cast<long long>(target_stride));
}
[[noreturn]] inline void copy_begins_further_than_at_2_to_56_elements(std::int64_t source_offset,
                                                                      std::int64_t target_offset) {
  fail(
      "copy: it begins at element %lld of the source and %lld of the destination, the most is 2^56 from either base; "
      "mend the offsets",
      static_cast<long long>(source_offset), static_cast<long long>(target_offset));
}
[[noreturn]] inline void copy_has_an_impossible_rank(int rank) {
  fail("copy: a problem of rank %d, where 0 to %d are possible; append modes by push", rank, copy_max_modes);
}
[[noreturn]] inline void copy_is_aligned_to_no_power_of_two(std::int64_t source, std::int64_t target,
                                                            std::int64_t apart) {
  fail(
      "copy: source_alignment %lld, target_alignment %lld, apart_alignment %lld: each is a power of two, in bytes; "
      "make_copy_problem(source, target) finds them",
      static_cast<long long>(source), static_cast<long long>(target), static_cast<long long>(apart));
}
[[noreturn]] inline void copy_writes_one_place_many_times(std::int64_t extent) {
  fail(
      "copy: a mode of extent %lld has stride 0 in the destination: %lld elements would be written to one place; copy "
      "to a tensor of distinct elements",
      static_cast<long long>(extent), static_cast<long long>(extent));
}

/// Adds |stride| times the extent's steps to a side's reach. Returns whether the sum is below the limit.
constexpr bool reaches(std::int64_t& reach, std::int64_t extent, std::int64_t stride) {
  if (stride < -copy_most_elements || stride > copy_most_elements) return false;
  std::int64_t const size = stride < 0 ? -stride : stride;
  constexpr std::int64_t most_factor = std::int64_t{1} << 28;  // smaller factors need no division, because their
                                                               // product fits
  bool const fits = size <= most_factor && extent <= most_factor
                        ? (extent - 1) * size <= copy_most_elements - reach
                        : extent - 1 <= (copy_most_elements - reach) / (size > 0 ? size : 1);
  if (size != 0 && !fits) return false;
  reach += (extent - 1) * size;
  return true;
}
/// Checks that everything which is computed from the problem fits in 64 bits.
constexpr void check_numbers(copy_problem const& p) {
  if (p.rank < 0 || p.rank > copy_max_modes) copy_has_an_impossible_rank(p.rank);
  int const bytes = p.element_bytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
    copy_elements_are_not_of_1_2_4_8_or_16_bytes(bytes);
  auto const is_power_of_two = [](std::int64_t a) { return a >= 1 && (a & (a - 1)) == 0; };
  if (!is_power_of_two(p.source_alignment) || !is_power_of_two(p.target_alignment) ||
      !is_power_of_two(p.apart_alignment))
    copy_is_aligned_to_no_power_of_two(p.source_alignment, p.target_alignment, p.apart_alignment);
  bool nothing = false;
  for (int m = 0; m < p.rank; ++m) {
    if (p.mode[m].extent < 0) copy_extent_is_negative(m, p.mode[m].extent);
    nothing = nothing || p.mode[m].extent == 0;
  }
  if (nothing) return;
  std::int64_t elements = 1, source = 0, target = 0;
  if (!reaches(source, 2, p.source_offset) || !reaches(target, 2, p.target_offset))
    copy_begins_further_than_at_2_to_56_elements(p.source_offset, p.target_offset);
  for (int m = 0; m < p.rank; ++m) {
    copy_mode const& one = p.mode[m];
    if (one.extent == 1) continue;
    if (one.extent > copy_most_elements / elements) copy_has_more_than_2_to_56_elements(m, one.extent, elements);
    elements *= one.extent;
    if (!reaches(source, one.extent, one.source) || !reaches(target, one.extent, one.target))
      copy_reaches_further_than_2_to_56_elements(m, one.extent, one.source, one.target);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
