// SPDX-License-Identifier: Apache-2.0
/// @file
/// `device_kernel<Operator>`: a kernel that calls an object with parameters and the block's dynamic shared memory.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/device_kernel.h>)
#include_next <cutlass/device_kernel.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/runtime/dynamic_shared.hpp>

namespace cutlass {

/// Operator has `Params`, `MaxThreadsPerBlock` and `operator()(Params const&, char* shared)`.
template <class Operator>
__global__ __launch_bounds__(Operator::MaxThreadsPerBlock, Operator::MinBlocksPerMultiprocessor) void device_kernel(
    CUTLASS_GRID_CONSTANT typename Operator::Params const params) {
  Operator op;
  op(params, ::COSMATI_NAMESPACE::dynamic_shared<char>());
}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
