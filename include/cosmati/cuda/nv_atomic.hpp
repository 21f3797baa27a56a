// SPDX-License-Identifier: Apache-2.0
/// @file
/// The atomic functions that nvcc itself provides since CUDA 12.8: `__nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED)`.
/// The simulated device sees each with its memory order. Every scope is that of the device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace cosmati_cuda {

/// The unsigned integer that has as many bytes as an object of an atomic operation.
template <class T>
using nv_atomic_word =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
template <class T>
T nv_atomic_value(nv_atomic_word<T> bits) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(bits),
                "an atomic object has 1, 2, 4 or 8 bytes");
  return __builtin_bit_cast(T, bits);
}
template <class T>
nv_atomic_word<T>* nv_atomic_address(T const volatile* p) {
  using word [[gnu::may_alias]] = nv_atomic_word<T>;
  return const_cast<word*>(reinterpret_cast<word const volatile*>(p));
}
/// A failed exchange stores nothing, so its order has no release.
constexpr int nv_atomic_failure(int order) {
  return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}
/// @return the value before
template <class T, class Next>
T nv_atomic_update(T* p, int order, Next next) {
  using word = nv_atomic_word<T>;
  word old = __atomic_load_n(nv_atomic_address(p), __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(nv_atomic_address(p), &old,
                                      __builtin_bit_cast(word, next(nv_atomic_value<T>(old))), false, order,
                                      nv_atomic_failure(order))) {
  }
  return nv_atomic_value<T>(old);
}

}  // namespace cosmati_cuda

template <class T>
std::remove_cv_t<T> __nv_atomic_load_n(T* p, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  using value = std::remove_cv_t<T>;
  return cosmati_cuda::nv_atomic_value<value>(
      __atomic_load_n(cosmati_cuda::nv_atomic_address(const_cast<value*>(p)), order));
}
template <class T>
void __nv_atomic_load(T* p, std::remove_cv_t<T>* out, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  *out = __nv_atomic_load_n(p, order);
}
template <class T>
void __nv_atomic_store_n(T* p, std::type_identity_t<T> value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_store_n(cosmati_cuda::nv_atomic_address(p), __builtin_bit_cast(cosmati_cuda::nv_atomic_word<T>, value),
                   order);
}
template <class T>
void __nv_atomic_store(T* p, T const* value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(p, *value, order);
}
template <class T>
T __nv_atomic_exchange_n(T* p, std::type_identity_t<T> value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  return cosmati_cuda::nv_atomic_value<T>(__atomic_exchange_n(
      cosmati_cuda::nv_atomic_address(p), __builtin_bit_cast(cosmati_cuda::nv_atomic_word<T>, value), order));
}
template <class T>
void __nv_atomic_exchange(T* p, T const* value, T* out, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  *out = __nv_atomic_exchange_n(p, *value, order);
}
/// @return whether the value was the expected one; if not, `expected` receives it
template <class T>
bool __nv_atomic_compare_exchange_n(T* p, T* expected, std::type_identity_t<T> value, bool, int order, int failing,
                                    int = __NV_THREAD_SCOPE_SYSTEM) {
  using word = cosmati_cuda::nv_atomic_word<T>;
  word old = __builtin_bit_cast(word, *expected);
  bool const done = __atomic_compare_exchange_n(cosmati_cuda::nv_atomic_address(p), &old,
                                                __builtin_bit_cast(word, value), false, order, failing);
  if (!done) *expected = cosmati_cuda::nv_atomic_value<T>(old);
  return done;
}
template <class T>
bool __nv_atomic_compare_exchange(T* p, T* expected, T const* value, bool weak, int order, int failing,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(p, expected, *value, weak, order, failing, scope);
}
#define COSMATI_NV_ATOMIC_(name, expression)                                                                  \
  template <class T>                                                                                          \
  T __nv_atomic_fetch_##name(T* p, std::type_identity_t<T> v, int order, int = __NV_THREAD_SCOPE_SYSTEM) {    \
    return cosmati_cuda::nv_atomic_update(p, order, [v](T old) { return static_cast<T>(expression); });       \
  }                                                                                                           \
  template <class T>                                                                                          \
  void __nv_atomic_##name(T* p, std::type_identity_t<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __nv_atomic_fetch_##name(p, v, order, scope);                                                             \
  }
COSMATI_NV_ATOMIC_(add, old + v)
COSMATI_NV_ATOMIC_(sub, old - v)
COSMATI_NV_ATOMIC_(and, old& v)
COSMATI_NV_ATOMIC_(or, old | v)
COSMATI_NV_ATOMIC_(xor, old ^ v)
COSMATI_NV_ATOMIC_(min, v < old ? v : old)
COSMATI_NV_ATOMIC_(max, old < v ? v : old)
#undef COSMATI_NV_ATOMIC_
inline void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) { __atomic_thread_fence(order); }

#endif

#include <cosmati/core/macros_end.hpp>
