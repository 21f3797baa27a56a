// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::bfloat16_t`.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/bfloat16.h>)
#include_next <cutlass/bfloat16.h>
#else

#if defined(__CUDACC__)
#include <cuda_bf16.h>  // CUTLASS's header has it, and programs use it
#endif

#include <cutlass/detail/number_names.hpp>

#endif
