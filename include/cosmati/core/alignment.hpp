// SPDX-License-Identifier: Apache-2.0
/// @file
/// Alignment in bytes: `is_byte_aligned<N>(address)`, and `aligned_struct<N>`, a base that aligns a class.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstddef>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// Whether an address is a multiple of N bytes.
template <int N>
COSMATI_HD bool is_byte_aligned(void const* address) {
  static_assert(N > 0 && (N & (N - 1)) == 0, "is_byte_aligned<N>: N must be a power of two");
  return (reinterpret_cast<std::uintptr_t>(address) & (static_cast<std::uintptr_t>(N) - 1)) == 0;
}

/// An empty base that aligns the classes that inherit from it. `Child` distinguishes two such bases of one class.
template <std::size_t bytes, class Child = void>
struct alignas(bytes) aligned_struct {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
