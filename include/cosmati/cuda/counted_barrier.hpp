// SPDX-License-Identifier: Apache-2.0
/// @file
/// A barrier in a word of 64 bits that atomics count, for cuda::barrier outside shared memory. From the low bits: 20
/// bits of arrivals that are missing, 20 bits of arrivals of a phase, 24 bits of the phase.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/words.hpp>
#include <cstddef>
#include <cstdint>

namespace cosmati_cuda {

constexpr std::uint64_t counted_word(std::uint64_t phase, std::uint64_t count, std::uint64_t missing) {
  return phase << 40 | (count & 0xfffffu) << 20 | (missing & 0xfffffu);
}
inline void counted_init(std::uint64_t* word, std::ptrdiff_t count) {
  auto const n = static_cast<std::uint64_t>(count);
  *word = counted_word(0, n, n);
}
/// Arrives. @param drops whether later phases expect one less @return the phase
inline std::uint64_t counted_arrive(std::uint64_t* word, std::ptrdiff_t arrivals, bool drops) {
  std::uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    std::uint64_t const phase = old >> 40, count = (old >> 20 & 0xfffffu) - (drops ? 1u : 0u);
    std::uint64_t const missing = (old & 0xfffffu) - static_cast<std::uint64_t>(arrivals);
    std::uint64_t const next =
        missing == 0 ? counted_word(phase + 1, count, count) : counted_word(phase, count, missing);
    if (__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return phase;
  }
}
/// Arrives. The last arrival of a phase calls `complete` before the phase ends.
template <class Complete>
std::uint64_t counted_arrive_then(std::uint64_t* word, std::ptrdiff_t arrivals, bool drops, Complete& complete) {
  std::uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    std::uint64_t const phase = old >> 40, count = (old >> 20 & 0xfffffu) - (drops ? 1u : 0u);
    std::uint64_t const missing = (old & 0xfffffu) - static_cast<std::uint64_t>(arrivals);
    std::uint64_t const next = counted_word(phase, count, missing);
    if (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) continue;
    if (missing == 0) {
      complete();
      __atomic_store_n(word, counted_word(phase + 1, count, count), __ATOMIC_RELEASE);
    }
    return phase;
  }
}
inline bool counted_is_over(std::uint64_t const* word, std::uint64_t phase) {
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) >> 40 != (phase & 0xffffffu)) return true;
  if (sim_active() != 0) cosmati_sim_yield();
  return false;
}
inline bool counted_parity_is_over(std::uint64_t const* word, bool parity) {
  if ((__atomic_load_n(word, __ATOMIC_ACQUIRE) >> 40 & 1u) != (parity ? 1u : 0u)) return true;
  if (sim_active() != 0) cosmati_sim_yield();
  return false;
}
inline void counted_wait(std::uint64_t const* word, std::uint64_t phase) {
  while (!counted_is_over(word, phase)) {
  }
}
inline void counted_wait_parity(std::uint64_t const* word, bool parity) {
  while (!counted_parity_is_over(word, parity)) {
  }
}

}  // namespace cosmati_cuda

#endif

#include <cosmati/core/macros_end.hpp>
