// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tags of matrices' orders.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/layout/matrix.h>)
#include_next <cutlass/layout/matrix.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cutlass/fast_math.h>

namespace cutlass::layout {

/// Rows lie in one piece.
struct RowMajor {};
/// Columns lie in one piece.
struct ColumnMajor {};

}  // namespace cutlass::layout

#include <cosmati/core/macros_end.hpp>

#endif
