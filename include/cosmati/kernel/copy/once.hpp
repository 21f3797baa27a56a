// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copy of a repeated source. A thread loads the data of an aligned window of the target once, and stores them at
/// all repetitions. If the repetitions have different alignments, the thread also holds the previous window and
/// combines the bytes of both.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/registers.hpp>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <cosmati/kernel/divider.hpp>

namespace COSMATI_NAMESPACE {
/// The windows of a copy with a repeated source. A run is a contiguous part of the target. It is cut into aligned
/// windows, one for each thread. A thread loads the elements of its window and stores them at all repetitions. Modes of
/// source stride 0 repeat the source; the first mode does not count among them. If repetitions have different
/// alignments modulo a window, the windows turn.
struct once_windows {
  static constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;  ///< the limit of each number in the kernel
  static constexpr std::int64_t most_run_bytes = most / 2, most_slots = most / 9 * 8;

  copy_problem loaded;          ///< the problem with each element once, runs first, at one repetition
  int run_modes = 0;            ///< the number of modes of `loaded` in a run; the first mode if no modes of the target
                                ///< are contiguous
  std::int64_t run_length = 1;  ///< the elements of a run
  static constexpr std::int64_t bytes = 16;  ///< the bytes of a window
  std::int64_t windows = 1;                  ///< the windows of a run
  int repeating = 0;                         ///< the number of modes that repeat the source
  copy_mode place[copy_max_rank] = {};
  std::int64_t places = 1;  ///< the number of repetitions, the product of these modes' extents
  bool turns = false;       ///< whether some repetitions have differently aligned windows
  /// The number of repetitions along the first repeating mode that become slots or parts of a run. The last group has
  /// `left` repetitions, if it is not 0.
  std::int64_t together = 1, left = 0;
  bool in_run = false;            ///< whether these repetitions are part of the run
  std::int64_t slots_inside = 1;  ///< the number of windows before these repetitions, if they are not in the run

  /// The number of windows over all modes.
  constexpr std::int64_t slots() const {
    std::int64_t n = windows;
    for (int m = run_modes; m < loaded.rank; ++m) n *= loaded.mode[m].extent;
    return n;
  }
  /// Whether the numbers fit in the kernel's integers. It is false if nothing is repeated.
  constexpr bool fit() const {
    return repeating > 0 && places <= most && run_length * loaded.element_bytes <= most_run_bytes &&
           slots() <= most_slots;
  }
  /// The number of repetitions at which a thread stores, with blocks of `threads` threads. It leaves several blocks for
  /// each multiprocessor.
  constexpr std::int64_t places_each(int threads, int processors) const {
    std::int64_t const wanted = std::int64_t{processors} * (2048 / threads), blocks = (slots() + threads - 1) / threads;
    std::int64_t shares = (wanted + blocks - 1) / blocks;
    if (shares > 65535) shares = 65535;  // the limit of a grid's y extent
    if (shares > places) shares = places;
    return (places + shares - 1) / shares;
  }

