// SPDX-License-Identifier: Apache-2.0
/// @file
/// Every number type.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/number_types.hpp>
#include <cute/numeric/int.hpp>
#include <cute/numeric/real.hpp>

namespace COSMATI_NAMESPACE {

/// @name Between bits and bytes, rounded up
/// @{
template <class T>
COSMATI_HD constexpr auto bits_to_bytes(T bits) {
  return (bits + 7) / 8;
}
template <class T>
COSMATI_HD constexpr auto bytes_to_bits(T bytes) {
  return bytes * 8;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
