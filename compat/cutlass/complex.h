// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::complex<T>`.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/complex.h>)
#include_next <cutlass/complex.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/complex.hpp>
#include <cstdint>
#include <cutlass/detail/number_names.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::complex;
using ::COSMATI_NAMESPACE::is_complex;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
