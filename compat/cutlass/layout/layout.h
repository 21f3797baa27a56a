// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tags of matrices' orders.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/layout/layout.h>)
#include_next <cutlass/layout/layout.h>
#else

#include <cutlass/layout/matrix.h>

#endif
