// SPDX-License-Identifier: Apache-2.0
/// @file
/// Matrix instructions of sm_90. If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/mma_sm90.h>)
#include_next <cutlass/arch/mma_sm90.h>
#else

#include <cutlass/arch/config.h>
#include <cutlass/cutlass.h>
#include <cutlass/layout/matrix.h>
#include <cute/arch/mma_sm90.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>

#endif
