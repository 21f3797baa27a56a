// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::tfloat32_t`.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/tfloat32.h>)
#include_next <cutlass/tfloat32.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/number/tfloat32.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::tfloat32_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
