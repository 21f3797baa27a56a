// SPDX-License-Identifier: Apache-2.0
/// @file
/// Division by a number that is known at launch, by one multiplication and one shift.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// Divides numbers below 2^31 by `divisor`, which is 1 to 2^31 - 1.
struct fast_divider {
  std::uint32_t divisor = 1, multiplier = 1, shift = 0;

  fast_divider() = default;
  COSMATI_HD constexpr explicit fast_divider(std::uint32_t d) : divisor(d), multiplier(1), shift(0) {
    while ((std::uint64_t{1} << shift) < d) ++shift;
    // ceil(2^(32 + shift) / d) - 2^32. For n < 2^31 it gives the same results as the exact quotient.
    multiplier = static_cast<std::uint32_t>((((std::uint64_t{1} << shift) - d) << 32) / d + 1);
  }
  /// n / divisor.
  COSMATI_HD constexpr std::uint32_t quotient(std::uint32_t n) const {
    return (static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * multiplier) >> 32) + n) >> shift;
  }
  /// n minus the quotient times the divisor.
  COSMATI_HD constexpr std::uint32_t remainder(std::uint32_t n, std::uint32_t its_quotient) const {
    return n - its_quotient * divisor;
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
