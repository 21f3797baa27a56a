// SPDX-License-Identifier: Apache-2.0
/// @file
/// The floating-point numbers of 4 and 6 bits.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/float_subbyte.h>)
#include_next <cutlass/float_subbyte.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/float8.h>
#include <cosmati/number/float_subbyte.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::float_e2m1_t;
using ::COSMATI_NAMESPACE::float_e2m3_t;
using ::COSMATI_NAMESPACE::float_e3m2_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
