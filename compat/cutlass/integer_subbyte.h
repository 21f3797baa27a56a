// SPDX-License-Identifier: Apache-2.0
/// @file
/// Integers narrower than a byte.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/integer_subbyte.h>)
#include_next <cutlass/integer_subbyte.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cutlass/numeric_size.h>
#include <cosmati/number/integer_subbyte.hpp>

namespace cutlass {

using int2b_t = ::COSMATI_NAMESPACE::int2_t;
using int4b_t = ::COSMATI_NAMESPACE::int4_t;
using int6b_t = ::COSMATI_NAMESPACE::int6_t;
using uint1b_t = ::COSMATI_NAMESPACE::uint1_t;
using uint2b_t = ::COSMATI_NAMESPACE::uint2_t;
using uint4b_t = ::COSMATI_NAMESPACE::uint4_t;
using uint6b_t = ::COSMATI_NAMESPACE::uint6_t;
using bin1_t = bool;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
