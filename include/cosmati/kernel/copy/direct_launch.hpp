// SPDX-License-Identifier: Apache-2.0
/// @file
/// How many threads a copy through registers has, what each of them takes, and what the caches are told.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/core/error.hpp>
#include <string>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The most threads of a block that copies through registers.
inline constexpr int direct_copy_most_threads = 1024;

/// What the kernels through registers are told beside the problem.
struct direct_launch {
  int threads = 256;           ///< of a block, a multiple of 32, at most 1024
  int at_once = 1;             ///< vectors a thread, all loaded before the first is stored: 1, 2 or 4
  int blocks = 0;              ///< a multiprocessor's, each taking its parts in turn; 0: a block for each part
  bool stream_loads = false;   ///< past L1, `ld.global.nc.L1::no_allocate`; else plain loads
  bool stream_stores = false;  ///< evicted first, `st.global.cs`; else plain stores
  bool once = false;           ///< what the source's modes of stride 0 repeat is loaded once, and stored at each place

  friend constexpr bool operator==(direct_launch const&, direct_launch const&) = default;
};

namespace detail {
/// What the caches are told, as the kernels have it.
struct cache_use {
  bool stream_loads, stream_stores;

  template <int bytes>
  COSMATI_HD register_words<bytes> load(void const* from) const {
    if (stream_loads) return load_streaming<bytes>(from);
    return load_words<bytes>(from);
  }
  template <int bytes>
  COSMATI_HD void store(void* to, register_words<bytes> const& v) const {
    if (stream_stores)
      store_streaming<bytes>(to, v);
    else
      store_words<bytes>(to, v);
  }
};
/// A width that is known at run time as one of a kernel's: `go(width)`, a constant.
template <class Go>
void with_width(int vector, Go const& go) {
  switch (vector) {
    case 1:
      return go(std::integral_constant<int, 1>{});
    case 2:
      return go(std::integral_constant<int, 2>{});
    case 4:
      return go(std::integral_constant<int, 4>{});
    case 8:
      return go(std::integral_constant<int, 8>{});
    default:
      return go(std::integral_constant<int, 16>{});
  }
}
/// `direct_launch::at_once` likewise, one of `choices`. Throws `error` where it is another number.
template <int... choices, class Go>
void with_at_once(int at_once, Go const& go) {
  if (((at_once == choices ? (go(std::integral_constant<int, choices>{}), true) : false) || ...)) return;
  constexpr int all[] = {choices...};
  std::string text;
  for (int const one : all) text += (text.empty() ? "" : ", ") + std::to_string(one);
  throw error("launch_plan: the plan's launch.at_once is %d; there are kernels for %s", at_once, text.c_str());
}
[[noreturn]] inline void once_has_no_kernel(direct_launch const& how) {
  throw error("launch_plan: the plan's launch.once goes with launch.at_once 1, not %d, and with elements as they are",
              how.at_once);
}
/// Blocks for `parts` parts.
inline unsigned blocks_of(direct_launch const& how, std::int64_t parts, int multiprocessors) {
  std::int64_t const most = std::int64_t{how.blocks} * multiprocessors;
  return static_cast<unsigned>(how.blocks > 0 && parts > most ? most : parts);
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