  /// The windows of a simplified problem, for blocks of `threads` threads.
  [[gnu::noinline, gnu::cold]] static constexpr once_windows of(copy_problem const& p, int threads) {
    once_windows w;
    w.loaded = p;
    int kept_modes = p.rank > 0 ? 1 : 0, before = 0;
    for (int m = 1; m < p.rank; ++m) {
      if (p.mode[m].source != 0) {
        w.loaded.mode[kept_modes++] = p.mode[m];
        continue;
      }
      if (w.repeating == 0) before = kept_modes;
      w.place[w.repeating++] = p.mode[m];
      w.places *= p.mode[m].extent;
    }
    w.loaded.rank = kept_modes;
    if (w.repeating == 0 || w.places > most) return w;
    std::int64_t together = 1;
    while (w.run_modes < kept_modes && w.loaded.mode[w.run_modes].target == together) {
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
  /// Turns some repetitions into slots. There are enough of them that a block's stores are contiguous even if few
  /// windows precede the repetitions, and that the windows do not turn. At most an eighth of the repetitions become
  /// slots, because each slot costs loads.
  /// @param before the number of modes of `loaded` before the first repeating mode
  /// @return `before`
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

/// The argument of the kernel. Steps are in bytes.
struct once_copy_arguments {
  char const* source;
  char* target;
  std::uint32_t slots;        ///< the number of windows over all modes
  fast_divider windows;       ///< the windows of a run
  std::uint32_t run_length;   ///< the elements of a run
  std::uint32_t last_length;  ///< the run length at the last repetitions of the first repeating mode
  /// A mode.
  struct one_mode {
    fast_divider extent;
    std::int64_t source_step, target_step;
  } mode[copy_max_rank + 2];  ///< the modes of a run, the outer ones, and those that repeat the source
  int in_run, outer, repeating;
  std::uint32_t repeats;  ///< the number of repetitions, the product of the repeating modes' extents
  std::uint32_t each;     ///< the number of repetitions that a thread stores
  /// The number of slots before the repetitions that are slots, and the number of these repetitions. The last group has
  /// `left` of them, if it is not 0.
  fast_divider inside, together;
  std::uint32_t left;
  detail::cache_use cache;
};

namespace detail {
/// Loads the elements of a window. @param from the start of the run in the source
/// @param first the index in the run of the window's first element
template <int element_bytes>
COSMATI_HD inline register_words<16> load_once(once_copy_arguments const& job, char const* from, std::uint32_t first) {
  constexpr int bytes = 16, count = bytes / element_bytes;
  once_copy_arguments::one_mode const& inner = job.mode[0];
  auto const place_of_row = [&](std::uint32_t row) {
    char const* at = from;
    COSMATI_NO_UNROLL
    for (int m = 1; m < job.in_run; ++m) {
      std::uint32_t const next = job.mode[m].extent.quotient(row);
      at += job.mode[m].extent.remainder(row, next) * job.mode[m].source_step;
      row = next;
    }
    return at;
  };
  register_words<16> v = {};
  if (first >= job.run_length) return v;
  std::uint32_t const row = inner.extent.quotient(first);
  std::uint32_t c = inner.extent.remainder(first, row);
  char const* at = place_of_row(row);
  // If neighbours are contiguous in the source, two aligned windows that cover them are loaded, provided that both lie
  // in the row.
  if constexpr (count > 1) {
    if (inner.source_step == element_bytes) {
      char const* const begin = at + c * element_bytes;
      auto const window_offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % bytes);
      if (window_offset <= c * element_bytes && inner.extent.divisor - c >= static_cast<std::uint32_t>(2 * count)) {
        auto const one = load_read_only<bytes>(begin - window_offset),
                   next = load_read_only<bytes>(begin - window_offset + bytes);
        return bytes_of_both<element_bytes>(one, next, window_offset);
      }
    }
  }
  COSMATI_UNROLL
  for (int e = 0; e < count; ++e) {
    [[maybe_unused]] access_step const turn;
    if (first + static_cast<std::uint32_t>(e) >= job.run_length) continue;
    register_words<element_bytes> const one = load_read_only<element_bytes>(at + c * inner.source_step);
    int const to = e * element_bytes;
    if constexpr (element_bytes < 4) {
      v.word[to / 4] |= one.word[0] << (8 * (to % 4));
    } else {
      COSMATI_UNROLL
      for (int w = 0; w < element_bytes / 4; ++w) v.word[to / 4 + w] = one.word[w];
    }
    if (e + 1 == count || ++c < inner.extent.divisor) continue;
    c = 0;
    at = place_of_row(inner.extent.quotient(first + static_cast<std::uint32_t>(e) + 1));
  }
  return v;
}
}  // namespace detail

namespace detail {
/// Stores a window at a thread's share of its repetitions.
/// @param slot the thread's slot
/// @param to the start of its run at the first repetition
/// @param window the bytes of the run before the window
/// @param own, before the window's elements, and those of the previous window if windows turn
template <int element_bytes, bool turns>
__device__ inline void store_at_places(once_copy_arguments const& job, std::uint32_t slot, char* to,
                                       std::int32_t window, register_words<16> const& own,
                                       register_words<16> const& before) {
  constexpr int bytes = 16;
  auto const window_offset_of = [](char const* run) {
    return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(run) % bytes);
  };
  std::int32_t window_offset = window_offset_of(to);
  std::uint32_t rest = 0;
  once_copy_arguments::one_mode const* const repeated = job.mode + job.in_run + job.outer;
  std::uint32_t repeat = blockIdx.y * job.each;
  std::uint32_t const last = repeat + job.each < job.repeats ? repeat + job.each : job.repeats;
  // The last group of repetitions that are slots may be incomplete. Then some threads have one repetition less.
  std::uint32_t mine = repeated[0].extent.divisor;
  if (job.left != 0) {
    std::uint32_t const place = job.inside.quotient(slot);
    if (job.together.remainder(place, job.together.quotient(place)) >= job.left) --mine;
  }
  while (repeat < last) {
    [[maybe_unused]] access_step const row;
    // One row of the first repeating mode at a time.
    rest = repeated[0].extent.quotient(repeat);
    std::uint32_t place = repeated[0].extent.remainder(repeat, rest);
    char* run = to + place * repeated[0].target_step;
    for (int m = 1; m < job.repeating; ++m) {
      std::uint32_t const next = repeated[m].extent.quotient(rest);
      run += repeated[m].extent.remainder(rest, next) * repeated[m].target_step;
      rest = next;
    }
    std::uint32_t const left = repeated[0].extent.divisor - place;
    std::uint32_t const end = left < last - repeat ? place + left : place + (last - repeat);
    repeat += end - place;
    std::uint32_t const stop = mine < end ? mine : end;
    for (; place < stop; ++place, run += repeated[0].target_step) {
      [[maybe_unused]] access_step const turn;
      if constexpr (turns) window_offset = window_offset_of(run);
      std::uint32_t const length = place + 1 < repeated[0].extent.divisor ? job.run_length : job.last_length;
      std::int32_t const until = static_cast<std::int32_t>(length * element_bytes) + window_offset - window,
                         begins = window > 0 ? 0 : window_offset, ends = until < bytes ? until : bytes;
      if (ends <= begins) continue;
      register_words<16> v = own;
      if constexpr (turns)
        if (window > 0 && window_offset > 0)
          v = bytes_of_both<element_bytes>(before, own, static_cast<std::uint32_t>(bytes - window_offset));
      char* const at = run - window_offset + window;
      if (begins == 0 && ends == bytes)
        job.cache.template store<bytes>(at, v);
      else
        store_part_of_window<element_bytes>(job.cache, at, v, begins, ends);
    }
  }
}
}  // namespace detail

/// @tparam turns whether repetitions have different alignments modulo a window
template <int element_bytes, bool turns>
__global__ void __launch_bounds__(direct_copy_most_threads) copy_once(__grid_constant__ once_copy_arguments const job) {
  constexpr int bytes = 16;
  std::uint32_t const slot = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t rest = job.windows.quotient(slot);
  // the largest offset at which the window begins
  auto const window = static_cast<std::int32_t>(job.windows.remainder(slot, rest)) * bytes;
  char const* from = job.source;
  char* to = job.target;
  COSMATI_NO_UNROLL
  for (int m = job.in_run; m < job.in_run + job.outer; ++m) {
    std::uint32_t const next = job.mode[m].extent.quotient(rest);
    std::uint32_t const c = job.mode[m].extent.remainder(rest, next);
    rest = next;
    from += c * job.mode[m].source_step;
    to += c * job.mode[m].target_step;
  }
  auto const window_offset_of = [](char const* run) {
    return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(run) % bytes);
  };
  std::int32_t const window_offset = window_offset_of(to);  // bytes from the window boundary to the start of the run
  // The run's first window starts with the run's first bytes.
  std::int32_t const first = turns || window == 0 ? window : window - window_offset;
  register_words<16> own = {}, before = {};
  if (slot < job.slots)
    own = detail::load_once<element_bytes>(job, from, static_cast<std::uint32_t>(first / element_bytes));
  if constexpr (turns) {
    // The neighbouring lane has the previous window.
    COSMATI_UNROLL
    for (int w = 0; w < register_words<16>::count; ++w) before.word[w] = __shfl_up_sync(0xffffffffu, own.word[w], 1);
    if (threadIdx.x % 32 == 0 && window > 0 && slot < job.slots)
      before = detail::load_once<element_bytes>(job, from, static_cast<std::uint32_t>((first - bytes) / element_bytes));
  }
  if (slot >= job.slots) return;

