// SPDX-License-Identifier: Apache-2.0
/// @file
/// `uint128_t`, an integer as wide as the widest access of one instruction; and `uint256_t`, for storage only.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// An unsigned integer of 128 bits, aligned to its size, so that its copy is one 16-byte access. Arithmetic wraps. It
/// converts to a narrower integer only explicitly, and drops the upper bits.
struct alignas(16) uint128_t {
  std::uint64_t lo, hi;

  uint128_t() = default;
  /// Converts an integer. Negative numbers are extended with ones, as in the built-in conversions.
  template <std::integral T>
  COSMATI_HD constexpr uint128_t(T x)  // NOLINT: implicit, as for built-in integers
      : lo(static_cast<std::uint64_t>(x)),
        hi(static_cast<T>(-1) < static_cast<T>(1) && lo >> 63 != 0 ? ~std::uint64_t{0} : 0) {}
  COSMATI_HD constexpr uint128_t(std::uint64_t low, std::uint64_t high) : lo(low), hi(high) {}

  COSMATI_HD explicit constexpr operator bool() const { return (lo | hi) != 0; }
  template <std::integral T>
  requires(!std::same_as<T, bool>) COSMATI_HD explicit constexpr operator T() const { return static_cast<T>(lo); }

  friend COSMATI_HD constexpr bool operator==(uint128_t a, uint128_t b) { return a.lo == b.lo && a.hi == b.hi; }
  friend COSMATI_HD constexpr bool operator<(uint128_t a, uint128_t b) {
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
  }
  friend COSMATI_HD constexpr bool operator>(uint128_t a, uint128_t b) { return b < a; }
  friend COSMATI_HD constexpr bool operator<=(uint128_t a, uint128_t b) { return !(b < a); }
  friend COSMATI_HD constexpr bool operator>=(uint128_t a, uint128_t b) { return !(a < b); }

  friend COSMATI_HD constexpr uint128_t operator~(uint128_t a) { return {~a.lo, ~a.hi}; }
  friend COSMATI_HD constexpr uint128_t operator&(uint128_t a, uint128_t b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend COSMATI_HD constexpr uint128_t operator|(uint128_t a, uint128_t b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend COSMATI_HD constexpr uint128_t operator^(uint128_t a, uint128_t b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend COSMATI_HD constexpr uint128_t operator+(uint128_t a, uint128_t b) {
    std::uint64_t const low = a.lo + b.lo;
    return {low, a.hi + b.hi + (low < a.lo ? 1 : 0)};
  }
  friend COSMATI_HD constexpr uint128_t operator-(uint128_t a, uint128_t b) {
    return {a.lo - b.lo, a.hi - b.hi - (a.lo < b.lo ? 1 : 0)};
  }
  friend COSMATI_HD constexpr uint128_t operator-(uint128_t a) { return uint128_t(0, 0) - a; }
  /// Shifts. A shift by 128 or more gives zero.
  friend COSMATI_HD constexpr uint128_t operator<<(uint128_t a, unsigned n) {
    if (n == 0) return a;
    if (n < 64) return {a.lo << n, a.hi << n | a.lo >> (64 - n)};
    return {0, n < 128 ? a.lo << (n - 64) : 0};
  }
  friend COSMATI_HD constexpr uint128_t operator>>(uint128_t a, unsigned n) {
    if (n == 0) return a;
    if (n < 64) return {a.lo >> n | a.hi << (64 - n), a.hi >> n};
    return {n < 128 ? a.hi >> (n - 64) : 0, 0};
  }

  COSMATI_HD constexpr uint128_t& operator&=(uint128_t b) { return *this = *this & b; }
  COSMATI_HD constexpr uint128_t& operator|=(uint128_t b) { return *this = *this | b; }
  COSMATI_HD constexpr uint128_t& operator^=(uint128_t b) { return *this = *this ^ b; }
  COSMATI_HD constexpr uint128_t& operator+=(uint128_t b) { return *this = *this + b; }
  COSMATI_HD constexpr uint128_t& operator-=(uint128_t b) { return *this = *this - b; }
  COSMATI_HD constexpr uint128_t& operator<<=(unsigned n) { return *this = *this << n; }
  COSMATI_HD constexpr uint128_t& operator>>=(unsigned n) { return *this = *this >> n; }
};

/// 256 bits that can be moved, but have no arithmetic.
struct alignas(32) uint256_t {
  uint128_t lo, hi;

  friend COSMATI_HD constexpr bool operator==(uint256_t const& a, uint256_t const& b) {
    return a.lo == b.lo && a.hi == b.hi;
  }
};

}  // namespace as_cutlass

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
