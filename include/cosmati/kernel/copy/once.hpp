// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copy of a source that is repeated: a thread loads what an aligned window of the target has, and stores it at
/// all places. Where places lie differently to multiples of a window's bytes, it holds the window before, too, and
/// takes its bytes from both.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/direct_launch.hpp>
#include <cosmati/kernel/copy/divider.hpp>
#include <cosmati/kernel/copy/once_windows.hpp>
#include <cosmati/kernel/copy/shifted_words.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

/// The kernel's argument; steps in bytes.
struct once_copy_arguments {
  char const* source;
  char* target;
  std::uint32_t slots;        ///< windows, over all modes
  fast_divider windows;       ///< of a run
  std::uint32_t run_length;   ///< elements
  std::uint32_t last_length;  ///< the same at the last places of the first repeated mode
  /// One mode.
  struct one_mode {
    fast_divider extent;
    std::int64_t source_step, target_step;
  } mode[copy_max_rank + 2];  ///< of a run, outer ones, those that the source repeats
  int in_run, outer, repeating;
  std::uint32_t repeats;  ///< places: the product of the last ones' extents
  std::uint32_t each;     ///< of which a thread takes so many
  /// Slots before places that are slots; how many these are; of the last, `left` there are, if not 0.
  fast_divider inside, together;
  std::uint32_t left;
  detail::cache_use cache;
};

namespace detail {
/// Elements of a window: so many bytes of a run. @param from where the run begins in the source; @param first the first
/// element's number in the run
template <int element_bytes, int bytes>
COSMATI_HD inline register_words<bytes> load_once(once_copy_arguments const& job, char const* from,
                                                  std::uint32_t first) {
  constexpr int count = bytes / element_bytes;
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
  register_words<bytes> v = {};
  if (first >= job.run_length) return v;
  std::uint32_t const row = inner.extent.quotient(first);
  std::uint32_t c = inner.extent.remainder(first, row);
  char const* at = place_of_row(row);
  // Of neighbours in the source the aligned windows that cover them, if all of these are the row's.
  if constexpr (count > 1) {
    if (inner.source_step == element_bytes) {
      char const* const begin = at + c * element_bytes;
      auto const late = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % bytes);
      if (late <= c * element_bytes && inner.extent.divisor - c >= static_cast<std::uint32_t>(2 * count)) {
        auto const one = load_read_only<bytes>(begin - late), next = load_read_only<bytes>(begin - late + bytes);
        return bytes_of_both<element_bytes>(one, next, late);
      }
    }
  }
  COSMATI_UNROLL
  for (int e = 0; e < count; ++e) {
    [[maybe_unused]] access_step const turn;
    if (first + e >= job.run_length) continue;
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
    at = place_of_row(inner.extent.quotient(first + e + 1));
  }
  return v;
}
}  // namespace detail

/// @tparam bytes of a window; @tparam turns places lie differently to multiples of these
template <int element_bytes, int bytes, bool turns>
__global__ void __launch_bounds__(direct_copy_most_threads) copy_once(__grid_constant__ once_copy_arguments const job) {
  std::uint32_t const slot = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t rest = job.windows.quotient(slot);
  auto const window = static_cast<std::int32_t>(job.windows.remainder(slot, rest)) * bytes;  // where it begins, at most
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
  auto const late_of = [](char const* run) {
    return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(run) % bytes);
  };
  std::int32_t late = late_of(to);  // bytes from a window's begin to the run's
  // Of the run's first window its first bytes first.
  std::int32_t const first = turns || window == 0 ? window : window - late;
  register_words<bytes> own = {}, before = {};
  if (slot < job.slots)
    own = detail::load_once<element_bytes, bytes>(job, from, static_cast<std::uint32_t>(first / element_bytes));
  if constexpr (turns) {
    // The neighbour has the window before.
    COSMATI_UNROLL
    for (int w = 0; w < register_words<bytes>::count; ++w) before.word[w] = __shfl_up_sync(0xffffffffu, own.word[w], 1);
    if (threadIdx.x % 32 == 0 && window > 0 && slot < job.slots)
      before = detail::load_once<element_bytes, bytes>(job, from,
                                                       static_cast<std::uint32_t>((first - bytes) / element_bytes));
  }
  if (slot >= job.slots) return;

  once_copy_arguments::one_mode const* const repeated = job.mode + job.in_run + job.outer;
  std::uint32_t repeat = blockIdx.y * job.each;
  std::uint32_t const last = repeat + job.each < job.repeats ? repeat + job.each : job.repeats;
  // Of the first repeated mode's places that are slots the last ones are not whole: some threads have one less.
  std::uint32_t mine = repeated[0].extent.divisor;
  if (job.left != 0) {
    std::uint32_t const place = job.inside.quotient(slot);
    if (job.together.remainder(place, job.together.quotient(place)) >= job.left) --mine;
  }
  while (repeat < last) {
    [[maybe_unused]] access_step const row;
    // A row of the first repeated mode at a time.
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
      if constexpr (turns) late = late_of(run);
      std::uint32_t const length = place + 1 < repeated[0].extent.divisor ? job.run_length : job.last_length;
      std::int32_t const until = static_cast<std::int32_t>(length * element_bytes) + late - window,
                         begins = window > 0 ? 0 : late, ends = until < bytes ? until : bytes;
      if (ends <= begins) continue;
      register_words<bytes> v = own;
      if constexpr (turns)
        if (window > 0 && late > 0)
          v = detail::bytes_of_both<element_bytes>(before, own, static_cast<std::uint32_t>(bytes - late));
      char* const at = run - late + window;
      if (begins == 0 && ends == bytes)
        job.cache.template store<bytes>(at, v);
      else
        detail::store_part_of_window<element_bytes>(job.cache, at, v, begins, ends);
    }
  }
}

namespace detail {
/// Starts `copy_once` for a width that is known at run time. Throws `error` where a number is more than the kernel's.
/// @param processors multiprocessors that the blocks are for; 0: the device's
template <int element_bytes>
void launch_once(copy_problem const& p, int vector, direct_launch const& how, void const* source, void* target,
                 stream_handle stream, int processors = 0) {
  once_windows const sizes = once_windows::of(p, vector, how.threads);
  if (!sizes.fit()) {
    std::int64_t const run = sizes.run_length * element_bytes;
    throw error(
        "launch_plan: the plan's launch.once is for at most %lld windows, %lld places of each and runs of %lld bytes; "
        "here these are %lld windows and %lld places, and runs of %lld bytes; take another plan",
        static_cast<long long>(once_windows::most_slots), static_cast<long long>(once_windows::most),
        static_cast<long long>(once_windows::most_run_bytes), static_cast<long long>(sizes.slots()),
        static_cast<long long>(sizes.places), static_cast<long long>(run));
  }
  if (processors == 0) processors = multiprocessors();
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
  unsigned const parts = static_cast<unsigned>((sizes.slots() + how.threads - 1) / how.threads);
  with_width(vector, [&](auto width) {
    constexpr int v = decltype(width)::value;
    if constexpr (is_once_vector(v, element_bytes)) {
      if (v != vector) return;
      auto* run = copy_once<element_bytes, v * element_bytes, false>;
      if constexpr (v > 1)
        if (sizes.turns) run = copy_once<element_bytes, v * element_bytes, true>;
      launch(run,
             {.grid = {parts, (job.repeats + job.each - 1) / job.each},
              .block = static_cast<unsigned>(how.threads),
              .stream = stream},
             job);
    }
  });
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
