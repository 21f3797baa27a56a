// SPDX-License-Identifier: Apache-2.0
/// @file
/// The few macros of the library: annotations, unrolling, the name of the namespace.
///
/// A program that reopens `namespace cute`, for example to specialise `Copy_Traits`, is compiled with
/// `-DCOSMATI_NAMESPACE=cute`. Then `cosmati` is an alias.
#pragma once
#include <cosmati/core/macros_begin.hpp>

/// The version of the library, by semantic versioning.
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
/// Marks functions for host and device. Without nvcc it is empty.
#define COSMATI_HD __host__ __device__
#else
#define COSMATI_HD
#endif

#if defined(__CUDA_ARCH__)
/// Stands before a loop of device code: unroll it, or do not unroll it.
#define COSMATI_UNROLL _Pragma("unroll")
#define COSMATI_NO_UNROLL _Pragma("unroll 1")
#else
#define COSMATI_UNROLL
#define COSMATI_NO_UNROLL
#endif

/// Extends a constant of a type to references and const types. std::remove_cvref_t would cost a compiler two classes
/// for every type.
#define COSMATI_ALSO_OF_REFERENCES(type, name)   \
  template <class T>                             \
  inline constexpr type name<T const> = name<T>; \
  template <class T>                             \
  inline constexpr type name<T&> = name<T>;      \
  template <class T>                             \
  inline constexpr type name<T&&> = name<T>;

/// Defined while compiling host code that a simulated block may run (see cosmati/runtime).
#if !defined(__CUDACC__)
#define COSMATI_SIMULATED 1
#endif

#include <cosmati/core/macros_end.hpp>
