// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's per-thread intrinsics on the simulated device: bits, casts, cached loads, clocks. Arithmetic is in
/// cuda_math.hpp.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cassert>
#include <cmath>
#include <cosmati/core/config.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>

#if defined(COSMATI_SIMULATED)

// The simulated device ignores cache hints, so these are plain loads and stores.
#define COSMATI_LOAD_(name) \
  template <class T>        \
  T name(T const* p) {      \
    return *p;              \
  }
#define COSMATI_STORE_(name)    \
  template <class T, class U>   \
  void name(T* p, U const& v) { \
    *p = v;                     \
  }
COSMATI_LOAD_(__ldca)
COSMATI_LOAD_(__ldcg)
COSMATI_LOAD_(__ldcs)
COSMATI_LOAD_(__ldcv)
COSMATI_LOAD_(__ldlu)
COSMATI_STORE_(__stcg)
COSMATI_STORE_(__stcs)
COSMATI_STORE_(__stwb)
COSMATI_STORE_(__stwt)
#undef COSMATI_LOAD_
#undef COSMATI_STORE_

/// Loads through the read-only cache: nothing may write there while the kernel runs.
template <class T>
T __ldg(T const* p, char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (cosmati_cuda::sim_active() != 0) cosmati_sim_read_only(p, sizeof(T), "__ldg", file, line);
  return *p;
}

// Functions of bits.
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)); }
inline unsigned __brev(unsigned v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(v);
}
inline unsigned long long __brevll(unsigned long long v) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned>(v))) << 32) |
         __brev(static_cast<unsigned>(v >> 32));
}
/// Selects four bytes from the eight of (y:x), by the low three bits of each nibble. PTX's `prmt` also has a mode of
/// signs in bit 3, which this function does not (measured).
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  std::uint64_t const bytes = (static_cast<std::uint64_t>(y) << 32) | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned const number = (selector >> (4 * i)) & 7u;
    result |= (static_cast<unsigned>(bytes >> (8 * number)) & 255u) << (8 * i);
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>((((static_cast<std::uint64_t>(hi) << 32) | lo) << (shift & 31u)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>(((static_cast<std::uint64_t>(hi) << 32) | lo) >> (shift & 31u));
}
inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
inline long long __mul64hi(long long a, long long b) {
  __extension__ using wide = __int128;
  return static_cast<long long>((static_cast<wide>(a) * b) >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using wide = unsigned __int128;
  return static_cast<unsigned long long>((static_cast<wide>(a) * b) >> 64);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(a) * b) >> 32);
}
inline int __mul24(int a, int b) {
  auto const low24 = [](int v) { return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned>(low24(a)) * static_cast<unsigned>(low24(b)));
}

// Returns the bits of a value as another type.
namespace cosmati_cuda {
template <class To, class From>
constexpr To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace cosmati_cuda
inline int __float_as_int(float v) { return cosmati_cuda::same_bits<int>(v); }
inline unsigned __float_as_uint(float v) { return cosmati_cuda::same_bits<unsigned>(v); }
inline float __int_as_float(int v) { return cosmati_cuda::same_bits<float>(v); }
inline float __uint_as_float(unsigned v) { return cosmati_cuda::same_bits<float>(v); }
inline long long __double_as_longlong(double v) { return cosmati_cuda::same_bits<long long>(v); }
inline double __longlong_as_double(long long v) { return cosmati_cuda::same_bits<double>(v); }

// nvcc's functions are no constant expressions, so that a program may declare them again.
#if defined(COSMATI_CUDA_FILE)
#define COSMATI_MIN_MAX_WORD_ inline
#else
#define COSMATI_MIN_MAX_WORD_ constexpr
#endif
#define COSMATI_MIN_MAX_(T)                                       \
  COSMATI_MIN_MAX_WORD_ T min(T a, T b) { return b < a ? b : a; } \
  COSMATI_MIN_MAX_WORD_ T max(T a, T b) { return a < b ? b : a; }
COSMATI_MIN_MAX_(int)
COSMATI_MIN_MAX_(unsigned)
COSMATI_MIN_MAX_(long)
COSMATI_MIN_MAX_(unsigned long)
COSMATI_MIN_MAX_(long long)
COSMATI_MIN_MAX_(unsigned long long)
COSMATI_MIN_MAX_(float)
COSMATI_MIN_MAX_(double)
#undef COSMATI_MIN_MAX_
#undef COSMATI_MIN_MAX_WORD_

/// Nanoseconds of the host. The only guarantee is that the value grows.
inline long long clock64() {
  if (cosmati_sim_reads_clock != nullptr) cosmati_sim_reads_clock();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long long>(now.tv_sec) * 1000000000ll + now.tv_nsec;
}
inline unsigned long long globaltimer() { return static_cast<unsigned long long>(clock64()); }

#endif

#include <cosmati/core/macros_end.hpp>
