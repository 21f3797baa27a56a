// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::half_t`.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/half.h>)
#include_next <cutlass/half.h>
#else

#if defined(__CUDACC__)
#include <cuda_fp16.h>  // CUTLASS's header has it, and programs use it
#endif

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/float8.h>
#include <cosmati/number/half.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::half_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
