// SPDX-License-Identifier: Apache-2.0
/// @file
/// The number types by CUTLASS's names, without CUDA's headers of half and bfloat16: <cute/tensor.hpp> gives them.
/// <cutlass/numeric_types.h> has those headers, too. They cost nvcc more than half of the time of an empty kernel.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/numeric_types.h>)
#include_next <cutlass/numeric_types.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/float8.h>
#include <cutlass/float_subbyte.h>
#include <cutlass/integer_subbyte.h>
#include <cutlass/numeric_size.h>
#include <cutlass/tfloat32.h>
#include <cutlass/uint128.h>
#include <cutlass/uint256.h>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::bfloat16_t;
using ::COSMATI_NAMESPACE::half_t;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
