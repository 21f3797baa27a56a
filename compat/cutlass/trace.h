// SPDX-License-Identifier: Apache-2.0
/// @file
/// `CUTLASS_TRACE_HOST(x)`: writes x to standard error where CUTLASS_DEBUG_TRACE_LEVEL is 1 or more.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/trace.h>)
#include_next <cutlass/trace.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/numeric_types.h>
#include <iostream>

#if !defined(CUTLASS_DEBUG_TRACE_LEVEL)
#define CUTLASS_DEBUG_TRACE_LEVEL 0
#endif
#if CUTLASS_DEBUG_TRACE_LEVEL
#define CUTLASS_TRACE_HOST(text) std::cerr << __FILE__ << ":" << __LINE__ << "  " << text << std::endl
#else
#define CUTLASS_TRACE_HOST(text)
#endif

#include <cosmati/core/macros_end.hpp>

#endif
