// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies through registers: how they are launched, what the caches are told, and bytes that lie across two windows.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/kernel/prepared_launch.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <string>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The most threads of a block that copies through registers.
inline constexpr int direct_copy_most_threads = 1024;

/// What the kernels through registers are told beside the problem.
struct direct_launch {
  int threads = 256;           ///< of a block, a multiple of 32, at most 1024
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
/// Whether there are kernels for vectors of so many elements, which are single ones or have 16 bytes.
constexpr bool is_vector_of_kernel(int vector, int element_bytes) {
  return vector == 1 || vector * element_bytes == 16;
}
/// A vector that is known at run time as a kernel's: `go(vector)`, a constant, 1 or `most`.
template <int most, class Go>
void with_vector(int vector, Go const& go) {
  if (vector == 1 || most == 1) return go(std::integral_constant<int, 1>{});
  if constexpr (most > 1) go(std::integral_constant<int, most>{});
}
/// Blocks of so many threads, for slots of which each thread takes `at_once`.
inline unsigned blocks_of(std::int64_t slots, int threads, int at_once = 1) {
  std::int64_t const part = std::int64_t{threads} * at_once;
  return static_cast<unsigned>((slots + part - 1) / part);
}

/// Words by 0 to 3 bytes further: of each pair of neighbours the four bytes from there.
COSMATI_HD inline std::uint32_t bytes_from(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<std::uint32_t>(((static_cast<std::uint64_t>(high) << 32) | low) >> bits);
#endif
}
/// The 16 bytes from byte `from` of the first of two neighbouring windows on, a multiple of an element's size.
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

/// The first `size` bytes go to `to`, and the others to their place.
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
/// Bytes [begin, end) of a window, of which `v` has the first one first: by as few accesses as there are powers of two
/// in them.
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
  // To a multiple of the next power of two, then from the largest one down.
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
  int head;  ///< bytes before the first vector; what is left over, before and behind, is less than two vectors
  detail::cache_use cache;
};

/// The copy of bytes that lie together on both sides: a vector a thread, the bytes before the first and behind the last
/// whole vector one by one. Small blocks of one vector a thread keep up with the memory best: they come and go in fine
/// steps.
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
/// Bytes that an access of both sides can have, 16 at most.
inline int width_of_both(void const* source, void const* target) {
  std::uintptr_t const apart = reinterpret_cast<std::uintptr_t>(source) ^ reinterpret_cast<std::uintptr_t>(target);
  int width = 16;
  while (apart % static_cast<unsigned>(width) != 0) width /= 2;
  return width;
}
/// @tparam least bytes of which both addresses are multiples
/// @param width bytes of an access, as wide as both sides can be aligned at once at most
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
/// Now, as fast as it goes.
template <class = void>
void launch_contiguous(void const* source, void* target, std::int64_t bytes, stream_handle stream) {
  starts_at_once sink(stream);
  launch_contiguous<1>(sink, source, target, bytes, width_of_both(source, target), {});
}
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
