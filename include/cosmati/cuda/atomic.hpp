// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuda/atomic provides: cuda::atomic and cuda::atomic_ref. The simulated device sees each operation
/// with its memory order. Every scope is that of the device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <atomic>
#include <cosmati/cuda/standard.hpp>
#include <cosmati/cuda/thread_scope.hpp>
#include <cosmati/cuda/words.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cosmati_cuda {

/// The unsigned integer with as many bytes as T. It may stand for any object.
template <std::size_t bytes>
struct word_of_bytes;
template <>
struct word_of_bytes<1> {
  using type __attribute__((may_alias)) = std::uint8_t;
};
template <>
struct word_of_bytes<2> {
  using type __attribute__((may_alias)) = std::uint16_t;
};
template <>
struct word_of_bytes<4> {
  using type __attribute__((may_alias)) = std::uint32_t;
};
template <>
struct word_of_bytes<8> {
  using type __attribute__((may_alias)) = std::uint64_t;
};

/// The operations of cuda::atomic on an object at `at()`. @tparam Own the class that has `at()`
template <class Own, class T>
class atomic_operations {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "cuda::atomic<T>: T is trivially copyable, and has 1, 2, 4 or 8 bytes");
  using order = ::std::memory_order;
  using word = typename word_of_bytes<sizeof(T)>::type;
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
  static constexpr order strong = order::seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const volatile { return true; }
  T load(order o = strong) const volatile { return __builtin_bit_cast(T, __atomic_load_n(at(), static_cast<int>(o))); }
  operator T() const volatile { return load(); }
  void store(T v, order o = strong) const volatile { __atomic_store_n(at(), bits(v), static_cast<int>(o)); }
  T exchange(T v, order o = strong) const volatile {
    return __builtin_bit_cast(T, __atomic_exchange_n(at(), bits(v), static_cast<int>(o)));
  }
  bool compare_exchange_strong(T& expected, T v, order o, order failing) const volatile {
    word old = bits(expected);
    bool const done =
        __atomic_compare_exchange_n(at(), &old, bits(v), false, static_cast<int>(o), static_cast<int>(failing));
    if (!done) expected = __builtin_bit_cast(T, old);
    return done;
  }
  bool compare_exchange_strong(T& expected, T v, order o = strong) const volatile {
    return compare_exchange_strong(expected, v, o, of_failure(o));
  }
  bool compare_exchange_weak(T& expected, T v, order o, order failing) const volatile {
    return compare_exchange_strong(expected, v, o, failing);
  }
  bool compare_exchange_weak(T& expected, T v, order o = strong) const volatile {
    return compare_exchange_strong(expected, v, o, of_failure(o));
  }
  T fetch_add(difference v, order o = strong) const volatile {
    return update([v](T old) { return static_cast<T>(old + v); }, o);
  }
  T fetch_sub(difference v, order o = strong) const volatile {
    return update([v](T old) { return static_cast<T>(old - v); }, o);
  }
  T fetch_min(T v, order o = strong) const volatile {
    return update([v](T old) { return v < old ? v : old; }, o);
  }
  T fetch_max(T v, order o = strong) const volatile {
    return update([v](T old) { return old < v ? v : old; }, o);
  }
  T fetch_and(T v, order o = strong) const volatile {
    return update([v](T old) { return static_cast<T>(old & v); }, o);
  }
  T fetch_or(T v, order o = strong) const volatile {
    return update([v](T old) { return static_cast<T>(old | v); }, o);
  }
  T fetch_xor(T v, order o = strong) const volatile {
    return update([v](T old) { return static_cast<T>(old ^ v); }, o);
  }
  T operator+=(difference v) const volatile { return static_cast<T>(fetch_add(v) + v); }
  T operator-=(difference v) const volatile { return static_cast<T>(fetch_sub(v) - v); }
  T operator&=(T v) const volatile { return static_cast<T>(fetch_and(v) & v); }
  T operator|=(T v) const volatile { return static_cast<T>(fetch_or(v) | v); }
  T operator^=(T v) const volatile { return static_cast<T>(fetch_xor(v) ^ v); }
  T operator++() const volatile { return *this += 1; }
  T operator--() const volatile { return *this -= 1; }
  T operator++(int) const volatile { return fetch_add(1); }
  T operator--(int) const volatile { return fetch_sub(1); }
  /// Waits until the value is another.
  void wait(T old, order o = strong) const volatile {
    while (bits(load(o)) == bits(old)) {
      if (sim_active() != 0) cosmati_sim_yield();
    }
  }
  void notify_one() const volatile {}
  void notify_all() const volatile {}

 private:
  word* at() const volatile { return reinterpret_cast<word*>(static_cast<Own const volatile*>(this)->address()); }
  static word bits(T v) { return __builtin_bit_cast(word, v); }
  static constexpr order of_failure(order o) {
    return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
  }
  template <class Update>
  T update(Update next, order o) const volatile {
    T old = load(order::relaxed);
    while (!compare_exchange_strong(old, next(old), o, of_failure(o))) {
    }
    return old;
  }
};

}  // namespace cosmati_cuda

namespace cuda {

/// @name Memory orders
/// @{
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
/// @}

/// An object whose accesses are atomic. `T` has at most 8 bytes.
template <class T, thread_scope scope = thread_scope_system>
class atomic : public cosmati_cuda::atomic_operations<atomic<T, scope>, T> {
 public:
  atomic() = default;
  constexpr atomic(T v) : value_(v) {}
  atomic(atomic const&) = delete;
  atomic& operator=(atomic const&) = delete;
  T operator=(T v) volatile {
    this->store(v);
    return v;
  }
  T* address() const volatile { return const_cast<T*>(&value_); }

 private:
  alignas(sizeof(T)) T value_;
};

/// Atomic accesses to an object that is elsewhere.
template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public cosmati_cuda::atomic_operations<atomic_ref<T, scope>, T> {
 public:
  explicit atomic_ref(T& object) : object_(&object) {}
  static constexpr ::std::size_t required_alignment = sizeof(T);
  T operator=(T v) const {
    this->store(v);
    return v;
  }
  T* address() const volatile { return const_cast<atomic_ref const*>(this)->object_; }

 private:
  T* object_;
};

/// A flag that is clear or set.
template <thread_scope scope = thread_scope_system>
class atomic_flag_of_scope {
 public:
  bool test_and_set(memory_order o = memory_order_seq_cst) { return flag_.exchange(1, o) != 0; }
  void clear(memory_order o = memory_order_seq_cst) { flag_.store(0, o); }
  bool test(memory_order o = memory_order_seq_cst) const { return flag_.load(o) != 0; }

 private:
  atomic<unsigned, scope> flag_{0};
};
using atomic_flag = atomic_flag_of_scope<>;

inline void atomic_thread_fence(memory_order o, thread_scope = thread_scope_system) {
  if (o != memory_order_relaxed && cosmati_cuda::sim_active() != 0) cosmati_sim_thread_fence(1);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace cuda

namespace cuda::std {
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
}  // namespace cuda::std

#endif

#include <cosmati/core/macros_end.hpp>
