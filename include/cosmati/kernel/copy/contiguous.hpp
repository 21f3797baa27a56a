// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copy of bytes that lie together on both sides: some vectors a thread, the bytes before the first and behind the
/// last whole vector one by one.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/direct_launch.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

/// Vectors begin at `head` bytes; what is left over, before and behind, is less than two vectors.
/// @tparam at_once vectors a thread, all loaded before the first is stored
/// @tparam in_turn a block takes one part after the other
template <int vector_bytes, int at_once, bool in_turn>
__global__ void __launch_bounds__(direct_copy_most_threads)
    copy_contiguous(char const* source, char* target, std::int64_t bytes, int head, detail::cache_use cache) {
  std::int64_t const vectors = (bytes - head) / vector_bytes;
  std::uint32_t const threads = blockDim.x;
  std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (threads * at_once) + threadIdx.x;
  do {
    [[maybe_unused]] access_step const turn;
    register_words<vector_bytes> held[at_once];
    COSMATI_UNROLL
    for (int k = 0; k < at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      std::int64_t const at = first + k * threads;
      if (at < vectors) held[k] = cache.template load<vector_bytes>(source + head + at * vector_bytes);
    }
    COSMATI_UNROLL
    for (int k = 0; k < at_once; ++k) {
      [[maybe_unused]] access_step const turn;
      std::int64_t const at = first + k * threads;
      if (at < vectors) {
        cache.template store<vector_bytes>(target + head + at * vector_bytes, held[k]);
      } else if (vector_bytes > 1) {
        std::int64_t byte = at - vectors;
        if (byte >= head) byte += vectors * vector_bytes;
        if (byte < bytes) store_words<1>(target + byte, load_words<1>(source + byte));
      }
    }
    first += static_cast<std::int64_t>(gridDim.x) * (threads * at_once);
  } while (in_turn && first < vectors + (bytes - vectors * vector_bytes));
}

namespace detail {
/// Bytes that an access of both sides can have, 16 at most.
inline int width_of_both(void const* source, void const* target) {
  std::uintptr_t const apart = reinterpret_cast<std::uintptr_t>(source) ^ reinterpret_cast<std::uintptr_t>(target);
  int width = 16;
  while (apart % static_cast<unsigned>(width) != 0) width /= 2;
  return width;
}
/// A template for the reason that `launch_plan` is one.
/// @param width bytes of an access, as wide as both sides can be aligned at once at most
template <class = void>
void launch_contiguous(void const* source, void* target, std::int64_t bytes, int width, direct_launch const& how,
                       stream_handle stream) {
  auto const to = reinterpret_cast<std::uintptr_t>(target);
  auto const go = [&](auto of_width, auto at_once) {
    constexpr int w = decltype(of_width)::value, n = decltype(at_once)::value;
    auto head = static_cast<std::int64_t>((w - to % w) % w);
    if (head > bytes) head = bytes;
    std::int64_t const vectors = (bytes - head) / w;
    std::int64_t const slots = vectors + bytes - vectors * w, part = std::int64_t{how.threads} * n;
    launch_config const config = {
        .grid = blocks_of(how, (slots + part - 1) / part, how.blocks > 0 ? multiprocessors() : 1),
        .block = static_cast<unsigned>(how.threads),
        .stream = stream};
    launch(how.blocks > 0 ? copy_contiguous<w, n, true> : copy_contiguous<w, n, false>, config,
           static_cast<char const*>(source), static_cast<char*>(target), bytes, static_cast<int>(head),
           cache_use{how.stream_loads, how.stream_stores});
  };
  with_width(width, [&](auto w) { with_at_once<1, 2, 4>(how.at_once, [&](auto n) { go(w, n); }); });
}
/// As fast as it goes: small blocks that each move one vector a thread keep up with the memory best; they come and go
/// in fine steps (bench/NOTES.md).
template <class = void>
void launch_contiguous(void const* source, void* target, std::int64_t bytes, stream_handle stream) {
  launch_contiguous(source, target, bytes, width_of_both(source, target), {}, stream);
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
