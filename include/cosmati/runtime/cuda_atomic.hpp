// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's atomic functions on the simulated device. They are atomic among all blocks. If those of block scope meet
/// accesses of other blocks, that is a hazard.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>

#if defined(COSMATI_SIMULATED)

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cosmati_cuda {

/// The operand of an atomic should have been written.
template <class T>
void note_operand(T const& value, [[maybe_unused]] char const* file, [[maybe_unused]] int line) {
  unsigned long long bits = 0;
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if (sim_active() == 0) return;
    __builtin_memcpy(&bits, &value, sizeof(T));
    cosmati_sim_operand(bits, sizeof(T), "an atomic operation with", file, line);
  }
}

template <class T, class Update>
T atomic_update(T* address, T const& value, Update update, char const* name, char const* file, int line) {
  using namespace COSMATI_NAMESPACE;
  note_operand(value, file, line);
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "atomics are 2, 4 or 8 bytes wide");
  note_access(access_kind::atomic, address, sizeof(T), sizeof(T), no_description{}, nullptr, name, file, line);
  unseen_scope unseen;
  T old, desired;
  __atomic_load(address, &old, __ATOMIC_SEQ_CST);
  do {
    desired = update(old);
  } while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

template <class T>
struct same {
  using type = T;
};
/// A parameter type that takes no part in deduction, so that `atomicAdd(&u64, 1)` works as in CUDA.
template <class T>
using same_t = typename same<T>::type;

}  // namespace cosmati_cuda

#define COSMATI_ATOMIC_(name, expression)                                                        \
  template <class T>                                                                             \
  T name(T* address, cosmati_cuda::same_t<T> value, COSMATI_SITE_) {                             \
    return cosmati_cuda::atomic_update(                                                          \
        address, value, [value](T old) -> T { return expression; }, #name, file, line);          \
  }                                                                                              \
  template <class T>                                                                             \
  T name##_block(T* address, cosmati_cuda::same_t<T> value, COSMATI_SITE_) {                     \
    return cosmati_cuda::atomic_update(                                                          \
        address, value, [value](T old) -> T { return expression; }, #name "_block", file, line); \
  }                                                                                              \
  template <class T>                                                                             \
  T name##_system(T* address, cosmati_cuda::same_t<T> value, COSMATI_SITE_) {                    \
    return name(address, value, file, line);                                                     \
  }
COSMATI_ATOMIC_(atomicAdd, static_cast<T>(old + value))
COSMATI_ATOMIC_(atomicSub, static_cast<T>(old - value))
COSMATI_ATOMIC_(atomicMin, value < old ? value : old)
COSMATI_ATOMIC_(atomicMax, old < value ? value : old)
COSMATI_ATOMIC_(atomicAnd, static_cast<T>(old& value))
COSMATI_ATOMIC_(atomicOr, static_cast<T>(old | value))
COSMATI_ATOMIC_(atomicXor, static_cast<T>(old ^ value))
COSMATI_ATOMIC_(atomicExch, (static_cast<void>(old), value))
COSMATI_ATOMIC_(atomicInc, old >= value ? T(0) : static_cast<T>(old + 1))
COSMATI_ATOMIC_(atomicDec, (old == 0 || old > value) ? value : static_cast<T>(old - 1))
#undef COSMATI_ATOMIC_

#define COSMATI_CAS_(name)                                                                                         \
  template <class T>                                                                                               \
  T name(T* address, cosmati_cuda::same_t<T> compare, cosmati_cuda::same_t<T> value, COSMATI_SITE_) {              \
    using namespace COSMATI_NAMESPACE;                                                                             \
    note_access(access_kind::atomic, address, sizeof(T), sizeof(T), no_description{}, nullptr, #name, file, line); \
    cosmati_cuda::note_operand(value, file, line);                                                                 \
    unseen_scope unseen;                                                                                           \
    T expected = compare;                                                                                          \
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
    return expected;                                                                                               \
  }
COSMATI_CAS_(atomicCAS)
COSMATI_CAS_(atomicCAS_block)
COSMATI_CAS_(atomicCAS_system)
#undef COSMATI_CAS_

#undef COSMATI_SITE_
#endif

#include <cosmati/core/macros_end.hpp>
