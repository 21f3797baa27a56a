// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bytes in registers that lie across two windows of memory, and a part of a window stored by few accesses.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/direct_launch.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Words by 0 to 3 bytes further: of each pair of neighbours the four bytes from there.
COSMATI_HD inline std::uint32_t bytes_from(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<std::uint32_t>(((static_cast<std::uint64_t>(high) << 32) | low) >> bits);
#endif
}
/// As many bytes as each of two neighbours in memory has, from byte `from` of the first on, a multiple of an element's
/// size.
template <int element_bytes, int bytes>
COSMATI_HD inline register_words<bytes> bytes_of_both(register_words<bytes> const& first,
                                                      register_words<bytes> const& second, std::uint32_t from) {
  static_assert(bytes >= 4);
  constexpr int count = bytes / 4;
  std::uint32_t word[static_cast<unsigned>(2 * count)];
  COSMATI_UNROLL
  for (int k = 0; k < count; ++k) word[k] = first.word[k], word[count + k] = second.word[k];
  register_words<bytes> v;
  if constexpr (bytes == 16) {
    COSMATI_UNROLL
    for (int k = 0; k < 6; ++k) word[k] = (from & 8u) != 0 ? word[k + 2] : word[k];
  }
  if constexpr (bytes >= 8 && element_bytes < 8) {
    COSMATI_UNROLL
    for (int k = 0; k <= count; ++k) word[k] = (from & 4u) != 0 ? word[k + 1] : word[k];
  }
  COSMATI_UNROLL
  for (int k = 0; k < count; ++k)
    v.word[k] = element_bytes < 4 ? bytes_from(word[k], word[k + 1], from % 4 * 8) : word[k];
  return v;
}

/// The first `size` bytes go to `to`, and the others to their place.
template <int size, int bytes>
COSMATI_HD inline void store_first(cache_use const& cache, char* to, register_words<bytes>& v) {
  register_words<size> first;
  COSMATI_UNROLL
  for (int w = 0; w < register_words<size>::count; ++w) first.word[w] = v.word[w];
  if constexpr (size == 1) first.word[0] &= 0xffu;
  if constexpr (size == 2) first.word[0] &= 0xffffu;
  cache.template store<size>(to, first);
  constexpr int count = register_words<bytes>::count;
  COSMATI_UNROLL
  for (int w = 0; w < count; ++w) {
    if constexpr (size < 4)
      v.word[w] = bytes_from(v.word[w], w + 1 < count ? v.word[w + 1] : 0, 8 * size);
    else
      v.word[w] = w + size / 4 < count ? v.word[w + size / 4] : 0;
  }
}
/// Bytes [begin, end) of a window, of which `v` has the first one first: by as few accesses as there are powers of two
/// in them.
template <int element_bytes, int bytes>
COSMATI_HD inline void store_part_of_window(cache_use const& cache, char* window, register_words<bytes> v, int begin,
                                            int end) {
  int at = begin;
  auto const step = [&](auto size, bool where) {
    constexpr int n = decltype(size)::value;
    if constexpr (n >= element_bytes && n < bytes) {
      [[maybe_unused]] access_step const turn;
      if (where && at + n <= end) {
        store_first<n>(cache, window + at, v);
        at += n;
      }
    }
  };
  // To a multiple of the next power of two, then from the largest one down.
  step(std::integral_constant<int, 1>{}, (at & 1) != 0);
  step(std::integral_constant<int, 2>{}, (at & 2) != 0);
  step(std::integral_constant<int, 4>{}, (at & 4) != 0);
  step(std::integral_constant<int, 8>{}, true);
  step(std::integral_constant<int, 4>{}, true);
  step(std::integral_constant<int, 2>{}, true);
  step(std::integral_constant<int, 1>{}, true);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
