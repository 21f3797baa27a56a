// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's small words for the kernels of CUDA files on the simulated device: halves of a double, address spaces, the
/// n-th bit, inverse error functions, `min` and `max` of mixed types, atomics of vectors.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cmath>
#include <cosmati/cuda/rounding.hpp>
#include <cosmati/cuda/simd_words.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cstddef>
#include <cstdint>

#if !defined(__clang__)
/// A promise to the compiler, which the simulated device needs not.
#define __builtin_assume(condition) static_cast<void>(0)
#endif
#define __nv_pure__

extern "C" {
/// The space of an address that a lane may access: 0 other, 1 shared, 2 global.
int cosmati_sim_space_of(void const* address);
}

// Products of 24 bits, and halves of a double.
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline unsigned long long __umul64wide(unsigned a, unsigned b) { return std::uint64_t{a} * b; }
inline double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 | static_cast<std::uint32_t>(low));
}
inline int __double2hiint(double v) { return static_cast<int>(__builtin_bit_cast(std::uint64_t, v) >> 32); }
inline int __double2loint(double v) { return static_cast<int>(__builtin_bit_cast(std::uint64_t, v)); }

// Address spaces. An address of shared memory has 18 bits.
inline std::size_t __cvta_generic_to_shared(void const* p) { return reinterpret_cast<std::uintptr_t>(p) & 0x3ffffu; }
inline void* __cvta_shared_to_generic(std::size_t p) { return cosmati_sim_shared_of(static_cast<std::uint32_t>(p)); }
inline std::size_t __cvta_generic_to_global(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
inline void* __cvta_global_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
inline unsigned __isShared(void const* p) { return cosmati_sim_space_of(p) == 1; }
inline unsigned __isGlobal(void const* p) { return cosmati_sim_space_of(p) == 2; }
inline unsigned __isLocal(void const* p) { return cosmati_sim_space_of(p) == 0; }
inline unsigned __isCtaShared(void const* p) { return cosmati_sim_space_of(p) == 1; }
// A `__constant__` variable is one of global memory here, and a kernel's parameters are the lane's own.
inline unsigned __isConstant(void const*) { return 0; }
inline unsigned __isGridConstant(void const* p) { return cosmati_sim_space_of(p) == 0; }
inline std::size_t __cvta_generic_to_local(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
inline void* __cvta_local_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
inline std::size_t __cvta_generic_to_constant(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
inline void* __cvta_constant_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
inline std::size_t __cvta_generic_to_grid_constant(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
inline void* __cvta_grid_constant_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }

/// The bit of the mask that is `offset` set bits above `base`, or below if negative, counted from 1. It is ~0 if there
/// is none. With offset 0, it is `base` if that bit is set.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return (mask >> (base & 31u) & 1u) != 0 ? base : ~0u;
  int const step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) != 0 && --left == 0) return static_cast<unsigned>(bit);
  }
  return ~0u;
}

