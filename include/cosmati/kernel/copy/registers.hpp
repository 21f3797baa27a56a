// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies through registers: their launch, their cache hints, and the extraction of bytes from two windows.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/kernel/prepared_launch.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <string>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The largest number of threads of a block that copies through registers.
inline constexpr int direct_copy_most_threads = 1024;

/// The launch of the kernels through registers.
struct direct_launch {
  int threads = 256;           ///< the threads of a block, a multiple of 32, at most 1024
  bool stream_loads = false;   ///< loads bypass L1 (`ld.global.nc.L1::no_allocate`); otherwise they are plain
  bool stream_stores = false;  ///< stores are the first to be evicted (`st.global.cs`); otherwise they are plain
  bool once = false;           ///< repeated source elements are loaded once, and stored at each repetition

  friend constexpr bool operator==(direct_launch const&, direct_launch const&) = default;
};

namespace detail {
/// The cache hints as the kernels need them.
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
/// Whether there are kernels for vectors of `vector` elements: single elements, or 16 bytes.
constexpr bool is_vector_of_kernel(int vector, int element_bytes) {
  return vector == 1 || vector * element_bytes == 16;
}
/// Turns a vector known at run time into a constant: calls `go(vector)` with 1 or `most`.
template <int most, class Go>
void with_vector(int vector, Go const& go) {
  if (vector == 1 || most == 1) return go(std::integral_constant<int, 1>{});
  if constexpr (most > 1) go(std::integral_constant<int, most>{});
}
/// The number of blocks for `slots` slots, if each thread takes `at_once`.
inline unsigned blocks_of(std::int64_t slots, int threads, int at_once = 1) {
  std::int64_t const part = std::int64_t{threads} * at_once;
  return static_cast<unsigned>((slots + part - 1) / part);
}

/// Shifts words by 0 to 3 bytes: four bytes of each pair of neighbours, starting at that byte.
COSMATI_HD inline std::uint32_t bytes_from(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<std::uint32_t>(((static_cast<std::uint64_t>(high) << 32) | low) >> bits);
#endif
}
/// 16 bytes out of two neighbouring windows, starting at byte `from` of the first. `from` is a multiple of an element's
/// size.
template <int element_bytes>
COSMATI_HD inline register_words<16> bytes_of_both(register_words<16> const& first, register_words<16> const& second,
                                                   std::uint32_t from) {
  std::uint32_t word[8];
  COSMATI_UNROLL
  for (int k = 0; k < 4; ++k) word[k] = first.word[k], word[4 + k] = second.word[k];
  COSMATI_UNROLL
  for (int k = 0; k < 6; ++k) word[k] = (from & 8u) != 0 ? word[k + 2] : word[k];
  COSMATI_UNROLL
  for (int k = 0; k < 5; ++k) word[k] = element_bytes < 8 && (from & 4u) != 0 ? word[k + 1] : word[k];
  register_words<16> v;
  COSMATI_UNROLL
  for (int k = 0; k < 4; ++k) v.word[k] = element_bytes < 4 ? bytes_from(word[k], word[k + 1], from % 4 * 8) : word[k];
  return v;
}

/// Stores the first `size` bytes at `to`, and moves the others to their place.
template <int size>
COSMATI_HD inline void store_first(cache_use const& cache, char* to, register_words<16>& v) {
  register_words<size> first;
  COSMATI_UNROLL
  for (int w = 0; w < register_words<size>::count; ++w) first.word[w] = v.word[w];
  if constexpr (size == 1) first.word[0] &= 0xffu;
  if constexpr (size == 2) first.word[0] &= 0xffffu;
  cache.template store<size>(to, first);
  COSMATI_UNROLL
  for (int w = 0; w < 4; ++w) {
    if constexpr (size < 4)
      v.word[w] = bytes_from(v.word[w], w < 3 ? v.word[w + 1] : 0, 8 * size);
    else
      v.word[w] = w + size / 4 < 4 ? v.word[w + size / 4] : 0;
  }
}
/// Stores the bytes [begin, end) of a window. The first byte of `v` is the first stored. The number of accesses is that
/// of the powers of two in the range.
template <int element_bytes>
COSMATI_HD inline void store_part_of_window(cache_use const& cache, char* window, register_words<16> v, int begin,
                                            int end) {
  int at = begin;
  auto const step = [&](auto size, bool where) {
    constexpr int n = decltype(size)::value;
    if constexpr (n >= element_bytes) {
      [[maybe_unused]] access_step const turn;
      if (where && at + n <= end) {
        store_first<n>(cache, window + at, v);
        at += n;
      }
    }
  };
  // First up to a multiple of the next power of two, then from the largest power down.
  step(std::integral_constant<int, 1>{}, (at & 1) != 0);
  step(std::integral_constant<int, 2>{}, (at & 2) != 0);
  step(std::integral_constant<int, 4>{}, (at & 4) != 0);
  step(std::integral_constant<int, 8>{}, true);
  step(std::integral_constant<int, 4>{}, true);
  step(std::integral_constant<int, 2>{}, true);
  step(std::integral_constant<int, 1>{}, true);
}
}  // namespace detail

