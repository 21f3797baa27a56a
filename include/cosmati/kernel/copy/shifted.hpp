// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copy through registers of rows that lie together on both sides, but begin differently within vectors: a window
/// of the target, 16 aligned bytes, is put together from the two of the source that cover it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/divider.hpp>
#include <cosmati/kernel/copy/problem.hpp>
#include <cosmati/kernel/copy/shifted_words.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

/// The kernel's argument; steps in bytes.
struct shifted_copy_arguments {
  char const* source;
  char* target;
  char const *first, *last;  ///< what may be read; both null: the rows alone
  bool across_gaps;          ///< of which some may be nobody's
  std::uint32_t slots;       ///< windows of the target, over all modes
  fast_divider windows;      ///< of a row
  std::int64_t row_bytes;    ///< of the first mode
  /// One of the further modes.
  struct one_mode {
    fast_divider extent;
    std::int64_t source_step, target_step;
  } mode[copy_max_rank];
  int outer;
  detail::cache_use cache;
};

namespace detail {
/// A window of the target on its way.
template <int element_bytes>
struct shifted_window {
  static constexpr int bytes = shifted_bytes;
  register_words<bytes> one = {}, next = {};
  std::int64_t to = 0;  ///< bytes of the target before the window
  /// In a register, each in a byte: bytes of the window that there are, from the first to behind the last; and the byte
  /// of the first window of the source with which they begin.
  std::uint32_t ends = 0;

  COSMATI_HD int begin() const { return static_cast<int>(ends & 0xffu); }
  COSMATI_HD int end() const { return static_cast<int>(ends >> 8 & 0xffu); }
  COSMATI_HD std::uint32_t late() const { return ends >> 16; }

  /// Finds the places of a slot, and loads what there is.
  COSMATI_HD void load(shifted_copy_arguments const& job, std::uint32_t slot) {
    if (slot >= job.slots) return;
    std::uint32_t rest = job.windows.quotient(slot);
    std::uint32_t const window = job.windows.remainder(slot, rest);
    char const* row = job.source;
    COSMATI_NO_UNROLL
    for (int m = 0; m < job.outer; ++m) {
      std::uint32_t const above = job.mode[m].extent.quotient(rest), c = job.mode[m].extent.remainder(rest, above);
      rest = above;
      row += c * job.mode[m].source_step;
      to += c * job.mode[m].target_step;
    }
    // A row that begins late in a window has less of its first.
    auto const before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(job.target + to) % bytes);
    std::int64_t const at = std::int64_t{window} * bytes - before, left = job.row_bytes - at;
    if (left <= 0) return;  // a row may have more slots than windows
    to += at;
    int const begin = at < 0 ? static_cast<int>(-at) : 0, end = left < bytes ? static_cast<int>(left) : bytes;
    ends = static_cast<std::uint32_t>(end << 8 | begin);

    char const* const from = row + at + begin;
    auto const late = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % bytes);
    char const* const aligned = from - late;
    bool const has_next = static_cast<int>(late) + end - begin > bytes, alone = job.first == nullptr;
    char const *const first = alone ? row : job.first, *const last = alone ? row + job.row_bytes : job.last;
    if (aligned >= first && aligned + (has_next ? 2 * bytes : bytes) <= last) {
      [[maybe_unused]] unwritten_scope const of_gaps(job.across_gaps);
      one = load_read_only<bytes>(aligned);
      if (has_next) next = load_read_only<bytes>(aligned + bytes);
      ends |= late << 16;
      return;
    }
    COSMATI_UNROLL
    for (int b = 0; b < bytes; b += element_bytes) {
      [[maybe_unused]] access_step const turn;
      if (b < end - begin) one.word[b / 4] |= load_read_only<element_bytes>(from + b).word[0] << (b % 4 * 8);
    }
  }
  COSMATI_HD void store(shifted_copy_arguments const& job) const {
    if (ends == 0) return;
    register_words<bytes> const v = bytes_of_both<element_bytes, bytes>(one, next, late());
    char* const place = job.target + to;
    if (end() - begin() == bytes)
      job.cache.template store<bytes>(place, v);
    else
      store_part_of_window<element_bytes>(job.cache, place, v, begin(), end());
  }
};
}  // namespace detail

/// @tparam element_bytes 1 or 2; @tparam at_once windows a thread, all begun to be loaded before the first is stored
template <int element_bytes, int at_once>
__global__ void __launch_bounds__(direct_copy_most_threads)
    copy_shifted(__grid_constant__ shifted_copy_arguments const job) {
  std::uint32_t first = blockIdx.x * (blockDim.x * at_once) + threadIdx.x;
  COSMATI_NO_UNROLL
  do {
    [[maybe_unused]] access_step const turn;
    detail::shifted_window<element_bytes> moved[at_once];
    COSMATI_UNROLL
    for (int k = 0; k < at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      moved[k].load(job, first + k * blockDim.x);
    }
    COSMATI_UNROLL
    for (int k = 0; k < at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      moved[k].store(job);
    }
    first += gridDim.x * (blockDim.x * at_once);
  } while (first < job.slots);
}

namespace detail {
/// Starts the kernel for a number of windows at once that is known at run time. Throws `error` where there is none.
/// @param processors multiprocessors that the blocks are for; 0: the device's
template <int element_bytes>
void launch_shifted(copy_problem const& p, direct_launch const& how, void const* source, void* target,
                    stream_handle stream, int processors = 0) {
  if (how.once) once_has_no_kernel(how);
  std::int64_t const most = (p.mode[0].extent * element_bytes + 2 * shifted_bytes - 2) / shifted_bytes;
  std::int64_t const windows = slots_to_lines(most, shifted_bytes, p, element_bytes, target),
                     slots = windows * (p.size() / p.mode[0].extent);
  if (slots >= std::int64_t{1} << 30) {
    copy_halves const parts = copy_halves::of_longest_mode(p, shifted_bytes / element_bytes);
    launch_shifted<element_bytes>(parts.low, how, source, target, stream, processors);
    launch_shifted<element_bytes>(parts.high, how, source, target, stream, processors);
    return;
  }
  shifted_copy_arguments job = {};
  job.source = static_cast<char const*>(source) + p.source_offset * element_bytes;
  job.target = static_cast<char*>(target) + p.target_offset * element_bytes;
  job.across_gaps = source_has_gaps(p);
  if (!job.across_gaps || !(p.interleaved || sides_interleave(p, bytes_apart(source, target), element_bytes))) {
    byte_range const range(p, true, element_bytes);
    job.first = static_cast<char const*>(source) + range.begin;
    job.last = static_cast<char const*>(source) + range.end;
  }
  job.slots = static_cast<std::uint32_t>(slots);
  job.windows = fast_divider(static_cast<std::uint32_t>(windows));
  job.row_bytes = p.mode[0].extent * element_bytes;
  for (int m = 1; m < p.rank; ++m)
    job.mode[m - 1] = {fast_divider(static_cast<std::uint32_t>(p.mode[m].extent)), p.mode[m].source * element_bytes,
                       p.mode[m].target * element_bytes};
  job.outer = p.rank - 1;
  job.cache = {how.stream_loads, how.stream_stores};
  if (processors == 0 && how.blocks > 0) processors = multiprocessors();
  with_at_once<1, 2, 4>(how.at_once, [&](auto number) {
    constexpr int n = decltype(number)::value;
    std::int64_t const part = std::int64_t{how.threads} * n;
    launch(copy_shifted<element_bytes, n>,
           {.grid = blocks_of(how, (slots + part - 1) / part, processors),
            .block = static_cast<unsigned>(how.threads),
            .stream = stream},
           job);
  });
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