namespace cosmati_cuda {
/// The inverse of erfc, by Newton's method from an approximation.
inline double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0) return __builtin_inf();
  if (y == 2) return -__builtin_inf();
  bool const upper = y > 1;
  double const p = upper ? 2 - y : y, t = std::sqrt(-2 * std::log(p / 2));
  double x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 3; ++i) {
    double const error = std::erfc(x) - p;
    x += error / (1.12837916709551257 * std::exp(-x * x) - x * error);
  }
  return upper ? -x : x;
}
inline double inverse_erf(double y) { return std::fabs(y) < 1e-8 ? 0.88622692545275801 * y : inverse_erfc(1 - y); }
}  // namespace cosmati_cuda
inline double erfcinv(double y) { return cosmati_cuda::inverse_erfc(y); }
inline float erfcinvf(float y) { return static_cast<float>(cosmati_cuda::inverse_erfc(y)); }
inline double erfinv(double y) { return cosmati_cuda::inverse_erf(y); }
inline float erfinvf(float y) { return static_cast<float>(cosmati_cuda::inverse_erf(y)); }
inline double normcdfinv(double y) { return -1.41421356237309505 * cosmati_cuda::inverse_erfc(2 * y); }
inline float normcdfinvf(float y) { return static_cast<float>(normcdfinv(y)); }
namespace cosmati_cuda {
/// The modified Bessel function of the first kind of order 0 or 1, by its power series.
inline double bessel_i(int order, double v) {
  double const quarter = v * v / 4;
  double term = order == 0 ? 1 : v / 2, sum = term;
  for (int k = 1; k < 2000 && std::fabs(term) > std::fabs(sum) * 1e-17; ++k) {
    term *= quarter / (double(k) * (k + order));
    sum += term;
  }
  return sum;
}
/// The length of a vector, without overflow of the squares.
template <class T>
T norm_of(int n, T const* v) {
  T length = 0;
  for (int i = 0; i < n; ++i) length = std::hypot(length, v[i]);
  return length;
}
}  // namespace cosmati_cuda
inline double cyl_bessel_i0(double v) { return cosmati_cuda::bessel_i(0, v); }
inline double cyl_bessel_i1(double v) { return cosmati_cuda::bessel_i(1, v); }
inline float cyl_bessel_i0f(float v) { return static_cast<float>(cosmati_cuda::bessel_i(0, v)); }
inline float cyl_bessel_i1f(float v) { return static_cast<float>(cosmati_cuda::bessel_i(1, v)); }
inline double norm(int n, double const* v) { return cosmati_cuda::norm_of(n, v); }
inline float normf(int n, float const* v) { return cosmati_cuda::norm_of(n, v); }
inline double rnorm(int n, double const* v) { return 1 / norm(n, v); }
inline float rnormf(int n, float const* v) { return 1 / normf(n, v); }
inline double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
inline double erfcx(double v) { return std::exp(v * v) * std::erfc(v); }
inline float erfcxf(float v) { return static_cast<float>(erfcx(v)); }
inline float fdividef(float a, float b) { return a / b; }
inline float saturate(float v) { return __saturatef(v); }

// With a signed and an unsigned argument, CUDA compares as unsigned; with a float and a double, as double.
#define COSMATI_MIXED_(A, B, R)                                                \
  inline R min(A a, B b) { return min(static_cast<R>(a), static_cast<R>(b)); } \
  inline R max(A a, B b) { return max(static_cast<R>(a), static_cast<R>(b)); }
#define COSMATI_MIXED_BOTH_(A, B, R) COSMATI_MIXED_(A, B, R) COSMATI_MIXED_(B, A, R)
COSMATI_MIXED_BOTH_(int, unsigned, unsigned)
COSMATI_MIXED_BOTH_(long, unsigned long, unsigned long)
COSMATI_MIXED_BOTH_(long long, unsigned long long, unsigned long long)
COSMATI_MIXED_BOTH_(float, double, double)
#undef COSMATI_MIXED_BOTH_
#undef COSMATI_MIXED_
#define COSMATI_MIN_MAX_OF_(name, T)                 \
  inline T name##min(T a, T b) { return min(a, b); } \
  inline T name##max(T a, T b) { return max(a, b); }
COSMATI_MIN_MAX_OF_(u, unsigned)
COSMATI_MIN_MAX_OF_(ll, long long)
COSMATI_MIN_MAX_OF_(ull, unsigned long long)
#undef COSMATI_MIN_MAX_OF_

// Events of a profiler, and a debugger's stop, which end or change nothing here.
inline void __pm0() {}
inline void __pm1() {}
inline void __pm2() {}
inline void __pm3() {}
#define __prof_trigger(counter) static_cast<void>(counter)
[[noreturn]] inline void __brkpt(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  cosmati_sim_fail("trap", "__brkpt() was executed, and there is no debugger", file, line);
}
inline void __threadfence_cluster() { __threadfence(); }

inline unsigned short __nv_bswap16(unsigned short v) { return __builtin_bswap16(v); }
inline unsigned __nv_bswap32(unsigned v) { return __builtin_bswap32(v); }
inline unsigned long long __nv_bswap64(unsigned long long v) { return __builtin_bswap64(v); }

// Atomics of vectors: each element is atomic, the vector is not.
inline float2 atomicAdd(float2* address, float2 value, char const* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
  return {atomicAdd(&address->x, value.x, file, line), atomicAdd(&address->y, value.y, file, line)};
}
inline float4 atomicAdd(float4* address, float4 value, char const* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
  return {atomicAdd(&address->x, value.x, file, line), atomicAdd(&address->y, value.y, file, line),
          atomicAdd(&address->z, value.z, file, line), atomicAdd(&address->w, value.w, file, line)};
}

#endif

#include <cosmati/core/macros_end.hpp>
