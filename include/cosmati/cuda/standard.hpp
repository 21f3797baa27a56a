// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cuda::std`: the names of the C++ standard library, for kernels. The headers cuda/std/NAME include NAME.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <version>

namespace cuda::std {
using namespace ::std;  // NOLINT: the whole library
}  // namespace cuda::std

#endif

#include <cosmati/core/macros_end.hpp>
