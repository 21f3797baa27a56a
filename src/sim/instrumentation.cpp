// SPDX-License-Identifier: Apache-2.0
// The functions that code compiled with -fsanitize=thread and -fsanitize-coverage=trace-cmp calls. The sanitizers' own
// libraries are not linked.
#include <cstring>

#include "counters.hpp"
#include "fibers.hpp"
#include "raw_access.hpp"
#include "unwritten_values.hpp"

using cosmati_sim::raw_access;
using cosmati_sim::this_worker;
using cosmati_sim::worker;

#define PC __builtin_return_address(0)

/// Whether a std::memory_order releases: release, acquire-release or sequential consistency.
static bool releases(int order) { return order >= 3; }

extern "C" {

void* __real_memcpy(void* to, void const* from, std::size_t bytes) __attribute__((weak));
void* __real_memmove(void* to, void const* from, std::size_t bytes) __attribute__((weak));
void* __real_memset(void* to, int value, std::size_t bytes) __attribute__((weak));

void __tsan_init(void) {}
void __tsan_func_entry(void* call) {
  if (cosmati_sim_active == 0) return;
  worker& w = *this_worker;
  auto const room = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - w.stack_low;
  if (room < cosmati_sim::least_stack) cosmati_sim::run_out_of_stack(w, call);
  if (cosmati_sim_active != cosmati_sim::lane_runs) {  // otherwise it is checked but not counted
    if (w.counters != nullptr) {
      cosmati_sim::quiet const hush;
      w.counters->enter(w.current, call);
    }
    if (w.clocks == nullptr) return;
  }
  if (!w.sees_everything) cosmati_sim::look_for_kernel(w, PC);
  cosmati_sim::lane& l = w.lanes[w.current];
  l.frame = w.tables->calls.child(l.frame, call);
}
void __tsan_func_exit(void) {
  if (cosmati_sim_active == 0) return;
  worker& w = *this_worker;
  if (cosmati_sim_active != cosmati_sim::lane_runs) {
    if (w.counters != nullptr) w.counters->leave(w.current);
    if (w.clocks == nullptr) return;
  }
  cosmati_sim::lane& l = w.lanes[w.current];
  l.frame = l.frame->parent;
}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

#define ACCESS(name, bytes)                                                               \
  void __tsan_read##name(void* p) { raw_access(p, bytes, 0, bytes, PC); }                 \
  void __tsan_write##name(void* p) { raw_access(p, bytes, 1, bytes, PC); }                \
  void __tsan_read##name##_pc(void* p, void* pc) { raw_access(p, bytes, 0, bytes, pc); }  \
  void __tsan_write##name##_pc(void* p, void* pc) { raw_access(p, bytes, 1, bytes, pc); } \
  void __tsan_volatile_read##name(void* p) { raw_access(p, bytes, 4, bytes, PC); }        \
  void __tsan_volatile_write##name(void* p) { raw_access(p, bytes, 5, bytes, PC); }       \
  void __tsan_unaligned_volatile_read##name(void* p) { raw_access(p, bytes, 4, 1, PC); }  \
  void __tsan_unaligned_volatile_write##name(void* p) { raw_access(p, bytes, 5, 1, PC); } \
  void __tsan_unaligned_read##name(void* p) { raw_access(p, bytes, 0, 1, PC); }           \
  void __tsan_unaligned_write##name(void* p) { raw_access(p, bytes, 1, 1, PC); }          \
  void __tsan_read_write##name(void* p) {                                                 \
    raw_access(p, bytes, 0, bytes, PC);                                                   \
    raw_access(p, bytes, 1, bytes, PC);                                                   \
  }                                                                                       \
  void __tsan_unaligned_read_write##name(void* p) {                                       \
    raw_access(p, bytes, 0, 1, PC);                                                       \
    raw_access(p, bytes, 1, 1, PC);                                                       \
  }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)

void __tsan_read_range(void* p, std::size_t bytes) { raw_access(p, bytes, 0, 1, PC); }
void __tsan_write_range(void* p, std::size_t bytes) { raw_access(p, bytes, 1, 1, PC); }
void __tsan_vptr_update(void** p, void*) { raw_access(p, sizeof(void*), 1, sizeof(void*), PC); }
void __tsan_vptr_read(void** p) { raw_access(p, sizeof(void*), 0, sizeof(void*), PC); }

void* __tsan_memcpy(void* to, void const* from, std::size_t bytes) {
  raw_access(from, bytes, 0, 1, PC);
  raw_access(to, bytes, 1, 1, PC);
  return __real_memcpy != nullptr ? __real_memcpy(to, from, bytes) : memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, void const* from, std::size_t bytes) {
  raw_access(from, bytes, 0, 1, PC);
  raw_access(to, bytes, 1, 1, PC);
  return __real_memmove != nullptr ? __real_memmove(to, from, bytes) : memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  raw_access(to, bytes, 1, 1, PC);
  return __real_memset != nullptr ? __real_memset(to, value, bytes) : memset(to, value, bytes);
}

