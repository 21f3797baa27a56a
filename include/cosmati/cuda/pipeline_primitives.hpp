// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_pipeline_primitives.h provides: cp.async, its groups, and its arrival at an mbarrier.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include <cosmati/cuda/words.hpp>
#include <cstdint>

using __mbarrier_t = std::uint64_t;

/// Copies 4, 8 or 16 bytes from global to shared memory without waiting. The last `zfill` bytes become zero.
/// @param bytes the size, and the alignment of both addresses
inline void __pipeline_memcpy_async(void* shared, void const* global, std::size_t bytes, std::size_t zfill = 0,
                                    char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    cosmati_sim_fail("invalid_argument", "__pipeline_memcpy_async: the size is 4, 8 or 16 bytes", file, line);
  if (zfill > bytes)
    cosmati_sim_fail("invalid_argument", "__pipeline_memcpy_async: zfill is at most the size", file, line);
  cosmati_sim_cp_async(shared, global, static_cast<unsigned>(bytes), static_cast<unsigned>(bytes - zfill),
                       bytes == 16 ? 1 : 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, file, line);
}
inline void __pipeline_commit(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  cosmati_sim_cp_async_commit(file, line);
}
/// Waits for all groups of the thread but the `newest` last ones.
inline void __pipeline_wait_prior(std::size_t newest, char const* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  cosmati_sim_cp_async_wait(static_cast<int>(newest), file, line);
}
/// The barrier gets an arrival, which its count need not include, when the thread's copies so far are complete.
inline void __pipeline_arrive_on(__mbarrier_t* barrier, char const* file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
  cosmati_sim_cp_async_mbarrier_arrive(barrier, 0, file, line);
}

#endif

#include <cosmati/core/macros_end.hpp>
