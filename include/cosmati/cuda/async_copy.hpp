// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies of any size from global to shared memory by `cp.async`, for CUDA's functions of the name memcpy_async.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/words.hpp>
#include <cstdint>
#include <cstring>

namespace cuda {

/// A number of bytes. It and both addresses of the copy are multiples of `Alignment`.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  explicit aligned_size_t(std::size_t bytes, char const* file = __builtin_FILE(), int line = __builtin_LINE())
      : value(bytes) {
    if (bytes % Alignment != 0 && cosmati_cuda::sim_active() != 0)
      cosmati_sim_fail("invalid_argument", "cuda::aligned_size_t<N>: the number of bytes is not a multiple of N", file,
                       line);
  }
  operator std::size_t() const { return value; }
};

}  // namespace cuda

namespace cosmati_cuda {

/// Copies a thread's share of `bytes` bytes: every `threads`th piece of 16, 8 or 4 bytes, as the addresses allow. From
/// global to shared memory, the pieces are cp.async; other copies are complete on return.
/// @param rank the thread among those that share the copy @return whether the pieces are cp.async
inline bool copy_share(void* to, void const* from, std::size_t bytes, std::size_t rank, std::size_t threads,
                       char const* file, int line) {
  auto* const target = static_cast<unsigned char*>(to);
  auto* const source = static_cast<unsigned char const*>(from);
  auto const bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes | 16u;
  auto const piece = static_cast<unsigned>(bits & (~bits + 1));  // the lowest bit that is set
  bool const asynchronous = piece >= 4 && cosmati_sim_space_of(to) == 1 && cosmati_sim_space_of(from) == 2;
  for (std::size_t at = rank * piece; at < bytes; at += threads * piece) {
    if (asynchronous)
      cosmati_sim_cp_async(target + at, source + at, piece, piece, piece == 16 ? 1 : 0, nullptr, nullptr, nullptr,
                           nullptr, nullptr, nullptr, file, line);
    else
      std::memcpy(target + at, source + at, piece);
  }
  return asynchronous;
}
/// Reports an address or size that is not a multiple of the alignment that the caller has promised.
inline void check_promise(void const* to, void const* from, std::size_t alignment, char const* file, int line) {
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % alignment != 0)
    cosmati_sim_fail("misaligned", "memcpy_async: an address is not a multiple of the promised alignment", file, line);
}

}  // namespace cosmati_cuda

#endif

#include <cosmati/core/macros_end.hpp>
