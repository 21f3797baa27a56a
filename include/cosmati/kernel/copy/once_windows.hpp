// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a copy whose source is repeated is divided among threads that load each element once: constant numbers, for the
/// kernel's launch and for the planner.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/problem.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Whether there are kernels for windows of so many elements: one, or 4, 8 or 16 bytes.
constexpr bool is_once_vector(int vector, int element_bytes) {
  int const bytes = vector * element_bytes;
  return vector == 1 || (vector > 1 && bytes <= 16 && (bytes == 4 || bytes == 8 || bytes == 16));
}
}  // namespace detail

/// What lies together in the target, a run, as aligned windows of an access's bytes, each a thread's: it loads the
/// window's elements and stores them at all places at which modes of source stride 0 repeat them, all modes but the
/// first. Where places lie differently to multiples of these bytes, the windows turn.
struct once_windows {
  static constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;  ///< of each number that the kernel has
  static constexpr std::int64_t most_run_bytes = most / 2, most_slots = most / 9 * 8;

  copy_problem loaded;          ///< each element once, runs first; at one of the places
  int run_modes = 0;            ///< of `loaded`: what is in a run, the first mode if none of the target's are together
  std::int64_t run_length = 1;  ///< elements
  std::int64_t bytes = 16;      ///< of a window
  std::int64_t windows = 1;     ///< of a run
  int repeating = 0;            ///< modes that repeat the source
  copy_mode place[copy_max_rank] = {};
  std::int64_t places = 1;  ///< product of their extents
  bool turns = false;       ///< some places' windows are not where those of others are
  /// Places of the first of these modes that are slots, for slots or for a run; of the last such group there are
  /// `left`, if not 0.
  std::int64_t together = 1, left = 0;
  bool in_run = false;            ///< these places are in the run
  std::int64_t slots_inside = 1;  ///< windows before those places, where these are not in the run

  /// Windows, over all modes.
  constexpr std::int64_t slots() const {
    std::int64_t n = windows;
    for (int m = run_modes; m < loaded.rank; ++m) n *= loaded.mode[m].extent;
    return n;
  }
  /// Whether the kernel's numbers are large enough; else `repeating` may be 0, where nothing is repeated.
  constexpr bool fit() const {
    return repeating > 0 && places <= most && run_length * loaded.element_bytes <= most_run_bytes &&
           slots() <= most_slots;
  }
  /// How many places a thread stores at, of blocks of so many: there are several blocks for each multiprocessor.
  constexpr std::int64_t places_each(int threads, int processors) const {
    std::int64_t const wanted = std::int64_t{processors} * (2048 / threads), blocks = (slots() + threads - 1) / threads;
    std::int64_t shares = (wanted + blocks - 1) / blocks;
    if (shares > 65535) shares = 65535;  // rows of a grid
    if (shares > places) shares = places;
    return (places + shares - 1) / shares;
  }

  /// For a simplified problem, windows of so many elements (of one where there is no kernel for them) and blocks of so
  /// many threads.
  static constexpr once_windows of(copy_problem const& p, int vector, int threads) {
    once_windows w;
    w.bytes = (detail::is_once_vector(vector, p.element_bytes) ? vector : 1) * std::int64_t{p.element_bytes};
    w.loaded = p;
    int kept = p.rank > 0 ? 1 : 0, before = 0;
    for (int m = 1; m < p.rank; ++m) {
      if (p.mode[m].source != 0) {
        w.loaded.mode[kept++] = p.mode[m];
        continue;
      }
      if (w.repeating == 0) before = kept;
      w.place[w.repeating++] = p.mode[m];
      w.places *= p.mode[m].extent;
    }
    w.loaded.rank = kept;
    if (w.repeating == 0 || w.places > most) return w;
    std::int64_t together = 1;
    while (w.run_modes < kept && w.loaded.mode[w.run_modes].target == together) {
      std::int64_t const extent = w.loaded.mode[w.run_modes].extent;
      if (w.run_modes > 0 && together * extent * p.element_bytes > most_run_bytes) break;
      together *= extent;
      ++w.run_modes;
    }
    w.run_length = together;
    w.measure(w.fold(before, threads));
    return w;
  }

 private:
  constexpr void insert(int at, copy_mode const& mode) {
    for (int m = loaded.rank++; m > at; --m) loaded.mode[m] = loaded.mode[m - 1];
    loaded.mode[at] = mode;
  }
  /// Makes slots of some places: so many that a block's stores lie side by side where there are few windows before, and
  /// that the places' windows do not turn. An eighth of the places at most: each slot is some loads.
  /// @param before modes of `loaded` before the first of them; is returned
  constexpr int fold(int before, int threads) {
    std::int64_t const step = place[0].target, extent = place[0].extent, element = loaded.element_bytes;
    in_run = before == run_modes && step == run_length;
    std::int64_t inside = (run_length * element + bytes - 1) / bytes;
    for (int m = run_modes; m < before; ++m) inside *= loaded.mode[m].extent;
    std::int64_t const fewest = in_run ? bytes / detail::power_of_two_in(step * element, bytes) : 1;
    std::int64_t const block = std::int64_t{threads} * (in_run ? bytes : 1),
                       each = in_run ? run_length * element : inside;
    std::int64_t wanted = (block + each - 1) / each;
    wanted = (wanted + fewest - 1) / fewest * fewest;
    std::int64_t const limit = extent / 8 / fewest * fewest;
    together = wanted < limit ? wanted : limit;
    if (together < 1) together = each < 256 && fewest <= extent / 2 ? fewest : 1;
    std::int64_t others = inside;
    for (int m = before; m < loaded.rank; ++m) others *= loaded.mode[m].extent;
    if (others > most_slots / together) together = 1;
    if (together == 1) {
      in_run = false;
      return before;
    }
    left = extent % together;
    copy_mode const folded = {together, 0, step};
    insert(before, folded);
    if (in_run) {
      ++run_modes;
      run_length *= together;
    }
    places = places / extent * ((extent + together - 1) / together);
    place[0] = {(extent + together - 1) / together, 0, step * together};
    return before;
  }
  constexpr void measure(int folded) {
    std::int64_t const element = loaded.element_bytes;
    std::int64_t base = detail::power_of_two_in(loaded.target_alignment, bytes);
    base = detail::power_of_two_in(loaded.target_offset * element, base);
    std::int64_t steps = bytes;
    for (int m = run_modes; m < loaded.rank; ++m) base = detail::power_of_two_in(loaded.mode[m].target * element, base);
    for (int m = 0; m < repeating; ++m) steps = detail::power_of_two_in(place[m].target * element, steps);
    turns = steps < bytes;
    if (steps < base) base = steps;
    if (base < element) base = element;
    windows = run_length == 1 ? 1 : (run_length * element + bytes - base + bytes - 1) / bytes;
    slots_inside = windows;
    for (int m = run_modes; m < folded; ++m) slots_inside *= loaded.mode[m].extent;
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
