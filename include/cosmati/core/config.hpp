// SPDX-License-Identifier: Apache-2.0
/// @file
/// The few macros of the library: annotations, unrolling, the namespace's name.
///
/// A program that reopens `namespace cute` (to specialise `Copy_Traits`, say) is compiled with
/// `-DCOSMATI_NAMESPACE=cute`; `cosmati` is an alias then.
#pragma once
#include <cosmati/core/macros_begin.hpp>

/// The library's version, by semantic versioning.
#define COSMATI_VERSION_MAJOR 0
#define COSMATI_VERSION_MINOR 1
#define COSMATI_VERSION_PATCH 0

#if defined(COSMATI_NAMESPACE)
namespace COSMATI_NAMESPACE {}
namespace cosmati = COSMATI_NAMESPACE;
#else
#define COSMATI_NAMESPACE cosmati
#endif

#if defined(__CUDACC__)
/// Marks functions for host and device; nothing without nvcc.
#define COSMATI_HD __host__ __device__
#else
#define COSMATI_HD
#endif

#if defined(__CUDA_ARCH__)
/// Before a loop of device code: unroll it, or do not.
#define COSMATI_UNROLL _Pragma("unroll")
#define COSMATI_NO_UNROLL _Pragma("unroll 1")
#else
#define COSMATI_UNROLL
#define COSMATI_NO_UNROLL
#endif

/// A constant of a type answers for references to it and for const too. (std::remove_cvref_t instead costs a compiler
/// two classes for every type it is asked about.)
#define COSMATI_ALSO_OF_REFERENCES(type, name)   \
  template <class T>                             \
  inline constexpr type name<T const> = name<T>; \
  template <class T>                             \
  inline constexpr type name<T&> = name<T>;      \
  template <class T>                             \
  inline constexpr type name<T&&> = name<T>;

/// Defined while host code is compiled that a simulated block may run (see cosmati/runtime).
#if !defined(__CUDACC__)
#define COSMATI_SIMULATED 1
#endif

#include <cosmati/core/macros_end.hpp>