/// The argument of `copy_contiguous`.
struct contiguous_copy_arguments {
  char const* source;
  char* target;
  std::int64_t bytes;
  int head;  ///< bytes before the first vector; head and tail together are less than two vectors
  detail::cache_use cache;
};

/// The copy of bytes that are contiguous on both sides. A thread moves one vector. The bytes before the first and after
/// the last whole vector move one by one. Small blocks with one vector per thread keep up with the memory best, because
/// they start and end in fine steps.
template <int vector_bytes>
__global__ void __launch_bounds__(direct_copy_most_threads)
    copy_contiguous(__grid_constant__ contiguous_copy_arguments const job) {
  std::int64_t const vectors = (job.bytes - job.head) / vector_bytes;
  std::int64_t const at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < vectors) {
    std::int64_t const byte = job.head + at * vector_bytes;
    job.cache.template store<vector_bytes>(job.target + byte, job.cache.template load<vector_bytes>(job.source + byte));
  } else if (vector_bytes > 1) {
    std::int64_t byte = at - vectors;
    if (byte >= job.head) byte += vectors * vector_bytes;
    if (byte < job.bytes) store_words<1>(job.target + byte, load_words<1>(job.source + byte));
  }
}

namespace detail {
/// The widest access that both sides allow, up to 16 bytes.
inline int width_of_both(void const* source, void const* target) {
  std::uintptr_t const apart = reinterpret_cast<std::uintptr_t>(source) ^ reinterpret_cast<std::uintptr_t>(target);
  int width = 16;
  while (apart % static_cast<unsigned>(width) != 0) width /= 2;
  return width;
}
/// @tparam least a number of bytes that divides both addresses
/// @param width the bytes of an access, at most the common alignment of both sides
template <int least>
void launch_contiguous(launch_sink& sink, void const* source, void* target, std::int64_t bytes, int width,
                       direct_launch const& how) {
  auto const go = [&](auto of_width) {
    constexpr int w = decltype(of_width)::value;
    std::int64_t head = (w - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target) % w)) % w;
    if (head > bytes) head = bytes;
    std::int64_t const vectors = (bytes - head) / w, slots = vectors + bytes - vectors * w;
    contiguous_copy_arguments const job = {static_cast<char const*>(source),
                                           static_cast<char*>(target),
                                           bytes,
                                           static_cast<int>(head),
                                           {how.stream_loads, how.stream_stores}};
    prepare(sink, copy_contiguous<w>, blocks_of(slots, how.threads), 1, static_cast<unsigned>(how.threads), 0, job);
  };
  if (width == 16) return go(std::integral_constant<int, 16>{});
  if constexpr (least <= 4)
    if (width >= 4) return go(std::integral_constant<int, 4>{});
  if constexpr (least <= 8) go(std::integral_constant < int, least <= 2 ? 1 : least > {});
}
/// Copies at once, in the fastest way.
template <class = void>
void launch_contiguous(void const* source, void* target, std::int64_t bytes, stream_handle stream) {
  starts_at_once sink(stream);
  launch_contiguous<1>(sink, source, target, bytes, width_of_both(source, target), {});
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
