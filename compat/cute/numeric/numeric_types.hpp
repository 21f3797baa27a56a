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

using cutlass::bits_to_bytes;
using cutlass::bytes_to_bits;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
