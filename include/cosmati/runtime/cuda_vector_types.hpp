// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's vector types (`float4`, `int2`, `dim3`, ...) and their `make_*` functions, if no CUDA header supplied them.
/// They have the same names, sizes, alignments and members.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

#if !defined(__CUDACC__) && !defined(__VECTOR_TYPES_H__)

#define COSMATI_VECTOR_TYPE_(T, base, align2, align4)                   \
  struct base##1 {                                                      \
    T x;                                                                \
  };                                                                    \
  struct alignas(align2) base##2 {                                      \
    T x, y;                                                             \
  };                                                                    \
  struct base##3 {                                                      \
    T x, y, z;                                                          \
  };                                                                    \
  struct alignas(align4) base##4 {                                      \
    T x, y, z, w;                                                       \
  };                                                                    \
  constexpr base##1 make_##base##1(T x) { return {x}; }                 \
  constexpr base##2 make_##base##2(T x, T y) { return {x, y}; }         \
  constexpr base##3 make_##base##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr base##4 make_##base##4(T x, T y, T z, T w) { return {x, y, z, w}; }

COSMATI_VECTOR_TYPE_(signed char, char, 2, 4)
COSMATI_VECTOR_TYPE_(unsigned char, uchar, 2, 4)
COSMATI_VECTOR_TYPE_(short, short, 4, 8)
COSMATI_VECTOR_TYPE_(unsigned short, ushort, 4, 8)
COSMATI_VECTOR_TYPE_(int, int, 8, 16)
COSMATI_VECTOR_TYPE_(unsigned int, uint, 8, 16)
COSMATI_VECTOR_TYPE_(long, long, 16, 16)
COSMATI_VECTOR_TYPE_(unsigned long, ulong, 16, 16)
COSMATI_VECTOR_TYPE_(long long, longlong, 16, 16)
COSMATI_VECTOR_TYPE_(unsigned long long, ulonglong, 16, 16)
COSMATI_VECTOR_TYPE_(float, float, 8, 16)
COSMATI_VECTOR_TYPE_(double, double, 16, 16)
#undef COSMATI_VECTOR_TYPE_

/// The extents of a grid or block; an integer converts to `(n, 1, 1)`.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr explicit dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#endif

#include <cosmati/core/macros_end.hpp>
