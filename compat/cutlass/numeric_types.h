// SPDX-License-Identifier: Apache-2.0
/// @file
/// Every number type.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/numeric_types.h>)
#include_next <cutlass/numeric_types.h>
#else

#include <cutlass/bfloat16.h>
#include <cutlass/complex.h>
#include <cutlass/cutlass.h>
#include <cutlass/float8.h>
#include <cutlass/float_subbyte.h>
#include <cutlass/half.h>
#include <cutlass/integer_subbyte.h>
#include <cutlass/numeric_size.h>
#include <cutlass/tfloat32.h>
#include <cutlass/uint128.h>
#include <cutlass/uint256.h>

#endif
