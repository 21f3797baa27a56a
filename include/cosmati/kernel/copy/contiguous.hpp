// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copy of bytes that lie together on both sides: a vector a thread, the bytes before the first and behind the last
/// whole vector one by one.
#pragma once

#include <cosmati/arch/streaming.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {

/// Threads of a block. Small blocks that each move one vector a thread keep up with the memory best: they come and go
/// in fine steps (bench/NOTES.md).
inline constexpr int contiguous_copy_threads = 256;

/// Vectors begin at `head` bytes; what is left over, before and behind, is less than two vectors.
template <int vector_bytes>
__global__ void __launch_bounds__(contiguous_copy_threads)
    copy_contiguous(char const* source, char* target, std::int64_t bytes, int head) {
  std::int64_t const at = std::int64_t{blockIdx.x} * contiguous_copy_threads + threadIdx.x;
  std::int64_t const vectors = (bytes - head) / vector_bytes;
  if (at < vectors) {
    std::int64_t const from = head + at * vector_bytes;
    store_words<vector_bytes>(target + from, load_words<vector_bytes>(source + from));
  } else if (vector_bytes > 1) {
    std::int64_t byte = at - vectors;
    if (byte >= head) byte += vectors * vector_bytes;
    if (byte < bytes) store_words<1>(target + byte, load_words<1>(source + byte));
  }
}

namespace detail {
inline void launch_contiguous(void const* source, void* target, std::int64_t bytes, stream_handle stream) {
  auto const from = reinterpret_cast<std::uintptr_t>(source), to = reinterpret_cast<std::uintptr_t>(target);
  auto const go = [&](auto width) {
    constexpr int w = decltype(width)::value;
    auto head = static_cast<std::int64_t>((w - to % w) % w);
    if (head > bytes) head = bytes;
    std::int64_t const vectors = (bytes - head) / w;
    std::int64_t const threads = vectors + bytes - vectors * w;
    auto const blocks = static_cast<unsigned>((threads + contiguous_copy_threads - 1) / contiguous_copy_threads);
    launch(copy_contiguous<w>, {.grid = blocks, .block = contiguous_copy_threads, .stream = stream},
           static_cast<char const*>(source), static_cast<char*>(target), bytes, static_cast<int>(head));
  };
  // As wide as both sides can be aligned at once.
  std::uintptr_t const apart = from ^ to;
  if (apart % 16 == 0)
    go(std::integral_constant<int, 16>{});
  else if (apart % 8 == 0)
    go(std::integral_constant<int, 8>{});
  else if (apart % 4 == 0)
    go(std::integral_constant<int, 4>{});
  else if (apart % 2 == 0)
    go(std::integral_constant<int, 2>{});
  else
    go(std::integral_constant<int, 1>{});
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE
