// SPDX-License-Identifier: Apache-2.0
/// @file
/// The namespace's name, and CuTe's macros. Every header of compat/ includes this one first.
///
/// Where the program has not included a header of Cosmati before, the library lives in `namespace cute`, which the
/// program may open to specialise `Copy_Traits`; `cosmati` is an alias. Where it has, `cute` is an alias.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "cosmati: CuTe's names by Cosmati are C++20: compile with -std=c++20 (nvcc takes -std=c++20 too)"
#include <cosmati/this_is_the_end_of_the_compilation_see_the_error_above>
#endif

#if !defined(COSMATI_NAMESPACE)
#define COSMATI_NAMESPACE cute
// A program for CuTe: `partition_C(tensor)` of a tensor that the tiled MMA does not divide covers whole tiles, and
// cp.async into registers is a load.
#define COSMATI_CUTE_PROGRAM
#endif
#include <cassert>
#include <cosmati/core/config.hpp>
#include <cstdint>
#include <cstdio>

/// @name Whether COSMATI_NAMESPACE is `cute`
/// @{
#define COSMATI_COMPAT_IS_cute 1
#define COSMATI_COMPAT_JOIN(a, b) a##b
#define COSMATI_COMPAT_IS(name) COSMATI_COMPAT_JOIN(COSMATI_COMPAT_IS_, name)
#if !COSMATI_COMPAT_IS(COSMATI_NAMESPACE)
namespace cute = COSMATI_NAMESPACE;
#endif
#undef COSMATI_COMPAT_IS
#undef COSMATI_COMPAT_JOIN
#undef COSMATI_COMPAT_IS_cute
/// @}

/// @name Annotations of functions
/// @{
#if defined(__CUDACC__)
#define CUTE_HOST_DEVICE __forceinline__ __host__ __device__
#define CUTE_DEVICE __forceinline__ __device__
#define CUTE_HOST __forceinline__ __host__
#else
#define CUTE_HOST_DEVICE inline
#define CUTE_DEVICE inline
#define CUTE_HOST inline
#endif
#define CUTE_HOST_RTC CUTE_HOST
/// @}

/// @name Loops
/// @{
#define CUTE_UNROLL COSMATI_UNROLL
#define CUTE_NO_UNROLL COSMATI_NO_UNROLL
/// @}

/// @name Variables and parameters
/// @{
#if defined(__CUDA_ARCH__)
#define CUTE_INLINE_CONSTANT static const __device__
#else
#define CUTE_INLINE_CONSTANT static constexpr
#endif
#if defined(__CUDACC__)
#define CUTE_GRID_CONSTANT_SUPPORTED
#if defined(__CUDA_ARCH__)
#define CUTE_GRID_CONSTANT_ENABLED
#endif
#endif
#if !defined(CUTE_GRID_CONSTANT)
#if defined(CUTE_GRID_CONSTANT_ENABLED)
#define CUTE_GRID_CONSTANT __grid_constant__
#else
#define CUTE_GRID_CONSTANT
#endif
#endif
/// @}

/// @name Assertions
/// @{
#define CUTE_STATIC_V(x) decltype(x)::value
#define CUTE_STATIC_ASSERT static_assert
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value, ##__VA_ARGS__)
#define CUTE_GCC_UNREACHABLE __builtin_unreachable()
#if defined(__CUDA_ARCH__)
#define CUTE_INVALID_CONTROL_PATH(text) \
  assert(0 && text);                    \
  printf(text);                         \
  __brkpt()
#else
#define CUTE_INVALID_CONTROL_PATH(text) \
  assert(0 && text);                    \
  printf(text)
#endif
/// @}

/// The namespace of the standard library in host and device code.
#define CUTE_STL_NAMESPACE std

// Before what those below include, so that the errors which this header explains have few lines of "included from".
#include <cosmati/core/tuple.hpp>

#include <cute/util/debug.hpp>
