// SPDX-License-Identifier: Apache-2.0
/// @file
/// Integers by their number of bits.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/uint128.hpp>
#include <cutlass/detail/number_names.hpp>

namespace COSMATI_NAMESPACE {

/// @name The types whose `type` is an integer of N bytes
/// @{
template <int N>
struct int_byte {
  using type = int_byte_t<N>;
};
template <int N>
struct uint_byte {
  using type = uint_byte_t<N>;
};
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
