// SPDX-License-Identifier: Apache-2.0
/// @file
/// A copy between two strided tensors as numbers: its modes, the size of its elements, and its offsets.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cstdint>

// Functions that plan are [[gnu::noinline, gnu::cold]]. Compilers then take a third less time for them, and a plan
// takes a few microseconds more.
namespace COSMATI_NAMESPACE {

/// The limit of a copy's modes after simplification.
inline constexpr int copy_max_rank = 8;
/// The limit of a copy's modes before simplification, including the leaves of nested ones.
inline constexpr int copy_max_modes = 32;

/// One mode of both tensors. Strides are in elements.
struct copy_mode {
  std::int64_t extent = 1, source = 0, target = 0;
};

namespace detail {
[[noreturn]] inline void copy_has_more_modes_than_there_is_room_for(std::int64_t extent) {
  fail(
      "copy: there are %d modes that cannot be merged, and one more of extent %lld; the most is %d, and %d after "
      "merging what can be merged; copy it slice by slice",
      copy_max_modes, static_cast<long long>(extent), copy_max_modes, copy_max_rank);
}
/// Whether `outer` continues `inner` in both tensors.
constexpr bool goes_on(copy_mode const& inner, copy_mode const& outer) {
  // The products are compared without forming one that might overflow.
  auto const ends = [&](std::int64_t stride, std::int64_t next) {
    return stride == 0 || inner.extent == 0 ? next == 0 : next % stride == 0 && next / stride == inner.extent;
  };
  return ends(inner.source, outer.source) && ends(inner.target, outer.target);
}
}  // namespace detail

/// The data to be copied: element (i, j, ...) is at `source_offset + i * source + ...`, and likewise in the target.
struct copy_problem {
  int element_bytes = 1;  ///< 1, 2, 4, 8 or 16
  int rank = 0;
  copy_mode mode[copy_max_modes] = {};
  std::int64_t source_offset = 0, target_offset = 0;          ///< the offsets in elements
  std::int64_t source_alignment = 16, target_alignment = 16;  ///< the alignment of the bases in bytes
  std::int64_t apart_alignment = 1;  ///< the alignment of the difference of the bases, if it exceeds the smaller of the
                                     ///< two
  bool interleaved = false;  ///< elements of the target may lie between those of the source, so gaps are not read

  /// Adds a mode. If there is no room, modes of extent 1 are dropped and neighbours that form one mode in both tensors
  /// are merged. Throws `error` if that does not suffice.
  constexpr void push(std::int64_t extent, std::int64_t source, std::int64_t target) {
    if (rank == copy_max_modes && !makes_room(extent, source, target)) return;
    mode[rank++] = {extent, source, target};
  }
  /// The number of elements to copy.
  constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for (int m = 0; m < rank; ++m) n *= mode[m].extent;
    return n;
  }

 private:
  /// Makes room for a mode, and returns whether the mode is still to be appended. In C order the previous mode is the
  /// outer one.
  [[gnu::noinline, gnu::cold]] constexpr bool makes_room(std::int64_t extent, std::int64_t source,
                                                         std::int64_t target) {
    if (extent == 1) return false;
    copy_mode const next = {extent, source, target};
    int kept_modes = 0;
    for (int m = 0; m < rank; ++m)
      if (mode[m].extent != 1 && !(kept_modes > 0 && merged(mode[kept_modes - 1], mode[m])))
        mode[kept_modes++] = mode[m];
    rank = kept_modes;
    if (kept_modes > 0 && merged(mode[kept_modes - 1], next)) return false;
    if (kept_modes == copy_max_modes) detail::copy_has_more_modes_than_there_is_room_for(extent);
    return true;
  }
  static constexpr bool merged(copy_mode& last, copy_mode const& next) {
    std::int64_t const most = std::int64_t{1} << 62;
    if (last.extent < 1 || next.extent < 1 || last.extent > most / next.extent) return false;
    bool const inner = detail::goes_on(last, next);
    if (!inner && !detail::goes_on(next, last)) return false;
    if (!inner) last.source = next.source, last.target = next.target;
    last.extent *= next.extent;
    return true;
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