  detail::store_at_places<element_bytes, turns>(job, slot, to, window, own, before);
}

namespace detail {
/// The argument of `copy_once`. Throws `error` if a number does not fit in the kernel's integers.
[[gnu::noinline, gnu::cold]] inline once_copy_arguments once_job(copy_problem const& p, once_windows const& sizes,
                                                                 direct_launch const& how, void const* source,
                                                                 void* target, int processors) {
  std::int64_t const element_bytes = p.element_bytes;
  if (!sizes.fit()) {
    std::int64_t const run = sizes.run_length * element_bytes;
    throw error(
        "launch_plan: the plan's launch.once is for at most %lld windows, %lld places of each and runs of %lld bytes; "
        "here these are %lld windows and %lld places, and runs of %lld bytes; take another plan",
        static_cast<long long>(once_windows::most_slots), static_cast<long long>(once_windows::most),
        static_cast<long long>(once_windows::most_run_bytes), static_cast<long long>(sizes.slots()),
        static_cast<long long>(sizes.places), static_cast<long long>(run));
  }
  if (processors == 0) processors = static_cast<int>(device_model::of_current().multiprocessors);
  copy_problem const& loaded = sizes.loaded;
  once_copy_arguments job = {};
  job.source = static_cast<char const*>(source) + p.source_offset * element_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * element_bytes;
  job.slots = static_cast<std::uint32_t>(sizes.slots());
  job.windows = fast_divider(static_cast<std::uint32_t>(sizes.windows));
  job.run_length = static_cast<std::uint32_t>(sizes.run_length);
  job.last_length = job.run_length;
  int count = 0;
  auto const add = [&](copy_mode const& m) {
    job.mode[count++] = {fast_divider(static_cast<std::uint32_t>(m.extent)), m.source * element_bytes,
                         m.target * element_bytes};
  };
  if (sizes.run_modes == 0) add({1, 1, 1});
  for (int m = 0; m < sizes.run_modes; ++m) add(loaded.mode[m]);
  job.in_run = count;
  for (int m = sizes.run_modes; m < loaded.rank; ++m) add(loaded.mode[m]);
  job.outer = count - job.in_run;
  for (int m = 0; m < sizes.repeating; ++m) add(sizes.place[m]);
  job.repeating = sizes.repeating;
  job.repeats = static_cast<std::uint32_t>(sizes.places);
  job.each = static_cast<std::uint32_t>(sizes.places_each(how.threads, processors));
  job.cache = {how.stream_loads, how.stream_stores};
  if (sizes.left != 0 && sizes.in_run) {
    job.last_length = static_cast<std::uint32_t>(sizes.run_length / sizes.together * sizes.left);
  } else if (sizes.left != 0) {
    job.inside = fast_divider(static_cast<std::uint32_t>(sizes.slots_inside));
    job.together = fast_divider(static_cast<std::uint32_t>(sizes.together));
    job.left = static_cast<std::uint32_t>(sizes.left);
  }
  return job;
}
/// Gives the sink `copy_once`. @param processors the number of multiprocessors; 0 means the device's
template <int element_bytes>
void launch_once(launch_sink& sink, copy_problem const& p, direct_launch const& how, void const* source, void* target,
                 int processors = 0) {
  once_windows const sizes = once_windows::of(p, how.threads);
  once_copy_arguments const job = once_job(p, sizes, how, source, target, processors);
  unsigned const parts = static_cast<unsigned>((sizes.slots() + how.threads - 1) / how.threads);
  prepare(sink, sizes.turns ? copy_once<element_bytes, true> : copy_once<element_bytes, false>, parts,
          (job.repeats + job.each - 1) / job.each, static_cast<unsigned>(how.threads), 0, job);
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
