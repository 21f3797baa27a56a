// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::uint256_t`.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/uint256.h>)
#include_next <cutlass/uint256.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/uint128.h>
#include <cosmati/number/uint128.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::uint256_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