#define ATOMIC(bits, T)                                                                                \
  T __tsan_atomic##bits##_load(T const volatile* p, int) {                                             \
    raw_access(const_cast<T const*>(p), bits / 8, 3, bits / 8, PC);                                    \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                    \
  void __tsan_atomic##bits##_store(T volatile* p, T v, int order) {                                    \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order));                   \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                          \
  }                                                                                                    \
  T __tsan_atomic##bits##_exchange(T volatile* p, T v, int order) {                                    \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order));                   \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                \
  }                                                                                                    \
  T __tsan_atomic##bits##_compare_exchange_val(T volatile* p, T expected, T v, int order, int) {       \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order));                   \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    return expected;                                                                                   \
  }                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_strong(T volatile* p, T* expected, T v, int order, int) { \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order));                   \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
  }                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_weak(T volatile* p, T* expected, T v, int order, int) {   \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order));                   \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
  }                                                                                                    \
  FETCH(bits, T, add)                                                                                  \
  FETCH(bits, T, sub)                                                                                  \
  FETCH(bits, T, and)                                                                                  \
  FETCH(bits, T, or)                                                                                   \
  FETCH(bits, T, xor)                                                                                  \
  FETCH(bits, T, nand)
#define FETCH(bits, T, op)                                                           \
  T __tsan_atomic##bits##_fetch_##op(T volatile* p, T v, int order) {                \
    raw_access(const_cast<T const*>(p), bits / 8, 2, bits / 8, PC, releases(order)); \
    return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);                              \
  }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long long)

void __tsan_atomic_thread_fence(int order) {
  if (releases(order)) cosmati_sim_thread_fence(1);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Comparisons, which `cosmati sim` lets g++ report. An operand that nobody has written decides the program's path. The
// first of two operands may be a constant, which is never unwritten.
static void compared(std::uint64_t bits, std::size_t bytes, void const* pc) {
  if (bytes >= 4 && cosmati_sim::may_be_unwritten_operand(bits, bytes)) [[unlikely]]
    cosmati_sim::report_unwritten_operand(*this_worker, bits, "a comparison of", {}, pc);
}
#define COMPARISON(name, T, bytes, first_is_constant)     \
  void __sanitizer_cov_trace_##name(T a, T b) {           \
    if (cosmati_sim_active == 0) return;                  \
    std::uint64_t bits[2] = {};                           \
    std::memcpy(&bits[0], &a, sizeof a);                  \
    std::memcpy(&bits[1], &b, sizeof b);                  \
    if (!first_is_constant) compared(bits[0], bytes, PC); \
    compared(bits[1], bytes, PC);                         \
  }
COMPARISON(cmp1, std::uint8_t, 1, false)
COMPARISON(cmp2, std::uint16_t, 2, false)
COMPARISON(cmp4, std::uint32_t, 4, false)
COMPARISON(cmp8, std::uint64_t, 8, false)
COMPARISON(const_cmp1, std::uint8_t, 1, true)
COMPARISON(const_cmp2, std::uint16_t, 2, true)
COMPARISON(const_cmp4, std::uint32_t, 4, true)
COMPARISON(const_cmp8, std::uint64_t, 8, true)
COMPARISON(cmpf, float, 4, false)
COMPARISON(cmpd, double, 8, false)
void __sanitizer_cov_trace_switch(std::uint64_t value, std::uint64_t*) {
  if (cosmati_sim_active == 0 || !cosmati_sim::may_be_unwritten_operand(value, 8)) return;
  cosmati_sim::report_unwritten_operand(*this_worker, value, "a switch over", {}, PC);
}

// For 128 bits there is one lock for all, because all instrumented code comes here.
using wide = unsigned __int128;
static int wide_lock = 0;
static void lock_wide() {
  while (__atomic_exchange_n(&wide_lock, 1, __ATOMIC_ACQUIRE) != 0) {
  }
}
static void unlock_wide() { __atomic_store_n(&wide_lock, 0, __ATOMIC_RELEASE); }

#define WIDE(name, kind, parameters, result_type, body)                                     \
  result_type __tsan_atomic128_##name parameters {                                          \
    raw_access(const_cast<wide const*>(p), 16, kind, 16, PC, kind == 2 && releases(order)); \
    lock_wide();                                                                            \
    wide const old = *p;                                                                    \
    body;                                                                                   \
    unlock_wide();                                                                          \
    return result;                                                                          \
  }
WIDE(load, 3, (wide const volatile* p, int order), wide, wide const result = old)
WIDE(exchange, 2, (wide volatile * p, wide v, int order), wide, *p = v; wide const result = old)
WIDE(fetch_add, 2, (wide volatile * p, wide v, int order), wide, *p = old + v; wide const result = old)
WIDE(fetch_sub, 2, (wide volatile * p, wide v, int order), wide, *p = old - v; wide const result = old)
WIDE(fetch_and, 2, (wide volatile * p, wide v, int order), wide, *p = old & v; wide const result = old)
WIDE(fetch_or, 2, (wide volatile * p, wide v, int order), wide, *p = old | v; wide const result = old)
WIDE(fetch_xor, 2, (wide volatile * p, wide v, int order), wide, *p = old ^ v; wide const result = old)
WIDE(fetch_nand, 2, (wide volatile * p, wide v, int order), wide, *p = ~(old & v); wide const result = old)
WIDE(compare_exchange_val, 2, (wide volatile * p, wide expected, wide v, int order, int), wide,
     if (old == expected) * p = v;
     wide const result = old)
WIDE(compare_exchange_strong, 2, (wide volatile * p, wide* expected, wide v, int order, int), int,
     int const result = old == *expected;
     if (result != 0) * p = v; else* expected = old)
WIDE(compare_exchange_weak, 2, (wide volatile * p, wide* expected, wide v, int order, int), int,
     int const result = old == *expected;
     if (result != 0) * p = v; else* expected = old)
void __tsan_atomic128_store(wide volatile* p, wide v, int order) {
  raw_access(const_cast<wide const*>(p), 16, 2, 16, PC, releases(order));
  lock_wide();
  *p = v;
  unlock_wide();
}

}  // extern "C"
