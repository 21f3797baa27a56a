// SPDX-License-Identifier: Apache-2.0
/// @file
/// `__syncthreads` and similar functions, shuffles, votes, matches and warp reductions on the simulated device. Every
/// function knows its caller's file and line, which the report of a deadlock names.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/core/config.hpp>
#include <cosmati/runtime/sim_abi.hpp>

#if defined(COSMATI_SIMULATED)

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

#define COSMATI_PLACE_ file, line, COSMATI_PLACE_OF_CALL_

COSMATI_CALL_ void __syncthreads(COSMATI_SITE_ COSMATI_CALL_PARAMETER_) {
  cosmati_sim_syncthreads("__syncthreads", COSMATI_PLACE_);
}
COSMATI_CALL_ int __syncthreads_count(int predicate, COSMATI_SITE_ COSMATI_CALL_PARAMETER_) {
  return static_cast<int>(cosmati_sim_barrier(0, 0, 1, predicate, "__syncthreads_count", COSMATI_PLACE_));
}
COSMATI_CALL_ int __syncthreads_and(int predicate, COSMATI_SITE_ COSMATI_CALL_PARAMETER_) {
  return static_cast<int>(cosmati_sim_barrier(0, 0, 2, predicate, "__syncthreads_and", COSMATI_PLACE_));
}
COSMATI_CALL_ int __syncthreads_or(int predicate, COSMATI_SITE_ COSMATI_CALL_PARAMETER_) {
  return static_cast<int>(cosmati_sim_barrier(0, 0, 3, predicate, "__syncthreads_or", COSMATI_PLACE_));
}
#undef COSMATI_PLACE_
inline void __syncwarp(unsigned mask = 0xffffffffu, COSMATI_SITE_) {
  cosmati_sim_meet(mask, nullptr, nullptr, "__syncwarp", file, line);
}

namespace cosmati_cuda {

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8 && __is_trivially_copyable(T), "a shuffle moves scalars of at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace cosmati_cuda

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, COSMATI_SITE_) {
  return cosmati_cuda::from_bits<T>(
      cosmati_sim_shuffle(0, mask, cosmati_cuda::to_bits(value), lane, width, "__shfl_sync", file, line));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, COSMATI_SITE_) {
  return cosmati_cuda::from_bits<T>(cosmati_sim_shuffle(1, mask, cosmati_cuda::to_bits(value), static_cast<int>(delta),
                                                        width, "__shfl_up_sync", file, line));
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, COSMATI_SITE_) {
  return cosmati_cuda::from_bits<T>(cosmati_sim_shuffle(2, mask, cosmati_cuda::to_bits(value), static_cast<int>(delta),
                                                        width, "__shfl_down_sync", file, line));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, COSMATI_SITE_) {
  return cosmati_cuda::from_bits<T>(
      cosmati_sim_shuffle(3, mask, cosmati_cuda::to_bits(value), lane_mask, width, "__shfl_xor_sync", file, line));
}

inline unsigned __ballot_sync(unsigned mask, int predicate, COSMATI_SITE_) {
  return cosmati_sim_ballot(mask, predicate, "__ballot_sync", file, line);
}
inline int __any_sync(unsigned mask, int predicate, COSMATI_SITE_) {
  return cosmati_sim_ballot(mask, predicate, "__any_sync", file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, COSMATI_SITE_) {
  return cosmati_sim_ballot(mask, predicate == 0, "__all_sync", file, line) == 0;
}
/// The lanes that are active together: those that reached this call while the others of the warp wait elsewhere.
inline unsigned __activemask(COSMATI_SITE_) { return cosmati_sim_activemask(file, line); }

template <class T>
unsigned __match_any_sync(unsigned mask, T value, COSMATI_SITE_) {
  return cosmati_sim_match(mask, cosmati_cuda::to_bits(value), nullptr, "__match_any_sync", file, line);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate, COSMATI_SITE_) {
  int all = 0;
  unsigned const lanes = cosmati_sim_match(mask, cosmati_cuda::to_bits(value), &all, "__match_all_sync", file, line);
  *predicate = all;
  return lanes;
}

#define COSMATI_REDUCE_(name, kind)                                                         \
  inline unsigned __reduce_##name##_sync(unsigned mask, unsigned value, COSMATI_SITE_) {    \
    return cosmati_sim_reduce(kind, 0, mask, value, "__reduce_" #name "_sync", file, line); \
  }
#define COSMATI_REDUCE_SIGNED_(name, kind)                                                                            \
  inline int __reduce_##name##_sync(unsigned mask, int value, COSMATI_SITE_) {                                        \
    return static_cast<int>(                                                                                          \
        cosmati_sim_reduce(kind, 1, mask, static_cast<std::uint32_t>(value), "__reduce_" #name "_sync", file, line)); \
  }
COSMATI_REDUCE_(add, 0)
COSMATI_REDUCE_(min, 1)
COSMATI_REDUCE_(max, 2)
COSMATI_REDUCE_(and, 3)
COSMATI_REDUCE_(or, 4)
COSMATI_REDUCE_(xor, 5)
COSMATI_REDUCE_SIGNED_(add, 0)
COSMATI_REDUCE_SIGNED_(min, 1)
COSMATI_REDUCE_SIGNED_(max, 2)
#undef COSMATI_REDUCE_
#undef COSMATI_REDUCE_SIGNED_

/// Ends the kernel with an error.
[[noreturn]] inline void __trap(COSMATI_SITE_) { cosmati_sim_fail("trap", "__trap() was executed", file, line); }
inline void __nanosleep(unsigned) { cosmati_sim_yield(); }
inline void __threadfence() { cosmati_sim_thread_fence(1); }
inline void __threadfence_block() { cosmati_sim_thread_fence(0); }
inline void __threadfence_system() { __threadfence(); }

#undef COSMATI_SITE_
// The other header that uses these macros is included above.
#undef COSMATI_CALL_
#undef COSMATI_CALL_PARAMETER_
#undef COSMATI_AND_CALL_
#undef COSMATI_PLACE_OF_CALL_
#endif

#include <cosmati/core/macros_end.hpp>
