// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tags of matrices' orders.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/layout/layout.h>)
#include_next <cutlass/layout/layout.h>
#else

#include <cutlass/layout/matrix.h>

#endif
