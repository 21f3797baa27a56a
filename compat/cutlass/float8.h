// SPDX-License-Identifier: Apache-2.0
/// @file
/// The 8-bit floating-point numbers.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/float8.h>)
#include_next <cutlass/float8.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/float8.hpp>
#include <cute/util/type_traits.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::float_e4m3_t;
using ::COSMATI_NAMESPACE::float_e5m2_t;
using ::COSMATI_NAMESPACE::float_ue4m3_t;
using ::COSMATI_NAMESPACE::float_ue8m0_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
